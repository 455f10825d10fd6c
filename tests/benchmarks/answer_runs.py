"""Asks questions of the program itself, or of its model as the design documents would.

Both make the same records (`answer_records`) from the same library of articles.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

from desktop_rag.app import App, Engines
from desktop_rag.cli.measured_library import index, readable
from desktop_rag.domain.answer_scoring import contains
from desktop_rag.domain.answerability import coverage, evidence_for
from desktop_rag.domain.answers import Answer, Citation, Confidence, Passage, Turn
from desktop_rag.domain.dedup import join_touching
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.events import AnswerDelta, Event, SourcesFound
from desktop_rag.domain.ports import GenerationLimits, Generator
from desktop_rag.domain.prompting import is_refusal, title_of
from desktop_rag.domain.question_kinds import kind_of
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from desktop_rag.services.retrieval import CONSIDERED, Found
from desktop_rag.services.spotting import Spotting
from tests.benchmarks.answer_records import MARK, CitedPlace, Record, claims_of
from tests.benchmarks.answer_sets import AnswerSet, Asked, Kind, span_of, write_articles

_FIRST = 5
"""Passages whose figures are kept as features."""
_PLAIN_PASSAGES = 3
_PLAIN_TOKENS = 300
PLAIN_SYSTEM = (
    "You are a helpful assistant. Answer the question using only the context below. Cite the "
    "sources you used by their number in square brackets, like [1]. If the context does not hold "
    "the answer, say that you do not know."
)
_PLAIN_REFUSAL = re.compile(
    r"do(?:es)? not know|don't know|cannot (?:be )?(?:find|found|answer|determine)|unable to|"
    r"no information",
    re.IGNORECASE,
)

Place = tuple[str, int, int]
"""File name, and a span of its text as the program reads it."""


@dataclass(slots=True)
class Meter:
    """Counts what the language model is asked for; see `metered`."""

    generator: Generator
    prompts: list[tuple[Turn, ...]] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    weighed: list[tuple[float, ...]] = field(default_factory=list)
    calls: dict[str, int] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        """Whatever else the port has, counted by its name."""
        self._count(name)
        return getattr(self.generator, name)

    def stream(
        self, turns: Sequence[Turn], limits: GenerationLimits, is_cancelled: Callable[[], bool]
    ) -> Iterator[str]:
        self._count("stream")
        self.prompts.append(tuple(turns))
        for delta in self.generator.stream(turns, limits, is_cancelled):
            self.written.append(delta)
            yield delta

    def weigh(
        self, turns: Sequence[Turn], openings: Sequence[str], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[float, ...]]:
        self._count("weigh")
        self.prompts.append(tuple(turns))
        for weighed in self.generator.weigh(turns, openings, is_cancelled):
            self.weighed.append(weighed)
            yield weighed

    def tokens(self) -> tuple[int, int]:
        """Of the longest prompt and of all that was written since the last call; begins anew.

        Prompts to one question share what comes first, and a model reads that only once.
        """
        prompts = ["\n".join(turn.content for turn in turns) for turns in self.prompts]
        counts = self.generator.count_tokens([*prompts, "".join(self.written)]) if prompts else [0]
        self.prompts, self.written, self.weighed, self.calls = [], [], [], {}
        return max(counts[:-1], default=0), counts[-1]

    def _count(self, name: str) -> None:
        self.calls[name] = self.calls.get(name, 0) + 1


@contextmanager
def library(made: AnswerSet, folder: Path) -> Iterator[tuple[App, Meter]]:
    """The articles in a library under `folder`, which is kept; its model's calls are counted."""
    write_articles(made.articles, folder / "articles")
    meters: list[Meter] = []
    start = App._start_engines

    def metered(app: App) -> Engines:
        engines = start(app)
        meters.append(Meter(engines.generator))
        return replace(engines, generator=meters[-1])

    with mock.patch.object(App, "_start_engines", metered), App.open(folder / "library") as app:
        index(app, folder / "articles")
        yield app, meters[0]


