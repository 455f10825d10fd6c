"""The search index as the catalog sees it: apply, search, and begin anew when in doubt."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.domain.checksums import checksum_of
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.errors import DiskFull, LibraryLocked, ModelMissing
from desktop_rag.domain.ports import (
    LATE_INTERACTION,
    IndexBatch,
    IndexedChunk,
    RerankItem,
)
from desktop_rag.engines import hybrid_index, index_upkeep, keywords_bm25s
from desktop_rag.engines.hybrid_index import HybridIndex, open_index
from desktop_rag.engines.index_manifest import read_manifest
from desktop_rag.engines.keywords_bm25s import Snapshot
from tests.helpers.tiny_onnx import write_reranker

SHIPPED = paths.shipped("models", "all-minilm-l6-v2-int8")
TEXTS = {
    1: "The warranty covers parts and labour for twenty-four months.",
    2: "Box XC23 stands in hall four.",
    3: "Box HJ22 stands in hall five.",
    4: "Mix flour and two eggs, and let the dough rest for half an hour.",
    5: "The oil embargo of 1973 raised the price of crude oil.",
}
Open = Callable[[], HybridIndex]


@pytest.fixture
def open_here(tmp_path: Path) -> Iterator[Open]:
    """Opens the same folder again and again, closing what was open."""
    opened: list[HybridIndex] = []

    def open_or_reopen() -> HybridIndex:
        if opened:
            opened.pop().close()
        opened.append(open_index(tmp_path / "index", SHIPPED, threads=2))
        return opened[-1]

    yield open_or_reopen
    if opened:
        opened.pop().close()


def batch(index: HybridIndex, texts: dict[int, str], seq: int, *deletes: int) -> IndexBatch:
    vectors = [one.vector for one in index.embed(list(texts.values()))]
    return IndexBatch(
        upserts=tuple(
            IndexedChunk(ChunkId(chunk), text, vector)
            for (chunk, text), vector in zip(texts.items(), vectors, strict=True)
        ),
        deletes=tuple(ChunkId(one) for one in deletes),
        last_seq=seq,
    )


def fill(index: HybridIndex) -> None:
    index.apply(batch(index, TEXTS, 5))


def found(index: HybridIndex, question: str) -> list[int]:
    return [one.chunk for one in index.search(question, 10).candidates]


def test_a_new_folder_wants_everything(open_here: Open) -> None:
    state = open_here().state()
    assert (state.applied_seq, state.vectors, state.keywords) == (0, 0, 0)


def test_search_finds_by_meaning_and_by_word(open_here: Open) -> None:
    index = open_here()
    fill(index)
    assert found(index, "how long is the guarantee?")[0] == 1
    assert found(index, "XC23")[0] == 2
    assert found(index, "where is box HJ22")[0] == 3


def test_every_candidate_has_its_cosine_and_ranks(open_here: Open) -> None:
    index = open_here()
    fill(index)
    ranking = index.search("warranty of box XC23", 1)
    assert ranking.searched == 5
    assert {one.chunk for one in ranking.candidates} >= {2}
    for one in ranking.candidates:
        assert one.similarity is not None
        assert -1 <= one.similarity <= 1.001
        assert one.dense_rank or one.keyword_rank
        assert (one.keyword_score is None) == (one.keyword_rank is None)
    assert set(ranking.matched_terms) == {"warranti", "box", "xc23"}
    assert index.search("warranty of unicorns", 3).unmatched_terms == ("unicorn",)
    assert set(ranking.timings_ms) == {"spelling", "embed", "vectors", "keywords", "fuse"}


@pytest.mark.parametrize(
    "question", ["", "  ", "the", "\U0001f600", "'; DROP TABLE x; --", "\x00", "word " * 10_000]
)
def test_any_text_is_a_question(open_here: Open, question: str) -> None:
    index = open_here()
    assert index.search(question, 5).candidates == ()
    fill(index)
    assert len(index.search(question, 50).candidates) <= 5


def test_applying_twice_changes_nothing(open_here: Open) -> None:
    index = open_here()
    fill(index)
    once = index.state()
    fill(index)
    assert index.state() == once
    index.apply(IndexBatch((), (), 3))
    assert index.state() == once


def test_replaced_and_removed_chunks_are_gone_from_both(open_here: Open) -> None:
    index = open_here()
    fill(index)
    state = index.apply(batch(index, {4: "Tulips bloom in May."}, 7, 1, 99))
    assert (state.applied_seq, state.vectors, state.keywords) == (7, 4, 4)
    assert 1 not in found(index, "warranty parts labour")
    assert index.search("flour eggs dough", 10).matched_terms == ()


def test_a_second_start_finds_everything_and_writes_nothing(
    open_here: Open, tmp_path: Path
) -> None:
    index = open_here()
    fill(index)
    index.settle()
    assert index.wait_until_settled(60)
    index = open_here()
    before = snapshot(tmp_path)
    index = open_here()
    assert index.state().applied_seq == 5
    assert found(index, "XC23")[0] == 2
    index.settle()
    index = open_here()
    assert found(index, "XC23")[0] == 2
    assert snapshot(tmp_path) == before


def snapshot(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Size, time and inode of all files and folders."""
    stats = {str(path.relative_to(folder)): path.stat() for path in folder.rglob("*")}
    return {
        name: (stat.st_size, stat.st_mtime_ns, stat.st_ino)
        for name, stat in stats.items()
        if not name.endswith(".lock")
    }


