"""Numbers of citations in a finished answer: [1], [2] …

What a model writes instead of them is read by `domain.citing`.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"\s*\[\d+\]")


def without_marks(text: str) -> str:
    """The text without [1], [2] … and the space before them."""
    return _MARK.sub("", text)
