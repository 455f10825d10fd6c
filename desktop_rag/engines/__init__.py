"""One library per module; imported by worker processes only."""