def test_settling_merges_into_a_new_generation(open_here: Open, tmp_path: Path) -> None:
    index = open_here()
    fill(index)
    index.settle()
    assert index.wait_until_settled(20)
    assert [one.name for one in (tmp_path / "index" / "keywords").iterdir()] == ["gen-0002"]
    index = open_here()
    assert index.state().keywords == 5
    assert found(index, "XC23")[0] == 2


def test_a_large_batch_merges_by_itself(open_here: Open, tmp_path: Path) -> None:
    index = open_here()
    vector = index.embed(["x"])[0].vector
    many = tuple(IndexedChunk(ChunkId(n), f"tulip {n}", vector) for n in range(2100))
    index.apply(IndexBatch(many, (), 9))
    assert index.state().keywords == 2100
    assert index.wait_until_settled(60)
    assert index._stores.vectors.graph is None  # more may come, and all is found without it
    index.settle()
    assert index.wait_until_settled(60)
    manifest = read_manifest(tmp_path / "index")
    assert manifest is not None
    assert (manifest.keywords.generation, manifest.applied_seq) == ("gen-0002", 9)
    assert (manifest.graph.entries, manifest.graph.is_clean) == (2100, True)
    index = open_here()
    assert index.state().keywords == 2100


def test_clear_begins_anew(open_here: Open, tmp_path: Path) -> None:
    index = open_here()
    fill(index)
    index.clear()
    assert index.state().applied_seq == 0
    assert found(index, "warranty") == []
    assert [one.name for one in (tmp_path / "index" / "matrix").iterdir()] == ["gen-0002"]
    fill(index)
    assert found(open_here(), "XC23")[0] == 2


def test_a_vector_of_another_length_changes_nothing(open_here: Open, tmp_path: Path) -> None:
    index = open_here()
    fill(index)
    with pytest.raises(ValueError, match="384"):
        index.apply(IndexBatch((IndexedChunk(ChunkId(9), "x", b"12"),), (), 9))
    assert index.state().applied_seq == 5


def edit_manifest(folder: Path, record: str = "", **fields: object) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    target = manifest[record] if record else manifest
    assert fields.keys() <= target.keys()
    target |= fields
    path.write_text(json.dumps(manifest))


def overwrite(pattern: str) -> Callable[[Path], object]:
    """Writes rubbish over every file that matches."""

    def damage(folder: Path) -> None:
        paths_found = [path for path in folder.glob(pattern) if path.is_file()]
        assert paths_found
        for path in paths_found:
            path.write_bytes(b"rubbish" * 1000)

    return damage


NOTHING, WORDS, VECTORS, BOTH = (0, 0, 0), (0, 0, 5), (0, 5, 0), (5, 5, 5)
"""What is left, as (applied change, vectors, keywords)."""

