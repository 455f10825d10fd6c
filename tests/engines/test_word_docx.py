"""DOCX: order, structure, what is shown and what is hidden, and bad files."""

from __future__ import annotations

import zipfile
from pathlib import Path

import docx
import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument, PartKind
from desktop_rag.domain.errors import Damaged, NoText, TooLarge
from desktop_rag.engines import zip_bounds
from desktop_rag.engines.word_docx import DocxParser
from tests.helpers.documents import make_docx

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def parse(path: Path) -> ParsedDocument:
    return DocxParser().parse(path)


def blocks(document: ParsedDocument) -> list[tuple[BlockKind, str, int]]:
    return [(b.kind, document.text[b.start : b.end], b.level) for b in document.blocks]


def make_raw(path: Path, body: str, parts: dict[str, str] | None = None) -> Path:
    """A DOCX from bare WordprocessingML."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "word/document.xml", f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
        )
        for name, content in (parts or {}).items():
            archive.writestr(name, content)
    return path


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>"


def test_blocks_come_in_document_order(tmp_path: Path) -> None:
    path = make_docx(
        tmp_path / "a.docx",
        [
            "# Pumps",
            "Opening words.",
            "- first",
            "- second",
            [["Model", "Price"], ["A", "10"]],
            "## Care",
            "Closing words.",
        ],
        title="Handbook",
    )
    document = parse(path)
    assert blocks(document) == [
        (BlockKind.HEADING, "Pumps", 1),
        (BlockKind.PARAGRAPH, "Opening words.", 0),
        (BlockKind.LIST, "- first", 0),
        (BlockKind.LIST, "- second", 0),
        (BlockKind.TABLE, "Model | Price\nA | 10", 0),
        (BlockKind.HEADING, "Care", 2),
        (BlockKind.PARAGRAPH, "Closing words.", 0),
    ]
    assert document.title == "Handbook"
    assert document.pages == ()


def test_the_first_heading_is_the_title_if_there_is_no_other(tmp_path: Path) -> None:
    assert parse(make_docx(tmp_path / "a.docx", ["# Pumps", "x"])).title == "Pumps"


def test_inserted_text_is_read_and_deleted_or_hidden_text_is_not(tmp_path: Path) -> None:
    body = (
        "<w:p>"
        + run("kept ")
        + f"<w:ins>{run('added ')}</w:ins>"
        + "<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
        + run("hidden", "<w:vanish/>")
        + run("end")
        + "</w:p>"
    )
    assert parse(make_raw(tmp_path / "t.docx", body)).text == "kept added end"


def test_footnotes_follow_the_text_with_their_number(tmp_path: Path) -> None:
    body = f'<w:p>{run("Claim")}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    notes = (
        f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="0" w:type="separator"><w:p/></w:footnote>'
        f'<w:footnote w:id="2"><w:p>{run("Proof.")}</w:p></w:footnote></w:footnotes>'
    )
    path = make_raw(tmp_path / "f.docx", body, {"word/footnotes.xml": notes})
    assert parse(path).text == "Claim[1]\n\n[1] Proof."


def test_a_text_box_is_read_once(tmp_path: Path) -> None:
    box = f"<w:txbxContent><w:p>{run('boxed')}</w:p></w:txbxContent>"
    mc = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    body = (
        f'<w:p xmlns:mc="{mc}">{run("outside")}<w:r><mc:AlternateContent><mc:Choice>{box}'
        f"</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert parse(make_raw(tmp_path / "b.docx", body)).text == "outside\nboxed"


def test_a_nested_table_stays_in_its_cell(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text = "left"
    inner = table.cell(0, 1).add_table(rows=1, cols=2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "one", "two"
    document.save(str(tmp_path / "n.docx"))
    assert parse(tmp_path / "n.docx").text == "left | one two"


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    path = tmp_path / "e.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "word/document.xml",
            f'{bomb}<w:document xmlns:w="{W}"><w:body><w:p><w:r><w:t>safe &b;</w:t></w:r></w:p>'
            "</w:body></w:document>",
        )
    assert "haha" not in parse(path).text


def test_a_zip_bomb_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_bounds, "MAX_PART_BYTES", 100_000)
    path = make_raw(tmp_path / "z.docx", f"<w:p>{run('a' * 200_000)}</w:p>")
    with pytest.raises(TooLarge, match=r"z\.docx"):
        parse(path)


def test_bad_files(tmp_path: Path) -> None:
    whole = make_docx(tmp_path / "a.docx", ["some text"]).read_bytes()
    (tmp_path / "cut.docx").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Damaged, match=r"cut\.docx"):
        parse(tmp_path / "cut.docx")
    with pytest.raises(NoText, match=r"none\.docx"):
        parse(make_docx(tmp_path / "none.docx", []))
    # One wrong byte inside the compressed text, behind a sound directory.
    body = bytearray(
        make_raw(tmp_path / "b.docx", f"<w:p>{run('words ' * 500)}</w:p>").read_bytes()
    )
    body[70] ^= 0xFF
    (tmp_path / "b.docx").write_bytes(body)
    with pytest.raises(Damaged, match=r"b\.docx"):
        parse(tmp_path / "b.docx")


def paragraph(*runs: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{''.join(runs)}</w:p>"


def table(*rows: str) -> str:
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(run(text))}</w:tc>"


def relations(*targets: tuple[str, str, str]) -> dict[str, str]:
    """A document's relations from `(id, kind, target)`."""
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    inside = "".join(
        f'<Relationship Id="{i}" Type="{kind}{k}" Target="{t}"/>' for i, k, t in targets
    )
    return {"word/_rels/document.xml.rels": f"<Relationships>{inside}</Relationships>"}


