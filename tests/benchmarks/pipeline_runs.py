"""Runs test sets through the program itself (files, catalog, index, re-ranking) and measures.

Beside what the program shows, the orders that its index found by keywords alone, by vectors alone,
and their plain fusion by rank are measured, on the same candidates.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import ir_measures
import pytest
from ir_measures import R, nDCG

from desktop_rag.cli.measured_library import MeasuredLibrary, library_of
from desktop_rag.domain.answers import Candidate
from desktop_rag.domain.evaluation import EvaluationSet, Place, Question, interval, percentile
from desktop_rag.domain.fusion import reciprocal_rank_fusion
from desktop_rag.domain.grading import ranked
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.paths import MODELS_DIR_VARIABLE, shipped
from desktop_rag.services.evaluating import DEPTH
from desktop_rag.services.models import ModelLibrary
from desktop_rag.services.retrieval import Found
from desktop_rag.storage.evaluation_sets import read_set
from desktop_rag.workers.remote import probe_model

ORDERS = ("BM25", "dense", "RRF", "used")
READ = "read"
"""The order once a cross-encoder has read the best again; measured beside the others."""
MEASURES = {"nDCG@10": nDCG @ 10, "Recall@5": R @ 5}
_WITHOUT = replace(DEFAULT_RULES, read_again=0)
_FIGURE = re.compile(
    r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|(?<![\d.,])\d+\.\d+(?![\d.,])"
)
"""A number with thousands or decimals: years, ordinals and small counts tell no page."""

Values = Mapping[str, Mapping[str, list[float]]]
"""By measure, then by order: one value a question."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one set gave."""

    name: str
    texts: int
    asked: int
    values: Values
    latencies_ms: list[float]
    reading_ms: list[float] = field(default_factory=list)
    """Of the same questions with a cross-encoder; none without one."""


def sample(folder: Path, max_texts: int, max_questions: int) -> EvaluationSet:
    """A set in BEIR layout, cut down by `random.Random(0)`: texts first, then questions.

    A question is kept when all its relevant texts were drawn.
    """
    dice = random.Random(0)
    made = read_set(folder)
    texts = made.texts if len(made.texts) <= max_texts else dice.sample(made.texts, max_texts)
    names = {one.id for one in texts}
    usable = [one for one in made.questions if one.grades and one.grades.keys() <= names]
    if len(usable) > max_questions:
        usable = dice.sample(usable, max_questions)
    # Spans are measured by `eval`; here a text counts as a whole.
    questions = tuple(replace(one, places=()) for one in usable)
    return replace(made, texts=tuple(texts), questions=questions)


@contextmanager
def reranker_in_use(folder: Path | None) -> Iterator[None]:
    """Have every library that is opened meanwhile use this cross-encoder, and no other model."""
    if folder is None:
        yield
        return
    with tempfile.TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patched:
        patched.setenv(MODELS_DIR_VARIABLE, scratch)
        models = ModelLibrary(Path(scratch), shipped("models"), lambda _: None, probe=probe_model)
        models.set_default(models.add(folder).id)
        yield


def run(made: EvaluationSet, *, has_reranker: bool = False) -> Run:
    """Index the texts as files and ask every question once; with a cross-encoder once more."""
    found: dict[str, dict[str, list[str]]] = defaultdict(dict)
    latencies, reading = [], []
    with library_of(made) as library:
        for question in library.questions:
            answer, elapsed_ms = _asked(library, question.text, _WITHOUT)
            latencies.append(elapsed_ms)
            for order, names in _orders(library, answer).items():
                found[order][question.id] = names
            if has_reranker:
                answer, elapsed_ms = _asked(library, question.text, DEFAULT_RULES)
                reading.append(elapsed_ms)
                found[READ][question.id] = _orders(library, answer)["used"]
    wanted = {one.id: dict(one.grades) for one in made.questions}
    values = {
        name: {order: _values(measure, wanted, found[order]) for order in found}
        for name, measure in MEASURES.items()
    }
    return Run(made.name, len(made.texts), len(made.questions), values, latencies, reading)


def _asked(library: MeasuredLibrary, question: str, rules: RetrievalRules) -> tuple[Found, float]:
    """What is found, and in how many milliseconds."""
    begin = time.perf_counter()
    found = library.app.find(question, DEPTH, rules)
    return found, (time.perf_counter() - begin) * 1000


def _orders(library: MeasuredLibrary, found: Found) -> dict[str, list[str]]:
    candidates = found.rankings[0].candidates if found.rankings else ()
    stored = library.app._catalog.resolve([one.chunk for one in candidates])
    names = {int(chunk): library.name_of(one.path) for chunk, one in stored.items()}
    words = _by(candidates, lambda one: one.keyword_rank)
    dense = _by(candidates, lambda one: one.dense_rank)
    plain = [chunk for chunk, _ in reciprocal_rank_fusion([dense, words], [0.5, 0.5])]
    orders = {"BM25": words, "dense": dense, "RRF": plain}
    named = {order: [names[c] for c in chunks if c in names] for order, chunks in orders.items()}
    named["used"] = [library.name(one) for one in found.passages]
    return {order: list(dict.fromkeys(some)) for order, some in named.items()}


def _by(candidates: Sequence[Candidate], rank: Callable[[Candidate], int | None]) -> list[int]:
    found = [(place, int(one.chunk)) for one in candidates if (place := rank(one)) is not None]
    return [chunk for _, chunk in sorted(found)]


