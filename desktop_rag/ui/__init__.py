"""The window: everything that knows Qt. It calls `App` and nothing else."""
