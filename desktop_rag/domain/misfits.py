"""Words what is wrong with values that came from elsewhere."""

from __future__ import annotations


def worded(error: Exception) -> str:
    """What msgspec says, ``Expected `int` >= 1 - at `$.chunking.size` ``, with the place first."""
    message, _, place = str(error).partition(" - at ")
    message = message[:1].lower() + message[1:]
    place = place.replace("$.", "").strip("`")
    return f"at `{place}`, {message}" if place and place != "$" else message
