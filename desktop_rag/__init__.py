"""Desktop RAG: a chat over a person's own documents that runs on their own computer."""

__version__ = "0.1.0"
