"""Composes one answer, step by step: find, judge, select, write, check.

Holds what is learned from one answer to the next (the model's prompt speed) and nothing else.
Called on the answerer thread only.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from desktop_rag import paths
from desktop_rag.domain.answers import (
    Answer,
    Citation,
    Confidence,
    Passage,
    RetrievalFigures,
    Role,
    Turn,
)
from desktop_rag.domain.budget import PromptSpeed
from desktop_rag.domain.citing import Cited, Place, cite, confidence
from desktop_rag.domain.documents import DocumentId, Page, Part
from desktop_rag.domain.errors import (
    ModelDamaged,
    ModelMissing,
    NotEnoughMemory,
    RoleUnavailable,
    UserError,
)
from desktop_rag.domain.events import AnswerDelta, ExtractFound, SourcesFound
from desktop_rag.domain.parts import place_of
from desktop_rag.domain.places import boxes_for, label_of, page_of
from desktop_rag.domain.ports import GenerationLimits, Generator, GeneratorInfo
from desktop_rag.domain.prompting import (
    PromptTexts,
    build,
    citation_grammar,
    is_refusal,
    title_of,
)
from desktop_rag.domain.question_kinds import QuestionKind, kind_of
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.domain.scope import Scope
from desktop_rag.services.bus import Bus
from desktop_rag.services.deep_search import DeepSearch
from desktop_rag.services.filling import Budget, CountTokens, filled
from desktop_rag.services.quoting import Quoting
from desktop_rag.services.retrieval import EVERYTHING, Found, Retrieval
from desktop_rag.services.summarising import Summarising
from desktop_rag.storage.catalog import Catalog

NOT_FOUND = "I could not find an answer to this in your documents."
_ANSWER_TOKENS = 300
_TEMPLATE_TOKENS = 50
_NEAREST = 3
_CHARS_PER_TOKEN = 3.5

Judge = Callable[[str, Sequence[Passage]], Confidence]
"""Whether passages can hold the answer; NONE: they do not (`domain.answerability`)."""
IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be answered."""

    request: int
    text: str
    queries: tuple[str, ...]
    """What is searched: the question first, for a follow-up also together with the one before."""
    history: tuple[Turn, ...] = ()
    scope: Scope = EVERYTHING
    rules: RetrievalRules = DEFAULT_RULES


@dataclass(slots=True)
class _Draft:
    """An answer while it is written."""

    question: Question
    found: Found
    judged: Confidence
    figures: RetrievalFigures
    extract: Citation | None = None
    passages: tuple[Passage, ...] = ()
    text: str = ""
    model: str = ""
    is_stopped: bool = False
    timings_ms: dict[str, float] = field(default_factory=dict)

    @contextlib.contextmanager
    def measure(self, stage: str) -> Iterator[None]:
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.timings_ms[stage] = (time.perf_counter() - begin) * 1000


