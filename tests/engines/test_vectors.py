"""Both vector indexes keep the same promises; the graph finds what the exact one finds."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.domain.checksums import checksum_of
from desktop_rag.engines.vector_store import VectorStore
from desktop_rag.engines.vectors_chroma import ChromaVectorIndex
from desktop_rag.engines.vectors_exact import ExactVectorIndex, VectorIndexDamaged

DIMENSIONS = 24
Index = ChromaVectorIndex | ExactVectorIndex
Open = Callable[[], Index]


def packed(values: np.ndarray) -> bytes:
    return bytes((values / np.linalg.norm(values)).astype("<f2").tobytes())


def axis(number: int) -> bytes:
    return packed(np.eye(DIMENSIONS)[number])


def cloud(count: int, seed: int = 3) -> list[bytes]:
    return [packed(row) for row in np.random.default_rng(seed).standard_normal((count, DIMENSIONS))]


@pytest.fixture(params=[ChromaVectorIndex, ExactVectorIndex])
def open_index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    opened: list[Index] = []

    def open_or_reopen() -> Index:
        if opened:
            opened[-1].close()
        opened.append(request.param(tmp_path / "vectors", DIMENSIONS))
        return opened[-1]

    yield open_or_reopen
    opened[-1].close()


def test_the_nearest_come_first_with_their_cosine(open_index: Open) -> None:
    index = open_index()
    index.upsert(
        [7, 8, 9], [axis(0), axis(1), packed(np.eye(DIMENSIONS)[0] + np.eye(DIMENSIONS)[1])]
    )
    found = index.query(axis(0), 3)
    assert [chunk for chunk, _ in found] == [7, 9, 8]
    assert [cosine for _, cosine in found] == pytest.approx([1, 0.7071, 0], abs=1e-3)


def test_more_than_there_are_gives_all(open_index: Open) -> None:
    index = open_index()
    assert index.query(axis(0), 5) == []
    index.upsert([1, 2], [axis(0), axis(1)])
    assert len(index.query(axis(0), 50)) == 2
    assert index.query(axis(0), 0) == []


def test_upsert_replaces_and_delete_removes(open_index: Open) -> None:
    index = open_index()
    index.upsert([1, 2], [axis(0), axis(1)])
    index.upsert([1], [axis(2)])
    assert index.count() == 2
    assert index.query(axis(2), 1)[0][0] == 1
    index.delete([1, 99])
    index.delete([1])
    assert index.count() == 1
    assert [chunk for chunk, _ in index.query(axis(2), 5)] == [2]


def test_similarities_of_named_chunks(open_index: Open) -> None:
    index = open_index()
    assert index.similarities(axis(0), [1]) == {}
    index.upsert([1, 2, 3], [axis(0), axis(1), axis(2)])
    assert index.similarities(axis(1), [2, 3, 99]) == pytest.approx({2: 1, 3: 0}, abs=1e-3)
    assert index.similarities(axis(1), []) == {}


def test_everything_is_there_after_reopening(open_index: Open) -> None:
    index = open_index()
    vectors = cloud(300)
    index.upsert(list(range(300)), vectors)
    index.delete(list(range(0, 300, 3)))
    index = open_index()
    assert index.count() == 200
    chunk, cosine = index.query(vectors[1], 1)[0]
    assert chunk == 1
    assert cosine == pytest.approx(1, abs=2e-3)
    assert all(chunk % 3 for chunk, _ in index.query(vectors[0], 100))


def test_a_vector_of_another_length_is_refused(open_index: Open) -> None:
    index = open_index()
    with pytest.raises(ValueError, match="24"):
        index.upsert([1], [axis(0)[:-2]])
    assert index.count() == 0


def test_the_graph_finds_what_comparing_all_finds(tmp_path: Path) -> None:
    graph = ChromaVectorIndex(tmp_path / "graph", DIMENSIONS)
    exact = ExactVectorIndex(tmp_path / "exact", DIMENSIONS)
    vectors = cloud(3000)
    for index in (graph, exact):
        index.upsert(list(range(3000)), vectors)
    hits = 0
    for question in cloud(20, seed=4):
        graph_ids, exact_ids = ({c for c, _ in i.query(question, 20)} for i in (graph, exact))
        hits += len(graph_ids & exact_ids)
    graph.close()
    exact.close()
    assert hits >= 0.98 * 20 * 20


@pytest.mark.parametrize("name", ["numbers.log", "vectors.f16"])
def test_an_entry_cut_short_is_ignored(tmp_path: Path, name: str) -> None:
    index = ExactVectorIndex(tmp_path, DIMENSIONS)
    index.upsert([1], [axis(0)])
    entries = index.entries
    index.upsert([2], [axis(1)])
    index.close()
    if name == "vectors.f16":  # rows are written first, so a number without its row cannot be
        (tmp_path / "numbers.log").write_bytes((tmp_path / "numbers.log").read_bytes()[:8])
    path = tmp_path / name
    path.write_bytes(path.read_bytes()[:-5])
    index = ExactVectorIndex(tmp_path, DIMENSIONS, entries)
    assert [chunk for chunk, _ in index.query(axis(0), 5)] == [1]
    index.upsert([3], [axis(2)])
    index.close()
    index = ExactVectorIndex(tmp_path, DIMENSIONS)
    assert index.query(axis(2), 1)[0][0] == 3
    index.close()


@pytest.mark.parametrize("name", ["numbers.log", "vectors.f16"])
def test_a_matrix_that_lacks_what_it_should_hold_is_damaged(tmp_path: Path, name: str) -> None:
    index = ExactVectorIndex(tmp_path, DIMENSIONS)
    index.upsert([1, 2], [axis(0), axis(1)])
    index.close()
    path = tmp_path / name
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(VectorIndexDamaged):
        ExactVectorIndex(tmp_path, DIMENSIONS, entries=2)


def test_a_matrix_is_what_its_last_entries_say(tmp_path: Path) -> None:
    dice = random.Random(2)
    index = ExactVectorIndex(tmp_path, DIMENSIONS)
    expected: dict[int, bytes] = {}
    for _ in range(60):
        some = dice.sample(range(40), 5)
        if dice.random() < 0.4:
            index.delete(some)
            expected = {chunk: v for chunk, v in expected.items() if chunk not in some}
        else:
            vectors = [axis(dice.randrange(DIMENSIONS)) for _ in some]
            index.upsert(some, vectors)
            expected |= dict(zip(some, vectors, strict=True))
        assert index.stored(range(40)) == expected
        assert index.checksum == checksum_of(expected)
    entries = index.entries
    index.upsert(list(expected), list(expected.values()))
    assert index.entries == entries  # what is stored like that already costs nothing
    index.close()
    index = ExactVectorIndex(tmp_path, DIMENSIONS)
    assert index.stored(range(40)) == expected
    index.close()


def test_a_full_disk_leaves_a_matrix_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = ExactVectorIndex(tmp_path, DIMENSIONS)
    index.upsert([1], [axis(0)])
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}

    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse)
        with pytest.raises(OSError, match="No space"):
            index.upsert([2], [axis(1)])
    assert {path.name: path.stat().st_size for path in tmp_path.iterdir()} == sizes
    index.upsert([3], [axis(2)])
    assert index.stored([1, 2, 3]) == {1: axis(0), 3: axis(2)}
    index.close()


def test_a_store_answers_the_same_whatever_its_graph_holds(tmp_path: Path) -> None:
    vectors = cloud(610)
    store = VectorStore(ExactVectorIndex(tmp_path / "matrix", DIMENSIONS), 0)
    store.matrix.upsert(range(300), vectors[:300])
    store.attach(ChromaVectorIndex(tmp_path / "graph", DIMENSIONS))
    while store.follow(32):
        pass
    store.matrix.delete(range(0, 100, 2))
    store.matrix.upsert(range(90, 400), vectors[300:])
    exact = [chunks_of(store.matrix.query(vector, 20)) for vector in vectors[:30]]
    some = np.arange(0, 400, 3)
    for _ in range(3):  # before, during and after catching up
        assert [chunks_of(store.nearest(vector, 20)) for vector in vectors[:30]] == exact
        for vector in vectors[:10]:
            among = store._by_graph_among(vector, 9, some) or store.nearest(vector, 9, some)
            assert chunks_of(among) == chunks_of(store.matrix.query_among(vector, 9, some))
        store.follow(32)
    while store.follow(32):
        pass
    assert store.graph is not None
    assert store.graph.count() == store.matrix.count()
    assert [chunks_of(store.nearest(vector, 20)) for vector in vectors[:30]] == exact
    store.close()


def chunks_of(found: list[tuple[int, float]]) -> list[int]:
    return [chunk for chunk, _ in found]


def test_a_graph_that_lacks_vectors_is_not_believed(tmp_path: Path) -> None:
    store = VectorStore(ExactVectorIndex(tmp_path / "matrix", DIMENSIONS), 3)
    store.matrix.upsert([1, 2, 3], cloud(3))
    graph = ChromaVectorIndex(tmp_path / "graph", DIMENSIONS)
    graph.upsert([1, 2], cloud(2))
    with pytest.raises(VectorIndexDamaged):
        store.attach(graph)
    graph.close()
    assert len(store.nearest(axis(0), 5)) == 3
    store.close()


def test_a_foreign_folder_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "chroma.sqlite3").write_bytes(b"this is not a database" * 500)
    with pytest.raises(VectorIndexDamaged):
        ChromaVectorIndex(tmp_path, DIMENSIONS)
