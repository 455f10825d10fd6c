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

from desktop_rag import paths
from desktop_rag.domain.answers import (
    Answer,
    Candidate,
    Confidence,
    Passage,
    RetrievalFigures,
    Role,
    Turn,
)
from desktop_rag.domain.centrality import by_centrality
from desktop_rag.domain.citing import Locate, cite, confidence
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.events import AnswerDelta, AnswerProgress, SourcesFound
from desktop_rag.domain.fencing import fenced
from desktop_rag.domain.ports import GenerationLimits, Generator
from desktop_rag.domain.prompting import title_of
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.sentences import sentence_spans
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
    whole_sentences,
)
from desktop_rag.domain.summary_report import Reading, scope_note
from desktop_rag.services.bus import Bus
from desktop_rag.services.retrieval import Retrieval, passage_of
from desktop_rag.services.safeguards import without_orders_in
from desktop_rag.services.subjects import Subject, Subjects
from desktop_rag.storage.catalog import Catalog

PATIENCE_S = 180.0
"""For a summary that is not asked for in full."""
_TOLERANCE = 1.5
"""What takes only so much longer is read to its end."""
_EXTRACTED = 6
"""Sentences that are shown at once."""
_PART_TOKENS = 1000
"""A part is a few pages: small models lose themselves in more, and progress is seen."""
_LEAST_TOKENS = 100
"""Of a part, below which a language model's context is too small for summaries."""
_SENTENCE_TOKENS = 45
_TEMPLATE_TOKENS = 60
_FEW_PARTS = 3
"""So many are summarised without a summary of the summaries."""
_MOST_CHUNKS = 4000
"""About 3,000 pages: what is read to find the central sentences, in three seconds."""
_SAMPLED = 20
_GRAMMAR = "root ::= [^\\[\\]\\n]+"

IsCancelled = Callable[[], bool]


@dataclass(slots=True)
class _Run:
    """A summary while it is made."""

    request: int
    subject: Subject
    passages: list[Passage]
    locate: Locate
    is_cancelled: IsCancelled
    points: list[Point] = field(default_factory=list)
    overview: list[Point] = field(default_factory=list)
    parts: list[SummaryPart] = field(default_factory=list)
    read: list[SummaryPart] = field(default_factory=list)
    model: str = ""
    note: str = ""
    part_s: float = 0.0
    """Seconds that a part took, on average."""
    worth: Callable[[Sequence[int]], float] | None = None
    """Of passages, by their numbers; worked out when there is no time for all."""


@dataclass(frozen=True, slots=True)
class SummaryPrompts:
    """Instructions (`resources/prompts`) with {name} and {sentences}."""

    part: str
    whole: str


