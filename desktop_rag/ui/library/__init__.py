"""The library: sources, files, their states and failures."""
