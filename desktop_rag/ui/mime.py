"""Names of what is dragged from one part of the window to another."""

FILES_MIME = "application/x-desktop-rag-files"
"""Files of the library's list, dragged to a folder, a collection or a tag."""