class Asking:
    """Asks the program."""

    def __init__(self, app: App, meter: Meter) -> None:
        self._app, self._meter = app, meter
        self._texts = {Path(path).name: text for path, text in readable(app).items()}

    def ask(self, asked: Asked) -> Record:
        """One question in a chat of its own."""
        self._meter.tokens()
        seen: list[tuple[float, Event]] = []
        stop_listening = self._app.bus.subscribe(
            lambda one: seen.append((time.perf_counter(), one))
        )
        begin = time.perf_counter()
        handle = self._app.ask(asked.text, is_fresh=True)
        try:
            answer, error = handle.result(), ""
        except DesktopRagError as failure:
            answer, error = None, failure.code
        except KeyboardInterrupt:
            handle.cancel()
            raise
        seconds = time.perf_counter() - begin
        stop_listening()
        calls, weighed = dict(self._meter.calls), list(self._meter.weighed)
        record = self._record(asked, answer, [one for _, one in seen])
        prompt, generated = self._meter.tokens()
        return replace(
            record,
            seconds=seconds,
            error=error,
            first_s=_first(seen, begin),
            calls=calls,
            features={**record.features, "weighed": [list(one) for one in weighed]},
            prompt_tokens=prompt,
            generated_tokens=generated,
        )

    def _record(self, asked: Asked, answer: Answer | None, events: Sequence[Event]) -> Record:
        found = self._app.find(asked.text, CONSIDERED, DEFAULT_RULES)
        truth = self.truth(asked)
        shown = [one.passages for one in events if isinstance(one, SourcesFound)]
        passages = shown[-1] if shown else ()
        streamed = "".join(one.text for one in events if isinstance(one, AnswerDelta))
        record = Record(
            id=asked.id,
            kind=asked.kind,
            question=asked.text,
            gold=asked.gold,
            text=answer.text if answer else streamed,
            is_found=answer is not None and answer.found,
            confidence=answer.confidence if answer else Confidence.NONE,
            model=answer.model if answer else "",
            seconds=0.0,
            first_s={},
            found_rank=_rank(asked, truth, join_touching(found.passages)),
            shown_rank=_rank(asked, truth, passages),
            shown=len(passages),
            features=_features(self._app, asked.text, found),
        )
        return _checked(record, answer, truth, passages, streamed) if answer else record

    def truth(self, asked: Asked) -> Place | None:
        """Where the paragraph stands; nowhere for an off-topic question."""
        if not asked.paragraph:
            return None
        return (asked.article, *span_of(asked, self._texts[asked.article]))


def _first(seen: Sequence[tuple[float, Event]], begin: float) -> dict[str, float]:
    first: dict[str, float] = {}
    for moment, event in seen:
        first.setdefault(type(event).__name__, round(moment - begin, 3))
    return first


def _checked(
    record: Record,
    answer: Answer,
    truth: Place | None,
    passages: Sequence[Passage],
    streamed: str,
) -> Record:
    sources = {one.number: _source(one, passages) for one in answer.citations}
    numbers = {one.number for one in answer.citations}
    invalid = [n for n in map(int, MARK.findall(answer.text)) if n not in numbers]
    invalid += [n for n in map(int, MARK.findall(streamed)) if not 1 <= n <= len(passages)]
    return replace(
        record,
        citations=tuple(
            CitedPlace(one.number, one.title, one.quote, _is_at(truth, one))
            for one in answer.citations
        ),
        claims=claims_of(answer.text, sources, answer.unsupported) if answer.found else (),
        invalid=tuple(invalid),
        figures=asdict(answer.figures),
    )


def _source(citation: Citation, passages: Sequence[Passage]) -> str:
    """What was read where the quote stands: the passage that was shown, or the quote alone."""
    held = (
        f"{one.text} {one.columns}"
        for one in passages
        if one.document == citation.document
        and one.start <= citation.start
        and citation.end <= one.end
    )
    text = next(held, citation.quote)
    return f"{citation.title} {Path(citation.path).name} {citation.section} {text} {citation.quote}"


def _rank(asked: Asked, truth: Place | None, passages: Sequence[Passage]) -> int | None:
    """From 1, of the first passage that holds the gold, or half of what misleads, or is half it."""
    for rank, one in enumerate(passages, 1):
        if truth is None or Path(one.path).name != truth[0]:
            continue
        start, end = max(one.start, truth[1]), min(one.end, truth[2])
        held = one.text[start - one.start : end - one.start] if start < end else ""
        half = min(truth[2] - truth[1], one.end - one.start) / 2
        if asked.kind is Kind.MISLEADING and len(held) >= half:
            return rank
        if asked.kind is Kind.ANSWERABLE and contains(held, asked.gold):
            return rank
    return None


