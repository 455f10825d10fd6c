"""Values and rules of the program, in plain Python: no I/O, no libraries, no threads."""