def _values(
    measure: ir_measures.Measure,
    wanted: Mapping[str, dict[str, int]],
    found: Mapping[str, Sequence[str]],
) -> list[float]:
    scored = {q: {name: -float(n) for n, name in enumerate(some)} for q, some in found.items()}
    by_question = dict.fromkeys(wanted, 0.0)
    for metric in ir_measures.iter_calc([measure], dict(wanted), scored):
        by_question[metric.query_id] = float(metric.value)
    return list(by_question.values())


def page_set(folder: Path) -> EvaluationSet:
    """Questions on PDFs with the pages that hold the answer's figures.

    The folder has `pdfs`, `pages.jsonl` (id "file#pN", text) and `queries.jsonl` (id, text, answer,
    docs). For each file of `docs`, figures of the answer's lines that name the file, else of the
    whole answer, without those of the question, are looked up in the file's pages: right is any
    page with the most of them. Files without such a page, and questions without any, are left out.
    """
    pages: dict[str, dict[int, set[str]]] = defaultdict(dict)
    for one in map(json.loads, _lines(folder / "pages.jsonl")):
        file, _, number = one["id"].partition("#p")
        pages[file][int(number)] = set(_FIGURE.findall(one["text"]))
    questions = []
    for one in map(json.loads, _lines(folder / "queries.jsonl")):
        places = tuple(
            Place(str((folder / "pdfs" / file).resolve()), right)
            for file in one["docs"]
            if (right := _right_pages(one, file, pages[file]))
        )
        if places:
            questions.append(Question(str(one["id"]), one["text"], places=places))
    return EvaluationSet(folder.name, tuple(questions), files=str((folder / "pdfs").resolve()))


def _right_pages(
    one: Mapping[str, str], file: str, pages: Mapping[int, set[str]]
) -> tuple[int, ...]:
    lines = [line for line in one["answer"].split("\n") if file in line] or [one["answer"]]
    figures = set(_FIGURE.findall(" ".join(lines))) - set(_FIGURE.findall(one["text"]))
    held = {number: len(figures & some) for number, some in pages.items()}
    most = max(held.values(), default=0)
    return tuple(number for number, count in held.items() if count == most) if most else ()


def page_recall(made: EvaluationSet, depth: int = 10) -> tuple[list[float], list[float]]:
    """Share of each question's places among the first `depth` passages, and its latency in ms."""
    values, latencies = [], []
    with library_of(made) as library:
        for question in library.questions:
            begin = time.perf_counter()
            found = library.app.find(question.text, DEPTH, DEFAULT_RULES)
            latencies.append((time.perf_counter() - begin) * 1000)
            passages = found.passages[:depth]
            held = ranked(question, passages, [library.name(one) for one in passages])
            values.append(len(question.wanted.keys() & set(held)) / len(question.wanted))
    return values, latencies


def table(runs: Sequence[Run], measure: str) -> list[str]:
    """A row a set and one of averages: the four orders, and how far the used one is ahead."""
    rows = [f"{measure:18s} {'texts':>6s} {'asked':>6s}" + "".join(f"{o:>7s}" for o in ORDERS)]
    rows[0] += "   -BM25 (95 %)           -RRF (95 %)"
    means: list[list[float]] = []
    for one in runs:
        values = one.values[measure]
        means.append([sum(values[order]) / one.asked for order in ORDERS])
        ahead = "  ".join(_ahead(values["used"], values[other]) for other in ("BM25", "RRF"))
        counts = f"{one.name[:18]:18s} {one.texts:6d} {one.asked:6d}"
        rows.append(f"{counts}{''.join(f'{mean:7.3f}' for mean in means[-1])}   {ahead}")
    average = [sum(column) / len(runs) for column in zip(*means, strict=True)]
    gain = f"   {average[3] - average[0]:+.3f}{'':18s}{average[3] - average[2]:+.3f}"
    rows.append(f"{'average':32s}{''.join(f'{mean:7.3f}' for mean in average)}{gain}")
    below = [
        f"{one.name} below {order}"
        for one, row in zip(runs, means, strict=True)
        for order, mean in zip(ORDERS[:3], row, strict=False)
        if row[3] < mean
    ]
    rows.append(f"used is below another on: {', '.join(below) or 'none'}")
    return rows


def reading_table(runs: Sequence[Run], measure: str) -> list[str]:
    """A row a set: the used order, that with a cross-encoder, how far this one is ahead."""
    rows = [f"{measure:18s} {'asked':>6s} {'used':>7s} {READ:>7s}   -used (95 %)"]
    for one in runs:
        used, read = one.values[measure]["used"], one.values[measure][READ]
        means = "".join(f" {sum(values) / one.asked:7.3f}" for values in (used, read))
        rows.append(f"{one.name[:18]:18s} {one.asked:6d}{means}   {_ahead(read, used)}")
    return rows


def latency(values: Sequence[float]) -> str:
    """Median and 95th percentile."""
    return f"p50 {percentile(values, 0.5):.1f} ms, p95 {percentile(values, 0.95):.1f} ms"


def _ahead(used: Sequence[float], other: Sequence[float]) -> str:
    one = interval([a - b for a, b in zip(used, other, strict=True)])
    return f"{one.mean:+.3f} ({one.low:+.3f} {one.high:+.3f})"


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line]
