"""Summarises documents: all of the text, part by part, then the whole; every sentence checked.

The most central sentences are shown at once, word for word. Then the language model reads one part
after the other (map) and what it noted (reduce); sentences that the part does not bear out are
dropped. Where there is no time for all parts, the beginning and the most central ones are read, and
the answer says so. Called on the answerer thread only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from desktop_rag.domain.answers import (
    Answer,
    Candidate,
    Confidence,
    Passage,
    RetrievalFigures,
)
from desktop_rag.domain.budget import ALLOWANCES, Effort
from desktop_rag.domain.centrality import by_centrality
from desktop_rag.domain.citing import Locate, cite, confidence
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.events import AnswerDelta, AnswerProgress, SourcesFound
from desktop_rag.domain.ports import Generator
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.summary_parts import (
    SummaryPart,
    chosen_within,
    parts_of,
    without_overlap,
)
from desktop_rag.domain.summary_points import (
    Point,
    borne_out,
    extracted,
    laid_out,
)
from desktop_rag.domain.summary_report import Reading, scope_note
from desktop_rag.services.bus import Bus
from desktop_rag.services.retrieval import Retrieval, passage_of
from desktop_rag.services.safeguards import without_orders_in
from desktop_rag.services.stoppable import unless_stopped
from desktop_rag.services.subjects import Subject, Subjects
from desktop_rag.services.summary_writing import (
    MOST_SENTENCES,
    SummaryWriter,
    load_prompts,
)
from desktop_rag.storage.catalog import Catalog

PATIENCE = 60
"""How much longer people wait for a summary than for the first word of an answer: 3 minutes, with
the setting `answers` on balanced. Who asks for a full one waits as long as it takes."""
_TOLERANCE = 1.5
"""What takes only so much longer is read to its end."""
_EXTRACTED = 6
"""Sentences that are shown at once."""
_LEAST_SENTENCES = 2
"""Of a part, however many there are."""
_MOST_POINTS = 12
"""Parts of which something is said, or sentences quoted, where not all are read."""
_FEW_PARTS = 3
"""So many are summarised without a summary of the summaries."""
_MOST_CHUNKS = 4000
"""About 3,000 pages: what is read to find the central sentences, in three seconds."""

IsCancelled = Callable[[], bool]


@dataclass(slots=True)
class _Run:
    """A summary while it is made."""

    request: int
    subject: Subject
    passages: list[Passage]
    locate: Locate
    is_cancelled: IsCancelled
    told: dict[int, list[Point]] = field(default_factory=dict)
    """What is said of parts, by the numbers of their first passages."""
    overview: list[Point] = field(default_factory=list)
    parts: list[SummaryPart] = field(default_factory=list)
    read: list[SummaryPart] = field(default_factory=list)
    model: str = ""
    note: str = ""
    part_s: float = 0.0
    """Seconds that a part takes; 0 while unknown."""
    worth: Callable[[Sequence[int]], float] | None = None
    """Of passages, by their numbers; worked out when there is no time for all."""

    @property
    def points(self) -> list[Point]:
        """What is said of all parts, in the document's order."""
        return [point for first in sorted(self.told) for point in self.told[first]]


