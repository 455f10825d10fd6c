"""Says when files changed or left the library while an answer was written from them."""

from __future__ import annotations

from dataclasses import replace

from desktop_rag.domain.answers import Answer, Citation
from desktop_rag.domain.naming import file_name
from desktop_rag.storage.catalog import Catalog


def with_late_changes(answer: Answer, catalog: Catalog) -> Answer:
    """The answer with a sentence that names them in its note; the same when all is as it was."""
    cited = {one.document: one for one in answer.citations}
    changed = [one for one in cited.values() if _is_other(one, catalog)]
    if not changed:
        return answer
    titles = dict.fromkeys(f"“{one.title or file_name(one.path)}”" for one in changed)
    told = (
        f"{', '.join(titles)} changed or left the library while this was written; the quotations "
        "are from before. Ask again to have it answered anew."
    )
    return replace(answer, note=f"{answer.note} {told}".strip())


def _is_other(citation: Citation, catalog: Catalog) -> bool:
    known = catalog.known_file(citation.document)
    return known is None or known.sha256 != citation.sha256
