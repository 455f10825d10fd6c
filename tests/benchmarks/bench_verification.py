"""How many false sentences the check of answers catches, and how many true ones it marks.

    python -m tests.benchmarks.bench_verification FOLDER [--questions 300] [--show KIND]

The folder as in `bench_retrieval`, its queries with `answer` (texts that answer them) and `doc` or
a line in `qrels.tsv`. Each answerable question gives true answers (the source's own sentence, the
answer alone, the question turned into a statement) and false ones, made from the true ones by one
swap: number, date, name, unit, negation, or the thing the question is about. The passages are the
right one and its neighbours in the set. No language model is asked.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.citing import Place, cite
from desktop_rag.domain.sentences import sentence_spans
from desktop_rag.domain.terms import FUNCTION_WORDS
from tests.helpers.passages import make_passage

_NEIGHBOURS = 2
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:[.,]\d+)*(?![\w-])")
_YEAR = re.compile(r"(?:1\d|20)\d\d")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*")
_MONTHS = "January February March April May June July August September October November December"
_MONTH = re.compile(rf"\b(?:{'|'.join(_MONTHS.split())})\b(?= \d)")
_UNITS = {
    "percent": "tonnes", "%": " kg", "million": "billion", "billion": "million", "miles": "metres",
    "km": "mm", "kilometers": "feet", "feet": "inches", "years": "days", "days": "weeks",
    "months": "years", "hours": "seconds", "metres": "feet", "meters": "miles", "tons": "grams",
    "acres": "yards", "weeks": "years", "minutes": "days", "°C": " °F", "°F": " °C",
}  # fmt: skip
_UNIT = re.compile(
    rf"(?<=\d)(?P<gap>[ -]?)(?P<unit>{'|'.join(map(re.escape, _UNITS))})(?!\w)", re.IGNORECASE
)
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|can|could|will|would|has|have|had|may|must|does)\b")
_NOT = re.compile(r"\b(?:not|never) ")
_WH = re.compile(
    r"^(?:(?:in|on|at|by|for|to|from|during|since) )?"
    r"(?:what|which|who|whom|whose|when|where|how many|how much|how long|how|why)\b"
    r"(?: (?:year|date|day|city|country|person|type|kind|of)\b)*"
    r"(?: (?:did|does|do|is|are|was|were|has|have|had|can|could|will|would)\b)?\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Case:
    """An answer with the passages it was written from, and whether they bear it out."""

    kind: str
    question: str
    answer: str
    passages: tuple[Passage, ...]
    is_true: bool


@dataclass(frozen=True, slots=True)
class _Gold:
    question: str
    answer: str
    sentence: str
    passages: tuple[Passage, ...]
    others: tuple[Passage, ...]


def read_golds(folder: Path, count: int, dice: random.Random) -> list[_Gold]:
    """Questions with an answer that stands in one of their passages, in the order of the dice."""
    texts, titles = _corpus(folder)
    ids = list(texts)
    position = {id_: at for at, id_ in enumerate(ids)}
    docs = _documents(folder)
    queries = [json.loads(line) for line in _lines(folder / "queries.jsonl")]
    dice.shuffle(queries)
    found: list[_Gold] = []
    for one in queries:
        answers = one.get("answer") or []
        answer = answers if isinstance(answers, str) else next(iter(answers), "")
        doc = one.get("doc") or docs.get(str(one["id"]), "")
        sentence = _sentence_with(texts.get(doc, ""), answer)
        if not sentence or len(found) == count:
            continue
        at = position[doc]
        near = [id_ for id_ in ids[max(0, at - 4) : at + 5] if id_ != doc]
        dice.shuffle(near)
        passages = [_passage(n, id_, texts, titles) for n, id_ in enumerate([doc, *near], 1)]
        found.append(
            _Gold(
                one["text"],
                answer,
                sentence,
                tuple(passages[: _NEIGHBOURS + 1]),
                tuple(passages[1 : _NEIGHBOURS + 2]),
            )
        )
    return found


def cases(gold: _Gold, dice: random.Random) -> Iterator[Case]:
    """True and false answers to a question."""
    stated = f"{_capital(_WH.sub('', gold.question).rstrip('? '))} {gold.answer}."
    for kind, text in (
        ("sentence", gold.sentence),
        ("answer alone", _capital(gold.answer)),
        ("stated", stated),
    ):
        yield Case(f"true: {kind}", gold.question, text, gold.passages, is_true=True)
    source = gold.passages[0].text
    for kind, text in _swaps(gold.sentence, source, gold.others, dice):
        yield Case(f"false: {kind}", gold.question, text, gold.passages[:1], is_true=False)
    for kind, question in _other_questions(gold, dice):
        old = _capital(gold.answer)
        yield Case(f"false: {kind}, alone", question, old, gold.passages[:1], is_true=False)
        text = f"{_capital(_WH.sub('', question).rstrip('? '))} {gold.answer}."
        yield Case(f"false: {kind}, stated", question, text, gold.passages[:1], is_true=False)


def is_marked(case: Case) -> bool:
    """Whether anything of the answer is marked."""
    checked = cite(case.answer, case.question, case.passages, lambda *_: Place(None))
    return bool(checked.unsupported)


def main() -> None:
    """Print a table, one row a kind of answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--show", default="", help="print wrongly judged answers of this kind")
    options = parser.parse_args()
    dice = random.Random(0)
    judged: dict[str, list[bool]] = defaultdict(list)
    begin = time.perf_counter()
    for gold in read_golds(options.folder, options.questions, dice):
        for case in cases(gold, dice):
            marked = is_marked(case)
            judged[case.kind].append(marked)
            if case.kind == options.show and marked == case.is_true:
                print(f"Q {case.question}\nA {case.answer}\nP {case.passages[0].text}\n")
    elapsed = time.perf_counter() - begin
    _print(judged)
    print(f"{1000 * elapsed / sum(map(len, judged.values())):.1f} ms an answer")


