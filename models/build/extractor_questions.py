"""The questions that the extractor learns from: answered ones, and ones made unanswerable by rules.

The answered ones are SQuAD 1.1 (Rajpurkar et al., EMNLP 2016): a paragraph of an encyclopedia, a
question, and the words of the paragraph that answer it. An extractor that saw only these finds an
answer everywhere. SQuAD 2.0 (Rajpurkar, Jia & Liang, ACL 2018) therefore adds questions that people
wrote so that the paragraph does not answer them, and names what they did: negation, antonym, an
entity or number exchanged, something impossible or not mentioned. Those questions are not in the
package we learn from, so the same kinds are made here from answered questions, by rules:

    name        a name or number of the question becomes another one
    paragraph   the question is asked of another paragraph of the same article
    noun        a word of the question becomes a word of the paragraph with the same ending
    antonym     "first" becomes "last"
    negation    "did" becomes "didn't"

Rules err: some of what they make has an answer after all, or is no English. Standard library only.
One seed gives the same examples in the same order on every computer.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from extractor_words import ANTONYMS, FIRST_WORDS, FUNCTION_WORDS

SHARES = {"name": 0.32, "paragraph": 0.30, "noun": 0.20, "antonym": 0.12, "negation": 0.06}
"""Of the unanswerable examples, by kind."""
ANSWERED = "answered"
HELD_BACK = 6_000
"""How many questions, the last ones after shuffling, are never trained on but measured with."""
_TITLED = 0.5
"""How often the title stands above the text. The program always gives it, other texts have none."""

_NAME = re.compile(r"\b[A-Z][\w'’-]+(?:\s+(?:of\s+|the\s+|de\s+)?[A-Z][\w'’-]+)*")
_NUMBER = re.compile(r"\b\d[\d,.]*\b")
_YEAR = re.compile(r"1\d{3}|20\d\d")
_NOUN = re.compile(r"\b[a-z]{5,}\b")
_AUXILIARY = re.compile(r"\b(is|was|are|were|did|does|do|has|have|can|could|would)\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """An answered question of SQuAD. `answer` stands at `start` of `paragraphs[place]`."""

    title: str
    paragraphs: Sequence[str]
    """All of the article."""
    place: int
    question: str
    answer: str
    start: int

    @property
    def text(self) -> str:
        """The paragraph that answers."""
        return self.paragraphs[self.place]


@dataclass(frozen=True, slots=True)
class Example:
    """A question to a text. `text[start:end]` answers it; both are -1 where nothing does."""

    question: str
    text: str
    start: int
    end: int
    kind: str

    @property
    def is_answered(self) -> bool:
        """Whether the text answers."""
        return self.start >= 0

    @property
    def answer(self) -> str:
        """The words that answer; empty where nothing does."""
        return self.text[self.start : self.end] if self.is_answered else ""


def training_examples(
    path: Path, answered: int, unanswerable: int, held_back: int = HELD_BACK
) -> list[Example]:
    """What the extractor learns from, in the order it is learned.

    Args:
        path: of SQuAD 1.1's `train-v1.1.json`.
        answered: how many questions keep their answer.
        unanswerable: how many are made unanswerable; `SHARES` are rounded down.
        held_back: how many questions, the last ones, are not used.
    """
    dice = random.Random(0)
    questions = _shuffled(path, dice)[:-held_back]
    return _examples(questions, answered, unanswerable, dice)


def held_back_examples(
    path: Path, answered: int, unanswerable: int, held_back: int = HELD_BACK
) -> list[Example]:
    """Examples to measure with, of questions that `training_examples` never gives.

    Their paragraphs, and other questions to them, may have been learned from: what is measured
    here compares builds with each other and is more favourable than documents nobody has seen.
    """
    questions = _shuffled(path, random.Random(0))[-held_back:]
    return _examples(questions, answered, unanswerable, random.Random(1))


def read_questions(path: Path) -> Iterator[Asked]:
    """All questions of a SQuAD 1.1 file, each with the first of its answers."""
    for article in json.loads(path.read_text("utf-8"))["data"]:
        paragraphs = [paragraph["context"] for paragraph in article["paragraphs"]]
        title = article["title"].replace("_", " ")
        for place, paragraph in enumerate(article["paragraphs"]):
            for one in paragraph["qas"]:
                answer = one["answers"][0]
                question, found = one["question"].strip(), answer["text"]
                yield Asked(title, paragraphs, place, question, found, answer["answer_start"])


def _shuffled(path: Path, dice: random.Random) -> list[Asked]:
    questions = list(read_questions(path))
    dice.shuffle(questions)
    return questions


def _examples(
    questions: Sequence[Asked], answered: int, unanswerable: int, dice: random.Random
) -> list[Example]:
    found = [_answered(one, dice) for one in questions[:answered]]
    found += _unanswerable(questions[answered:], unanswerable, dice)
    dice.shuffle(found)
    return found


def _answered(asked: Asked, dice: random.Random) -> Example:
    text = _headed(asked.title, asked.text, dice)
    start = asked.start + len(text) - len(asked.text)
    return Example(asked.question, text, start, start + len(asked.answer), ANSWERED)


def _unanswerable(questions: Sequence[Asked], count: int, dice: random.Random) -> Iterator[Example]:
    """Examples until each kind has its share; what a rule does not fit is passed over."""
    wanted = {kind: int(count * share) for kind, share in SHARES.items()}
    for asked in questions:
        kinds = [kind for kind, number in wanted.items() if number > 0]
        if not kinds:
            return
        kind = dice.choices(kinds, [SHARES[one] for one in kinds])[0]
        made = RULES[kind](asked, dice)
        if made is not None:
            question, text = made
            wanted[kind] -= 1
            yield Example(question, _headed(asked.title, text, dice), -1, -1, kind)


def _headed(title: str, text: str, dice: random.Random) -> str:
    return f"{title}\n{text}" if dice.random() < _TITLED else text


# The rules. Each gives question and text, or None where it does not fit. The order in which they
# ask the dice is part of the result.


def exchange_name(asked: Asked, dice: random.Random) -> tuple[str, str] | None:
    """Another name or number in the question, from its paragraph or one of the same article."""
    elsewhere = dice.choice(asked.paragraphs)
    names = [one for one in _inner_names(asked.question) if len(one) > 2]
    numbers = _NUMBER.findall(asked.question)
    if numbers and (not names or dice.random() < 0.5):
        old, new = _other_number(asked, dice.choice(numbers), elsewhere, dice)
    elif names:
        old, new = _other_name(asked, dice.choice(names), elsewhere, dice)
    else:
        return None
    return (asked.question.replace(old, new, 1), asked.text) if new else None


def ask_another_paragraph(asked: Asked, dice: random.Random) -> tuple[str, str] | None:
    """One of the three other paragraphs with most words of the question and not the answer."""
    words, answer = _long_words(asked.question), asked.answer.lower()
    others = [
        (len(words & _long_words(text)), dice.random(), text)
        for place, text in enumerate(asked.paragraphs)
        if place != asked.place and answer not in text.lower()
    ]
    if not others:
        return None
    others.sort(reverse=True)
    return asked.question, dice.choice(others[:3])[2]


def exchange_noun(asked: Asked, dice: random.Random) -> tuple[str, str] | None:
    """Another word in the question, one of the paragraph that ends alike."""
    words = [
        one
        for one in _NOUN.findall(asked.question)
        if one not in FUNCTION_WORDS and one not in ANTONYMS
    ]
    if not words:
        return None
    word, answer = dice.choice(words), asked.answer.lower()
    pool = [
        one
        for one in _NOUN.findall(asked.text)
        if one not in asked.question
        and one not in answer
        and one not in FUNCTION_WORDS
        and _ending(one) == _ending(word)
        and one[:4] != word[:4]
    ]
    return (_replaced(asked.question, word, dice.choice(pool)), asked.text) if pool else None


def turn_round(asked: Asked, dice: random.Random) -> tuple[str, str] | None:
    """A word of the question becomes its opposite."""
    words = [one for one in re.findall(r"[a-z]+", asked.question) if one in ANTONYMS]
    if not words:
        return None
    word = dice.choice(words)
    return _replaced(asked.question, word, ANTONYMS[word]), asked.text


def negate(asked: Asked, _: random.Random) -> tuple[str, str] | None:
    """The first auxiliary verb gets "n't" ("can" as well, which nobody would write so)."""
    found = _AUXILIARY.search(asked.question)
    if found is None or "not" in asked.question:
        return None
    end = found.end()
    return f"{asked.question[:end]}n't{asked.question[end:]}", asked.text


Rule = Callable[[Asked, random.Random], tuple[str, str] | None]
RULES: dict[str, Rule] = {
    "name": exchange_name,
    "paragraph": ask_another_paragraph,
    "noun": exchange_noun,
    "antonym": turn_round,
    "negation": negate,
}


def _other_number(
    asked: Asked, number: str, elsewhere: str, dice: random.Random
) -> tuple[str, str]:
    """The number and another of as many characters, or ""; a year mostly moves by 1 to 30."""
    pool = [
        one
        for one in _NUMBER.findall(asked.text) + _NUMBER.findall(elsewhere)
        if one not in (number, asked.answer) and len(one) == len(number)
    ]
    if _YEAR.fullmatch(number) and dice.random() < 0.6:
        return number, str(int(number) + dice.choice([-1, 1]) * dice.randint(1, 30))
    return number, dice.choice(pool) if pool else ""


def _other_name(asked: Asked, name: str, elsewhere: str, dice: random.Random) -> tuple[str, str]:
    """The name and one that has nothing of it, of the question or of the answer; or ""."""
    source = asked.text if dice.random() < 0.55 else elsewhere
    pool = [
        one
        for one in _NAME.findall(source)
        if len(one) > 3
        and _is_name(one)
        and one not in asked.question
        and not _overlap(one, name)
        and not _overlap(one, asked.answer)
    ]
    # A question about a name that its paragraph does not have may not be about the paragraph.
    if name not in asked.text and dice.random() >= 0.5:
        return name, ""
    return name, dice.choice(pool) if pool else ""


def _inner_names(question: str) -> list[str]:
    """Capitalised words, without those that begin the question."""
    return [one.group() for one in _NAME.finditer(question) if one.start() > 0]


def _is_name(words: str) -> bool:
    return words.lower() not in FUNCTION_WORDS and words not in FIRST_WORDS


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


def _ending(word: str) -> str:
    """What word class the ending hints at."""
    return next((one for one in ("ing", "ed", "ly", "s") if word.endswith(one)), "")


def _replaced(question: str, word: str, by: str) -> str:
    return re.sub(rf"\b{word}\b", by, question, count=1)


def _long_words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.lower()))
