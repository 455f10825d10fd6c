"""PPTX: slides in order, what stands on them in reading order, notes, comments, broken files."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pptx
import pymupdf
import pytest
from pptx.chart import data as chart_data
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from desktop_rag.domain.documents import BlockKind, ParsedDocument, PartKind
from desktop_rag.domain.errors import Damaged, NoText
from desktop_rag.domain.parts import place_of
from desktop_rag.engines import slides_shapes
from desktop_rag.engines.slides_pptx import PptxParser
from tests.helpers.documents import make_pptx

BLANK = 6
TITLE_ONLY = 5


def parse(path: Path) -> ParsedDocument:
    return PptxParser().parse(path)


def texts(document: ParsedDocument) -> list[str]:
    return [document.text[b.start : b.end] for b in document.blocks]


def blocks(document: ParsedDocument) -> list[tuple[BlockKind, str, int]]:
    return [(b.kind, document.text[b.start : b.end], b.level) for b in document.blocks]


def saved(path: Path, build: Callable[[Any], None]) -> Path:
    deck = pptx.Presentation()
    build(deck)
    deck.save(str(path))
    return path


def box(shapes: Any, text: str, x: float, y: float, width: float = 2, height: float = 1) -> Any:
    shape = shapes.add_textbox(Inches(x), Inches(y), Inches(width), Inches(height))
    shape.text_frame.text = text
    return shape


def rewritten(path: Path, change: dict[str, Callable[[bytes], bytes | None]]) -> Path:
    """Change or drop (`None`) entries of an archive; new names are added."""
    with zipfile.ZipFile(path) as old:
        entries = {name: old.read(name) for name in old.namelist()}
    for name, edit in change.items():
        data = edit(entries.get(name, b""))
        entries.pop(name, None)
        if data is not None:
            entries[name] = data
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in entries.items():
            new.writestr(name, data)
    return path


def png() -> bytes:
    mupdf: Any = pymupdf
    data: bytes = mupdf.Pixmap(mupdf.csRGB, mupdf.IRect(0, 0, 9, 9), 0).tobytes("png")
    return data


def test_slides_are_parts_with_their_notes(tmp_path: Path) -> None:
    path = make_pptx(
        tmp_path / "a.pptx",
        [["Pumps", "Flow", "Head", "notes: Say hello."], ["Valves", "Only one line."]],
        title="Hydraulics",
    )
    document = parse(path)
    assert blocks(document) == [
        (BlockKind.HEADING, "Pumps", 2),
        (BlockKind.LIST, "- Flow", 0),
        (BlockKind.LIST, "- Head", 0),
        (BlockKind.PARAGRAPH, "Say hello.", 0),
        (BlockKind.HEADING, "Valves", 2),
        (BlockKind.PARAGRAPH, "Only one line.", 0),
    ]
    assert [(p.kind, p.number) for p in document.parts] == [
        (PartKind.SLIDE, 1), (PartKind.NOTES, 0), (PartKind.SLIDE, 2),
    ]  # fmt: skip
    said = document.text.index("Say hello.")
    assert place_of(document.parts, document.text, said, said + 5) == "slide 1, notes"
    assert document.title == "Hydraulics"
    assert document.pages == ()
    assert (document.coverage.pages, document.coverage.read) == (2, 2)


def test_shapes_are_read_from_top_to_bottom_and_left_to_right(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        shapes = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY]).shapes
        box(shapes, "bottom", 1, 6)
        box(shapes, "right", 5, 2.1)
        box(shapes, "left", 1, 2.2)
        group = shapes.add_group_shape()
        box(group.shapes, "second in group", 1, 4.5)
        box(group.shapes, "first in group", 1, 4)
        inner = group.shapes.add_group_shape()
        box(inner.shapes, "deep", 3, 4.6)
        shapes.title.text = "Title"

    document = parse(saved(tmp_path / "o.pptx", build))
    assert texts(document) == [
        "Title", "left", "right", "first in group", "second in group", "deep", "bottom",
    ]  # fmt: skip


def test_a_slide_without_title_is_named_by_its_first_line_or_number(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        first = deck.slides.add_slide(deck.slide_layouts[BLANK]).shapes
        box(first, "Plain box as title", 1, 0.2)
        box(first, "words", 1, 3)
        second = deck.slides.add_slide(deck.slide_layouts[BLANK]).shapes
        box(second, "One paragraph.\nAnother one.", 1, 1)
        deck.slides.add_slide(deck.slide_layouts[BLANK])

    document = parse(saved(tmp_path / "t.pptx", build))
    assert texts(document) == [
        "Plain box as title", "words", "Slide 2", "One paragraph.", "Another one.",
    ]  # fmt: skip
    assert document.coverage.blank == (3,)


def test_tables_and_charts(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        shapes = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY]).shapes
        shapes.title.text = "Sales"
        table = shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(1)).table
        for row, line in enumerate([["Area", "Town", "Sum"], ["North", "Ulm", "1"], ["", "", "2"]]):
            for column, text in enumerate(line):
                table.cell(row, column).text = text
        table.cell(1, 0).merge(table.cell(2, 0))
        data = cast("Any", chart_data).CategoryChartData()
        data.categories = ["2022", "2023"]
        data.add_series("Pumps", (1.5, 0.30000000000000004))
        place = (Inches(1), Inches(4), Inches(4), Inches(2))
        chart = shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data).chart
        chart.has_title = True
        chart.chart_title.text_frame.text = "By year"

    document = parse(saved(tmp_path / "t.pptx", build))
    assert texts(document) == [
        "Sales",
        "Area | Town | Sum\nNorth | Ulm | 1\nNorth |  | 2",
        "By year",
        "Category | Pumps\n2022 | 1.5\n2023 | 0.3",
    ]
    assert document.coverage.tables == 2
    assert document.coverage.attachments == ()  # the chart's workbook is no file of the person's


def test_comments_of_older_and_newer_programs(tmp_path: Path) -> None:
    p = "http://schemas.openxmlformats.org/presentationml/2006/main"
    new = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    body = f'<p188:txBody xmlns:a="{a}"><a:p><a:r><a:t>{{}}</a:t></a:r></a:p></p188:txBody>'
    kinds = (
        ("http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments", "c1"),
        ("http://schemas.microsoft.com/office/2018/10/relationships/comments", "c2"),
    )
    links = "".join(
        f'<Relationship Id="{name}" Type="{kind}" Target="../comments/{name}.xml"/>'
        for kind, name in kinds
    ).encode()
    files = {
        "ppt/commentAuthors.xml": f'<l xmlns="{p}"><cmAuthor id="1" name="Ann"/></l>',
        "ppt/authors.xml": f'<l xmlns="{new}"><author id="{{G}}" name="Bob"/></l>',
        "ppt/comments/c1.xml": f'<l xmlns="{p}"><cm authorId="1"><text>Old.</text></cm></l>',
        "ppt/comments/c2.xml": f'<p188:l xmlns:p188="{new}"><p188:cm authorId="{{G}}">'
        f'<p188:replyLst><p188:reply authorId="1">{body.format("Reply.")}</p188:reply>'
        f"</p188:replyLst>{body.format('New.')}</p188:cm></p188:l>",
    }  # fmt: skip
    path = make_pptx(tmp_path / "c.pptx", [["Title", "line"]])
    added = {name: (lambda _, text=text: text.encode()) for name, text in files.items()}
    rels = "ppt/slides/_rels/slide1.xml.rels"
    rewritten(
        path,
        {**added, rels: lambda old: old.replace(b"</Relationships>", links + b"</Relationships>")},
    )
    document = parse(path)
    assert texts(document)[2:] == [
        "Comment by Ann: Old.", "Comment by Bob: New.", "Comment by Ann: Reply.",
    ]  # fmt: skip
    assert [p.kind for p in document.parts] == [PartKind.SLIDE, PartKind.COMMENTS]


def test_diagrams_are_lists(tmp_path: Path) -> None:
    dgm = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    r = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    p = "http://schemas.openxmlformats.org/presentationml/2006/main"
    frame = (
        f'<p:graphicFrame xmlns:p="{p}"><p:nvGraphicFramePr><p:cNvPr id="9" name="d"/>'
        f'</p:nvGraphicFramePr><a:graphic xmlns:a="{a}"><a:graphicData>'
        f'<dgm:relIds xmlns:dgm="{dgm}" xmlns:r="{r}" r:dm="d1"/></a:graphicData>'
        "</a:graphic></p:graphicFrame></p:spTree>"
    ).encode()
    points = "".join(
        f'<dgm:pt><dgm:t><a:p xmlns:a="{a}"><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for text in ("Plan", "", "Do")
    )
    link = (
        f'<Relationship Id="d1" Type="{r}/diagramData" Target="../diagrams/data1.xml"/>'
    ).encode()
    path = make_pptx(tmp_path / "d.pptx", [["Cycle", "line"]])
    rewritten(
        path,
        {
            "ppt/diagrams/data1.xml": lambda _: (
                f'<dgm:dataModel xmlns:dgm="{dgm}"><dgm:ptLst>{points}</dgm:ptLst></dgm:dataModel>'
            ).encode(),
            "ppt/slides/slide1.xml": lambda old: old.replace(b"</p:spTree>", frame),
            "ppt/slides/_rels/slide1.xml.rels": lambda old: old.replace(
                b"</Relationships>", link + b"</Relationships>"
            ),
        },
    )
    assert texts(parse(path)) == ["Cycle", "line", "- Plan", "- Do"]


def test_hidden_slides_are_read_and_told(tmp_path: Path) -> None:
    path = make_pptx(tmp_path / "h.pptx", [["Shown", "a"], ["Hidden", "b"]])
    rewritten(
        path, {"ppt/slides/slide2.xml": lambda old: old.replace(b"<p:sld ", b'<p:sld show="0" ')}
    )
    document = parse(path)
    assert "Hidden" in document.text
    assert document.notes == ("Hidden in the presentation, but read: slide 2.",)


def test_pictures_are_told_and_described_in_words_only(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        shapes = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY]).shapes
        shapes.title.text = "Seen"
        data = png()
        for number, words in enumerate(["A pump in its housing", "photo 1.png", "logo", ""]):
            picture = shapes.add_picture(io.BytesIO(data), Inches(1), Inches(2 + number))
            picture._element.nvPicPr.cNvPr.set("descr", words)

    document = parse(saved(tmp_path / "p.pptx", build))
    assert texts(document) == ["Seen", "Picture: A pump in its housing"]
    assert document.notes == ("One picture is in this file; text inside pictures is not read.",)


def test_footers_come_once_and_numbers_never(tmp_path: Path) -> None:
    path = make_pptx(tmp_path / "f.pptx", [["One", "a"], ["Two", "b"]])
    footer = (
        '<p:sp><p:nvSpPr><p:cNvPr id="8" name="f"/><p:cNvSpPr/><p:nvPr><p:ph type="{}"/></p:nvPr>'
        "</p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:txBody>"
        "</p:sp></p:spTree>"
    )

    def furnished(old: bytes) -> bytes:
        with_footer = old.replace(b"</p:spTree>", footer.format("ftr", "Secret").encode())
        return with_footer.replace(b"</p:spTree>", footer.format("sldNum", "7").encode())

    rewritten(path, {f"ppt/slides/slide{n}.xml": furnished for n in (1, 2)})
    assert texts(parse(path)) == ["One", "a", "Secret", "Two", "b"]


def test_broken_parts_do_not_break_the_file(tmp_path: Path) -> None:
    path = make_pptx(tmp_path / "b.pptx", [["One", "a"], ["Two", "b"], ["Three", "c"]])
    rewritten(
        path,
        {
            "ppt/slides/slide2.xml": lambda _: b"not xml",
            "ppt/slides/slide3.xml": lambda old: old[: old.rindex(b"</p:txBody>")],
            "ppt/slideLayouts/slideLayout2.xml": lambda _: None,
            "[Content_Types].xml": lambda _: None,
        },
    )
    document = parse(path)
    assert texts(document) == ["One", "a", "Three", "c"]
    assert [number for number, _ in document.coverage.skipped] == [2]
    assert document.notes == (
        "Part of this file is damaged or nested too deeply; the rest of it was read.",
        "Not read, damaged or missing: slide 2.",
    )


def test_slides_are_found_without_their_list(tmp_path: Path) -> None:
    path = make_pptx(tmp_path / "l.pptx", [[f"S{n}", "x"] for n in range(1, 12)])
    rewritten(path, {"ppt/presentation.xml": lambda _: None})
    titles = [text for kind, text, _ in blocks(parse(path)) if kind is BlockKind.HEADING]
    assert titles == [f"S{n}" for n in range(1, 12)]


def test_nothing_to_read(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        deck.slides.add_slide(deck.slide_layouts[BLANK])

    with pytest.raises(NoText, match=r"none\.pptx.*blank"):
        parse(saved(tmp_path / "none.pptx", build))
    path = saved(tmp_path / "empty.pptx", lambda deck: None)
    with pytest.raises(NoText, match=r"empty\.pptx.*no slides"):
        parse(path)
    with pytest.raises(Damaged, match=r"empty\.pptx"):
        parse(rewritten(path, {"ppt/presentation.xml": lambda _: b"broken"}))
    whole = make_pptx(tmp_path / "w.pptx", [["One", "a"]]).read_bytes()
    (tmp_path / "cut.pptx").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Damaged, match=r"cut\.pptx"):
        parse(tmp_path / "cut.pptx")


def test_shapes_without_end_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slides_shapes, "MAX_SHAPES", 500)
    path = make_pptx(tmp_path / "m.pptx", [["Many", "line"]])
    shape = b"<p:sp><p:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></p:txBody></p:sp>"
    rewritten(
        path,
        {
            "ppt/slides/slide1.xml": lambda old: re.sub(
                b"</p:spTree>", shape * 2_000 + b"</p:spTree>", old
            )
        },
    )
    document = parse(path)
    assert document.text.count("x") == 500 - 2  # the title and the body are shapes as well
    assert "slide 1" in document.notes[-1]
