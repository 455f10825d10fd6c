"""Says when files changed or left the library while an answer was written from them."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.answers import Citation
from desktop_rag.storage.catalog import Catalog


def late_changes(citations: Sequence[Citation], catalog: Catalog) -> str:
    """A sentence that names them; empty when all is as it was."""
    changed = [one for one in citations if _is_other(one, catalog)]
    titles = dict.fromkeys(f"“{one.title or one.path}”" for one in changed)
    if not titles:
        return ""
    return (
        f"{', '.join(titles)} changed or left the library while this was written; the quotations "
        "are from before. Ask again to have it answered anew."
    )


def _is_other(citation: Citation, catalog: Catalog) -> bool:
    known = catalog.known_file(citation.document)
    return known is None or known.sha256 != citation.sha256
