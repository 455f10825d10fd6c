"""What of a text can be checked to the letter: quantities, dates, codes, names, what it denies.

Plain words may be said otherwise and stay true; these may not. Rules, no model, any text.
"""
