"""How much a person may lean on an answer, after retrieval and after checking."""

from __future__ import annotations

from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.citing.answer import Cited
from desktop_rag.domain.table_cells import CELL

_ORDER = (Confidence.NONE, Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


def confidence(judged: Confidence, cited: Cited) -> Confidence:
    """The weaker of what retrieval promises and what the sources bear out.

    One marked sentence is enough not to be certain; when half of the text is marked, little is
    left. A figure from a table is never more than MEDIUM: that the row is right was checked, but
    small models take the wrong column easily, and words cannot tell.
    """
    has_cells = any(CELL in citation.quote for citation in cited.citations)
    if cited.support >= 1 and not cited.unsupported and cited.shows_figures and not has_cells:
        borne_out = Confidence.HIGH
    elif cited.support >= 0.5:
        borne_out = Confidence.MEDIUM
    else:
        borne_out = Confidence.LOW
    return min(judged, borne_out, key=_ORDER.index)
