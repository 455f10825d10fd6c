"""What `bench_answers` asks of which files: questions with gold answers, and ones without."""

from __future__ import annotations

import json
import os
import random
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from desktop_rag.domain.grading import quote_span

_NO_NAME = re.compile(r"[^\w .,()-]+")
_LONG_AGO_S = 1_000_000_000
"""A file written this moment is not read at once, in case more follows."""


class Kind(StrEnum):
    """Of a question, by what the files say about it."""

    ANSWERABLE = "answerable"
    MISLEADING = "misleading"
    """A paragraph is about it and does not answer it."""
    OFF_TOPIC = "off-topic"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what is right."""

    id: str
    kind: Kind
    text: str
    gold: tuple[str, ...] = ()
    """Answers in words, any of which will do."""
    article: str = ""
    """File that holds the paragraph."""
    paragraph: str = ""
    """Its text; of a misleading question the one that misleads."""


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """Articles by file name, each of paragraphs, and questions in the order they are asked."""

    articles: Mapping[str, Sequence[str]]
    questions: tuple[Asked, ...]


def answer_set(
    folder: Path, others: Sequence[Path], wanted: Mapping[Kind, int], seed: int = 0
) -> AnswerSet:
    """Draw questions, the same on every run, balanced over articles and kinds in any beginning.

    More of a kind are the same and some after them, so what was asked need not be asked again.

    Args:
        folder: in BEIR layout; ids of texts as `article:number`; queries with `doc` or a qrel, an
            `answer` (one or several) and, when nothing answers them, `answerable` false.
        others: folders whose questions are off-topic here.
        wanted: how many of each kind.
        seed: of the draw.
    """
    texts = {one["id"]: one for one in _objects(folder / "corpus.jsonl")}
    names = _file_names(texts)
    drawn = _drawn(_questions(folder, texts, names), seed)
    drawn[Kind.OFF_TOPIC] = _off_topic(others, seed)
    some = {kind: drawn[kind][: wanted.get(kind, 0)] for kind in Kind}
    articles: dict[str, list[str]] = defaultdict(list)
    for key, one in texts.items():
        articles[names[key]].append(one["text"])
    return AnswerSet(articles, tuple(_interleaved(list(some.values()))))


def write_articles(articles: Mapping[str, Sequence[str]], folder: Path) -> None:
    """A file for each article, its paragraphs parted by empty lines."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, paragraphs in articles.items():
        path = folder / name
        path.write_text("\n\n".join(paragraphs) + "\n", encoding="utf-8")
        os.utime(path, (_LONG_AGO_S, _LONG_AGO_S))


def span_of(asked: Asked, text: str) -> tuple[int, int]:
    """Where the paragraph stands in the article as it was read.

    Raises:
        ValueError: it does not.
    """
    span = quote_span(text, asked.paragraph)
    if span is None:
        raise ValueError(f"the paragraph of question {asked.id} is not in {asked.article}")
    return span


def _questions(
    folder: Path, texts: Mapping[str, Mapping[str, Any]], names: Mapping[str, str]
) -> list[Asked]:
    relevant = _qrels(folder / "qrels.tsv")
    found = []
    for one in _objects(folder / "queries.jsonl"):
        doc = one.get("doc") or relevant.get(one["id"], "")
        answer = one.get("answer") or []
        gold = tuple([answer] if isinstance(answer, str) else answer)
        kind = Kind.ANSWERABLE if one.get("answerable", True) else Kind.MISLEADING
        if doc in texts and (gold or kind is Kind.MISLEADING):
            paragraph = texts[doc]["text"]
            found.append(Asked(one["id"], kind, one["text"], gold, names[doc], paragraph))
    return found


def _drawn(questions: Sequence[Asked], seed: int) -> dict[Kind, list[Asked]]:
    """Of each kind, all in an order that goes from article to article."""
    by_kind: dict[Kind, list[Asked]] = {}
    for kind in Kind:
        by_article: dict[str, list[Asked]] = defaultdict(list)
        for one in questions:
            if one.kind is kind:
                by_article[one.article].append(one)
        by_kind[kind] = _in_turn(by_article, random.Random(f"{seed} {kind}"))
    return by_kind


def _in_turn(by_article: Mapping[str, list[Asked]], dice: random.Random) -> list[Asked]:
    piles = [dice.sample(pile, len(pile)) for _, pile in sorted(by_article.items())]
    dice.shuffle(piles)
    deepest = max(map(len, piles), default=0)
    return [pile[depth] for depth in range(deepest) for pile in piles if depth < len(pile)]


def _off_topic(others: Sequence[Path], seed: int) -> list[Asked]:
    by_folder = {
        folder.name: [
            Asked(f"{folder.name}/{one['id']}", Kind.OFF_TOPIC, one["text"])
            for one in _objects(folder / "queries.jsonl")
        ]
        for folder in others
    }
    return _in_turn(by_folder, random.Random(f"{seed} {Kind.OFF_TOPIC}"))


def _interleaved(piles: Sequence[Sequence[Asked]]) -> list[Asked]:
    placed = [((n + 0.5) / len(pile), one) for pile in piles for n, one in enumerate(pile)]
    return [one for _, one in sorted(placed, key=lambda pair: pair[0])]


def _file_names(texts: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Of the file each text goes into, called by its title as somebody would."""
    names: dict[str, str] = {}
    taken: dict[str, str] = {}
    for key, one in texts.items():
        article = key.rpartition(":")[0] or key
        title = " ".join(_NO_NAME.sub(" ", one.get("title") or article).split())[:80]
        name = f"{title}.txt"
        if taken.setdefault(name, article) != article:
            name = f"{title} {len(taken)}.txt"
            taken[name] = article
        names[key] = name
    return names


def _qrels(path: Path) -> dict[str, str]:
    """The first relevant text of each question."""
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").split("\n") if path.exists() else []:
        query, _, rest = line.partition("\t")
        found.setdefault(query, rest.partition("\t")[0])
    return found


def _objects(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
