"""ODT and ODP: structure, what is shown and what is hidden, slides, bad files."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument, PartKind
from desktop_rag.domain.errors import Damaged, Encrypted, NoText
from desktop_rag.domain.parts import place_of
from desktop_rag.engines.opendocument import OdpParser, OdtParser
from tests.helpers.documents import make_opendocument, odf_xml


def texts(document: ParsedDocument) -> list[str]:
    return [document.text[b.start : b.end] for b in document.blocks]


def blocks(document: ParsedDocument) -> list[tuple[BlockKind, str, int]]:
    return [(b.kind, document.text[b.start : b.end], b.level) for b in document.blocks]


def parse(
    tmp_path: Path, body: str, styles: str = "", parts: dict[str, str] | None = None
) -> ParsedDocument:
    path = make_opendocument(tmp_path / "a.odt", "text", body, styles=styles, parts=parts)
    return OdtParser().parse(path)


def present(tmp_path: Path, slides: str, styles: str = "") -> ParsedDocument:
    path = make_opendocument(tmp_path / "a.odp", "presentation", slides, styles=styles)
    return OdpParser().parse(path)


def p(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}>{p(text) if text else ''}</table:table-cell>"


def row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def test_headings_lists_and_spaces(tmp_path: Path) -> None:
    numbered = (
        '<text:list-style style:name="L1"><text:list-level-style-number text:level="1"'
        ' style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2"'
        ' style:num-format="a" style:num-suffix=")" text:start-value="3"/></text:list-style>'
    )
    body = (
        '<text:h text:outline-level="2">Care</text:h>'
        + p("one<text:s text:c='3'/>two<text:tab/>three<text:line-break/>")[:-9]
        + "next<text:span> in</text:span></text:p>"
        + f'<text:list text:style-name="L1"><text:list-item>{p("first")}<text:list><text:list-item>'
        f"{p('inner')}</text:list-item></text:list></text:list-item><text:list-item>{p('second')}"
        f"{p('goes on')}</text:list-item></text:list><text:list><text:list-item>{p('dot')}"
        "</text:list-item></text:list>"
    )  # fmt: skip
    assert blocks(parse(tmp_path, body, numbered)) == [
        (BlockKind.HEADING, "Care", 2),
        (BlockKind.PARAGRAPH, "one two three\nnext in", 0),
        (BlockKind.LIST, "1. first", 0),
        (BlockKind.LIST, "  c) inner", 0),
        (BlockKind.LIST, "2. second", 0),
        (BlockKind.LIST, "  goes on", 0),
        (BlockKind.LIST, "- dot", 0),
    ]


def test_tables_with_merged_and_repeated_cells(tmp_path: Path) -> None:
    rows = (
        f"<table:table-header-rows>{row(cell('Area'), cell('Town'), cell('Sum'))}"
        "</table:table-header-rows>"
        + row(cell("North", 'table:number-rows-spanned="2"'), cell("Ulm"), cell("1"))
        + row("<table:covered-table-cell/>", cell("Bonn"), cell("2"))
        + row(cell("wide", 'table:number-columns-spanned="2"'), "<table:covered-table-cell/>",
              cell("3"))
        + row(cell("x", 'table:number-columns-repeated="3"'))
        + '<table:table-row table:number-rows-repeated="1048576">'
        + cell("", 'table:number-columns-repeated="16384"') + "</table:table-row>"
    )  # fmt: skip
    document = parse(tmp_path, f"<table:table>{rows}</table:table>")
    assert document.text.split("\n") == [
        "Area | Town | Sum", "North | Ulm | 1", "North | Bonn | 2", "wide | 3", "x | x | x",
    ]  # fmt: skip
    assert document.coverage.tables == 1


def test_repetitions_without_end_are_bounded(tmp_path: Path) -> None:
    rows = (
        '<table:table-row table:number-rows-repeated="999999999">'
        + cell("a", 'table:number-columns-repeated="999999999"')
        + "</table:table-row>"
    )
    document = parse(tmp_path, f"<table:table>{rows}{row(cell('b'), cell('c'))}</table:table>")
    assert len(document.text) < 100_000
    assert document.text.endswith("b | c")


def test_notes_comments_boxes_and_descriptions(tmp_path: Path) -> None:
    body = (
        "<text:p>Claim<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        f"{p('Proof.')}</text:note-body></text:note> goes on<office:annotation><dc:creator>Ann"
        f"</dc:creator><dc:date>2024-01-01</dc:date>{p('Really?')}</office:annotation>"
        f"<draw:frame><draw:text-box>{p('boxed')}</draw:text-box></draw:frame><draw:frame>"
        "<draw:image/><svg:desc>A pump in its housing</svg:desc></draw:frame></text:p>"
    )
    document = parse(tmp_path, body)
    assert texts(document) == [
        "Claim[1] goes on", "[1] Proof.", "boxed", "Picture: A pump in its housing", "Comments",
        "Comment by Ann: Really?",
    ]  # fmt: skip
    assert [part.kind for part in document.parts] == [PartKind.COMMENTS]
    assert "One picture" in document.notes[0]


def test_what_was_deleted_or_hidden_is_left_out(tmp_path: Path) -> None:
    styles = (
        '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>'
    )
    body = (
        f"<text:tracked-changes><text:changed-region><text:deletion>{p('deleted')}</text:deletion>"
        "</text:changed-region></text:tracked-changes>"
        + p("shown<text:span text:style-name='H'> secret</text:span><text:change/> end")
        + '<text:p text:style-name="H">hidden</text:p>'
        + f'<text:section text:display="none">{p("off")}</text:section>'
        + f"<text:section>{p('section')}</text:section>"
        + f"<text:table-of-content>{p('contents 7')}</text:table-of-content>"
        + p(
            "<text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>とう</text:ruby-text></text:ruby>"
        )
    )
    assert texts(parse(tmp_path, body, styles)) == ["shown end", "section", "東"]


def test_charts_formulas_and_other_objects(tmp_path: Path) -> None:
    frame = '<draw:frame><draw:object xlink:href="./Object {}"/><draw:image/></draw:frame>'
    rows = row(cell(""), cell("Pumps")) + row(cell("2022"), cell("5"))
    chart = (
        f"<office:body><office:chart><chart:chart><chart:title>{p('Sales')}</chart:title>"
        f"<table:table>{rows}</table:table></chart:chart></office:chart></office:body>"
    )
    sheet = "<office:body><office:spreadsheet/></office:body>"
    parts = {
        "Object 1/content.xml": odf_xml("office:document-content", chart),
        "Object 2/content.xml": odf_xml("office:document-content", sheet),
        "Object 3/content.xml": '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mi>E</mi>'
        "<annotation>E = mc^2</annotation></semantics></math>",
    }  # fmt: skip
    body = "".join(f"<text:p>{frame.format(n)}</text:p>" for n in (1, 2, 3, 4))
    document = parse(tmp_path, body, parts=parts)
    assert texts(document) == ["Sales", "Category | Pumps\n2022 | 5", "E = mc^2"]
    assert document.coverage.attachments == ("Object 2",)
    assert "Object 2" in document.notes[-1]


def test_metadata_and_page_headers(tmp_path: Path) -> None:
    meta = (
        "<office:meta><dc:title>Manual</dc:title><meta:initial-creator>Ann</meta:initial-creator>"
        "<meta:creation-date>2021-03-04T05:06:07</meta:creation-date></office:meta>"
    )
    header = (
        f"<style:header>{p('Text secret')}</style:header><style:footer>{p('Text')}</style:footer>"
    )
    parts = {
        "meta.xml": odf_xml("office:document-meta", meta),
        "styles.xml": odf_xml("office:document-styles", header),
    }  # fmt: skip
    document = parse(tmp_path, p("text"), parts=parts)
    assert (document.title, document.author, document.created) == ("Manual", "Ann", "2021-03-04")
    assert texts(document) == ["text", "Text secret"]


def slide(shapes: str, attributes: str = "") -> str:
    return f"<draw:page {attributes}>{shapes}</draw:page>"


def box(text: str, x: str, y: str, kind: str = "") -> str:
    role = f'presentation:class="{kind}"' if kind else ""
    return (
        f'<draw:frame svg:x="{x}" svg:y="{y}" svg:width="2cm" svg:height="1cm" {role}>'
        f"<draw:text-box>{text}</draw:text-box></draw:frame>"
    )


def test_slides(tmp_path: Path) -> None:
    styles = (
        '<style:style style:name="off"><style:drawing-page-properties'
        ' presentation:visibility="hidden"/></style:style>'
    )
    notes = (
        f"<presentation:notes>{box(p('Say hello.'), '1cm', '9cm', 'notes')}</presentation:notes>"
    )
    first = slide(
        box(p("right"), "5cm", "3cm")
        + box(p("left"), "10mm", "31mm")
        + f"<draw:g>{box(p('grouped'), '1cm', '2in')}</draw:g>"
        + box(p("Pumps"), "1cm", "12cm", "title")
        + box(p("7"), "1cm", "1cm", "page-number")
        + f"<office:annotation><dc:creator>Ann</dc:creator>{p('Good.')}</office:annotation>"
        + notes
    )
    hidden = slide(box(p("Two.") + p("Paragraphs."), "1cm", "1cm"), 'draw:style-name="off"')
    document = present(tmp_path, first + slide("") + hidden, styles)
    assert texts(document) == [
        "Pumps", "left", "right", "grouped", "Say hello.", "Comment by Ann: Good.",
        "Slide 3", "Two.", "Paragraphs.",
    ]  # fmt: skip
    said = document.text.index("Say hello.")
    assert place_of(document.parts, document.text, said, said + 3) == "slide 1, notes"
    assert [(x.kind, x.number) for x in document.parts] == [
        (PartKind.SLIDE, 1), (PartKind.NOTES, 0), (PartKind.COMMENTS, 0), (PartKind.SLIDE, 3),
    ]  # fmt: skip
    assert (document.coverage.pages, document.coverage.read) == (3, 2)
    assert document.coverage.blank == (2,)
    assert "slides 3" in document.notes[0]
    assert document.title == "Pumps"


def test_flat_files(tmp_path: Path) -> None:
    text = f"<office:body><office:text>{p('flat')}</office:text></office:body>"
    (tmp_path / "a.fodt").write_text(odf_xml("office:document", text))
    assert OdtParser().parse(tmp_path / "a.fodt").text == "flat"
    page = slide(box(p("Flat too"), "1cm", "1cm"))
    show = f"<office:body><office:presentation>{page}</office:presentation></office:body>"
    (tmp_path / "a.fodp").write_text(odf_xml("office:document", show))
    assert OdpParser().parse(tmp_path / "a.fodp").text == "Flat too"


def test_bad_files(tmp_path: Path) -> None:
    entry = "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
    parts = {"META-INF/manifest.xml": odf_xml("manifest:manifest", entry)}
    with pytest.raises(Encrypted, match=r"a\.odt.*password"):
        parse(tmp_path, p("x"), parts=parts)
    with pytest.raises(NoText, match=r"a\.odt"):
        parse(tmp_path, "")
    for content in (b"no xml", b"<a/>", b"PK no archive"):
        (tmp_path / "b.odt").write_bytes(content)
        with pytest.raises(Damaged, match=r"b\.odt.*OpenDocument text"):
            OdtParser().parse(tmp_path / "b.odt")