DAMAGES: dict[str, tuple[Callable[[Path], object], tuple[int, int, int]]] = {
    "folder deleted": (shutil.rmtree, NOTHING),
    "matrix deleted": (lambda folder: shutil.rmtree(folder / "matrix"), WORDS),
    "keywords deleted": (lambda folder: shutil.rmtree(folder / "keywords"), VECTORS),
    "graph deleted": (lambda folder: shutil.rmtree(folder / "vectors"), BOTH),
    "matrix overwritten": (overwrite("matrix/*/numbers.log"), WORDS),
    "matrix cut": (
        lambda folder: os.truncate(next(folder.glob("matrix/*/vectors.f16")), 100),
        WORDS,
    ),
    "keywords overwritten": (overwrite("keywords/*/generation.json"), VECTORS),
    "graph overwritten": (overwrite("vectors/*/chroma.sqlite3"), BOTH),
    "graph half written": (lambda folder: edit_manifest(folder, "graph", is_clean=False), BOTH),
    "graph holds less": (lambda folder: edit_manifest(folder, "graph", entries=3), BOTH),
    "other embedder": (lambda folder: edit_manifest(folder, fingerprint="another"), WORDS),
    "newer version": (lambda folder: edit_manifest(folder, schema=99), NOTHING),
    "keyword count differs": (lambda folder: edit_manifest(folder, "keywords", chunks=4), VECTORS),
    "matrix ids differ": (lambda folder: edit_manifest(folder, "matrix", checksum=4), WORDS),
    "path outside": (
        lambda folder: edit_manifest(folder, "matrix", generation="../../elsewhere"),
        NOTHING,
    ),
    "manifest cut": (lambda folder: (folder / "manifest.json").write_text('{"schema": 1'), NOTHING),
    "manifest empty": (lambda folder: (folder / "manifest.json").write_bytes(b""), NOTHING),
    "crashed while opening": (lambda folder: (folder / "opening").touch(), BOTH),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_sound_goes_on_answering_and_the_rest_is_filled_again(
    open_here: Open, tmp_path: Path, damage: str
) -> None:
    index = open_here()
    fill(index)
    index.settle()
    index.close()
    harm, left = DAMAGES[damage]
    harm(tmp_path / "index")
    index = open_here()
    state = index.state()
    assert (state.applied_seq, state.vectors, state.keywords) == left
    ranking = index.search("which box is in hall four?", 10)
    assert ranking.searched == max(left[1:])
    assert not ranking.searched or ranking.candidates[0].chunk == 2
    if not state.applied_seq:
        fill(index)
    assert index.wait_until_settled(60)
    for again in (False, True):
        index = open_here() if again else index
        assert index.state().applied_seq == 5
        assert index.state().checksum == checksum_of(TEXTS)
        assert found(index, "XC23")[0] == 2
        assert graph_of(index) == set(TEXTS)
    for store in ("vectors", "keywords", "matrix"):
        assert len(list((tmp_path / "index" / store).iterdir())) == 1


def graph_of(index: HybridIndex) -> set[int]:
    """What the graph itself finds, opened if need be."""
    index._upkeep.follow()
    assert index.wait_until_settled(60)
    graph = index._stores.vectors.graph
    assert graph is not None
    return {chunk for chunk, _ in graph.query(index.embed(["box"])[0].vector, graph.count())}


def test_words_answer_while_vectors_of_another_embedder_are_made(
    open_here: Open, tmp_path: Path
) -> None:
    index = open_here()
    fill(index)
    index.close()
    edit_manifest(tmp_path / "index", fingerprint="another")
    index = open_here()
    ranking = index.search("warranty for box HJ22", 5)
    assert ranking.candidates[0].chunk == 3
    assert all(one.similarity is None for one in ranking.candidates)
    journal = index._stores.keywords.journal_bytes
    index.apply(batch(index, {3: TEXTS[3]}, 0))
    ranking = index.search("warranty for box HJ22", 5)
    assert [one.similarity is not None for one in ranking.candidates] == [
        one.chunk == 3 for one in ranking.candidates
    ]
    assert index.state().checksum is None
    fill(index)
    assert index.state().applied_seq == 5
    assert index._stores.keywords.journal_bytes == journal  # no word was stored twice


def begin_slow_merge(index: HybridIndex, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A merge is writing when this returns and ends when the event is set."""
    may_write, is_writing = threading.Event(), threading.Event()
    write = keywords_bm25s.write_generation

    def slow(folder: Path, snapshot: Snapshot) -> None:
        is_writing.set()
        assert may_write.wait(20)
        write(folder, snapshot)

    monkeypatch.setattr(index_upkeep, "write_generation", slow)
    index.settle()
    assert is_writing.wait(20)
    return may_write


def test_a_chunk_saved_while_a_merge_runs_is_found_at_once(
    open_here: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = open_here()
    fill(index)
    may_write = begin_slow_merge(index, monkeypatch)
    index.apply(batch(index, {6: "Tulips bloom in May."}, 6, 1))
    assert found(index, "tulips")[0] == 6
    assert 1 not in found(index, "warranty")
    may_write.set()
    assert index.wait_until_settled(20)
    manifest = read_manifest(tmp_path / "index")
    assert manifest is not None
    assert manifest.keywords.generation == "gen-0002"
    for again in (False, True):
        index = open_here() if again else index
        assert found(index, "tulips")[0] == 6
        assert 1 not in found(index, "warranty")
        assert index.state().applied_seq == 6


def test_cleared_while_a_merge_runs_it_stays_empty(
    open_here: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = open_here()
    fill(index)
    may_write = begin_slow_merge(index, monkeypatch)
    index.clear()
    may_write.set()
    assert index.wait_until_settled(20)
    assert index.state().keywords == 0
    fill(index)
    assert found(open_here(), "XC23")[0] == 2


def test_a_store_of_removed_chunks_is_written_anew(
    open_here: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = open_here()
    vectors = [one.vector for one in index.embed([f"tulip {n}" for n in range(400)])]
    for seq in range(1, 6):
        many = [IndexedChunk(ChunkId(seq * 1000 + n), f"tulip {n}", vectors[n]) for n in range(400)]
        old = tuple(ChunkId((seq - 1) * 1000 + n) for n in range(400))
        index.apply(IndexBatch(tuple(many), old, seq))
    index.apply(batch(index, TEXTS, 6, 5000))
    assert index.wait_until_settled(60)
    entries = index._stores.vectors.matrix.entries
    assert entries <= 2 * index.state().vectors + 1_000
    assert graph_of(index) >= set(TEXTS)
    for again in (False, True):
        index = open_here() if again else index
        assert index.state().vectors == index.state().keywords == 399 + 5
        assert found(index, "XC23")[0] == 2
        assert 5000 not in found(index, "tulip 0")
        assert len(list((tmp_path / "index" / "matrix").iterdir())) == 1


def test_among_chosen_chunks_it_is_an_index_of_only_them(open_here: Open, tmp_path: Path) -> None:
    index = open_here()
    fill(index)
    other = open_index(tmp_path / "other", SHIPPED, threads=1)
    chosen = {chunk: TEXTS[chunk] for chunk in (2, 4, 5)}
    other.apply(batch(other, chosen, 1))
    for question in ("which box?", "crude oil and flour", "warranty", "HJ22"):
        among = index.search(question, 5, [ChunkId(one) for one in (5, 99, 2, 4, 5)])
        alone = other.search(question, 5)
        assert [one.chunk for one in among.candidates] == [one.chunk for one in alone.candidates]
        assert among.candidates == alone.candidates
        assert among.matched_terms == alone.matched_terms
        assert among.searched == alone.searched == 3
    assert index.search("box", 5, []).candidates == ()
    other.close()


def test_one_owner_at_a_time(
    open_here: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hybrid_index, "_LOCK_PATIENCE_S", 0.05)
    open_here()
    with pytest.raises(LibraryLocked, match="close that one first"):
        open_index(tmp_path / "index", SHIPPED, threads=1)


def test_without_its_model_it_stays_unlocked(open_here: Open, tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        open_index(tmp_path / "index", tmp_path / "nowhere", threads=1)
    open_here()


def test_a_full_disk_is_said_and_the_batch_can_be_repeated(
    open_here: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = open_here()
    made = batch(index, TEXTS, 5)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(index._stores.keywords, "apply", refuse)
        with pytest.raises(DiskFull, match="free some space"):
            index.apply(made)
    assert index.apply(made).applied_seq == 5
    assert found(index, "XC23")[0] == 2


WRITER = """
import sys
from pathlib import Path
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.ports import IndexBatch, IndexedChunk, RerankItem
from desktop_rag.engines.hybrid_index import open_index

index = open_index(Path(sys.argv[1]), Path(sys.argv[2]), threads=1)
vector = index.embed(["tulip"])[0].vector
seq = index.state().applied_seq
print("open", seq, flush=True)
while True:
    seq += 1
    chunks = tuple(
        IndexedChunk(ChunkId(seq * 100 + n), f"tulip number {n} of {seq}", vector)
        for n in range(100)
    )
    index.apply(IndexBatch(chunks, (), seq))
    if seq % 3 == 0:
        index.settle()
    print("applied", seq, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
@pytest.mark.parametrize(("batches", "delay_s"), [(1, 0.004), (5, 0.0), (9, 0.02)])
def test_killed_while_writing_it_converges(
    open_here: Open, tmp_path: Path, batches: int, delay_s: float
) -> None:
    """Whatever moment the kill hits, the state read afterwards is true and filling goes on."""
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path / "index"), str(SHIPPED)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(paths.shipped())},
    )
    assert writer.stdout is not None
    with writer:
        while writer.stdout.readline() != f"applied {batches}\n":
            assert writer.poll() is None
        time.sleep(delay_s)
        writer.send_signal(signal.SIGKILL)
    index = open_here()
    state = index.state()
    assert state.vectors == state.keywords == 100 * state.applied_seq
    assert len(index.search("tulip", 20).candidates) >= 20 * bool(state.applied_seq)
    fill(index)
    assert found(index, "XC23")[0] == 2


