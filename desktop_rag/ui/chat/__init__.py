"""The chat: messages, streamed answers with citations, the composer."""
