"""What every `SearchIndex` keeps."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from desktop_rag.domain.checksums import checksum_of
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.ports import HeldCount, IndexBatch, IndexedChunk, SearchIndex
from desktop_rag.domain.spans import NOWHERE
from desktop_rag.workers.remote import WorkerPool
from tests.contracts.conftest import keeps_all

TEXTS = {
    ChunkId(11): "The harbour was dredged in March so that larger ships may enter.",
    ChunkId(12): "Apples and pears are sold on the market every Saturday.",
    ChunkId(13): "The invoice number is QX-4471 and it was paid in full.",
    ChunkId(14): "Volcanoes erupt when molten rock rises through the crust.",
}


def _batch(
    index: SearchIndex, chunks: Sequence[ChunkId], last_seq: int, deletes: Sequence[ChunkId] = ()
) -> IndexBatch:
    vectors = [one.vector for one in index.embed([TEXTS[chunk] for chunk in chunks])]
    upserts = tuple(
        IndexedChunk(chunk, TEXTS[chunk], vector)
        for chunk, vector in zip(chunks, vectors, strict=True)
    )
    return IndexBatch(upserts, tuple(deletes), last_seq)


def _found(index: SearchIndex, question: str, limit: int = 10) -> list[ChunkId]:
    return [candidate.chunk for candidate in index.search(question, limit).candidates]


class TestIndexContract:
    def test_vectors_have_the_promised_shape_and_unit_length(self, index: SearchIndex) -> None:
        info = index.embedder()
        vectors = [one.vector for one in index.embed(list(TEXTS.values()))]
        assert len(vectors) == len(TEXTS)
        for vector in vectors:
            values = struct.unpack(f"<{info.dimensions}e", vector)
            assert math.isclose(sum(v * v for v in values), 1.0, abs_tol=0.01)

    def test_embedding_is_repeatable_and_in_order(self, index: SearchIndex) -> None:
        one, two = (e.vector for e in index.embed([TEXTS[ChunkId(11)], TEXTS[ChunkId(12)]]))
        assert one != two
        assert index.embed([TEXTS[ChunkId(12)]])[0].vector[:64] == two[:64]

    def test_nothing_to_embed_is_no_error(self, index: SearchIndex) -> None:
        assert index.embed([]) == []

    def test_a_text_is_measured_however_long_it_is(self, index: SearchIndex) -> None:
        limit = index.embedder().max_tokens
        facts = index.look_at(["of the one", "word " * 2 * limit, ""])
        short, long, empty = (one.tokens for one in facts)
        assert empty < short < limit < 2 * limit <= long
        assert facts[0].language == "english"
        assert index.look_at([]) == []

    def test_an_empty_index_says_so(self, index: SearchIndex) -> None:
        state = index.state()
        assert (state.applied_seq, state.vectors, state.keywords) == (0, 0, 0)
        assert index.search("anything", 5).candidates == ()

    def test_a_batch_is_searchable_at_once(self, index: SearchIndex) -> None:
        state = index.apply(_batch(index, list(TEXTS), 4))
        assert (state.applied_seq, state.vectors, state.keywords) == (4, 4, 4)
        ranking = index.search("Which ships may enter the harbour?", 10)
        assert ranking.candidates[0].chunk == 11
        assert ranking.candidates[0].dense_rank == 1
        assert ranking.candidates[0].keyword_rank == 1
        assert ranking.searched == 4

    def test_identifiers_are_found_by_keyword(self, index: SearchIndex) -> None:
        index.apply(_batch(index, list(TEXTS), 4))
        assert _found(index, "QX-4471")[0] == 13

    def test_candidates_are_best_first_and_bounded(self, index: SearchIndex) -> None:
        index.apply(_batch(index, list(TEXTS), 4))
        candidates = index.search("harbour apples volcanoes", 2).candidates
        assert 2 <= len(candidates) <= 4
        scores = [candidate.score for candidate in candidates]
        assert scores == sorted(scores, reverse=True)
        assert len({candidate.chunk for candidate in candidates}) == len(candidates)

    def test_applying_twice_changes_nothing(self, index: SearchIndex) -> None:
        batch = _batch(index, list(TEXTS), 4)
        first = index.apply(batch)
        before = _found(index, "harbour ships")
        assert index.apply(batch) == first
        assert _found(index, "harbour ships") == before

    def test_what_was_deleted_is_never_found_again(self, index: SearchIndex) -> None:
        index.apply(_batch(index, list(TEXTS), 4))
        state = index.apply(IndexBatch((), (ChunkId(11), ChunkId(99)), 6))
        assert (state.applied_seq, state.vectors, state.keywords) == (6, 3, 3)
        index.settle()
        assert 11 not in _found(index, TEXTS[ChunkId(11)])

    def test_chunks_are_counted_in_both_stores(self, index: SearchIndex) -> None:
        index.apply(_batch(index, [ChunkId(11), ChunkId(12), ChunkId(13)], 3))
        index.apply(IndexBatch((), (ChunkId(13),), 4))
        held = index.count_among([ChunkId(11), ChunkId(12), ChunkId(13), ChunkId(99)])
        assert (held.vectors, held.keywords) == (2, 2)
        assert index.count_among([]) == HeldCount(0, 0)

    def test_among_chosen_chunks_it_is_an_index_of_only_them(self, index: SearchIndex) -> None:
        index.apply(_batch(index, [ChunkId(12), ChunkId(13)], 2))
        question = "Which ships may enter the harbour, and what is sold on the market?"
        alone = index.search(question, 10)
        index.apply(_batch(index, list(TEXTS), 4))
        among = index.search(question, 10, [ChunkId(13), ChunkId(99), ChunkId(12)])
        assert [c.chunk for c in among.candidates] == [c.chunk for c in alone.candidates]
        assert [c.keyword_score for c in among.candidates] == [
            c.keyword_score for c in alone.candidates
        ]
        assert among.matched_terms == alone.matched_terms
        assert among.unmatched_terms == alone.unmatched_terms
        assert among.searched == alone.searched == 2
        assert index.search(question, 10, []).candidates == ()

    def test_chunks_are_selected_by_the_words_they_hold(self, index: SearchIndex) -> None:
        index.apply(_batch(index, list(TEXTS), 4))
        assert index.select(["ship harbour"], []) == [11]
        assert index.select(["market", "pears"], []) == [12]
        assert index.select(["market ships"], []) == []
        assert index.select([], ["invoices"]) == [11, 12, 14]
        assert index.select([], ["market ships", "rock"], [ChunkId(11), ChunkId(14)]) == [11]
        assert index.select(["the"], ["the"]) == sorted(TEXTS)

    def test_its_checksum_tells_which_chunks_it_holds(self, index: SearchIndex) -> None:
        index.apply(_batch(index, list(TEXTS), 4))
        index.apply(IndexBatch((), (ChunkId(12),), 5))
        assert index.state().checksum == checksum_of([11, 13, 14])

    def test_settling_keeps_everything(self, index: SearchIndex) -> None:
        index.apply(_batch(index, [ChunkId(11), ChunkId(12)], 2))
        index.apply(_batch(index, [ChunkId(13), ChunkId(14)], 4))
        index.settle()
        assert index.state().applied_seq == 4
        assert _found(index, "molten rock")[0] == 14
        assert _found(index, "harbour")[0] == 11

    def test_clear_begins_anew(self, index: SearchIndex) -> None:
        index.apply(_batch(index, list(TEXTS), 4))
        index.clear()
        assert index.state().applied_seq == 0
        assert _found(index, "harbour") == []
        index.apply(_batch(index, [ChunkId(12)], 1))
        assert _found(index, "apples") == [12]

    def test_nothing_reads_again_without_a_cross_encoder(self, index: SearchIndex) -> None:
        assert index.read_again("Which pumps leak?", ["Red pumps leak."]) == ()

    def test_any_text_is_a_question(self, index: SearchIndex) -> None:
        index.apply(_batch(index, list(TEXTS), 4))
        for question in ("", "   ", "?!", "🙂", '"unclosed', "a" * 5000, "SELECT * FROM x; --"):
            assert index.search(question, 3).searched == 4, question

    def test_without_an_extractor_no_words_are_marked(self, index: SearchIndex) -> None:
        assert index.spans("Which ships?", list(TEXTS.values())) == []
        assert index.spans("Which ships?", []) == []


class TestSpansContract:
    """For an index with an extractor; `good oil` is what the tiny model takes for answers."""

    def test_every_text_has_a_span_in_order(self, marking_index: SearchIndex) -> None:
        texts = ["Bad or good oil.", "A bad query.", "Good oil."]
        first, other, last = marking_index.spans("good oil", texts)
        assert texts[0][first.start : first.end].startswith("good")
        assert (last.start, texts[2][: last.end].startswith("Good")) == (0, True)
        assert min(first.margin, last.margin) > 0 > other.margin

    def test_any_text_can_be_given(self, marking_index: SearchIndex) -> None:
        texts = ["", "   ", "good " * 5000, "🙂", "\x00"]
        found = marking_index.spans("good " * 300, texts)
        assert len(found) == len(texts)
        assert found[0] == found[1] == NOWHERE
        assert all(
            0 <= one.start <= one.end <= len(text) for one, text in zip(found, texts, strict=True)
        )

    def test_nothing_asked_marks_nothing(self, marking_index: SearchIndex) -> None:
        assert marking_index.spans("  ", ["good oil"]) == []
        assert marking_index.spans("good oil", []) == []


def test_the_engine_in_its_child_keeps_the_contract(engines: WorkerPool) -> None:
    def cleared(name: str) -> SearchIndex:
        engines.index.clear()
        return engines.index

    keeps_all(TestIndexContract, cleared)


def test_the_engine_in_its_child_keeps_the_contract_of_spans(marking_engine: SearchIndex) -> None:
    keeps_all(TestSpansContract, lambda name: marking_engine)