R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def test_footnotes_stand_after_their_paragraph_and_endnotes_at_the_end(tmp_path: Path) -> None:
    note = '<w:r><w:{0}Reference w:id="{1}"/></w:r>'
    body = (
        paragraph(run("One"), note.format("footnote", 7), note.format("endnote", 3))
        + paragraph(run("Two"), note.format("footnote", 5))
        + table(cell("a") + f"<w:tc>{paragraph(run('b'), note.format('footnote', 9))}</w:tc>")
    )

    def notes(kind: str, texts: dict[int, str]) -> str:
        inside = "".join(
            f'<w:{kind} w:id="{key}">{paragraph(run(text))}</w:{kind}>'
            for key, text in texts.items()
        )
        return f'<w:{kind}s xmlns:w="{W}">{inside}</w:{kind}s>'

    parts = {
        "word/footnotes.xml": notes("footnote", {5: "second", 7: "first", 9: "third"}),
        "word/endnotes.xml": notes("endnote", {3: "last"}),
    }
    assert parse(make_raw(tmp_path / "n.docx", body, parts)).text.split("\n\n") == [
        "One[1][i]", "[1] first", "Two[2]", "[2] second", "a | b[3]", "[3] third", "[i] last",
    ]  # fmt: skip


def test_comments_are_a_part_of_their_own(tmp_path: Path) -> None:
    document = docx.Document()
    words = document.add_paragraph("The valve is ").add_run("open")
    document.add_comment(runs=words, text="Since when?", author="Ann Lee", initials="AL")
    document.save(str(tmp_path / "c.docx"))
    parsed = parse(tmp_path / "c.docx")
    assert parsed.text.endswith("Comments\n\nComment by Ann Lee on “open”: Since when?")
    (part,) = parsed.parts
    assert part.kind is PartKind.COMMENTS
    assert parsed.text[part.start : part.end].startswith("Comments")


def test_numbers_of_headings_and_lists_are_written_out(tmp_path: Path) -> None:
    levels = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for n, (form, text) in enumerate([("decimal", "%1."), ("lowerLetter", "%1.%2)")])
    )
    numbering = (
        f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="4">{levels}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="4"/></w:num>'
        '<w:num w:numId="2"><w:abstractNumId w:val="4"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="5"/></w:lvlOverride></w:num></w:numbering>'
    )
    styles = (
        f'<w:styles xmlns:w="{W}"><w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr>'
        '<w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>'
    )

    def item(text: str, number: int, depth: int) -> str:
        numbered = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>'
        return f"<w:p><w:pPr>{numbered}</w:pPr>{run(text)}</w:p>"

    body = (
        paragraph(run("Scope"), style="H1")
        + item("inner", 1, 1)
        + item("next", 1, 1)
        + paragraph(run("Terms"), style="H1")
        + item("other list", 2, 0)
        + item("bare", 0, 0)
    )
    parts = {"word/numbering.xml": numbering, "word/styles.xml": styles}
    assert blocks(parse(make_raw(tmp_path / "l.docx", body, parts))) == [
        (BlockKind.HEADING, "1. Scope", 1),
        (BlockKind.LIST, "  1.a) inner", 0),
        (BlockKind.LIST, "  1.b) next", 0),
        (BlockKind.HEADING, "2. Terms", 1),
        (BlockKind.LIST, "5. other list", 0),
        (BlockKind.PARAGRAPH, "bare", 0),
    ]


