"""Models that people add: embedders of every make, and cross-encoders."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from desktop_rag import paths
from desktop_rag.domain.errors import InvalidInput, ModelDamaged
from desktop_rag.domain.models_of_text import ModelHints
from desktop_rag.engines.embedder_onnx import OnnxEmbedder
from desktop_rag.engines.model_probe import probe
from desktop_rag.engines.onnx_text import pooled
from desktop_rag.engines.reranker_onnx import OnnxReranker
from desktop_rag.storage.onnx_folders import describe, read_kept, read_onnx_folder
from tests.helpers.tiny_onnx import write_embedder, write_reranker


def add(folder: Path) -> None:
    """What adding does with a folder that already lies where models are kept."""
    model = read_onnx_folder(folder)
    facts = probe(folder, model.hints)
    sums = {name: sha256(path.read_bytes()).hexdigest() for name, path in model.files.items()}
    describe(folder, model.hints, facts, sums)


@pytest.mark.parametrize(
    ("output", "has_types"),
    [("last_hidden_state", True), ("token_embeddings", False), ("anything", False)],
)
def test_embedders_of_several_makes_run(tmp_path: Path, output: str, has_types: bool) -> None:
    folder = write_embedder(tmp_path / "tiny", output=output, has_types=has_types)
    add(folder)
    embedder = OnnxEmbedder(folder)
    vectors = [one.vector for one in embedder.embed(["oil pump", "good"])]
    assert embedder.info().dimensions == 8
    assert len(set(vectors)) == 2
    assert [len(one) for one in vectors] == [16, 16]
    embedder.close()


def test_prefixes_are_told_apart_and_take_nothing_away(tmp_path: Path) -> None:
    folder = write_embedder(tmp_path / "tiny-e5")
    hints = read_onnx_folder(folder).hints
    assert (hints.query_prefix, hints.passage_prefix) == ("query: ", "passage: ")
    add(folder)
    embedder = OnnxEmbedder(folder)
    assert embedder.embed_query("oil") != embedder.embed(["oil"])[0].vector
    assert embedder.info().max_tokens < 64
    embedder.close()


@pytest.mark.parametrize(
    ("pooling", "expected"), [("mean", [0.6, 0.8]), ("cls", [1, 0]), ("last", [0, 1])]
)
def test_pooling(pooling: str, expected: list[float]) -> None:
    states = np.array([[[3, 0], [0, 4], [9, 9]]], np.float32)
    mask = np.array([[1, 1, 0]], np.int64)
    assert pooled(states, mask, pooling)[0] == pytest.approx(expected)


def test_pooling_is_read_and_an_unknown_one_refused(tmp_path: Path) -> None:
    folder = write_embedder(tmp_path / "tiny")
    (folder / "1_Pooling").mkdir()
    config = folder / "1_Pooling" / "config.json"
    config.write_text(
        '{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}', "utf-8"
    )
    assert read_onnx_folder(folder).hints.pooling == "cls"
    config.write_text('{"pooling_mode_max_tokens": true}', "utf-8")
    with pytest.raises(InvalidInput, match="pooling"):
        read_onnx_folder(folder)


def test_the_shipped_embedder_knows_english_first() -> None:
    folder = paths.shipped("models", "all-minilm-l6-v2-int8")
    facts = probe(folder, ModelHints("shipped", max_tokens=512))
    assert facts.role == "embedder"
    assert (facts.dimensions, facts.max_tokens) == (384, 256)
    assert facts.languages[0] == "english"
    assert "chinese" not in facts.languages


@pytest.mark.parametrize("classes", [1, 2])
def test_a_reranker_reads_question_and_passage(tmp_path: Path, classes: int) -> None:
    folder = write_reranker(tmp_path / "ranker", classes=classes)
    add(folder)
    kept = read_kept(folder)
    assert kept is not None
    assert kept.role == "reranker"
    assert kept.elapsed_ms > 0
    scores = OnnxReranker(folder).score("oil pump", ["bad", "oil", "good good", "pump " * 900])
    assert len(scores) == 4
    assert scores[2] > scores[1] > scores[0]
    assert OnnxReranker(folder).score("oil", []) == []


def test_what_gives_other_numbers_is_no_reranker(tmp_path: Path) -> None:
    folder = write_reranker(tmp_path / "ranker", classes=5)
    with pytest.raises(ModelDamaged, match="5 numbers"):
        probe(folder, read_onnx_folder(folder).hints)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_broken_file_is_told(tmp_path: Path, name: str) -> None:
    folder = write_embedder(tmp_path / "tiny")
    (folder / name).write_bytes(b"nothing")
    with pytest.raises(ModelDamaged, match="tiny"):
        probe(folder, read_onnx_folder(folder).hints)
    (folder / name).unlink()
    with pytest.raises(InvalidInput, match=name):
        read_onnx_folder(folder)
