"""Cutting with the help of a model: what is stored, what is searched, what happens without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.domain.answers import Turn
from desktop_rag.domain.chunking import Chunking, chunk_document, rules_for
from desktop_rag.domain.documents import Block, BlockKind, ParsedDocument, ReadDocument
from desktop_rag.domain.errors import Cancelled, ModelMissing, WorkerCrashed
from desktop_rag.domain.tokens import TokenMap
from desktop_rag.services.rechunking import Pace, Rechunking
from tests.helpers.documents import filler
from tests.helpers.fakes import FakeGenerator, FakeIndex, KeptInMemory

PUMPS = "The pump lifts water. Water leaves the pump. The pump needs water to start."
TEA = "Green tea grows on hills. Tea from hills tastes green. Hills of tea are green."


def count(text: str) -> int:
    return FakeIndex().look_at([text])[0].tokens - 2


def token_map(text: str) -> TokenMap:
    starts = [n for n, letter in enumerate(text) if not letter.isspace()]
    return TokenMap(starts, [start + 1 for start in starts])


def read(text: str, way: Chunking, title: str = "Notes") -> ReadDocument:
    document = ParsedDocument("txt", text, (Block(BlockKind.PARAGRAPH, 0, len(text)),), title=title)
    rules = rules_for(256, way)
    return ReadDocument(document, chunk_document(document, token_map(text), count, rules, way), "x")


class Work:
    """Remembers what it was told; `before` runs whenever a step may begin."""

    def __init__(self, before: Callable[[], None] = lambda: None) -> None:
        self.told: list[tuple[int, int]] = []
        self.is_interrupted = False
        self._before = before

    def pace(self) -> Pace:
        return Pace(self._before, lambda: self.is_interrupted, lambda *step: self.told.append(step))


def finish(
    document: ReadDocument,
    way: Chunking,
    generator: FakeGenerator | None = None,
    kept: KeptInMemory | None = None,
) -> tuple[ReadDocument, Work]:
    work = Work()
    rechunking = Rechunking(way, FakeIndex(), generator or FakeGenerator())
    return rechunking.finish(document, work.pace(), kept or KeptInMemory()), work


def test_most_ways_need_no_model() -> None:
    for way in (Chunking.STRUCTURE, Chunking.FIXED, Chunking.SENTENCES, Chunking.LATE):
        before = read(PUMPS, way)
        assert finish(before, way, FakeGenerator(failure=ModelMissing("none")))[0] is before


def test_semantic_passages_end_where_the_subject_changes() -> None:
    text = " ".join([PUMPS] * 18 + [TEA] * 16)
    after, work = finish(read(text, Chunking.SEMANTIC), Chunking.SEMANTIC)
    assert [chunk.start for chunk in after.chunks] == [0, text.index(TEA)]
    assert work.told[0][0] == 0


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([PUMPS, TEA, "Yes.", filler(300, seed=1)]), min_size=1, max_size=9))
def test_semantic_passages_are_sound(parts: list[str]) -> None:
    before = read(" ".join(parts), Chunking.SEMANTIC)
    after, _ = finish(before, Chunking.SEMANTIC)
    text = before.document.text
    assert [chunk.ordinal for chunk in after.chunks] == list(range(len(after.chunks)))
    for chunk in after.chunks:
        assert chunk.text == text[chunk.start : chunk.end]
        assert count(chunk.embedding_text) <= 254
    for one, other in pairwise(after.chunks):
        assert not text[one.end : other.start].strip()
    assert after.chunks[0].start == before.chunks[0].start
    assert after.chunks[-1].end == before.chunks[-1].end


def test_context_is_searched_and_never_part_of_the_text() -> None:
    generator = FakeGenerator("It describes how pumps of the harbour work.\n")
    before = read(PUMPS, Chunking.CONTEXT)
    after, work = finish(before, Chunking.CONTEXT, generator)
    (chunk,) = after.chunks
    assert chunk.text == PUMPS
    assert chunk.header == before.chunks[0].header
    assert chunk.written == "It describes how pumps of the harbour work."
    assert "harbour" in chunk.embedding_text
    assert "Notes" in generator.prompts[0][-1].content
    assert work.told == [(0, 1)]


def restated(turns: Sequence[Turn]) -> str:
    return "2: The pump of unit 7 pushes water out.\n2: Unit 7 has a pump.\n9: Nonsense.\nno number"


def test_propositions_go_to_the_sentence_they_restate() -> None:
    text = "The pump of unit 7 lifts cold water up to the tank on the roof every morning. " * 2
    after, _ = finish(
        read(text.strip(), Chunking.PROPOSITIONS),
        Chunking.PROPOSITIONS,
        FakeGenerator(restated),
    )
    assert [chunk.written for chunk in after.chunks] == [
        "",
        "The pump of unit 7 pushes water out. Unit 7 has a pump.",
    ]


def test_what_is_written_is_cut_to_what_the_embedder_reads() -> None:
    after, _ = finish(
        read(filler(400), Chunking.CONTEXT),
        Chunking.CONTEXT,
        FakeGenerator(" ".join(f"word{n}" for n in range(2000))),
    )
    assert all(chunk.written for chunk in after.chunks)
    assert max(count(chunk.embedding_text) for chunk in after.chunks) <= 254


@pytest.mark.parametrize("failure", [ModelMissing("Install a model."), WorkerCrashed("It ended.")])
def test_without_a_language_model_a_note_says_so(failure: ModelMissing | WorkerCrashed) -> None:
    before = read(PUMPS, Chunking.CONTEXT)
    after, _ = finish(before, Chunking.CONTEXT, FakeGenerator(failure=failure))
    assert after.chunks == before.chunks
    assert failure.message in after.document.notes[-1]


def test_what_was_written_before_the_program_ended_is_not_written_again() -> None:
    document, kept = read(filler(600), Chunking.CONTEXT), KeptInMemory()

    def stop_after_two() -> None:
        if len(kept.texts) == 2:
            raise Cancelled("The program is closing.")

    rechunking = Rechunking(Chunking.CONTEXT, FakeIndex(), FakeGenerator("About words."))
    with pytest.raises(Cancelled):
        rechunking.finish(document, Work(stop_after_two).pace(), kept)
    generator = FakeGenerator("About words.")
    after, _ = finish(document, Chunking.CONTEXT, generator, kept)
    assert len(generator.prompts) == len(document.chunks) - 2
    assert all(chunk.written for chunk in after.chunks)
    assert len(kept.texts) == len(document.chunks)


def test_another_model_writes_anew_and_what_no_longer_counts_is_forgotten() -> None:
    kept = KeptInMemory()
    finish(read(PUMPS, Chunking.CONTEXT), Chunking.CONTEXT, FakeGenerator("Old."), kept)
    generator = FakeGenerator("New.", model_id="other")
    after, _ = finish(read(PUMPS, Chunking.CONTEXT), Chunking.CONTEXT, generator, kept)
    assert [chunk.written for chunk in after.chunks] == ["New."]
    assert list(kept.texts.values()) == ["New."]


def test_a_model_that_takes_too_long_is_left_and_asked_again_at_the_next_reading() -> None:
    kept, now = KeptInMemory(), [0.0]

    def tick() -> float:
        now[0] += 20.0
        return now[0]

    generator = FakeGenerator("word", is_endless=True)
    rechunking = Rechunking(Chunking.CONTEXT, FakeIndex(), generator, clock=tick)
    after = rechunking.finish(read(PUMPS, Chunking.CONTEXT), Work().pace(), kept)
    assert 0 < len(after.chunks[0].written.split()) < 10
    assert not kept.texts


def test_a_repeated_sentence_is_not_searched_twice() -> None:
    text = "The pump of unit 7 lifts cold water up to the tank on the roof every morning."
    generator = FakeGenerator(lambda turns: f"1: {text}")
    after, _ = finish(read(text, Chunking.PROPOSITIONS), Chunking.PROPOSITIONS, generator)
    assert [chunk.written for chunk in after.chunks] == [""]


def test_an_interrupted_sentence_is_written_anew() -> None:
    work = Work()

    def answer(turns: Sequence[Turn]) -> str:
        work.is_interrupted = len(generator.prompts) == 1
        return "All about pumps."

    def wait() -> None:
        work.is_interrupted = False

    generator = FakeGenerator(answer)
    pace = Pace(wait, lambda: work.is_interrupted, lambda *_: None)
    rechunking = Rechunking(Chunking.CONTEXT, FakeIndex(), generator)
    after = rechunking.finish(read(PUMPS, Chunking.CONTEXT), pace, KeptInMemory())
    assert len(generator.prompts) == 2
    assert after.chunks[0].written == "All about pumps."


def test_the_end_of_the_program_ends_it() -> None:
    def stop() -> None:
        raise Cancelled("The program is closing.")

    rechunking = Rechunking(Chunking.CONTEXT, FakeIndex(), FakeGenerator())
    with pytest.raises(Cancelled):
        rechunking.finish(read(PUMPS, Chunking.CONTEXT), Work(stop).pace(), KeptInMemory())


def test_groups_of_sentences_are_as_many_prompts() -> None:
    generator = FakeGenerator(lambda turns: "1: One says so.")
    document = read(filler(600), Chunking.PROPOSITIONS)
    after, work = finish(document, Chunking.PROPOSITIONS, generator)
    assert len(generator.prompts) == work.told[-1][1] > 1
    assert sum(bool(chunk.written) for chunk in after.chunks) == len(generator.prompts)
