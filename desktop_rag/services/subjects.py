"""Which documents a request for a summary means: by filters, by name, else by what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.answers import Understood
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.naming import Holding, called, fits_as_well, in_folder_called
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.summary_request import SummaryRequest, read_request
from desktop_rag.domain.versions import newest, versions_of
from desktop_rag.services.narrowing import Narrowed
from desktop_rag.services.retrieval import Retrieval, says_nothing_matches
from desktop_rag.storage.catalog import Catalog

_OTHERS_NAMED = 3
_LOOKED_AT = 8
_MOSTLY = 0.5
"""Share of the best passages that must be of one document for the words to mean it."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is summarised."""

    documents: tuple[Holding, ...]
    chunks: tuple[ChunkId, ...]
    """Document by document, in reading order."""
    name: str
    """For a person: `handbook.pdf`, `the folder contracts`, `35 files`."""
    is_named: bool
    """Whether a question may call it so."""
    remark: str
    """Which document was taken when the words may mean several; empty when they may not."""
    request: SummaryRequest
    understood: Understood


class Subjects:
    """Finds what is meant. Usable from any thread, as far as retrieval is."""

    def __init__(self, retrieval: Retrieval, catalog: Catalog) -> None:
        self._retrieval = retrieval
        self._catalog = catalog

    def find(self, question: str, scope: Scope) -> Subject | None:
        """What to summarise; `None` when a topic is asked about rather than documents.

        Raises:
            InvalidInput, NotFound, NothingIndexed: as `Retrieval.narrowed`.
        """
        narrowed = self._retrieval.narrowed([question], scope)
        request = read_request(narrowed.texts[0])
        shelf = self._catalog.shelf
        among = narrowed.among
        there = shelf.all() if among is None else shelf.of(shelf.documents_of(among))
        if not request.subject:
            name = "" if among is None else f"{len(there):,} files"
            return self._subject(*self._all_of(there, name), narrowed, request)
        named = self._named(request, there)
        if not named and request.is_certain:
            named = self._about(request.subject, scope, there)
        return self._subject(*named, narrowed, request) if named else None

    def _all_of(self, there: Sequence[Holding], name: str) -> tuple[Sequence[Holding], str, str]:
        """Everything there; of a selection that is copies of one document, the newest.

        Without a name it is the whole library.
        """
        versions = self._versions(there[0], there) if name and len(there) > 1 else []
        if len(versions) == len(there) > 1:
            chosen = newest(versions)
            return [chosen], chosen.file, _among_versions(chosen, versions)
        return there, there[0].file if len(there) == 1 else name or f"{len(there):,} files", ""

    def _named(
        self, request: SummaryRequest, there: Sequence[Holding]
    ) -> tuple[Sequence[Holding], str, str] | None:
        fits = [] if request.is_folder else called(request.words, there)
        if fits:
            return self._closest(request, fits)
        below = in_folder_called(request.words, there)
        name = f"the folder {' '.join(request.words)}"
        return self._all_of(below, name) if below else None

    def _closest(
        self, request: SummaryRequest, fits: Sequence[Holding]
    ) -> tuple[Sequence[Holding], str, str]:
        equal = [one for one in fits if fits_as_well(request.words, fits[0], one)]
        first = max(equal, key=lambda one: one.mtime_ns)
        versions = self._versions(first, fits)
        chosen = newest(versions)
        remarks = [_among_versions(chosen, versions)] if len(versions) > 1 else []
        others = [one.file for one in fits if one not in versions]
        if others:
            told = ", ".join(others[:_OTHERS_NAMED])
            remarks.append(f"“{request.subject}” may also mean {told}.")
        return [chosen], chosen.file, " ".join(remarks)

    def _about(
        self, subject: str, scope: Scope, there: Sequence[Holding]
    ) -> tuple[Sequence[Holding], str, str] | None:
        """The document that most of the best passages are of."""
        found = self._retrieval.find([subject], _LOOKED_AT, scope)
        if says_nothing_matches(found):
            return None
        counts = Counter(passage.document for passage in found.passages)
        best, count = counts.most_common(1)[0]
        chosen = next((one for one in there if one.document == best), None)
        if chosen is None or count < _MOSTLY * len(found.passages):
            return None
        remark = f"No file is called “{subject}”; {chosen.file} says most about it."
        return [chosen], chosen.file, remark

    def _versions(self, one: Holding, among: Sequence[Holding]) -> list[Holding]:
        return versions_of(one, among, self._catalog.text)

    def _subject(
        self,
        documents: Sequence[Holding],
        name: str,
        remark: str,
        narrowed: Narrowed,
        request: SummaryRequest,
    ) -> Subject:
        chunks = self._catalog.shelf.chunks([one.document for one in documents])
        if narrowed.among is not None:
            allowed = set(narrowed.among)
            chunks = [one for one in chunks if one in allowed]
        is_named = len(documents) == 1 or bool(request.subject)
        return Subject(
            tuple(documents),
            tuple(chunks),
            name,
            is_named,
            remark,
            request,
            narrowed.understood,
        )


def _among_versions(chosen: Holding, versions: Sequence[Holding]) -> str:
    others = ", ".join(one.file for one in versions if one != chosen)
    return f"{chosen.file} is the newest of {len(versions)} versions; older: {others}."