GERMAN = {
    21: "Der Mietvertrag endet, wenn die Frist abgelaufen ist, und die Wohnung wird geräumt.",
    22: "Die Heizung wird im Herbst von einem Fachmann gewartet, der auch die Pumpe prüft.",
    23: "Das Fahrrad steht im Keller und wurde nicht von dem Mieter, sondern der Stadt bezahlt.",
}


def test_words_rank_and_judge_what_the_embedder_does_not_know(open_here: Open) -> None:
    index = open_here()
    index.apply(batch(index, TEXTS | GERMAN, 8))
    ranking = index.search("Wer hat die Pumpe der Heizung gewartet und geprüft?", 10)
    assert ranking.language == "german"
    assert ranking.candidates[0].chunk == 22
    assert all(one.similarity is None for one in ranking.candidates)
    best, *others = (one.word_evidence for one in ranking.candidates)
    assert best is not None
    assert best > 1
    assert all(one is not None and one < best for one in others)
    other = index.search("Welche Planeten haben die meisten Monde?", 10).candidates
    assert all(one.word_evidence is not None and one.word_evidence < 1 for one in other)


def test_an_english_question_stays_one_beside_other_languages(open_here: Open) -> None:
    index = open_here()
    index.apply(batch(index, TEXTS | GERMAN, 8))
    ranking = index.search("What die did the oil price cast in 1973?", 10)
    assert ranking.language == ""
    assert ranking.candidates[0].word_evidence is None
    assert ranking.candidates[0].similarity is not None


def test_a_name_that_words_find_is_left_to_them(open_here: Open) -> None:
    index = open_here()
    index.apply(batch(index, {1: "Set retry_limit here.", 2: "Set retry_count here."}, 2))
    assert index.search("retry_limit", 5).dense_share < index.search("limit", 5).dense_share
    assert index.search("retry_pause", 5).dense_share == index.search("x_y", 5).dense_share


def test_a_cross_encoder_reads_what_it_is_given(tmp_path: Path) -> None:
    folder = write_reranker(tmp_path / "ranks")
    told = {"max_tokens": 32, "files": {}}
    (folder / "reranker.json").write_text(json.dumps(told), "utf-8")
    index = open_index(tmp_path / "index", SHIPPED, threads=1, reranker_dir=folder)
    try:
        item = RerankItem(ChunkId(1), "good oil", index.embed(["good oil"])[0].tokens)
        found = index.rerank("oil", [item])
        assert (found.reranker, found.reader) == (LATE_INTERACTION, "ranks")
        good, bad = index.read_again("oil", ["good oil", "bad oil"])
        assert good > bad
        assert index.rerank("  ", [item]).reader == ""
    finally:
        index.close()
