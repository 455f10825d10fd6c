"""Makes small documents by script, so that no test needs a file from outside.

The PDF writer is PyMuPDF itself: text goes in with plain fonts, one page a string.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
import pymupdf

A4 = (595.0, 842.0)
_WORDS = (
    "the turbine report shows that pressure in the northern valve rose during winter while "
    "engineers measured flow at every station and wrote down each value for later review"
)
_mupdf: Any = pymupdf
"""The library carries no annotations."""


def make_pdf(
    path: Path,
    pages: Sequence[str],
    *,
    labels: Sequence[dict[str, object]] = (),
    title: str = "",
    password: str = "",
    rotation: int = 0,
    font_size: float = 11,
) -> Path:
    """Write a PDF with one page a text. A line that begins with `# ` becomes a large heading.

    Args:
        labels: PyMuPDF's page label rules, e.g. `{"startpage": 0, "prefix": "", "style": "r"}`.
        password: user password; empty leaves the file open.
        rotation: /Rotate of every page, in degrees.
    """
    document = _mupdf.open()
    for text in pages:
        page = document.new_page(width=A4[0], height=A4[1])
        _write_lines(page, text, font_size)
        page.set_rotation(rotation)
    if labels:
        document.set_page_labels(list(labels))
    document.set_metadata({"title": title, "creationDate": "D:20240131120000Z"})
    if password:
        document.save(
            path,
            encryption=_mupdf.PDF_ENCRYPT_AES_256,
            user_pw=password,
            owner_pw=f"{password}-owner",
        )
    else:
        document.save(path)
    document.close()
    return path


def _write_lines(page: Any, text: str, font_size: float) -> None:
    y = 90.0
    for line in text.splitlines():
        is_heading = line.startswith("# ")
        size = font_size * 1.6 if is_heading else font_size
        font = "hebo" if is_heading else "helv"
        if line.strip():
            page.insert_text((72, y), line.removeprefix("# "), fontsize=size, fontname=font)
        y += size * (1.7 if is_heading else 1.3)


def make_placed_pdf(
    path: Path, pages: Sequence[Sequence[tuple[float, float, str]]], *, rotation: int = 0
) -> Path:
    """Write a PDF with every text at its own place: `(x, y of the baseline, text)` in points.

    A text that begins with `# ` is large and bold, one with `* ` bold, one with `^ ` half size.
    """
    document = _mupdf.open()
    for texts in pages:
        page = document.new_page(width=A4[0], height=A4[1])
        for x, y, text in texts:
            font = "hebo" if text[:2] in ("# ", "* ") else "helv"
            size = {"# ": 17.0, "^ ": 5.0}.get(text[:2], 10.0)
            words = text[2:] if text[:2] in ("# ", "* ", "^ ") else text
            page.insert_text((x, y), words, fontsize=size, fontname=font)
        page.set_rotation(rotation)
    document.save(path)
    document.close()
    return path


def make_scan(path: Path, pages: int = 1) -> Path:
    """Write a PDF whose pages are pictures of text: nothing to extract without OCR."""
    source = _mupdf.open()
    page = source.new_page()
    page.insert_text((72, 100), "This text is only a picture.", fontsize=20)
    picture = page.get_pixmap(dpi=72).tobytes("png")
    source.close()
    document = _mupdf.open()
    for _ in range(pages):
        scan = document.new_page()
        scan.insert_image(scan.rect, stream=picture)
    document.save(path)
    document.close()
    return path


def make_docx(
    path: Path,
    blocks: Sequence[str | Sequence[Sequence[str]]],
    *,
    title: str = "",
) -> Path:
    """Write a DOCX. `# `/`## ` lines become headings, `- ` bullets, a list of rows a table."""
    document = docx.Document()
    document.core_properties.title = title
    for block in blocks:
        if isinstance(block, str):
            _add_paragraph(document, block)
        else:
            table = document.add_table(rows=0, cols=max(len(row) for row in block))
            for row in block:
                for cell, text in zip(table.add_row().cells, row, strict=False):
                    cell.text = text
    document.save(str(path))
    return path


def _add_paragraph(document: Any, text: str) -> None:
    if text.startswith("#"):
        level = len(text) - len(text.lstrip("#"))
        document.add_heading(text.lstrip("# "), level=level)
    elif text.startswith("- "):
        document.add_paragraph(text.removeprefix("- "), style="List Bullet")
    else:
        document.add_paragraph(text)


def make_text(path: Path, text: str, *, encoding: str = "utf-8") -> Path:
    """Write text as is (Markdown, HTML, plain text) in the encoding named."""
    path.write_bytes(text.encode(encoding))
    return path


def filler(words: int, *, seed: int = 1) -> str:
    """Deterministic prose of about `words` words in sentences of 8 to 15 words."""
    vocabulary = _WORDS.split()
    state, parts, length = seed * 7919 + 1, [], 0
    sentence: list[str] = []
    for _ in range(words):
        state = (state * 1103515245 + 12345) % 2**31
        sentence.append(vocabulary[(state >> 8) % len(vocabulary)])
        length += 1
        if length >= 8 + (state >> 16) % 8:
            parts.append(" ".join(sentence).capitalize() + ".")
            sentence, length = [], 0
    if sentence:
        parts.append(" ".join(sentence).capitalize() + ".")
    return " ".join(parts)


def make_pptx(path: Path, slides: Sequence[Sequence[str]], *, title: str = "") -> Path:
    """Write a PPTX. A slide is its title, then its lines; a line `notes: …` becomes its notes."""
    deck = pptx.Presentation()
    deck.core_properties.title = title
    for lines in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        body = [line for line in lines[1:] if not line.startswith("notes: ")]
        slide.shapes.title.text = lines[0]
        slide.placeholders[1].text = "\n".join(body)
        for line in lines:
            if line.startswith("notes: "):
                slide.notes_slide.notes_text_frame.text = line.removeprefix("notes: ")
    deck.save(str(path))
    return path


def make_xlsx(path: Path, sheets: Mapping[str, Sequence[Sequence[Any]]], title: str = "") -> Path:
    """Write a workbook; every sheet is rows of values, `None` leaves a cell empty."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    book.properties.title = title
    book.save(path)
    return path


