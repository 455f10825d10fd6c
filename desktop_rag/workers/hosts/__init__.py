"""What runs inside each role's child: builds the engine and names its methods.

Engines are imported inside the functions, after the child is isolated.
"""