def _is_at(truth: Place | None, one: Citation | Passage) -> bool:
    """Whether it shares anything with the right paragraph."""
    if truth is None or Path(one.path).name != truth[0]:
        return False
    return one.start < truth[2] and truth[1] < one.end


def _features(app: App, question: str, found: Found) -> dict[str, Any]:
    first = found.passages[:_FIRST]
    spots = Spotting(app._retrieval).spots(found, kind_of(question))
    return {
        "margins": [one.margin for one in spots],
        "evidence": evidence_for(question, found.passages),
        "coverage": coverage(question, first),
        "similarities": [one.similarity for one in first],
        "relevances": [one.relevance for one in first],
        "scores": [one.score for one in first],
    }


class PlainAsking:
    """Asks the model directly: three passages, no grammar, no checks, nothing refused before."""

    def __init__(self, app: App, model: Path, threads: int) -> None:
        from llama_cpp import Llama

        self._program = Asking(app, Meter(app._engines.generator))
        self._app = app
        self._llama = Llama(str(model), n_ctx=4096, n_threads=threads, verbose=False)
        self._name = model.stem

    def ask(self, asked: Asked) -> Record:
        """One question, with the citations that the model wrote itself."""
        begin = time.perf_counter()
        found = self._app.find(asked.text, CONSIDERED, DEFAULT_RULES)
        passages = found.passages[:_PLAIN_PASSAGES]
        messages = plain_prompt(asked.text, passages)
        text, first_s = self._write(messages, begin)
        seconds = time.perf_counter() - begin
        truth = self._program.truth(asked)
        prompt = sum(len(self._tokens(one["content"])) for one in messages)
        numbers = list(dict.fromkeys(map(int, MARK.findall(text))))
        cited = {n: passages[n - 1] for n in numbers if 1 <= n <= len(passages)}
        is_found = not (is_refusal(text) or _PLAIN_REFUSAL.search(text))
        return Record(
            id=asked.id,
            kind=asked.kind,
            question=asked.text,
            gold=asked.gold,
            text=text,
            is_found=is_found,
            confidence=Confidence.HIGH if is_found else Confidence.NONE,
            model=self._name,
            seconds=seconds,
            first_s={"AnswerDelta": first_s},
            found_rank=_rank(asked, truth, join_touching(found.passages)),
            shown_rank=_rank(asked, truth, passages),
            shown=len(passages),
            citations=tuple(
                CitedPlace(n, one.title, one.text, _is_at(truth, one)) for n, one in cited.items()
            ),
            claims=claims_of(text, {n: _shown(one) for n, one in cited.items()}, ()),
            invalid=tuple(n for n in numbers if n not in cited),
            prompt_tokens=prompt,
            generated_tokens=len(self._tokens(text)),
            features=_features(self._app, asked.text, found),
        )

    def _write(self, messages: list[dict[str, str]], begin: float) -> tuple[str, float]:
        text, first_s = "", 0.0
        stream: Any = self._llama.create_chat_completion(
            messages=messages,  # type: ignore[arg-type]
            max_tokens=_PLAIN_TOKENS,
            temperature=0.0,
            stream=True,
        )
        for part in stream:
            delta = part["choices"][0]["delta"].get("content") or ""
            if delta and not text:
                first_s = time.perf_counter() - begin
            text += delta
        return text.strip(), first_s

    def _tokens(self, text: str) -> list[int]:
        return self._llama.tokenize(text.encode(), add_bos=False)


def plain_prompt(question: str, passages: Sequence[Passage]) -> list[dict[str, str]]:
    """Messages as most programs of this kind write them."""
    context = "\n\n".join(f"[{n}] {_shown(one)}" for n, one in enumerate(passages, 1))
    user = f"Context:\n{context}\n\nQuestion: {question}"
    return [{"role": "system", "content": PLAIN_SYSTEM}, {"role": "user", "content": user}]


def _shown(passage: Passage) -> str:
    return f"{title_of(passage)}\n{passage.text}"
