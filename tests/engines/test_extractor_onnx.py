"""The words that answer, marked by a tiny model whose answers are `good … pump`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop_rag import paths
from desktop_rag.domain.errors import ModelDamaged, ModelMissing
from desktop_rag.domain.spans import NOWHERE, Span
from desktop_rag.engines.extractor_onnx import LateExtractor, OnnxExtractor, best_pair
from desktop_rag.engines.hybrid_index import open_index
from tests.helpers.tiny_onnx import write_extractor

SHIPPED = paths.shipped("models", "all-minilm-l6-v2-int8")
QUESTION = "passage?"


@pytest.fixture
def extractor(tmp_path: Path) -> Iterator[OnnxExtractor]:
    found = OnnxExtractor(write_extractor(tmp_path / "marks"), threads=2)
    yield found
    found.close()


def marked(extractor: OnnxExtractor, question: str, text: str) -> tuple[str, float]:
    [span] = extractor.spans(question, [text])
    return text[span.start : span.end], span.margin


def test_the_likeliest_words_are_marked(extractor: OnnxExtractor) -> None:
    assert marked(extractor, QUESTION, "A bad oil, a good oil pump, bad.") == ("good oil pump", 5)


def test_texts_of_all_lengths_keep_their_order(extractor: OnnxExtractor) -> None:
    texts = ["bad " * n + "good pump" for n in (0, 9, 3, 0, 7)] + ["", "bad"]
    spans = extractor.spans(QUESTION, texts)
    assert [text[one.start : one.end] for one, text in zip(spans, texts, strict=True)] == [
        *["good pump"] * 5,
        "",
        "bad",
    ]
    assert spans[5] == NOWHERE
    assert spans[6].margin == -2


def test_a_span_never_lies_in_the_question(extractor: OnnxExtractor) -> None:
    assert marked(extractor, "good pump", "bad oil") == ("oil", -0.5)


def test_words_are_marked_whole(extractor: OnnxExtractor) -> None:
    assert marked(extractor, QUESTION, "Ünß good, bad pumps.") == ("good, bad pumps", 5)


def test_only_the_beginning_of_a_long_text_is_read(extractor: OnnxExtractor) -> None:
    text = "bad " * 40 + "good pump"
    assert marked(extractor, QUESTION, text)[1] == -2
    assert marked(extractor, "oil " * 900, "bad " * 15 + "good pump") == ("good pump", 5)


def test_a_blank_question_has_no_answers(extractor: OnnxExtractor) -> None:
    assert extractor.spans("  ", ["good pump"]) == []
    assert extractor.spans(QUESTION, []) == []


@pytest.mark.parametrize(
    ("starts", "ends", "expected"),
    [
        ([0, 5, 0, 0], [4, 0, 0, 3], (1, 3, 8)),
        ([0, 0, 5], [9, 0, 0], (0, 0, 9)),
        ([5, 0, 0, 0, 1], [0, 0, 0, 1, 9], (4, 4, 10)),
        ([2], [-1], (0, 0, 1)),
    ],
)
def test_a_span_does_not_end_before_it_begins_and_is_short(
    starts: list[float], ends: list[float], expected: tuple[int, int, float]
) -> None:
    found = best_pair(np.array(starts, np.float32), np.array(ends, np.float32), longest=3)
    assert found == expected


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "extractor.json"])
def test_a_file_that_is_not_whole_is_told(tmp_path: Path, name: str) -> None:
    folder = write_extractor(tmp_path / "marks")
    (folder / name).write_bytes(b"nothing")
    with pytest.raises(ModelDamaged, match=f"{name} is damaged; reinstall"):
        OnnxExtractor(folder)
    (folder / name).unlink()
    with pytest.raises(ModelMissing, match=f"{name} is missing; reinstall"):
        OnnxExtractor(folder)


def test_a_model_of_another_kind_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelDamaged, match="exact-words model"):
        OnnxExtractor(write_extractor(tmp_path / "marks", ends="logits"))


def test_an_index_opens_without_what_marks(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    index = open_index(tmp_path / "index", SHIPPED, 1, extractor_dir=tmp_path / "nowhere")
    try:
        with caplog.at_level(logging.WARNING):
            assert index.spans(QUESTION, ["good pump"]) == []
            assert index.spans(QUESTION, ["good pump"]) == []
        [record] = [one for one in caplog.records if one.levelno >= logging.WARNING]
        assert "extractor.json is missing" in record.getMessage()
        caplog.clear()
        assert index.search("anything", 3).searched == 0
    finally:
        index.close()


def test_an_index_marks_words_once_its_model_is_loaded(tmp_path: Path) -> None:
    folder = write_extractor(tmp_path / "marks")
    index = open_index(tmp_path / "index", SHIPPED, 1, extractor_dir=folder)
    try:
        assert index.spans(QUESTION, []) == []  # begins to load
        assert index.spans(QUESTION, ["bad good pump"]) == [Span(4, 13, 5.0)]
    finally:
        index.close()


def test_nothing_is_loaded_before_it_is_wanted(tmp_path: Path) -> None:
    late = LateExtractor(tmp_path / "nowhere")
    assert late.spans("", ["good pump"]) == []
    late.close()
    without = LateExtractor(None)
    assert without.spans(QUESTION, ["good pump"]) == []
    without.close()
