"""Keyword search: finding, updating, merging, and surviving whatever stands in the folder."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import bm25s
import numpy as np
import pytest

from desktop_rag.domain.checksums import checksum_of
from desktop_rag.engines.analysis import Analyzer, shipped_analyzer
from desktop_rag.engines.keyword_segments import BaseSegment
from desktop_rag.engines.keywords_bm25s import (
    DESCRIPTION,
    JOURNAL,
    KeywordIndex,
    KeywordIndexDamaged,
    write_generation,
)

TEXTS = {
    1: "The warranty covers parts and labour for twenty-four months.",
    2: "Box XC23 stands in hall four; box HJ22 stands in hall five.",
    3: "CVE-2024-1234 concerns the snake_case parser of getUserName.",
    4: "Ölpreis und Café: accents fold.",
    5: "保修期为两年",
    6: "Warranties end when the seal is broken. Warranty void.",
}


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return shipped_analyzer()


@pytest.fixture
def index(tmp_path: Path, analyzer: Analyzer) -> Iterator[KeywordIndex]:
    made = KeywordIndex.create(tmp_path / "gen-0001", analyzer)
    yield made
    made.close()


def merged_into(index: KeywordIndex, folder: Path, analyzer: Analyzer) -> KeywordIndex:
    """The generation a merge of `index` makes."""
    folder.mkdir()
    write_generation(folder, index.snapshot())
    merged = KeywordIndex(folder, analyzer)
    index.take_over(merged)
    return merged


def fill(index: KeywordIndex) -> None:
    index.apply(list(TEXTS.items()), [])


@pytest.fixture(params=["delta", "merged"])
def filled(
    request: pytest.FixtureRequest, index: KeywordIndex, analyzer: Analyzer, tmp_path: Path
) -> Iterator[KeywordIndex]:
    fill(index)
    if request.param == "delta":
        yield index
        return
    merged = merged_into(index, tmp_path / "gen-0002", analyzer)
    yield merged
    merged.close()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how long is the warranty", [6, 1]),
        ("XC23", [2]),
        ("xc-23", [2]),
        ("CVE-2024-1234", [3]),
        ("cve 1234", [3]),
        ("getusername", [3]),
        ("user name", [3]),
        ("olpreis", [4]),
        ("cafe\u0301", [4]),
        ("保修", [5]),
    ],
)
def test_finds(filled: KeywordIndex, question: str, expected: list[int]) -> None:
    assert list(filled.search(question, 10).chunks) == expected


@pytest.mark.parametrize(
    "question",
    [
        *("", "   ", "the of and", "\U0001f600\U0001f601", "'; DROP TABLE chunks; --", "\x00"),
        *("\ud800", "x" * 100_000, " ".join(f"word{i}" for i in range(10_000))),
    ],
    ids=range(9),
)
def test_any_text_is_a_question(filled: KeywordIndex, question: str) -> None:
    hits = filled.search(question, 10)
    assert hits.chunks == ()
    assert hits.matched == ()


def test_terms_say_whether_they_exist(filled: KeywordIndex) -> None:
    hits = filled.search("Does the warranty cover unicorns?", 10)
    assert hits.matched == ("warranti", "cover")
    assert hits.unmatched == ("unicorn",)


def test_limit(filled: KeywordIndex) -> None:
    assert len(filled.search("warranty box accents", 2).chunks) == 2
    assert filled.search("warranty", 0).chunks == ()


def test_replace_and_remove(filled: KeywordIndex) -> None:
    filled.apply([(1, "Bicycles are not covered.")], [6, 99])
    assert filled.count() == 5
    assert filled.search("warranty", 10).chunks == ()
    assert filled.search("bicycle", 10).chunks == (1,)
    filled.apply([(6, "warranty again")], [1])
    assert filled.search("warranty bicycle", 10).chunks == (6,)


def test_applying_twice_changes_nothing(filled: KeywordIndex) -> None:
    filled.apply(list(TEXTS.items()), [])
    once = filled.search("warranty", 10)
    filled.apply(list(TEXTS.items()), [])
    assert filled.count() == len(TEXTS)
    assert filled.search("warranty", 10).chunks == once.chunks


def test_everything_is_there_after_reopening(filled: KeywordIndex, analyzer: Analyzer) -> None:
    filled.apply([(7, "A later addition about tulips.")], [1])
    filled.close()
    again = KeywordIndex(filled.folder, analyzer)
    assert again.count() == 6
    assert again.search("tulips", 10).chunks == (7,)
    assert again.search("warranty", 10).chunks == (6,)
    again.close()


def test_merging_keeps_scores_and_needs_no_text(
    filled: KeywordIndex, analyzer: Analyzer, tmp_path: Path
) -> None:
    filled.apply([(10, "tulips and warranty"), (3, "parser for tulips")], [2])
    before = filled.count()
    merged = merged_into(filled, tmp_path / "gen-0003", analyzer)
    assert merged.pending == 0
    assert merged.count() == before
    fresh = KeywordIndex.create(tmp_path / "fresh", analyzer)
    kept = {k: v for k, v in TEXTS.items() if k not in (2, 3)}
    fresh.apply([*kept.items(), (10, "tulips and warranty"), (3, "parser for tulips")], [])
    for question in ("tulips", "warranty seal", "parser", "box"):
        left, right = merged.search(question, 10), fresh.search(question, 10)
        assert left.chunks == right.chunks
        assert left.scores == pytest.approx(right.scores, rel=1e-5)
    assert filled.search("tulips", 10).chunks  # the old generation still answers
    merged.close()
    fresh.close()


def test_the_base_is_what_bm25s_itself_builds(
    index: KeywordIndex, analyzer: Analyzer, tmp_path: Path
) -> None:
    dice = random.Random(5)
    words = [f"w{n}" for n in range(40)]
    texts = {n: " ".join(dice.choices(words, k=dice.randint(1, 30))) for n in range(60)}
    index.apply(list(texts.items()), [])
    merged_into(index, tmp_path / "gen-0002", analyzer).close()
    theirs = bm25s.BM25(method="lucene")
    theirs.index([analyzer.terms(text) for text in texts.values()], show_progress=False)
    ours = bm25s.BM25.load(str(tmp_path / "gen-0002" / "base"))
    for word in words:
        stem = analyzer.terms(word)
        np.testing.assert_allclose(ours.get_scores(stem), theirs.get_scores(stem), rtol=1e-5)


def test_scores_are_those_of_an_index_built_afresh(analyzer: Analyzer, tmp_path: Path) -> None:
    """With anything pending, right after a merge, and among chosen chunks: to the last digit."""
    dice = random.Random(7)
    words = [f"w{n}" for n in range(60)]

    def text() -> str:
        return " ".join(dice.choices(words, k=dice.randint(1, 40)))

    index = KeywordIndex.create(tmp_path / "gen-0", analyzer)
    expected: dict[int, str] = {}
    for generation in range(1, 4):
        for _ in range(4):
            added = {dice.randrange(300): text() for _ in range(40)}
            gone = dice.sample(range(300), 15)
            index.apply(list(added.items()), gone)
            expected = {k: v for k, v in (expected | added).items() if k not in gone}
            some = np.array(sorted(dice.sample(range(300), 80)))
            chosen = {k: v for k, v in expected.items() if k in some}
            for among, texts in ((None, expected), (some, chosen)):
                fresh = fresh_index(tmp_path, analyzer, texts)
                for _ in range(10):
                    question = " ".join(dice.choices([*words, "unheard"], k=3))
                    assert index.search(question, 20, among) == fresh.search(question, 20)
                fresh.close()
            assert index.count_among(some) == len(chosen)
            assert index.checksum == checksum_of(expected)
        merged = merged_into(index, tmp_path / f"gen-{generation}", analyzer)
        assert merged.search(words[0], 20) == index.search(words[0], 20)
        index.close()
        index = merged
    index.close()


def fresh_index(tmp_path: Path, analyzer: Analyzer, texts: dict[int, str]) -> KeywordIndex:
    """Built in one go, base only."""
    shutil.rmtree(tmp_path / "delta", ignore_errors=True)
    shutil.rmtree(tmp_path / "fresh", ignore_errors=True)
    delta = KeywordIndex.create(tmp_path / "delta", analyzer)
    delta.apply(list(texts.items()), [])
    merged = merged_into(delta, tmp_path / "fresh", analyzer)
    delta.close()
    return merged


def test_a_merge_takes_changes_that_came_meanwhile(
    filled: KeywordIndex, analyzer: Analyzer, tmp_path: Path
) -> None:
    snapshot = filled.snapshot()
    filled.apply([(8, "late tulips"), (1, "bicycles")], [6])
    folder = tmp_path / "gen-0003"
    folder.mkdir()
    write_generation(folder, snapshot)
    filled.apply([(9, "later tulips")], [2])
    merged = KeywordIndex(folder, analyzer)
    assert merged.search("warranty", 10).chunks  # of the snapshot
    filled.take_over(merged)
    merged.close()
    merged = KeywordIndex(folder, analyzer)
    assert merged.count() == filled.count()
    assert merged.checksum == filled.checksum
    for question in ("tulips", "warranty", "bicycle", "box"):
        assert merged.search(question, 10) == filled.search(question, 10)
    merged.close()


def test_what_is_stored_already_costs_nothing(filled: KeywordIndex) -> None:
    size, pending = filled.journal_bytes, filled.pending
    filled.apply(list(TEXTS.items()), [])
    assert (filled.journal_bytes, filled.pending) == (size, pending)


def test_what_stands_behind_the_recorded_length_is_cut_off(
    filled: KeywordIndex, analyzer: Analyzer
) -> None:
    size, count = filled.journal_bytes, filled.count()
    filled.apply([(77, "unfinished business")], [1])
    filled.close()
    with (filled.folder / JOURNAL).open("ab") as journal:
        journal.write(b'{"add":[[78,["unfi')
    again = KeywordIndex(filled.folder, analyzer, size)
    assert (again.count(), again.journal_bytes) == (count, size)
    assert again.search("unfinished", 10).chunks == ()
    assert 1 in again.search("warranty", 10).chunks
    again.close()
    with pytest.raises(KeywordIndexDamaged):
        KeywordIndex(filled.folder, analyzer, size + 1)


def test_base_and_delta_score_on_one_scale(
    index: KeywordIndex, analyzer: Analyzer, tmp_path: Path
) -> None:
    fill(index)
    merged = merged_into(index, tmp_path / "gen-0002", analyzer)
    merged.apply([(20, TEXTS[1])], [])
    hits = merged.search("labour months", 10)
    assert set(hits.chunks) == {1, 20}
    assert hits.scores[0] == pytest.approx(hits.scores[1], rel=1e-4)
    merged.close()


def test_chunks_without_terms_are_counted(
    index: KeywordIndex, analyzer: Analyzer, tmp_path: Path
) -> None:
    index.apply([(1, "\U0001f600"), (2, "the")], [])
    merged = merged_into(index, tmp_path / "gen-0002", analyzer)
    assert (index.count(), merged.count()) == (2, 2)
    merged.apply([(3, "tulips")], [1])
    assert merged.search("tulips", 5).chunks == (3,)
    assert merged.count() == 2
    merged.close()


def test_an_empty_index_merges(index: KeywordIndex, analyzer: Analyzer, tmp_path: Path) -> None:
    fill(index)
    index.apply([], list(TEXTS))
    merged = merged_into(index, tmp_path / "gen-0002", analyzer)
    assert (merged.count(), merged.search("warranty", 5).chunks) == (0, ())
    merged.close()


def test_older_numbers_may_come_later(
    index: KeywordIndex, analyzer: Analyzer, tmp_path: Path
) -> None:
    index.apply([(50, "fifty tulips"), (60, "sixty roses")], [])
    first = merged_into(index, tmp_path / "gen-0002", analyzer)
    first.apply([(5, "five tulips"), (55, "roses between")], [])
    second = merged_into(first, tmp_path / "gen-0003", analyzer)
    assert list(BaseSegment(tmp_path / "gen-0003" / "base").ids) == [5, 50, 55, 60]
    assert set(second.search("tulips", 5).chunks) == {5, 50}
    assert set(second.search("roses", 5).chunks) == {55, 60}
    first.close()
    second.close()


def test_a_large_delta_wants_a_merge(index: KeywordIndex) -> None:
    index.apply([(n, "tulip") for n in range(2000)], [])
    assert not index.wants_merge
    index.apply([(2000, "tulip")], [])
    assert index.wants_merge


@pytest.mark.parametrize("name", [DESCRIPTION, "base/data.csc.index.npy", "base/ids.npy"])
@pytest.mark.parametrize("damage", ["missing", "cut", "foreign"])
def test_damage_is_noticed(
    index: KeywordIndex, analyzer: Analyzer, tmp_path: Path, name: str, damage: str
) -> None:
    fill(index)
    merged_into(index, tmp_path / "gen-0002", analyzer).close()
    path = tmp_path / "gen-0002" / name
    whole = path.read_bytes()
    path.unlink()
    if damage != "missing":
        path.write_bytes(whole[: len(whole) // 2] if damage == "cut" else b'{"schema": 999}')
    with pytest.raises(KeywordIndexDamaged):
        KeywordIndex(tmp_path / "gen-0002", analyzer)


def test_a_journal_cut_short_is_noticed(index: KeywordIndex, analyzer: Analyzer) -> None:
    fill(index)
    index.close()
    path = index.folder / JOURNAL
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(KeywordIndexDamaged):
        KeywordIndex(index.folder, analyzer)
