"""The model build, repeated."""
