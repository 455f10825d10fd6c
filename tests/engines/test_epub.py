"""EPUB: the spine's order, chapters and their names, metadata, locks, broken pages."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument, PartKind
from desktop_rag.domain.errors import Damaged, Encrypted, NoText
from desktop_rag.domain.parts import place_of
from desktop_rag.engines.epub import EpubParser
from tests.helpers.documents import make_epub

ALGORITHM = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"


def parse(path: Path) -> ParsedDocument:
    return EpubParser().parse(path)


def texts(document: ParsedDocument) -> list[str]:
    return [document.text[b.start : b.end] for b in document.blocks]


def chapters(document: ParsedDocument) -> list[tuple[int, str, str]]:
    assert all(part.kind is PartKind.CHAPTER for part in document.parts)
    return [(p.number, p.name, document.text[p.start : p.end]) for p in document.parts]


def encryption(algorithm: str, target: str) -> dict[str, str]:
    inside = (
        f'<EncryptedData><EncryptionMethod Algorithm="{algorithm}"/><CipherData>'
        f'<CipherReference URI="{target}"/></CipherData></EncryptedData>'
    )
    return {"META-INF/encryption.xml": f"<encryption>{inside}</encryption>"}


def test_chapters_follow_the_spine_and_are_named_by_the_contents(tmp_path: Path) -> None:
    path = make_epub(
        tmp_path / "a.epub",
        {
            "z first.xhtml": "<p>Opening words.</p>",
            "b.xhtml": "<h1>The Storm</h1><p>Rain.</p>",
            "c.xhtml": "<p>It goes on.</p>",
            "a.xhtml": "<h2>Unlisted</h2><p>End.</p>",
        },
        contents=[("z%20first.xhtml", "Preface"), ("b.xhtml#start", "Storm")],
    )
    document = parse(path)
    assert chapters(document) == [
        (1, "Preface", "Preface\n\nOpening words."),
        (2, "Storm", "The Storm\n\nRain.\n\nIt goes on."),
        (3, "Unlisted", "Unlisted\n\nEnd."),
    ]
    assert [b.level for b in document.blocks if b.kind is BlockKind.HEADING] == [1, 1, 2]
    rain = document.text.index("Rain")
    assert place_of(document.parts, document.text, rain, rain + 4) == "chapter 2 (Storm)"
    assert (document.title, document.author, document.created) == ("Book", "Ann, Bob", "2021-03-04")
    assert document.pages == ()


def test_several_chapters_on_one_page(tmp_path: Path) -> None:
    body = (
        "<h1>Poem</h1><h2>I</h2><p>one</p><h3>part</h3><h2>II</h2><p>two</p><h2>I</h2><p>note</p>"
    )
    path = make_epub(
        tmp_path / "a.epub", {"a.xhtml": body}, contents=[("a.xhtml#a", "I"), ("a.xhtml#b", "II")]
    )
    assert chapters(parse(path)) == [
        (1, "Poem", "Poem"), (0, "I", "I\n\none\n\npart"), (0, "II", "II\n\ntwo\n\nI\n\nnote"),
    ]  # fmt: skip


def test_landmarks_are_no_chapters(tmp_path: Path) -> None:
    def listed(kind: str, name: str) -> str:
        return f'<nav epub:type="{kind}"><ol><li><a href="a.xhtml">{name}</a></li></ol></nav>'

    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
        f"<body>{listed('landmarks', 'Begin here')}{listed('toc', 'One')}</body></html>"
    )
    pages = {"a.xhtml": "<p>text</p>"}
    document = parse(make_epub(tmp_path / "a.epub", pages, parts={"OPS/nav.xhtml": page}))
    assert [name for _, name, _ in chapters(document)] == ["One"]


def test_names_of_older_books(tmp_path: Path) -> None:
    package = (
        '<package><manifest><item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        '<item id="p" href="p.html" media-type="application/xhtml+xml"/></manifest>'
        '<spine toc="n"><itemref idref="p"/></spine></package>'
    )
    ncx = (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>One'
        '</text></navLabel><content src="p.html"/><navPoint><navLabel><text>Inner</text></navLabel>'
        '<content src="p.html#x"/></navPoint></navPoint></navMap></ncx>'
    )
    parts = {"OPS/book.opf": package, "OPS/toc.ncx": ncx, "OPS/p.html": "<p>text</p>"}
    document = parse(make_epub(tmp_path / "o.epub", {}, parts=parts))
    assert chapters(document) == [(1, "One", "One\n\ntext")]


def test_footnotes_are_read_and_empty_elements_end_where_they_stand(tmp_path: Path) -> None:
    body = (
        '<a id="x"/><p>Claim<script src="s"/></p><aside epub:type="footnote"><p>Proof</p></aside>'
    )
    assert texts(parse(make_epub(tmp_path / "f.epub", {"a.xhtml": body}))) == ["Claim", "Proof"]


def test_locked_books(tmp_path: Path) -> None:
    pages = {"a.xhtml": "<p>text</p>"}
    locked = make_epub(tmp_path / "l.epub", pages, parts=encryption(ALGORITHM, "OPS/a.xhtml"))
    with pytest.raises(Encrypted, match=r"l\.epub.*DRM"):
        parse(locked)
    scrambled = encryption("http://www.idpf.org/2008/embedding", "OPS/font.otf")
    assert parse(make_epub(tmp_path / "s.epub", pages, parts=scrambled)).text == "text"
    picture = encryption(ALGORITHM, "OPS/cover.jpg")
    assert parse(make_epub(tmp_path / "p.epub", pages, parts=picture)).text == "text"


def test_broken_pages_cost_only_themselves(tmp_path: Path) -> None:
    pages = {"a.xhtml": "<p>one</p>", "b.xhtml": "", "c.xhtml": "<img src='x'/>", "d.xhtml": "x"}
    path = make_epub(tmp_path / "b.epub", pages, parts={"OPS/b.xhtml": "\x01\x02\0" * 99})
    document = parse(path)
    assert texts(document) == ["one", "x"]
    assert document.notes == (
        "Not read, damaged or missing: b.xhtml.", "Pages without text, perhaps pictures: 1.",
    )  # fmt: skip


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(NoText, match=r"n\.epub"):
        parse(make_epub(tmp_path / "n.epub", {"a.xhtml": "<img src='x'/>"}))
    with pytest.raises(Damaged, match=r"d\.epub.*e-book"):
        parse(make_epub(tmp_path / "d.epub", {}, parts={"OPS/book.opf": "no xml"}))
    with zipfile.ZipFile(tmp_path / "z.epub", "w") as archive:
        archive.writestr("a", "b")
    with pytest.raises(Damaged, match=r"z\.epub"):
        parse(tmp_path / "z.epub")
