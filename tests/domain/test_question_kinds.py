import time
from collections import Counter

import pytest

from desktop_rag.domain.question_kinds import QuestionKind, kind_of
from tests.domain.question_kind_examples import examples


def test_examples_are_many_and_of_every_kind() -> None:
    found = Counter(kind for _, kind in examples())
    assert sum(found.values()) >= 150
    assert all(found[kind] >= 25 for kind in QuestionKind)


@pytest.mark.parametrize("kind", QuestionKind)
def test_kinds_of_examples(kind: QuestionKind) -> None:
    wrong = [
        (text, kind_of(text)) for text, wanted in examples() if wanted is kind != kind_of(text)
    ]
    assert wrong == []


def test_courtesies_do_not_change_the_kind() -> None:
    assert kind_of("Could you tell me how many documents there are?") is QuestionKind.COUNT
    assert kind_of("Please list all contracts with Meyer, thanks!") is QuestionKind.LIST
    assert kind_of("could you please compare the two offers?") is QuestionKind.COMPARISON


@pytest.mark.parametrize("text", ["", " ", "?", "¿", "\0", "-", '"', "how many", "list all", "|||"])
def test_what_is_no_question_is_a_fact(text: str) -> None:
    assert kind_of(text) is QuestionKind.FACT


@pytest.mark.parametrize(
    "text",
    [
        "how many files " * 66,
        "list all the the the " * 47,
        "what is 1" + " + 1" * 245,
        "compare " * 120,
        "x " * 499,
        "how many invoices " + "a" * 980,
        "write a " * 120,
        "how many files mention X " * 5000,
    ],
)
def test_long_texts_take_no_time(text: str) -> None:
    begin = time.perf_counter()
    kind_of(text)
    assert time.perf_counter() - begin < 0.5
