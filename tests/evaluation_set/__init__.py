"""A small test set of our own, and the figures that the program reached on it."""