def test_merged_cells_and_repeated_header_rows(tmp_path: Path) -> None:
    header = "<w:trPr><w:tblHeader/></w:trPr>" + cell("Area") + cell("Town") + cell("Sales")
    body = table(
        header,
        cell("North", '<w:vMerge w:val="restart"/>') + cell("Ulm") + cell("1"),
        cell("", "<w:vMerge/>") + cell("Bonn") + cell("2"),
        header,
        '<w:trPr><w:gridBefore w:val="1"/></w:trPr>' + cell("Kiel") + cell("3"),
        "<w:trPr><w:del/></w:trPr>" + cell("gone") + cell("gone") + cell("gone"),
    )
    document = parse(make_raw(tmp_path / "m.docx", body))
    assert document.text.split("\n") == [
        "Area | Town | Sales", "North | Ulm | 1", "North | Bonn | 2", " | Kiel | 3",
    ]  # fmt: skip
    assert document.coverage.tables == 1


def test_a_text_box_in_a_cell_is_read_once(tmp_path: Path) -> None:
    box = f"<w:r><w:txbxContent>{paragraph(run('boxed'))}</w:txbxContent></w:r>"
    body = table(f"<w:tc>{paragraph(run('one'), box)}</w:tc>" + cell("two"))
    assert parse(make_raw(tmp_path / "x.docx", body)).text == "one boxed | two"


def test_a_table_that_only_arranges_the_page_keeps_its_headings(tmp_path: Path) -> None:
    styles = (
        f'<w:styles xmlns:w="{W}"><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
        "</w:styles>"
    )
    left = f"<w:tc>{paragraph(run('Skills'), style='H1')}{paragraph(run('Welding'))}</w:tc>"
    path = make_raw(tmp_path / "v.docx", table(left + cell("2019")), {"word/styles.xml": styles})
    assert [text for _, text, _ in blocks(parse(path))] == ["Skills", "Welding", "2019"]


def test_boxes_to_tick_symbols_formulas_and_readings(tmp_path: Path) -> None:
    m = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    ticked = (
        "<w:r><w:fldChar><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar>"
    )
    empty = '<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>'
    base = f"<w:rt>{run('とう')}</w:rt><w:rubyBase>{run('東')}</w:rubyBase>"
    ruby = f"<w:r><w:ruby>{base}</w:ruby></w:r>"
    body = (
        f'<w:p xmlns:m="{m}">{ticked}</w:r>{run(" yes ")}{empty}{run(" no ")}'
        f"<m:oMath><m:r><m:t>E=mc</m:t></m:r></m:oMath>{run(' ')}{ruby}</w:p>"
    )
    assert parse(make_raw(tmp_path / "s.docx", body)).text == "☒ yes ☐ no E=mc 東"


def test_moved_text_is_read_where_it_went(tmp_path: Path) -> None:
    body = (
        f"<w:p><w:moveFrom>{run('moved')}</w:moveFrom>{run('stays')}</w:p>"
        f"<w:p><w:moveTo>{run('moved')}</w:moveTo></w:p>"
    )
    assert parse(make_raw(tmp_path / "m.docx", body)).text == "stays\n\nmoved"


