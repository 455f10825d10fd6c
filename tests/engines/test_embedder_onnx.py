"""The embedder that ships with the program, with its real files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from desktop_rag import paths
from desktop_rag.domain.embedding_text import embedded_text
from desktop_rag.domain.errors import ModelDamaged, ModelMissing
from desktop_rag.engines.embedder_onnx import VECTOR_TYPE, OnnxEmbedder, read_description

SHIPPED = paths.shipped("models", "all-minilm-l6-v2-int8")


@pytest.fixture(scope="module")
def embedder() -> Iterator[OnnxEmbedder]:
    made = OnnxEmbedder(SHIPPED, threads=2)
    made.embed(["starts", "both", "threads", "here"])
    yield made
    made.close()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED, tmp_path / "model"))


def vector(raw: bytes) -> npt.NDArray[np.float32]:
    return np.frombuffer(raw, VECTOR_TYPE).astype(np.float32)


def test_vectors_are_unit_length_float16(embedder: OnnxEmbedder) -> None:
    made = embedder.embed(["The warranty lasts two years.", "", "保修期为两年", "\U0001f600" * 50])
    assert [len(one.vector) for one in made] == [2 * 384] * 4
    for one in made:
        assert np.linalg.norm(vector(one.vector)) == pytest.approx(1, abs=2e-3)


def test_meaning_is_closer_than_chance(embedder: OnnxEmbedder) -> None:
    question = vector(embedder.embed_query("How long is the guarantee?"))
    made = embedder.embed(["The warranty lasts two years.", "Add two eggs to the dough."])
    near, far = (vector(one.vector) for one in made)
    assert question @ near > question @ far + 0.2


def test_a_vector_does_not_depend_on_its_neighbours(embedder: OnnxEmbedder) -> None:
    texts = [
        "short",
        "a much longer sentence about pressure vessels " * 8,
        "middle sized text here",
    ]
    together = embedder.embed(texts)
    assert together == [embedder.embed([text])[0] for text in texts]


def test_text_beyond_the_limit_is_not_read(embedder: OnnxEmbedder) -> None:
    long = "pressure vessel " * 400
    assert embedder.count_tokens([long, "one"]) == [256, 3]
    assert embedder.embed([long])[0] == embedder.embed([long + "something else"])[0]


def test_a_marked_part_has_its_own_vector_that_knows_the_text_around(
    embedder: OnnxEmbedder,
) -> None:
    before, text, after = "Berlin is the capital. ", "The city has 3.8 million people.", " It grew."
    marked = embedded_text("Cities", "", text, before, after)
    other = embedded_text("Cities", "", before.strip(), "", f" {text}{after}")
    late, first, alone, whole = (
        vector(one.vector)
        for one in embedder.embed([marked, other, text, f"Cities\n{before}{text}{after}"])
    )
    assert np.linalg.norm(late) == pytest.approx(1, abs=2e-3)
    assert 0.4 < late @ alone < 0.99
    assert late @ whole < 0.99
    berlin = vector(embedder.embed_query("Berlin"))
    assert berlin @ late > berlin @ alone
    assert first @ berlin > 0.3
    assert embedder.embed([marked])[0] == embedder.embed([other, marked])[1]


def test_a_part_beyond_the_limit_still_has_a_vector(embedder: OnnxEmbedder) -> None:
    (made,) = embedder.embed([embedded_text("", "", "the end", "pressure vessel " * 400)])
    assert np.linalg.norm(vector(made.vector)) == pytest.approx(1, abs=2e-3)


def test_nothing_gives_nothing(embedder: OnnxEmbedder) -> None:
    assert embedder.embed([]) == []


def test_a_question_asked_again_is_remembered(
    embedder: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = embedder.embed_query("remembered?")
    monkeypatch.setattr(embedder, "_session", None)  # computing again would fail
    assert embedder.embed_query("remembered?") == first


@pytest.mark.parametrize("name", ["embedder.json", "model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(ModelMissing, match=name):
        OnnxEmbedder(copy)


@pytest.mark.parametrize("name", ["embedder.json", "model.onnx", "tokenizer.json"])
def test_a_truncated_file_is_named(copy: Path, name: str) -> None:
    whole = (copy / name).read_bytes()
    (copy / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelDamaged, match=name):
        OnnxEmbedder(copy)


def test_a_flipped_byte_is_noticed(copy: Path) -> None:
    whole = bytearray((copy / "model.onnx").read_bytes())
    whole[1000] ^= 1
    (copy / "model.onnx").write_bytes(whole)
    with pytest.raises(ModelDamaged, match=r"model\.onnx"):
        OnnxEmbedder(copy)


def test_another_prefix_is_another_fingerprint(copy: Path) -> None:
    before = read_description(copy).fingerprint
    raw = json.loads((copy / "embedder.json").read_text())
    raw["query_prefix"] = "query: "
    (copy / "embedder.json").write_text(json.dumps(raw))
    assert read_description(copy).fingerprint != before
    assert read_description(SHIPPED).fingerprint == before
