"""Late interaction over quantised token vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from desktop_rag import paths
from desktop_rag.engines.embedder_onnx import OnnxEmbedder
from desktop_rag.engines.token_vectors import CODEBOOK, TokenCodebook

DIMENSIONS, SUBSPACES = 8, 2
SILENT, STOPPED, RARE, COMMON = 0, 1, 2, 3


def codebook(folder: Path) -> TokenCodebook:
    """Centroids are the corners of a square in each half; token 0 is silent, 1 a stop word."""
    corners = np.zeros((SUBSPACES, 4, DIMENSIONS // SUBSPACES), np.float16)
    corners[:, range(4), range(4)] = 1
    np.savez(
        folder / CODEBOOK,
        mean=np.zeros(DIMENSIONS, np.float32),
        centroids=corners,
        rarity=np.array([1, 1, 3, 1], np.float16),
        silent=np.array([SILENT], np.int32),
        stopped=np.array([STOPPED], np.int32),
    )
    return TokenCodebook(folder / CODEBOOK)


def uneven_codebook(folder: Path) -> TokenCodebook:
    """One subspace; the mean lies on the first axis, and one centroid is long."""
    near, far = [0.0, 1.0, 0.0, 0.0], [0.0, 0.2, 0.2, 1.4]
    np.savez(
        folder / CODEBOOK,
        mean=np.array([0.6, 0, 0, 0], np.float32),
        centroids=np.array([[near, far]], np.float16),
        rarity=np.array([1, 1, 3, 1], np.float16),
        silent=np.array([SILENT], np.int32),
        stopped=np.array([STOPPED], np.int32),
    )
    return TokenCodebook(folder / CODEBOOK)


def token(first: int, second: int) -> list[float]:
    """A vector that quantisation does not change."""
    vector = [0.0] * DIMENSIONS
    vector[first] = vector[4 + second] = 1.0
    return vector


def states(*tokens: list[float]) -> np.ndarray:
    return np.array(tokens, np.float32)


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def test_a_token_costs_one_byte_a_subspace_and_silent_ones_nothing(tmp_path: Path) -> None:
    made = codebook(tmp_path)
    found = made.encode(ids(SILENT, RARE, STOPPED), states(token(0, 0), token(1, 3), token(2, 2)))
    assert found == bytes([1, 3])
    assert made.encode(ids(SILENT, STOPPED), states(token(0, 0), token(1, 1))) == b""


def test_each_token_of_the_question_counts_by_its_nearest_and_its_rarity(tmp_path: Path) -> None:
    made = codebook(tmp_path)
    query = made.query(ids(RARE, COMMON), states(token(0, 0), token(1, 1)))
    both = made.encode(ids(RARE, RARE), states(token(0, 0), token(1, 1)))
    rare = made.encode(ids(RARE), states(token(0, 0)))
    common = made.encode(ids(RARE), states(token(1, 1)))
    half = made.encode(ids(RARE), states(token(0, 3)))
    assert made.scores(query, [both, rare, common, half, b""]) == [
        pytest.approx(1),
        pytest.approx(0.75),
        pytest.approx(0.25),
        pytest.approx(0.375),
        None,
    ]
    assert made.scores(query, []) == []


def test_a_question_of_silent_tokens_is_still_asked(tmp_path: Path) -> None:
    made = codebook(tmp_path)
    query = made.query(ids(SILENT), states(token(2, 2)))
    assert made.scores(query, [made.encode(ids(RARE), states(token(2, 2)))]) == [pytest.approx(1)]


def test_scores_do_not_depend_on_how_many_passages_are_asked_about(tmp_path: Path) -> None:
    made, dice = codebook(tmp_path), np.random.default_rng(0)
    query = made.query(ids(RARE, COMMON), states(token(0, 0), token(1, 1)))
    passages = [
        bytes(dice.integers(0, 4, 2 * count, dtype=np.uint8)) for count in (1, 1500, 3000, 0, 7)
    ]
    together = made.scores(query, passages)
    assert together == [made.scores(query, [one])[0] for one in passages]


def test_tokens_of_another_codebook_are_refused(tmp_path: Path) -> None:
    made = codebook(tmp_path)
    query = made.query(ids(RARE), states(token(0, 0)))
    with pytest.raises(ValueError, match="another size"):
        made.scores(query, [b"abc"])


def test_a_file_that_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    codebook(tmp_path)
    with np.load(tmp_path / CODEBOOK) as stored:
        parts = dict(stored)
    parts["mean"] = np.zeros(5, np.float32)
    np.savez(tmp_path / CODEBOOK, **parts)
    with pytest.raises(ValueError, match="fit together"):
        TokenCodebook(tmp_path / CODEBOOK)


class TestShipped:
    """The codebook that comes with the program."""

    def test_the_passage_that_answers_scores_best(self) -> None:
        embedder = OnnxEmbedder(paths.shipped("models", "all-minilm-l6-v2-int8"))
        try:
            texts = [
                "The pump is started by holding the green button for three seconds.",
                "The pump must be stopped before the shaft seal is replaced.",
                "Lunch is served in the canteen from noon.",
                "",
            ]
            made = embedder.embed(texts)
            assert [len(one.tokens) % 48 for one in made] == [0] * 4
            assert made[0].tokens
            assert not made[3].tokens
            scores = embedder.late_scores("How do I start the pump?", [one.tokens for one in made])
            assert scores[3] is None
            known = [score for score in scores if score is not None]
            assert known == sorted(known, reverse=True)
            assert known[0] > known[2] + 0.2
        finally:
            embedder.close()


def test_the_nearest_centroid_is_taken_and_not_the_longest(tmp_path: Path) -> None:
    made = uneven_codebook(tmp_path)
    assert made.encode(ids(RARE), states([0.6, 0.64, 0.0, 0.48])) == bytes([0])
    assert made.encode(ids(RARE), states([0.6, 0.0, 0.0, 0.8])) == bytes([1])


def test_what_all_tokens_have_in_common_is_taken_off(tmp_path: Path) -> None:
    query = uneven_codebook(tmp_path).query(ids(RARE), states([3.0, 4.0, 0.0, 0.0]))
    assert query.vectors.tolist() == [pytest.approx([0, 1, 0, 0], abs=1e-6)]


def test_function_words_of_a_question_count_though_those_of_passages_do_not(tmp_path: Path) -> None:
    query = codebook(tmp_path).query(ids(STOPPED, RARE, SILENT), states(*[token(0, 0)] * 3))
    assert query.weights.tolist() == pytest.approx([1 / 4, 3 / 4])