class Composer:
    """Writes answers."""

    def __init__(
        self,
        retrieval: Retrieval,
        generator: Generator,
        catalog: Catalog,
        bus: Bus,
        judge: Judge,
        prompts: PromptTexts | None = None,
    ) -> None:
        self._deep = DeepSearch(retrieval, generator)
        self._quoting = Quoting(retrieval)
        self._summarising = Summarising(retrieval, generator, catalog, bus)
        self._generator = generator
        self._catalog = catalog
        self._bus = bus
        self._judge = judge
        self._prompts = prompts or load_prompts()
        self._speed = PromptSpeed()
        self._last_passages: tuple[Passage, ...] = ()

    def opening(self) -> list[Turn]:
        """The part all prompts begin with; reading it ahead makes the first answer quicker."""
        before_passages = self._prompts.user.partition("{passages}")[0]
        return [Turn(Role.SYSTEM, self._prompts.system), Turn(Role.USER, before_passages)]

    def compose(self, question: Question, is_cancelled: IsCancelled) -> Answer:
        """The whole way from a question to an answer.

        Publishes ExtractFound, SourcesFound and AnswerDelta, in this order.

        Raises:
            NothingIndexed: there is nothing to search.
            WorkerCrashed, WorkerTimedOut: the index or the language model ended in the middle.
        """
        begin = time.perf_counter()
        kind = kind_of(question.text)
        if kind is QuestionKind.SUMMARY and (summary := self._summary(question, is_cancelled)):
            return replace(summary, kind=kind)
        found = self._deep.find(
            question.queries,
            scope=question.scope,
            rules=question.rules,
            is_cancelled=is_cancelled,
        )
        find_ms = (time.perf_counter() - begin) * 1000
        question = _as_searched(question, found)
        judged = self._judge(question.queries[-1], found.passages)
        draft = _Draft(question, found, judged, found.figures)
        answer = self._finish(draft, is_cancelled)
        timings = {**answer.figures.timings_ms, **draft.timings_ms}
        timings["find"] = find_ms
        timings["total"] = (time.perf_counter() - begin) * 1000
        return replace(
            answer,
            question=found.question,
            figures=replace(answer.figures, timings_ms=timings),
            understood=found.understood,
            kind=kind,
        )

    def _summary(self, question: Question, is_cancelled: IsCancelled) -> Answer | None:
        locate = Locator(self._catalog).locate
        return self._summarising.compose(
            question.request, question.text, question.scope, locate, is_cancelled
        )

    def _finish(self, draft: _Draft, is_cancelled: IsCancelled) -> Answer:
        if draft.judged is Confidence.NONE or not draft.found.passages:
            return _not_found(draft)
        if is_cancelled():
            draft.is_stopped = True
            return _stopped_early(draft)
        self._quote_at_once(draft)
        try:
            with draft.measure("load_model"):
                model = self._generator.info()
        except (ModelMissing, ModelDamaged, NotEnoughMemory, RoleUnavailable) as error:
            return self._extract(draft, error)
        self._select(draft, model)
        self._write(draft, is_cancelled)
        return self._checked(draft)

    # ------------------------------------------------------------------ steps

    def _select(self, draft: _Draft, model: GeneratorInfo) -> None:
        """Fill the budget with passages and show them."""
        question = draft.question
        fixed = [self._prompts.system, question.text, *(turn.content for turn in question.history)]
        reserved = sum(self._generator.count_tokens(fixed)) + _ANSWER_TOKENS + _TEMPLATE_TOKENS
        tokens = self._speed.passage_tokens(model.context_tokens, reserved)
        draft.model = model.id
        self._show(draft, tokens, self._generator.count_tokens)

    def _show(self, draft: _Draft, tokens: int, count: CountTokens) -> None:
        budget, rules = Budget(tokens, count), draft.question.rules
        selected = filled(draft.found, budget, self._catalog.neighbours, rules)
        draft.passages, draft.figures = selected.passages, selected.figures
        self._bus.publish(SourcesFound(draft.question.request, selected.passages))

    def _write(self, draft: _Draft, is_cancelled: IsCancelled) -> None:
        """Stream the model's text into the draft."""
        question = draft.question
        turns = build(self._prompts, question.text, draft.passages, question.history)
        limits = GenerationLimits(
            max_tokens=_ANSWER_TOKENS,
            temperature=0.0,
            grammar=citation_grammar(len(draft.passages)),
        )
        # Counted before: while a stream is open, the language model answers nothing else.
        tokens = sum(self._generator.count_tokens([turn.content for turn in turns[1:]]))
        begin = time.perf_counter()
        stream = self._generator.stream(turns, limits, is_cancelled)
        for delta in stream:
            if "first_token" not in draft.timings_ms:
                self._note_speed(draft, tokens, time.perf_counter() - begin)
            draft.text += delta
            self._bus.publish(AnswerDelta(question.request, delta))
            if is_cancelled():
                break
        _close(stream)
        draft.is_stopped = is_cancelled()
        elapsed_ms = (time.perf_counter() - begin) * 1000
        draft.timings_ms["generate"] = elapsed_ms - draft.timings_ms.get("first_token", elapsed_ms)

    def _note_speed(self, draft: _Draft, tokens: int, seconds: float) -> None:
        draft.timings_ms["first_token"] = seconds * 1000
        # Passages read for the last answer may still be in the model's cache and cost nothing.
        if draft.passages[:1] != self._last_passages[:1]:
            self._speed = self._speed.after(tokens, seconds)
        self._last_passages = draft.passages

    def _checked(self, draft: _Draft) -> Answer:
        """The draft with its citations checked."""
        if not draft.text.strip():
            return _stopped_early(draft) if draft.is_stopped else _not_found(draft)
        if is_refusal(draft.text) and not draft.is_stopped:
            return _not_found(draft)
        with draft.measure("cite"):
            locate = Locator(self._catalog).locate
            cited = cite(draft.text, draft.question.text, draft.passages, locate)
        return _answer(draft, cited)

    def _quote_at_once(self, draft: _Draft) -> None:
        """Show the sentence that answers best; whatever is written comes seconds later."""
        with draft.measure("extract"):
            draft.extract = self._quoting.best(draft.found, Locator(self._catalog).locate)
        if draft.extract is not None:
            self._bus.publish(ExtractFound(draft.question.request, draft.extract))

    def _extract(self, draft: _Draft, error: UserError) -> Answer:
        """An answer without a language model: the sentence that was shown at once."""

        def count(texts: Sequence[str]) -> list[int]:
            return [round(len(text) / _CHARS_PER_TOKEN) for text in texts]

        tokens = self._speed.passage_tokens(2**16, 0)
        self._show(draft, tokens, count)
        assert draft.extract is not None  # there are passages, and one of them is the best
        text = f"{draft.extract.quote} [1]"
        self._bus.publish(AnswerDelta(draft.question.request, text))
        cited = Cited(text, (draft.extract,), (), 1.0)
        # Nobody checked that the sentence answers the question, only that it is about it.
        draft.judged = min(draft.judged, Confidence.LOW, key=_STRENGTH.index)
        note = f"Quoted word for word, without a language model. {error.message}"
        return replace(_answer(draft, cited), note=note)