def _print(judged: dict[str, list[bool]]) -> None:
    for prefix, label in (("true", "wrongly marked"), ("false", "caught")):
        rows = {kind: marks for kind, marks in judged.items() if kind.startswith(prefix)}
        for kind, marks in sorted(rows.items()):
            print(f"{kind:36s} {sum(marks):5d} of {len(marks):5d}  {sum(marks) / len(marks):6.1%}")
        every = [mark for marks in rows.values() for mark in marks]
        if every:
            print(
                f"{label:36s} {sum(every):5d} of {len(every):5d}  {sum(every) / len(every):6.1%}\n"
            )


def _swaps(
    sentence: str, source: str, others: Sequence[Passage], dice: random.Random
) -> Iterator[tuple[str, str]]:
    numbers = list(_NUMBER.finditer(sentence))
    if numbers:
        one = dice.choice(numbers)
        yield "number", _put(sentence, one, _other_number(one.group(), source, dice))
        inside = set(_NUMBER.findall(source)) - set(_NUMBER.findall(sentence))
        same = sorted(
            n for n in inside if bool(_YEAR.fullmatch(n)) == bool(_YEAR.fullmatch(one[0]))
        )
        if same:
            yield "number of the same passage", _put(sentence, one, dice.choice(same))
    if month := _MONTH.search(sentence):
        wanted = [name for name in _MONTHS.split() if name not in source]
        yield "month", _put(sentence, month, dice.choice(wanted))
    names = list(_NAME.finditer(sentence))
    if names:
        one = dice.choice(names)
        foreign = _names_of(" ".join(other.text for other in others)) - _names_of(source)
        foreign = {name for name in foreign if name not in source}
        if foreign:
            yield "name", _put(sentence, one, dice.choice(sorted(foreign)))
        inside = {n for n in _names_of(source) if n not in sentence and n not in one.group()}
        if inside:
            yield "name of the same passage", _put(sentence, one, dice.choice(sorted(inside)))
    if unit := _UNIT.search(sentence):
        new = _UNITS.get(unit["unit"]) or _UNITS[unit["unit"].lower()]
        yield "unit", sentence[: unit.start("unit")] + new + sentence[unit.end() :]
    if denial := _NOT.search(sentence):
        yield "negation left out", sentence[: denial.start()] + sentence[denial.end() :]
    elif auxiliary := _AUXILIARY.search(sentence):
        yield "negation put in", f"{sentence[: auxiliary.end()]} not{sentence[auxiliary.end() :]}"


def _other_questions(gold: _Gold, dice: random.Random) -> Iterator[tuple[str, str]]:
    """The question about something that the passage does not name."""
    question, source = gold.question, gold.passages[0]
    known = f"{source.title} {source.text}"
    names = [one for one in _NAME.finditer(question) if one.group().lower() not in FUNCTION_WORDS]
    foreign = sorted(
        name for name in _names_of(" ".join(o.text for o in gold.others)) if name not in known
    )
    if names and foreign:
        yield "other thing asked", _put(question, dice.choice(names), dice.choice(foreign))
    if years := list(_YEAR.finditer(question)):
        one = dice.choice(years)
        yield "other year asked", _put(question, one, _other_number(one.group(), known, dice))


def _other_number(number: str, source: str, dice: random.Random) -> str:
    """A number of the same look that the source does not hold."""
    while True:
        if _YEAR.fullmatch(number):
            new = str(int(number) + dice.choice((-1, 1)) * dice.randint(1, 30))
        else:
            new = re.sub(r"\d", lambda _: str(dice.randint(1, 9)), number)
        if new not in source:
            return new
        number = number if len(number) > 1 else number + "0"


def _put(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def _names_of(text: str) -> set[str]:
    return {one for one in _NAME.findall(text) if one.lower() not in FUNCTION_WORDS}


def _sentence_with(text: str, answer: str) -> str:
    if not answer or answer not in text:
        return ""
    at = text.index(answer)
    return next((text[a:b] for a, b in sentence_spans(text) if a <= at < b), "")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _corpus(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    found = [json.loads(line) for line in _lines(folder / "corpus.jsonl")]
    return (
        {str(one["id"]): one["text"] for one in found},
        {str(one["id"]): one.get("title", "") for one in found},
    )


def _documents(folder: Path) -> dict[str, str]:
    rows = [line.split("\t") for line in _lines(folder / "qrels.tsv")]
    return {row[0]: row[1] for row in rows if row[2].strip() != "0"}


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]


def _passage(number: int, id_: str, texts: dict[str, str], titles: dict[str, str]) -> Passage:
    return make_passage(
        texts[id_], chunk=number, document=number, title=titles[id_], path=f"/{number}.txt"
    )


if __name__ == "__main__":
    main()
