"""Item models: what the lists of the window show."""
