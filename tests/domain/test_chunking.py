"""Chunks: spans, limits, coverage, order, headers; with the embedder's real tokenizer."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rag import paths
from desktop_rag.domain.assembly import TextAssembler
from desktop_rag.domain.chunking import Chunking, ChunkingRules, chunk_document, rules_for
from desktop_rag.domain.chunking.headers import (
    contextual_header,
    shortened,
    table_head,
    telling_name,
)
from desktop_rag.domain.documents import (
    Block,
    BlockKind,
    Chunk,
    Page,
    ParsedDocument,
    Part,
    PartKind,
)
from desktop_rag.domain.embedding_text import embedded_text, marked_part
from desktop_rag.domain.long_runs import MAX_RUN, left_out, note
from desktop_rag.engines.tokenizing import TokenCounter
from tests.helpers.documents import filler

MAX_TOKENS = 256


@lru_cache(maxsize=1)
def counter() -> TokenCounter:
    return TokenCounter(paths.shipped("models", "all-minilm-l6-v2-int8", "tokenizer.json"))


def chunks_of(document: ParsedDocument, rules: ChunkingRules | None = None) -> tuple[Chunk, ...]:
    tokens = counter().map(document.text)
    return chunk_document(document, tokens, counter().count, rules or rules_for(MAX_TOKENS))


def build(
    blocks: Sequence[tuple[BlockKind, str, int]],
    title: str = "A title",
    pages: tuple[Page, ...] = (),
) -> ParsedDocument:
    assembler = TextAssembler()
    for kind, text, level in blocks:
        assembler.add(kind, text, level)
    return ParsedDocument("test", assembler.text, assembler.blocks, pages=pages, title=title)


def assert_sound(document: ParsedDocument, chunks: Sequence[Chunk], max_tokens: int) -> None:
    """What holds for every document whatever is in it."""
    covered = bytearray(len(document.text))
    for start, end in left_out(document.text):
        covered[start:end] = b"\1" * (end - start)
    for number, chunk in enumerate(chunks):
        assert chunk.ordinal == number
        assert chunk.text == document.text[chunk.start : chunk.end]
        assert chunk.text.strip()
        assert counter().count(chunk.embedding_text) + 2 <= max_tokens
        covered[chunk.start : chunk.end] = b"\1" * (chunk.end - chunk.start)
    for before, after in pairwise(chunks):
        assert before.start < after.start
        assert before.end < after.end
    missed = [
        c for c, seen in zip(document.text, covered, strict=True) if not seen and not c.isspace()
    ]
    assert not missed


KINDS = st.sampled_from([k for k in BlockKind if k is not BlockKind.HEADING])
WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("  .\n|，。あ語한"),
    max_size=400,
)
PROSE = st.integers(0, 900).map(lambda n: filler(n, seed=n))
BODY = st.tuples(KINDS, WORDS | PROSE, st.just(0))
HEADING = st.tuples(
    st.just(BlockKind.HEADING), st.text("ab cdé", min_size=1, max_size=200), st.integers(1, 6)
)
DOCUMENTS = st.lists(BODY | HEADING, max_size=12)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(blocks=DOCUMENTS, title=st.text("ab cdé", max_size=300))
def test_any_document_gives_sound_chunks(
    blocks: list[tuple[BlockKind, str, int]], title: str
) -> None:
    document = build(blocks, title)
    chunks = chunks_of(document)
    assert_sound(document, chunks, MAX_TOKENS)
    assert chunks == chunks_of(document)


@settings(max_examples=30, deadline=None)
@given(text=WORDS, cuts=st.lists(st.integers(0, 400), max_size=6))
def test_text_between_blocks_is_not_lost(text: str, cuts: list[int]) -> None:
    points = sorted({min(cut, len(text)) for cut in cuts})
    blocks = tuple(Block(BlockKind.LIST, a, b) for a, b in pairwise(points) if a % 2)
    document = ParsedDocument("test", text, blocks)
    assert_sound(document, chunks_of(document), MAX_TOKENS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\n ",
        "hi",
        "x" * 1_000_000,
        "语" * 30_000,
        "ภาษาไทย" * 3000,
        "word " * 40_000,
        "https://example.org/" + "a1/" * 4000,
        "=" * 5000,
        "\n".join("| ".join(["cell"] * 60) for _ in range(200)),
    ],
    ids=["empty", "blank", "hi", "1 MB word", "cjk", "thai", "long", "url", "rule", "wide rows"],
)
@pytest.mark.parametrize("kind", [BlockKind.PARAGRAPH, BlockKind.TABLE])
def test_extreme_texts(text: str, kind: BlockKind) -> None:
    document = build([(kind, text, 0)])
    chunks = chunks_of(document)
    assert_sound(document, chunks, MAX_TOKENS)
    assert bool(chunks) == bool(text.strip())


BASE64 = base64.b64encode(bytes(n * n % 251 for n in range(60_000))).decode()
BASE64_LINES = "\n".join(BASE64[n : n + 76] for n in range(0, len(BASE64), 76))


@pytest.mark.parametrize(
    "run",
    ["x" * 300_000, BASE64, BASE64_LINES, "=-" * 50_000],
    ids=["letter", "base64", "base64 in lines", "rule"],
)
@pytest.mark.parametrize("gap", ["", " ", "\n"])
def test_what_is_no_language_is_not_cut_into_passages(run: str, gap: str) -> None:
    before, after = "The pump rises before it.", "The valve closes after it."
    document = build([(BlockKind.PARAGRAPH, f"{before}{gap or ' '}{run}{gap or ' '}{after}", 0)])
    chunks = chunks_of(document)
    assert_sound(document, chunks, MAX_TOKENS)
    assert len(chunks) < 6
    assert chunks[0].text.startswith(before)
    assert chunks[-1].text.endswith(after)
    assert max(len(chunk.text) for chunk in chunks) < 400
    assert "not searched" in note(document.text)[0]


ADDRESSES = "\n".join(f"https://example.org/{n:060d}/report-{n}.html" for n in range(100))


@pytest.mark.parametrize(
    "text",
    [
        "这是一个关于天气和新闻的普通中文文本" * 500,
        "これは天気とニュースについての日本語の文章です" * 500,
        "ภาษาไทยไม่มีช่องว่างระหว่างคำ" * 500,
        "https://example.org/" + "a1/" * 600,
        ADDRESSES,
        filler(5000),
        "x" * MAX_RUN,
    ],
    ids=["chinese", "japanese", "thai", "long address", "addresses", "prose", "just short enough"],
)
def test_text_without_spaces_is_not_left_out(text: str) -> None:
    assert left_out(text) == []
    assert note(text) == ()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["x" * 2500, "word ", "\n\n", "End. ", " ", BASE64_LINES[:4000]])))
def test_left_out_text_anywhere_gives_sound_chunks(parts: list[str]) -> None:
    document = build([(BlockKind.PARAGRAPH, "".join(parts), 0)])
    chunks = chunks_of(document)
    assert_sound(document, chunks, MAX_TOKENS)
    spans = left_out(document.text)
    assert not any(c.start < end and c.end > start for c in chunks for start, end in spans)


@pytest.mark.parametrize("max_tokens", [64, 128, 512])
def test_other_embedders_get_chunks_that_fit(max_tokens: int) -> None:
    document = build([(BlockKind.HEADING, "One", 1), (BlockKind.PARAGRAPH, filler(2000), 0)])
    assert_sound(document, chunks_of(document, rules_for(max_tokens)), max_tokens)


def test_prose_is_cut_at_sentences_with_a_small_overlap() -> None:
    document = build([(BlockKind.PARAGRAPH, filler(1500), 0)])
    chunks = chunks_of(document)
    sizes = [counter().count(chunk.text) for chunk in chunks]
    assert all(150 <= size <= 222 for size in sizes[:-1])
    assert all(chunk.text.endswith(".") for chunk in chunks)
    shared = [
        counter().count(document.text[after.start : before.end])
        for before, after in pairwise(chunks)
    ]
    assert all(0 < tokens <= 30 for tokens in shared)


def test_sections_are_kept_apart_and_named() -> None:
    document = build(
        [
            (BlockKind.HEADING, "Pumps", 1),
            (BlockKind.HEADING, "Model A", 2),
            (BlockKind.PARAGRAPH, filler(120), 0),
            (BlockKind.HEADING, "Model B", 2),
            (BlockKind.PARAGRAPH, filler(120, seed=2), 0),
        ],
        title="Manual",
    )
    first, second = chunks_of(document)
    assert (first.section, second.section) == ("Pumps > Model A", "Pumps > Model B")
    assert second.header == "Manual > Pumps > Model B"
    assert second.text.startswith("Model B")
    assert first.text.startswith("Pumps")


def test_short_sections_are_merged() -> None:
    blocks = []
    for number in range(6):
        blocks += [
            (BlockKind.HEADING, f"Question {number}", 2),
            (BlockKind.PARAGRAPH, f"Answer {number} is short.", 0),
        ]
    (chunk,) = chunks_of(build(blocks))
    assert "Question 0" in chunk.text
    assert "Answer 5" in chunk.text


def test_no_crumb_is_left_at_the_end() -> None:
    for words in range(150, 420, 15):
        chunks = chunks_of(build([(BlockKind.PARAGRAPH, filler(words), 0)]))
        assert all(counter().count(chunk.text) >= 48 for chunk in chunks)


def test_a_long_table_is_cut_between_rows_and_its_head_repeated() -> None:
    rows = ["Product | Price | Stock"] + [f"Pump {n} | {n}.50 | {n * 3}" for n in range(120)]
    document = build([(BlockKind.HEADING, "Prices", 1), (BlockKind.TABLE, "\n".join(rows), 0)])
    chunks = chunks_of(document)
    assert len(chunks) > 3
    for chunk in chunks[1:]:
        assert chunk.kind is BlockKind.TABLE
        assert chunk.header.endswith("Product | Price | Stock")
        assert "Product" not in chunk.text
    lines = [line for chunk in chunks for line in chunk.text.split("\n") if " | " in line]
    assert lines == rows


def test_a_heading_is_never_the_end_of_a_chunk() -> None:
    blocks: list[tuple[BlockKind, str, int]] = []
    for number in range(12):
        blocks += [
            (BlockKind.HEADING, f"Part {number}", 1 + number % 3),
            (BlockKind.PARAGRAPH, filler(20 + 37 * number, seed=number), 0),
        ]
    document = build(blocks)
    headings = {(b.start, b.end) for b in document.blocks if b.kind is BlockKind.HEADING}
    assert not any(end == chunk.end for chunk in chunks_of(document) for _, end in headings)


def table(rows: Sequence[str], title: str = "Stock") -> ParsedDocument:
    return build([(BlockKind.TABLE, "\n".join(rows), 0)], title=title)


def test_column_names_stand_in_every_chunk_of_a_wide_table() -> None:
    names = " | ".join(f"Column number {n}" for n in range(18))
    rows = [" | ".join(f"{row}.{n}" for n in range(18)) for row in range(60)]
    document = table([names, *rows])
    chunks = chunks_of(document)
    assert_sound(document, chunks, MAX_TOKENS)
    assert len(chunks) > 10
    for chunk in chunks[1:]:
        assert chunk.header == f"Stock\n{names}"
        assert chunk.text.split(" | ")[0].endswith(".0")  # no row is cut


def test_a_cut_row_has_its_label_and_the_names_of_its_own_columns() -> None:
    names = [f"Field{n}" for n in range(120)]
    row = ["Pump 7", *(f"value {n}" for n in range(1, 120))]
    document = table([" | ".join(names), " | ".join(row), " | ".join(row)])
    chunks = chunks_of(document)
    assert_sound(document, chunks, MAX_TOKENS)
    holding = [c for c in chunks if "value 90 |" in c.text]
    assert len(holding) == 2
    for chunk in holding:
        head = chunk.header.split("\n")[1].split(" | ")
        cells = [cell.strip() for cell in chunk.text.strip(" |").split(" | ")]
        assert head[0] == "Pump 7"
        assert dict(zip(head[1:], cells, strict=False))["Field90"] == "value 90"


def test_a_long_cell_keeps_the_name_of_its_column() -> None:
    document = table(["Id | Remark", f"A-1 | {filler(600)}", "A-2 | short"])
    chunks = chunks_of(document)
    assert_sound(document, chunks, MAX_TOKENS)
    assert all(c.header == "Stock\nA-1 | Remark" for c in chunks[1:-1])


def test_sheets_share_no_chunk() -> None:
    text = "One\n\na | b\n\nTwo\n\nc | d"
    blocks = (
        Block(BlockKind.HEADING, 0, 3, 1),
        Block(BlockKind.TABLE, 5, 10),
        Block(BlockKind.HEADING, 12, 15, 1),
        Block(BlockKind.TABLE, 17, 22),
    )
    parts = (
        Part(PartKind.SHEET, 0, 10, "One", 1, (1, 1, 1)),
        Part(PartKind.SHEET, 12, 22, "Two", 2, (3, 3, 3)),
    )
    chunks = chunks_of(ParsedDocument("xlsx", text, blocks, parts=parts))
    assert [c.place for c in chunks] == ["sheet One, row 1", "sheet Two, row 3"]


WAYS = pytest.mark.parametrize("way", Chunking)


def cut(document: ParsedDocument, way: Chunking, max_tokens: int = MAX_TOKENS) -> tuple[Chunk, ...]:
    tokens = counter().map(document.text)
    return chunk_document(document, tokens, counter().count, rules_for(max_tokens, way), way)


@WAYS
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(blocks=DOCUMENTS, title=st.text("ab cdé", max_size=300))
def test_every_way_of_cutting_gives_sound_chunks(
    blocks: list[tuple[BlockKind, str, int]], title: str, way: Chunking
) -> None:
    document = build(blocks, title)
    chunks = cut(document, way)
    assert_sound(document, chunks, MAX_TOKENS)
    assert chunks == cut(document, way)


@WAYS
@pytest.mark.parametrize("max_tokens", [64, 128, 512])
def test_every_way_fits_other_embedders(max_tokens: int, way: Chunking) -> None:
    rows = "\n".join(f"Pump {n} | {n}.50 | {n * 3}" for n in range(80))
    body = [(BlockKind.PARAGRAPH, filler(800), 0), (BlockKind.TABLE, f"Name | Price\n{rows}", 0)]
    document = build([(BlockKind.HEADING, "One", 1), *body])
    assert_sound(document, cut(document, way, max_tokens), max_tokens)


def test_fixed_windows_have_the_same_size_and_share_their_ends() -> None:
    document = build([(BlockKind.HEADING, "A", 1), (BlockKind.PARAGRAPH, filler(1500), 0)])
    chunks = cut(document, Chunking.FIXED)
    rules = rules_for(MAX_TOKENS, Chunking.FIXED)
    sizes = [counter().map(document.text).count(chunk.start, chunk.end) for chunk in chunks]
    assert all(rules.target - 3 <= size <= rules.target for size in sizes[:-1])
    assert all(after.start < before.end for before, after in pairwise(chunks))


def test_sentences_stand_alone_with_the_heading_above_them() -> None:
    sentences = [
        f"The pump number {n} raises the pressure in the main by {n} bar." for n in range(5)
    ]
    document = build(
        [(BlockKind.HEADING, "Pumps", 1), (BlockKind.PARAGRAPH, " ".join(sentences), 0)]
    )
    chunks = cut(document, Chunking.SENTENCES)
    assert [chunk.text for chunk in chunks[1:]] == sentences[1:]
    assert chunks[0].text == f"Pumps\n\n{sentences[0]}"


def test_late_chunks_know_what_is_read_with_them() -> None:
    document = build([(BlockKind.HEADING, "Pumps", 1), (BlockKind.PARAGRAPH, filler(600), 0)])
    chunks = cut(document, Chunking.LATE)
    assert sum(bool(chunk.before or chunk.after) for chunk in chunks) >= len(chunks) - 1 > 1
    for chunk in chunks:
        start = chunk.start - len(chunk.before)
        around = document.text[start : chunk.end + len(chunk.after)]
        assert chunk.before + chunk.text + chunk.after == around
        part = marked_part(chunk.embedding_text)
        assert part.text[part.start : part.end] == chunk.text
        assert part.text == f"{chunk.header}\n{around}"
        assert counter().count(part.text) + 2 <= MAX_TOKENS


def test_marks_in_a_text_are_no_marks() -> None:
    part = marked_part(embedded_text("", "", "a\x02b\x03c", "x\x02 ", " y"))
    assert (part.text, part.start, part.end) == ("x abc y", 2, 5)


def slides(*pages: tuple[str, str]) -> ParsedDocument:
    """Slides of (title, text); without a title there is no heading."""
    assembler, parts = TextAssembler(), []
    for number, (title, text) in enumerate(pages, start=1):
        start = len(assembler.text)
        if title:
            assembler.add(BlockKind.HEADING, title, 2)
        assembler.add(BlockKind.PARAGRAPH, text)
        parts.append((start, number))
    ends = [start for start, _ in parts[1:]] + [len(assembler.text)]
    return ParsedDocument(
        "pptx",
        assembler.text,
        assembler.blocks,
        title="Deck",
        parts=tuple(
            Part(PartKind.SLIDE, start, end, number=n)
            for (start, n), end in zip(parts, ends, strict=True)
        ),
    )


@WAYS
def test_slides_share_no_chunk_and_no_title(way: Chunking) -> None:
    document = slides(("Pumps", "They are blue."), ("", "Nobody named this."), ("Valves", "Red."))
    chunks = cut(document, way)
    assert [chunk.place for chunk in chunks] == ["slide 1", "slide 2", "slide 3"]
    assert [chunk.header for chunk in chunks] == ["Deck > Pumps", "Deck", "Deck > Valves"]


def test_the_name_of_an_attachment_stays_with_its_first_sheet() -> None:
    text = "report.xlsx\n\nOne\n\na | b\n\nTwo\n\nc | d"
    blocks = (
        Block(BlockKind.HEADING, 0, 11, 1),
        Block(BlockKind.HEADING, 13, 16, 2),
        Block(BlockKind.TABLE, 18, 23),
        Block(BlockKind.HEADING, 25, 28, 2),
        Block(BlockKind.TABLE, 30, 35),
    )
    parts = (
        Part(PartKind.ATTACHMENT, 0, 35, "report.xlsx"),
        Part(PartKind.SHEET, 13, 23, "One", 1, (1, 1, 1)),
        Part(PartKind.SHEET, 25, 35, "Two", 2, (3, 3, 3)),
    )
    chunks = chunks_of(ParsedDocument("eml", text, blocks, parts=parts))
    assert [c.section for c in chunks] == ["report.xlsx > One", "report.xlsx > Two"]
    assert chunks[0].place == "attachment report.xlsx, sheet One, row 1"


class TestCode:
    def code(self, *functions: tuple[tuple[str, ...], str]) -> ParsedDocument:
        text, blocks = "", []
        for path, body in functions:
            blocks.append(Block(BlockKind.CODE, len(text), len(text) + len(body), path=path))
            text += body + "\n\n"
        parts = (Part(PartKind.LINES, 0, len(text)),)
        return ParsedDocument("code", text, tuple(blocks), title="pump.py", parts=parts)

    def body(self, lines: int) -> str:
        return "\n".join(f"    pressure_{n} = valve({n}) + offset" for n in range(lines))

    def test_a_function_that_fits_is_not_cut_and_names_its_chunk(self) -> None:
        document = self.code(
            (("class Pump", "start"), self.body(12)),
            (("class Pump", "stop"), self.body(15)),
            (("main",), self.body(40)),
        )
        chunks = chunks_of(document)
        assert_sound(document, chunks, MAX_TOKENS)
        assert [c.section for c in chunks[:3]] == [
            "class Pump > start",
            "class Pump > stop",
            "main",
        ]
        assert chunks[0].header == "pump.py > class Pump > start"
        assert chunks[1].place == "lines 14-28"
        assert {c.section for c in chunks[2:]} == {"main"}

    def test_small_ones_share_a_chunk_named_by_what_is_around_them(self) -> None:
        document = self.code(
            ((), "import valve"),
            (("class Pump", "start"), self.body(2)),
            (("class Pump", "stop"), self.body(2)),
        )
        (chunk,) = chunks_of(document)
        assert chunk.section == "class Pump"
        assert chunk.place == "lines 1-7"


def test_pages_of_a_chunk() -> None:
    text = filler(300)
    middle = text.index(". ", 400) + 2
    pages = (Page(1, "i", 0, middle - 1, 595, 842), Page(2, "1", middle, len(text), 595, 842))
    document = ParsedDocument("pdf", text, (Block(BlockKind.PARAGRAPH, 0, len(text)),), pages=pages)
    found = [chunk.pages for chunk in chunks_of(document)]
    assert found[0] == (1, 2)
    assert found[-1] == (2, 2)
    assert all(chunk.pages is None for chunk in chunks_of(build([(BlockKind.LIST, text, 0)])))


class TestHeaders:
    def test_title_and_innermost_section_survive(self) -> None:
        path = ["Chapter of the many words", "Section of even more words", "The point"]
        header = contextual_header("Annual report", path, 10, counter().count)
        assert header == "Annual report > The point"

    def test_a_section_like_the_title_is_not_said_twice(self) -> None:
        assert contextual_header("Manual", ["manual", "Use"], 30, counter().count) == "Manual > Use"

    def test_long_parts_are_cut_at_words(self) -> None:
        header = contextual_header(filler(60), [filler(60, seed=3)], 32, counter().count)
        assert counter().count(header) <= 32
        assert header.count("…") == 2

    @pytest.mark.parametrize("text", ["", "a", "word " * 50, "x" * 5000])
    def test_shortened_fits(self, text: str) -> None:
        assert counter().count(shortened(text, 6, counter().count)) <= 6

    def test_head_of_a_table(self) -> None:
        def head(*lines: str) -> str:
            return " / ".join(table_head(lines))

        assert head("Three Months | Nine Months", "2022 | 2021", "Sales | 5 | 6") == (
            "Three Months | Nine Months / 2022 | 2021"
        )
        assert head("Name | Place", "Ann | Rome", "Bob | Oslo", "Cem | Bern") == "Name | Place"
        assert head("Sales | 5 | 6", "Costs | 1 | 2") == ""

    @pytest.mark.parametrize(
        ("title", "stem", "said"),
        [
            ("Form 10-Q", "2022 Q3 AAPL", "2022 Q3 AAPL"),
            ("Annual report", "annual_report", ""),
            ("Annual report", "Annual report (2)", ""),
            ("Holiday", "IMG_20230412_114501", ""),
            ("Invoice", "3f9c2e17-aa", ""),
            ("Minutes", "scan0001", ""),
            ("", "offer-müller", "offer müller"),
        ],
    )
    def test_a_files_name_is_told_when_it_says_more(self, title: str, stem: str, said: str) -> None:
        assert telling_name(title, stem) == said

    def test_a_files_name_stands_before_the_title(self) -> None:
        path = ["Form 10-Q", "Sales"]
        header = contextual_header("Form 10-Q", path, 30, counter().count, "2022 Q3 AAPL")
        assert header == "2022 Q3 AAPL: Form 10-Q > Sales"