class Summarising:
    """Writes summaries."""

    def __init__(
        self,
        retrieval: Retrieval,
        generator: Generator,
        catalog: Catalog,
        bus: Bus,
        prompts: SummaryPrompts | None = None,
        patience_s: float = PATIENCE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._subjects = Subjects(retrieval, catalog)
        self._generator = generator
        self._catalog = catalog
        self._bus = bus
        self._prompts = prompts or load_prompts()
        self._patience_s = patience_s
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
        try:
            model = self._generator.info()
            tokens = min(_PART_TOKENS, self._room(run, model.context_tokens))
            if tokens < _LEAST_TOKENS:
                run.note = (
                    f"The language model {model.id} reads too little at once to summarise; choose "
                    "another with `desktop-rag models default`."
                )
                return
            run.parts = parts_of(run.passages, self._chars(run.passages, tokens))
            self._read_parts(run, tokens)
            if len(run.read) > _FEW_PARTS and not run.is_cancelled():
                self._read_notes(run, tokens)
        except DesktopRagError as error:
            run.note = error.message
        run.model = model.id if run.points else ""

    def _room(self, run: _Run, context_tokens: int) -> int:
        fixed = self._prompts.part.replace("{name}", run.subject.name)
        answer = _SENTENCE_TOKENS * 5
        return (
            context_tokens
            - sum(self._generator.count_tokens([fixed]))
            - answer
            - (_TEMPLATE_TOKENS)
        )

    def _chars(self, passages: Sequence[Passage], tokens: int) -> int:
        """Characters that are about so many tokens of this text."""
        step = max(1, len(passages) // _SAMPLED)
        texts = [passage.text for passage in passages[::step]]
        used = max(1, sum(self._generator.count_tokens(texts)))
        return max(1, int(tokens * sum(map(len, texts)) / used * 0.9))

    def _read_parts(self, run: _Run, tokens: int) -> None:
        begin = self._clock()
        planned = list(run.parts)
        per_part = max(1, min(4, round(6 / len(planned))))
        while planned and not run.is_cancelled():
            part = planned.pop(0)
            self._tell(run, len(run.read), len(run.read) + len(planned) + 1)
            points = self._noted(run, part, per_part, tokens)
            if run.is_cancelled() and not points:
                break
            run.points += points
            run.read.append(part)
            spent = self._clock() - begin
            run.part_s = spent / len(run.read)
            if not run.subject.request.is_full:
                planned = self._affordable(run, planned, spent)

    def _affordable(
        self, run: _Run, planned: Sequence[SummaryPart], spent: float
    ) -> list[SummaryPart]:
        """The parts that there is still time for."""
        if spent + len(planned) * run.part_s <= self._patience_s * _TOLERANCE:
            return list(planned)
        count = max(0, int((self._patience_s - spent) / max(run.part_s, 1e-9)))
        run.worth = run.worth or by_centrality(run.passages)
        return chosen_within(planned, count, run.worth)

    def _noted(self, run: _Run, part: SummaryPart, count: int, tokens: int) -> list[Point]:
        """What the language model says of a part, as far as the part bears it out."""
        name = title_of(part.passages[0])
        system = _filled(self._prompts.part, name, count)
        text = self._fitting(fenced(part.text), tokens)
        written = self._streamed(run, system, text, count)
        points = borne_out(written, part.passages, run.locate)
        return points or ([] if run.is_cancelled() else extracted(part.passages, 1))

    def _read_notes(self, run: _Run, tokens: int) -> None:
        """A few sentences on the whole, from the notes on its parts."""
        notes = [point.sentence for point in run.points]
        self._tell(run, len(run.read), len(run.read), "Writing the summary …")
        system = _filled(self._prompts.whole, run.subject.name, 3)
        while len(groups := self._grouped(notes, tokens)) > 1 and len(groups) < len(notes):
            notes = [self._streamed(run, system, group, 2) for group in groups]
            if run.is_cancelled():
                return
        written = self._streamed(run, system, "\n".join(f"- {note}" for note in notes), 3)
        cited = list(dict.fromkeys(p for point in run.points for p in point.passages))
        run.overview = borne_out(written, cited, run.locate)

    def _grouped(self, notes: Sequence[str], tokens: int) -> list[str]:
        """Notes as texts that fit."""
        groups: list[str] = []
        left = 0
        for note, cost in zip(notes, self._generator.count_tokens(notes), strict=True):
            if groups and cost + 2 <= left:
                groups[-1] += f"\n- {note}"
            else:
                groups.append(f"- {note}")
                left = tokens
            left -= cost + 2
        return groups

    def _fitting(self, text: str, tokens: int) -> str:
        """The text, cut at a sentence when it is more tokens than estimated."""
        cost = self._generator.count_tokens([text])[0]
        while cost > tokens:
            room = int(len(text) * tokens / cost * 0.95)
            ends = [end for _, end in sentence_spans(text) if end <= room]
            text = text[: ends[-1] if ends else room]
            cost = self._generator.count_tokens([text])[0]
        return text

    def _streamed(self, run: _Run, system: str, text: str, sentences: int) -> str:
        """Whole sentences the model writes, shown as they come."""
        turns = [Turn(Role.SYSTEM, system), Turn(Role.USER, text)]
        limits = GenerationLimits(
            max_tokens=_SENTENCE_TOKENS * sentences + 20, temperature=0.0, grammar=_GRAMMAR
        )
        written = ""
        stream = self._generator.stream(turns, limits, run.is_cancelled)
        for delta in stream:
            self._bus.publish(AnswerDelta(run.request, delta if written else f"\n\n{delta}"))
            written += delta
            if run.is_cancelled():
                break
        close = getattr(stream, "close", None)
        if close is not None:
            close()
        return whole_sentences(written, sentences)

    def _tell(self, run: _Run, done: int, total: int, sentence: str = "") -> None:
        sentence = sentence or f"Reading part {done + 1} of {total} of {run.subject.name} …"
        self._bus.publish(AnswerProgress(run.request, done, total, sentence))


def load_prompts() -> SummaryPrompts:
    """The prompts shipped with the program."""
    folder = paths.shipped("resources", "prompts")
    return SummaryPrompts(
        part=(folder / "summary_part.txt").read_text(encoding="utf-8").strip(),
        whole=(folder / "summary_whole.txt").read_text(encoding="utf-8").strip(),
    )


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
        model=run.model,
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
            is_sampled=len(subject.chunks) > _MOST_CHUNKS,
        )
    )


def _figures(run: _Run, cited: Sequence[Passage]) -> RetrievalFigures:
    chunks, documents = len(run.subject.chunks), len(run.subject.documents)
    figures = RetrievalFigures(chunks, documents, len(run.passages), 0, 0)
    return figures.with_passages(cited)


def _filled(prompt: str, name: str, sentences: int) -> str:
    wanted = "one short sentence" if sentences == 1 else f"at most {sentences} short sentences"
    return prompt.replace("{sentences}", wanted).replace("{name}", name)


def _spread(chunks: Sequence[ChunkId]) -> list[ChunkId]:
    """At most `_MOST_CHUNKS`, spread evenly."""
    step = -(-len(chunks) // _MOST_CHUNKS) or 1
    return list(chunks[::step])
