"""The app process's own I/O: the catalog, jobs, conversations, folders, model files."""
