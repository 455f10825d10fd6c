"""The Privacy page: the network, what is kept where, and how the program does."""
