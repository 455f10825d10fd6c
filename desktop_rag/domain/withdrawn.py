"""Sections that say of themselves that they no longer hold: "Superseded guidance (do not use)".

What stands in them answers a question as well as ever, to a search and to a language model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.domain.answers import Citation

_WITHDRAWN = re.compile(
    r"\b(?:superseded|withdrawn|revoked|repealed|rescinded|obsolete|outdated|deprecated|cancelled"
    r"|no longer (?:valid|in force|applies)|not (?:valid|in force)|do not use|deleted by|void)\b"
    r"|\b(?:ungültig|aufgehoben|außer kraft|überholt|zurückgezogen|gestrichen)\b"
    r"|\b(?:abrogée?|annulée?|périmée?|obsolète)\b|\b(?:derogad[oa]|anulad[oa]|obsolet[oa])\b",
    re.IGNORECASE,
)


def withdrawals(citations: Sequence[Citation]) -> tuple[str, ...]:
    """A sentence for each section that is cited and says so in its heading."""
    headings = dict.fromkeys(one.section for one in citations if _WITHDRAWN.search(one.section))
    return tuple(f"Mind the heading above what is quoted: “{one}”." for one in headings)
