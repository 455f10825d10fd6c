"""The viewer: the cited place, highlighted, beside the chat."""