def test_charts_become_tables(tmp_path: Path) -> None:
    c = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    points = "".join(f'<c:pt idx="{n}"><c:v>{v}</c:v></c:pt>' for n, v in enumerate(["Q1", "Q2"]))
    values = '<c:pt idx="0"><c:v>0.25</c:v></c:pt><c:pt idx="1"><c:v>0.5</c:v></c:pt>'
    chart = (
        f'<c:chartSpace xmlns:c="{c}"><c:chart><c:title><c:tx><c:v>Growth</c:v></c:tx></c:title>'
        f"<c:ser><c:tx><c:v>Sales</c:v></c:tx><c:cat>{points}</c:cat><c:val>"
        f"<c:formatCode>0%</c:formatCode>{values}</c:val></c:ser></c:chart></c:chartSpace>"
    )
    body = paragraph(run("See"), f'<w:r><c:chart xmlns:c="{c}" xmlns:r="{R}" r:id="r1"/></w:r>')
    parts = {"word/charts/chart1.xml": chart} | relations(("r1", "chart", "charts/chart1.xml"))
    document = parse(make_raw(tmp_path / "c.docx", body, parts))
    assert document.text == "See\n\nGrowth\n\nCategory | Sales\nQ1 | 25%\nQ2 | 50%"
    assert document.coverage.tables == 1


def test_bodies_in_other_formats_are_read(tmp_path: Path) -> None:
    def chunk(key: str) -> str:
        return f'<w:altChunk xmlns:r="{R}" r:id="{key}"/>'

    inner = make_raw(tmp_path / "inner.docx", paragraph(run("from Word"))).read_bytes()
    rels = relations(
        ("a", "aFChunk", "/word/a.html"),
        ("b", "aFChunk", "b.docx"),
        ("c", "aFChunk", "c.txt"),
        ("r", "aFChunk", "r.rtf"),
    )
    path = tmp_path / "o.docx"
    make_raw(
        path,
        paragraph(run("own")) + chunk("a") + chunk("b") + chunk("c") + chunk("r") + chunk("d"),
        rels,
    )
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("word/a.html", "<html><body><h2>Web</h2></body></html>")
        archive.writestr("word/b.docx", inner)
        archive.writestr("word/c.txt", "plain")
        archive.writestr("word/r.rtf", "{\\rtf1 rich}")
    document = parse(path)
    assert document.text == "own\n\nWeb\n\nfrom Word\n\nplain\n\nrich"
    assert "another format was not read" in document.notes[0]


def test_page_headers_come_once_and_only_with_words_of_their_own(tmp_path: Path) -> None:
    def edge(text: str) -> str:
        return f'<w:hdr xmlns:w="{W}">{paragraph(run(text))}</w:hdr>'

    parts = {
        "word/header1.xml": edge("Pump manual"),
        "word/header2.xml": edge("Confidential 3"),
        "word/footer1.xml": edge("Confidential 4"),
    } | relations(
        ("a", "header", "header1.xml"),
        ("b", "header", "header2.xml"),
        ("c", "footer", "footer1.xml"),
    )
    path = make_raw(tmp_path / "h.docx", paragraph(run("The pump manual.")), parts)
    assert parse(path).text == "The pump manual.\n\nConfidential 3"


def test_files_and_pictures_inside_are_told(tmp_path: Path) -> None:
    parts = {"word/embeddings/plan.xlsx": "x", "word/media/image1.png": "x"}
    document = parse(make_raw(tmp_path / "e.docx", paragraph(run("text")), parts))
    assert document.coverage.attachments == ("plan.xlsx",)
    assert any("plan.xlsx" in note for note in document.notes)
    assert any("One picture" in note for note in document.notes)


def test_titles_that_programs_make_up_are_no_titles(tmp_path: Path) -> None:
    path = make_docx(tmp_path / "t.docx", ["# Pumps"], title="Microsoft Word - Document1")
    assert parse(path).title == "Pumps"


def test_strict_documents_and_main_parts_of_other_names(tmp_path: Path) -> None:
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    kind = "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument"
    path = tmp_path / "s.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "_rels/.rels",
            f'<Relationships><Relationship Id="r" Type="{kind}" Target="/word/document2.xml"/>'
            "</Relationships>",
        )
        archive.writestr(
            "word/document2.xml",
            f'<w:document xmlns:w="{strict}"><w:body>{paragraph(run("strict"))}</w:body>'
            "</w:document>",
        )
    assert parse(path).text == "strict"


def test_tables_nested_without_end_are_left_out_and_told(tmp_path: Path) -> None:
    depth = 400
    body = "<w:tbl><w:tr><w:tc>" * depth + paragraph(run("deep")) + "</w:tc></w:tr></w:tbl>" * depth
    body = paragraph(run("top")) + body
    document = parse(make_raw(tmp_path / "n.docx", body))
    assert document.text == "top"
    assert "nested too deeply" in document.notes[0]