class Locator:
    """Places of spans; reads a document's text and pages once."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._documents: dict[DocumentId, tuple[str, tuple[Page, ...], tuple[Part, ...]]] = {}

    def locate(self, passage: Passage, start: int, end: int) -> Place:
        """Page of a span's beginning, its label, and boxes of all its lines."""
        if passage.document not in self._documents:
            self._documents[passage.document] = (
                self._catalog.text(passage.document),
                self._catalog.pages(passage.document),
                self._catalog.parts(passage.document),
            )
        text, pages, parts = self._documents[passage.document]
        page = page_of(pages, start)
        return Place(
            page=page.number if page else None,
            label=label_of(pages, start),
            boxes=boxes_for(pages, text, start, end),
            name=place_of(parts, text, start, end),
        )


def load_prompts() -> PromptTexts:
    """The prompts shipped with the program."""
    folder = paths.shipped("resources", "prompts")
    return PromptTexts(
        system=(folder / "answer_system.txt").read_text(encoding="utf-8").strip(),
        user=(folder / "answer_user.txt").read_text(encoding="utf-8").strip(),
    )


_STRENGTH = (Confidence.NONE, Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


def _as_searched(question: Question, found: Found) -> Question:
    """The question in the words that were searched; filters are nothing to look for or to say."""
    text = found.texts[0] if found.understood.filters else question.text
    return replace(question, text=text, queries=found.texts)


def _answer(draft: _Draft, cited: Cited) -> Answer:
    return Answer(
        question=draft.question.text,
        text=cited.text,
        citations=cited.citations,
        confidence=confidence(draft.judged, cited),
        found=True,
        figures=draft.figures,
        model=draft.model,
        stopped=draft.is_stopped,
        unsupported=cited.unsupported,
        extract=draft.extract,
    )


def _not_found(draft: _Draft) -> Answer:
    titles = dict.fromkeys(title_of(passage) for passage in draft.found.passages)
    return Answer(
        question=draft.question.text,
        text=NOT_FOUND,
        citations=(),
        confidence=Confidence.NONE,
        found=False,
        figures=replace(draft.figures, passages=0, passage_documents=0),
        model=draft.model,
        stopped=draft.is_stopped,
        nearest=tuple(titles)[:_NEAREST],
    )


def _stopped_early(draft: _Draft) -> Answer:
    """Stopped before the first word."""
    return Answer(
        question=draft.question.text,
        text="",
        citations=(),
        confidence=Confidence.LOW,
        found=True,
        figures=draft.figures,
        model=draft.model,
        stopped=True,
        extract=draft.extract,
    )


def _close(stream: Iterator[str]) -> None:
    """End a generator that was left early; a plain iterator has nothing to end."""
    close = getattr(stream, "close", None)
    if close is not None:
        close()
