"""Reads answers out of an extractor's graph, and says how good they are.

The score of a span is the sum of the logits of its first and last token; its margin is what that
is above the score of the first token of all, which stands for "no answer here" (Devlin et al.,
NAACL 2019, section 4.3). Exact words are compared as SQuAD does: lower case, without punctuation
and articles.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
from extractor_questions import Example
from tokenizers import Encoding, Tokenizer

MAX_TOKENS = 256
"""Of question and text together; the rest of the text is not read."""
MAX_ANSWER_TOKENS = 30


@dataclass(frozen=True, slots=True)
class Found:
    """The best span of a text, in characters, and its margin over no answer (logits)."""

    start: int
    end: int
    margin: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one graph on some examples; shares of 1."""

    f1: float
    """Mean token overlap of found and true answer, on the answered examples."""
    contains: float
    """How often the found words hold the true answer."""
    parted: float
    """How often an answered example has a higher margin than an unanswerable one (AUC)."""
    refused: float
    """Of the unanswerable, the share below the margin that 8 % of the answered fail as well."""


def pair_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer as training and measuring use it: the text, not the question, is cut."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="only_second")
    return tokenizer


def answer_tokens(encoding: Encoding, start: int, end: int) -> tuple[int, int] | None:
    """First and last token of the text's characters `start` to `end`; None when they were cut."""
    inside = [
        place
        for place, (side, (begins, ends)) in enumerate(
            zip(encoding.sequence_ids, encoding.offsets, strict=True)
        )
        if side == 1 and ends > start and begins < end
    ]
    if not inside or encoding.offsets[inside[-1]][1] < end:
        return None
    return inside[0], inside[-1]


def is_readable(example: Example, tokenizer: Tokenizer) -> bool:
    """Whether the answer, if there is one, stands in what the model reads of the text."""
    encoding = tokenizer.encode(example.question, example.text)
    found = answer_tokens(encoding, example.start, example.end)
    return found is not None or not example.is_answered


def read(graph: Path, tokenizer: Tokenizer, examples: Sequence[Example]) -> list[Found]:
    """The best span of every example, one example a pass, as the program reads."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    found = []
    for example in examples:
        encoding = tokenizer.encode(example.question, example.text)
        ids, types = (np.array([row], np.int64) for row in (encoding.ids, encoding.type_ids))
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        starts, ends = session.run(["start_logits", "end_logits"], feed)
        found.append(best_span(encoding, starts[0], ends[0]))
    return found


def best_span(encoding: Encoding, starts: np.ndarray, ends: np.ndarray) -> Found:
    """The span of the text with the highest score.

    Args:
        encoding: of question and text, n tokens, at least one of them the text's.
        starts: logits of a token beginning the answer, shape (n,).
        ends: the same of ending it.
    """
    inside = np.array([side == 1 for side in encoding.sequence_ids])
    first, scores = int(inside.argmax()), starts[inside][:, None] + ends[inside][None, :]
    forward = np.triu(np.ones_like(scores, dtype=bool))
    allowed = forward & ~np.triu(forward, MAX_ANSWER_TOKENS)
    start, end = np.unravel_index(np.where(allowed, scores, -np.inf).argmax(), scores.shape)
    margin = float(scores[start, end] - starts[0] - ends[0])
    offsets = encoding.offsets
    return Found(offsets[first + start][0], offsets[first + end][1], margin)


def measured(examples: Sequence[Example], found: Sequence[Found]) -> Figures:
    """Figures of what was found. Both kinds of example must be there."""
    pairs = list(zip(examples, found, strict=True))
    answers = [(one.text[f.start : f.end], one.answer) for one, f in pairs if one.is_answered]
    held = np.array([f.margin for one, f in pairs if one.is_answered])
    made = np.array([f.margin for one, f in pairs if not one.is_answered])
    bound = np.sort(held)[int(0.08 * len(held))]
    return Figures(
        f1=float(np.mean([overlap(ours, theirs) for ours, theirs in answers])),
        contains=float(np.mean([plain(theirs) in plain(ours) for ours, theirs in answers])),
        parted=float((held[:, None] > made[None, :]).mean()),
        refused=float((made < bound).mean()),
    )


def same_spans(examples: Sequence[Example], left: Sequence[Found], right: Sequence[Found]) -> float:
    """The share of answered examples for which both found the same characters."""
    pairs = [(a, b) for one, a, b in zip(examples, left, right, strict=True) if one.is_answered]
    return float(np.mean([(a.start, a.end) == (b.start, b.end) for a, b in pairs]))


def margin_distance(left: Sequence[Found], right: Sequence[Found]) -> float:
    """Mean absolute difference of the margins."""
    return float(np.mean([abs(a.margin - b.margin) for a, b in zip(left, right, strict=True)]))


def overlap(ours: str, theirs: str) -> float:
    """F1 of the words of two answers."""
    left, right = plain(ours).split(), plain(theirs).split()
    common = (Counter(left) & Counter(right)).total()
    return 2 * common / (len(left) + len(right)) if common else 0.0


def plain(answer: str) -> str:
    """Lower case, without punctuation, articles and doubled spaces."""
    letters = "".join(letter for letter in answer.lower() if letter not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", letters).split())