_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
_ODF_NAMES = {
    "office": "office:1.0", "style": "style:1.0", "text": "text:1.0", "table": "table:1.0",
    "draw": "drawing:1.0", "presentation": "presentation:1.0", "svg": "svg-compatible:1.0",
    "fo": "xsl-fo-compatible:1.0",
    "chart": "chart:1.0", "meta": "meta:1.0", "manifest": "manifest:1.0",
}  # fmt: skip


def odf_xml(root: str, inside: str) -> str:
    """XML with the namespaces of OpenDocument, e.g. `odf_xml("office:document-content", …)`."""
    spaces = "".join(f' xmlns:{prefix}="{_ODF}{name}"' for prefix, name in _ODF_NAMES.items())
    others = (
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'
    )
    return f"<{root}{spaces} {others}>{inside}</{root}>"


def make_opendocument(
    path: Path, kind: str, body: str, *, styles: str = "", parts: dict[str, str] | None = None
) -> Path:
    """Write an ODT (`kind` "text") or ODP ("presentation") from bare OpenDocument XML.

    Args:
        styles: automatic styles.
        parts: further entries of the archive.
    """
    content = (
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr("content.xml", odf_xml("office:document-content", content))
        for name, text in (parts or {}).items():
            archive.writestr(name, text)
    return path


def make_epub(
    path: Path,
    pages: Mapping[str, str],
    *,
    contents: Sequence[tuple[str, str]] = (),
    parts: Mapping[str, str] | None = None,
) -> Path:
    """Write an EPUB: pages (name to body) in order, and `(link, chapter name)` of its contents.

    Args:
        parts: further entries of the archive; they replace those of the same name.
    """
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>'
        for n, name in enumerate(pages)
    )
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(pages)))
    links = "".join(f'<li><a href="{link}">{name}</a></li>' for link, name in contents)
    xhtml = 'xmlns="http://www.w3.org/1999/xhtml"'
    entries = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfile full-path="OPS/book.opf"/></container>',
        "OPS/book.opf": '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>Book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator>"
        "<dc:date>2021-03-04T05:06:07Z</dc:date></metadata><manifest>"
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        f'{items}</manifest><spine><itemref idref="nav"/>{spine}</spine></package>',
        "OPS/nav.xhtml": f"<html {xhtml}><body><nav><ol>{links}</ol></nav></body></html>",
        **{f"OPS/{name}": f"<html {xhtml}><body>{b}</body></html>" for name, b in pages.items()},
        **(parts or {}),
    }  # fmt: skip
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in entries.items():
            archive.writestr(name, text)
    return path
