"""The command line: a thin skin over `App`."""
