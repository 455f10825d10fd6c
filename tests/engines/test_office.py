"""DOCX: order, structure, what is shown and what is hidden, and bad files."""

from __future__ import annotations

import zipfile
from pathlib import Path

import docx
import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import Damaged, NoText, TooLarge
from desktop_rag.engines import office
from desktop_rag.engines.office import DocxParser
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
    assert parse(path).text == "Claim[2]\n\n[2] Proof."


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
    monkeypatch.setattr(office, "MAX_PART_BYTES", 100_000)
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
