"""How spans are read out of an extractor's logits, and what figures are made of them."""

from __future__ import annotations

import numpy as np
import pytest
from extractor_figures import (
    MAX_ANSWER_TOKENS,
    Found,
    answer_tokens,
    best_span,
    margin_distance,
    measured,
    overlap,
    plain,
    same_spans,
)
from extractor_questions import Example
from tokenizers import Encoding, Tokenizer, models, pre_tokenizers, processors

TEXT = "the bridge opened in 1904 near Bremen"


def encoded(question: str, text: str, most: int = 256) -> Encoding:
    """Whole words as tokens, `[CLS] question [SEP] text [SEP]`."""
    words = ["[UNK]", "[CLS]", "[SEP]", *dict.fromkeys(f"{question} {text}".split())]
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    tokenizer.enable_truncation(most, strategy="only_second")
    return tokenizer.encode(question, text)


def logits(encoding: Encoding, **high: float) -> np.ndarray:
    """Zeros, with a value at the tokens that are named."""
    found = np.zeros(len(encoding.ids), np.float32)
    for token, value in high.items():
        found[encoding.tokens.index(token)] = value
    return found


def example(kind: str = "answered") -> Example:
    start = TEXT.index("1904") if kind == "answered" else -1
    return Example("when", TEXT, start, start + 4 if start >= 0 else -1, kind)


def test_the_best_span_is_of_the_text() -> None:
    encoding = encoded("when exactly", TEXT)
    starts = logits(encoding, when=9.0, opened=3.0)
    found = best_span(encoding, starts, logits(encoding, exactly=9.0, opened=3.0))
    assert TEXT[found.start : found.end] == "opened"
    assert found.margin == pytest.approx(6.0)


def test_a_span_never_ends_before_it_begins() -> None:
    encoding = encoded("when", TEXT)
    found = best_span(encoding, logits(encoding, near=2.0), logits(encoding, bridge=2.0))
    assert found.start <= found.end
    assert found.margin == pytest.approx(2.0)


def test_a_span_is_at_most_as_long_as_answers_are() -> None:
    text = " ".join(f"w{number}" for number in range(MAX_ANSWER_TOKENS + 5))
    encoding = encoded("when", text)
    reached, beyond = f"w{MAX_ANSWER_TOKENS - 1}", f"w{MAX_ANSWER_TOKENS}"
    ends = logits(encoding, **{reached: 2.0, beyond: 3.0})
    found = best_span(encoding, logits(encoding, w0=5.0), ends)
    assert text[found.start : found.end].split()[-1] == reached


def test_the_margin_is_over_no_answer() -> None:
    encoding = encoded("when", TEXT)
    starts = logits(encoding, **{"[CLS]": 4.0, "1904": 1.0})
    assert best_span(encoding, starts, starts).margin == pytest.approx(2.0 - 8.0)


def test_an_answer_is_found_in_tokens() -> None:
    encoding = encoded("when", TEXT)
    start = TEXT.index("in 1904")
    first, last = answer_tokens(encoding, start, start + 7) or (0, 0)
    assert encoding.tokens[first : last + 1] == ["in", "1904"]


def test_an_answer_that_was_cut_off_is_not() -> None:
    encoding = encoded("when", TEXT, most=8)
    start = TEXT.index("in 1904")
    assert "in" not in encoding.tokens or answer_tokens(encoding, start, start + 7) is None
    assert answer_tokens(encoding, TEXT.index("Bremen"), len(TEXT)) is None


def test_figures_count_answered_and_unanswerable_apart() -> None:
    examples = [example(), example(), example("noun"), example("noun")]
    start = TEXT.index("1904")
    exact, wrong = Found(start, start + 4, 3.0), Found(0, 10, 1.0)
    figures = measured(examples, [exact, wrong, Found(0, 3, 2.0), Found(0, 3, -5.0)])
    assert (figures.f1, figures.contains) == (0.5, 0.5)
    assert figures.parted == 0.75
    assert figures.refused == 0.5


def test_two_graphs_are_compared_on_answered_examples() -> None:
    examples = [example(), example(), example("noun")]
    left = [Found(0, 3, 1.0), Found(4, 10, 2.0), Found(0, 3, 0.0)]
    right = [Found(0, 3, 2.0), Found(4, 17, 2.0), Found(4, 10, -2.0)]
    assert same_spans(examples, left, right) == 0.5
    assert margin_distance(left, right) == pytest.approx(1.0)


def test_answers_are_compared_as_squad_does() -> None:
    assert plain("The  Aller, a river!") == "aller river"
    assert overlap("the year 1904", "1904") == pytest.approx(2 / 3)
    assert overlap("1904", "1905") == 0.0
