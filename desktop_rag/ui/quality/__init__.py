"""The Quality page: how well the library answers its person, as figures and plots."""