class Summarising:
    """Writes summaries."""

    def __init__(
        self,
        retrieval: Retrieval,
        generator: Generator,
        catalog: Catalog,
        bus: Bus,
        effort: Callable[[], Effort] = lambda: Effort.BALANCED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._subjects = Subjects(retrieval, catalog)
        self._generator = generator
        self._catalog = catalog
        self._bus = bus
        self._prompts = load_prompts()
        self._effort = effort
        self._clock = clock

    def compose(
        self, request: int, question: str, scope: Scope, locate: Locate, is_cancelled: IsCancelled
    ) -> Answer | None:
        """A summary; `None` when the question is about a topic and not about documents.

        Publishes SourcesFound, AnswerProgress and AnswerDelta. A language model that is missing or
        fails, and Stop, leave what there is until then, at least the central sentences.

        Raises:
            NothingIndexed, NotFound, InvalidInput: there is nothing to summarise.
        """
        begin = self._clock()
        subject = self._subjects.find(question, scope)
        passages = self._passages(subject.chunks) if subject else []
        if subject is None or not passages:
            return None
        run = _Run(request, subject, passages, locate, is_cancelled)
        extract = extracted(passages, _EXTRACTED)
        self._show(run, extract)
        extracted_s = self._clock() - begin
        self._write(run)
        answer = _answer(run, extract, question)
        timings = {"extract": extracted_s * 1000, "total": (self._clock() - begin) * 1000}
        answer.figures.timings_ms.update(timings)
        return answer

    # ------------------------------------------------------------------ steps

    def _passages(self, chunks: Sequence[ChunkId]) -> list[Passage]:
        known = self._catalog.resolve(_spread(chunks))
        passages = [passage_of(Candidate(one, 0.0, None, None, None), known[one]) for one in known]
        return without_overlap(without_orders_in(passages, ""))

    def _show(self, run: _Run, extract: Sequence[Point]) -> None:
        shown = dict.fromkeys(passage for point in extract for passage in point.passages)
        self._bus.publish(SourcesFound(run.request, tuple(shown)))
        text, _ = laid_out([], extract)
        self._bus.publish(AnswerDelta(run.request, text))

    def _write(self, run: _Run) -> None:
        """Let the language model read, as far as there is one."""
        if run.is_cancelled():
            return

        def publish(text: str) -> None:
            self._bus.publish(AnswerDelta(run.request, text))

        try:
            model = unless_stopped(self._generator.info, run.is_cancelled)
            if model is None:
                return
            writer = SummaryWriter(
                self._generator, model, self._prompts, run.subject.name, run.is_cancelled, publish
            )
            run.model = model.id
            run.parts = parts_of(run.passages, writer.chars_of_a_part(run.passages))
            run.part_s = writer.seconds_of_a_part()
            self._read_parts(run, writer)
            if len(run.read) > _FEW_PARTS and not run.is_cancelled():
                self._read_notes(run, writer)
        except DesktopRagError as error:
            run.note = error.message

    def _read_parts(self, run: _Run, writer: SummaryWriter) -> None:
        begin = self._clock()
        planned = self._affordable(run, run.parts, 0.0)
        sentences = max(_LEAST_SENTENCES, round(MOST_SENTENCES / len(planned)))
        while planned and not run.is_cancelled():
            part = planned.pop(0)
            self._tell(run, len(run.read), len(run.read) + len(planned) + 1)
            points = borne_out(writer.on_part(part, sentences), part.passages, run.locate)
            if run.is_cancelled() and not points:
                break
            run.told[part.first] = points or extracted(part.passages, 1)
            run.read.append(part)
            spent = self._clock() - begin
            run.part_s = spent / len(run.read)
            planned = self._affordable(run, planned, spent)
        if not run.is_cancelled():
            _quote_others(run)

    def _affordable(
        self, run: _Run, planned: Sequence[SummaryPart], spent: float
    ) -> list[SummaryPart]:
        """The parts that there is still time for; the first of all is always read."""
        patience_s = ALLOWANCES[self._effort()].patience_s * PATIENCE
        is_quick = spent + len(planned) * run.part_s <= patience_s * _TOLERANCE
        if is_quick or run.subject.request.is_full:
            return list(planned)
        count = max(0 if run.read else 1, int((patience_s - spent) / run.part_s))
        run.worth = run.worth or by_centrality(run.passages)
        return chosen_within(planned, count, run.worth)

    def _read_notes(self, run: _Run, writer: SummaryWriter) -> None:
        """A few sentences on the whole, from the notes on its parts."""
        self._tell(run, len(run.read), len(run.read), "Writing the summary …")
        written = writer.on_whole([point.sentence for point in run.points], 3)
        cited = dict.fromkeys(p for point in run.points for p in point.passages)
        run.overview = borne_out(written, list(cited), run.locate)

    def _tell(self, run: _Run, done: int, total: int, sentence: str = "") -> None:
        sentence = sentence or f"Reading part {done + 1} of {total} of {run.subject.name} …"
        self._bus.publish(AnswerProgress(run.request, done, total, sentence))


def _quote_others(run: _Run) -> None:
    """Central sentences of parts that there was no time to read."""
    others = [part for part in run.parts if part.first not in run.told]
    firsts = {one.chunk: part.first for part in others for one in part.passages}
    # Of all of them together: what stands in many parts is boilerplate.
    passages = [one for part in others for one in part.passages]
    for point in extracted(passages, max(0, _MOST_POINTS - len(run.read))):
        run.told.setdefault(firsts[point.passages[0].chunk], []).append(point)


def _answer(run: _Run, extract: Sequence[Point], question: str) -> Answer:
    """What there is: the written summary, or the central sentences."""
    is_written = bool(run.points)
    text, passages = laid_out(run.overview, run.points if is_written else extract)
    cited = cite(text, "", passages, run.locate)
    is_whole = is_written and len(run.read) == len(run.parts)
    note = run.note
    if not is_written and note:
        note = f"Quoted word for word, without a language model. {note}"
    return Answer(
        question=question,
        text=cited.text,
        citations=cited.citations,
        confidence=confidence(Confidence.HIGH if is_whole else Confidence.MEDIUM, cited),
        found=True,
        figures=_figures(run, passages),
        model=run.model if is_written else "",
        stopped=run.is_cancelled(),
        unsupported=cited.unsupported,
        understood=run.subject.understood,
        note=note,
        scope_note=" ".join(filter(None, (_scope_note(run), run.subject.remark))),
    )


def _scope_note(run: _Run) -> str:
    subject = run.subject
    return scope_note(
        Reading(
            name=subject.name,
            pages=sum(one.pages for one in subject.documents),
            parts=len(run.parts),
            read=len(run.read) if run.points else 0,
            is_stopped=run.is_cancelled() or bool(run.note),
            part_s=run.part_s,
            is_named=subject.is_named,
            is_sampled=len(subject.chunks) > _MOST_CHUNKS,
        )
    )


def _figures(run: _Run, cited: Sequence[Passage]) -> RetrievalFigures:
    chunks, documents = len(run.subject.chunks), len(run.subject.documents)
    figures = RetrievalFigures(chunks, documents, len(run.passages), 0, 0)
    return figures.with_passages(cited)


def _spread(chunks: Sequence[ChunkId]) -> list[ChunkId]:
    """At most `_MOST_CHUNKS`, spread evenly."""
    step = -(-len(chunks) // _MOST_CHUNKS) or 1
    return list(chunks[::step])
