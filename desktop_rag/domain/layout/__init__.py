"""Puts the text fragments of a page into reading order and finds its blocks.

Works on rectangles alone, so it serves any source of placed text: PDFs and recognised pages. The
rules are simple and cheap on purpose: a learned layout model costs about a second a page, these
cost a few milliseconds. Order of work: `columns`, `rows`, `tables` and `headings`, `blocks`.
"""
