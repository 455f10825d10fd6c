"""The history of chats: the list, finding in all of them, and handing one over."""
