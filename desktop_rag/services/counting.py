"""Answers questions for a number or a list by looking at everything, never at the best passages.

A language model cannot count, and passages are only the best few. Here all files in scope are gone
through; what the number rests on, and what was not read, is said with it. A question that is not
understood to the last word is left to search.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from desktop_rag.domain.answers import Answer, Confidence, RetrievalFigures, Understood
from desktop_rag.domain.counting import Unit, Wanted, wanted_in
from desktop_rag.domain.errors import Cancelled
from desktop_rag.domain.events import AnswerProgress
from desktop_rag.domain.query_language import typed_filters
from desktop_rag.domain.question_kinds import QuestionKind
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.tally import Tally, scope_sentence, shown, told
from desktop_rag.services.bus import Bus
from desktop_rag.services.counting_files import count_files, count_mentions
from desktop_rag.services.counting_parts import count_parts
from desktop_rag.services.counting_rows import count_rows
from desktop_rag.services.finishing import nothing_searched, stopped_answer
from desktop_rag.services.pinpointing import Pinpointing
from desktop_rag.services.whole_library import WholeLibrary
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.holdings import HeldFile, Holdings

COUNTED = (QuestionKind.COUNT, QuestionKind.LIST)
_NOT_COUNTED = (
    "Nothing was counted or listed in full, since it is not clear what to go through: this is from "
    "the best passages only."
)


def uncounted(understood: Understood) -> Understood:
    """What is told beside an answer from passages to a question for a number or a list."""
    return replace(understood, notes=(*understood.notes, _NOT_COUNTED))


class Counting:
    """Counts and lists. Called on the answerer thread only."""

    def __init__(
        self,
        catalog: Catalog,
        holdings: Holdings,
        bus: Bus,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._catalog = catalog
        self._holdings = holdings
        self._bus = bus
        self._today = today

    def answer(
        self, text: str, scope: Scope, request: int, is_cancelled: Callable[[], bool]
    ) -> Answer | None:
        """The exact answer to a question for a number or a list; `None`: search for it.

        Publishes AnswerProgress. Stopped, the answer is empty and marked so.

        Raises:
            InvalidInput: a filter cannot be read.
            NotFound: the scope names a collection or tag that does not exist.
        """
        begin = time.perf_counter()
        words = typed_filters(text, self._today())
        wanted = wanted_in(words[0]) if words else None
        if words is None or wanted is None:
            return None
        scopes = [one for one in (scope, words[1]) if not one.is_everything]
        library = self._library(scopes, request, is_cancelled)
        try:
            tally = _tally(library, wanted)
        except Cancelled:
            return stopped_answer(text)
        if tally is None:
            return None
        answer = self._told(text, wanted, tally, library.files)
        figures = _figures(tally, answer, library.files)
        figures.timings_ms["total"] = (time.perf_counter() - begin) * 1000
        filters = tuple(one.described() for one in scopes)
        return replace(answer, figures=figures, understood=Understood(words[0], filters))

    def _library(
        self, scopes: list[Scope], request: int, is_cancelled: Callable[[], bool]
    ) -> WholeLibrary:
        def report(done: int, total: int) -> None:
            sentence = f"Looked through {done:,} of {total:,} files"
            self._bus.publish(AnswerProgress(request, done, total, sentence))

        files = self._holdings.files(*scopes)
        return WholeLibrary(
            self._catalog, self._holdings, files, self._today(), report, is_cancelled
        )

    def _told(self, text: str, wanted: Wanted, tally: Tally, files: list[HeldFile]) -> Answer:
        pins = Pinpointing(self._catalog, self._holdings, files)
        items = shown(tally, is_list=wanted.is_list)
        return Answer(
            question=text,
            text=told(tally, is_list=wanted.is_list),
            citations=tuple(pins.cite(number, item) for number, item in enumerate(items, 1)),
            confidence=Confidence.MEDIUM if tally.gaps else Confidence.HIGH,
            found=True,
            figures=nothing_searched(),
            kind=QuestionKind.LIST if wanted.is_list else QuestionKind.COUNT,
            scope_note=scope_sentence(tally),
        )


def _tally(library: WholeLibrary, wanted: Wanted) -> Tally | None:
    if wanted.unit is Unit.MENTIONS:
        return count_mentions(library, wanted)
    if wanted.unit in (Unit.HEADINGS, Unit.ENTRIES):
        return count_parts(library, wanted) or _rows(library, wanted)
    if wanted.unit is Unit.FILES or wanted.term:
        return count_files(library, wanted)
    if wanted.unit is Unit.KINDS:
        return _kinds(library, wanted)
    return _rows(library, wanted)


def _rows(library: WholeLibrary, wanted: Wanted) -> Tally | None:
    counted = count_rows(library, wanted)
    return counted[0] if counted else None


def _kinds(library: WholeLibrary, wanted: Wanted) -> Tally | None:
    """Invoices may be files, rows of a list of them, or both; then the two are not added up."""
    counted = count_rows(library, wanted)
    if counted is None:
        return count_files(library, wanted)
    rows, holders = counted
    files = count_files(library, wanted, besides=holders)
    if files is None or not files.count:
        return rows
    return Tally(
        sentence=f"{rows.sentence}; {files.sentence}",
        count=max(rows.count, files.count),
        items=(*rows.items, *files.items),
        scope=f"{rows.scope}; {files.scope}",
        remarks=(
            f"Rows and files may be the same {wanted.noun}, so they are not added up.",
            *rows.remarks,
            *files.remarks,
        ),
        gaps=tuple(dict.fromkeys((*rows.gaps, *files.gaps))),
        documents=rows.documents + files.documents,
    )


def _figures(tally: Tally, answer: Answer, files: list[HeldFile]) -> RetrievalFigures:
    return RetrievalFigures(
        searched_chunks=sum(one.file.chunks for one in files),
        searched_documents=tally.documents,
        candidates=tally.count,
        passages=len(answer.citations),
        passage_documents=len({one.document for one in answer.citations}),
    )
