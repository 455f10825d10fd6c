"""Documents of many formats that ask whoever opens them to fetch something."""

from __future__ import annotations

import email.message
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
import pymupdf

from tests.helpers.documents import make_opendocument

mupdf: Any = pymupdf
WORDS = "The rent of the flat in {name} is 900 euros a month and is due on the third."


def write_all(folder: Path, address: str, secret: Path) -> list[Path]:
    """One file of each format that points at `address` (http) and at the file `secret`."""
    made = []
    for name, write in _WRITERS.items():
        path = folder / f"lease.{name}"
        write(path, WORDS.format(name=f"{name.title()} Street"), address, secret)
        made.append(path)
    return made


def _html(path: Path, words: str, address: str, secret: Path) -> None:
    path.write_text(
        f'<html><head><base href="{address}/"><meta http-equiv="refresh" content="0;url={address}">'
        f'<link rel="stylesheet" href="{address}/a.css"><script src="{address}/a.js"></script>'
        f'</head><body background="{address}/b.png"><p>{words}</p><img src="{address}/a.png">'
        f'<img src="file://{secret}"><iframe src="{address}"></iframe><object data="{address}/o">'
        f'</object><embed src="{address}/e"><video poster="{address}/v.png"></video>'
        f'<p style="background:url({address}/c.png)">End.</p></body></html>'
    )


def _svg(path: Path, words: str, address: str, secret: Path) -> None:
    path.write_text(
        f'<?xml version="1.0"?><?xml-stylesheet href="{address}/a.css"?>'
        f'<!DOCTYPE svg SYSTEM "{address}/a.dtd" [<!ENTITY secret SYSTEM "file://{secret}">'
        f'<!ENTITY % more SYSTEM "{address}/more.dtd"> %more;]>'
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f'<image xlink:href="{address}/a.png"/><use href="{address}/b.svg#x"/>'
        f"<text>{words} &secret;</text></svg>"
    )


def _xml(path: Path, words: str, address: str, secret: Path) -> None:
    path.write_text(
        f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a SYSTEM "{address}/a.xml">'
        f'<!ENTITY b SYSTEM "file://{secret}">]><r xmlns:xi="http://www.w3.org/2001/XInclude">'
        f'<p>{words} &a; &b;</p><xi:include href="{address}/b.xml"/></r>'
    )


def _md(path: Path, words: str, address: str, secret: Path) -> None:
    path.write_text(
        f"# Lease\n\n{words} ![plan]({address}/a.png) [more]({address})\n\n"
        f'<img src="{address}/b.png">\n\n![x](file://{secret})\n'
    )


def _eml(path: Path, words: str, address: str, secret: Path) -> None:
    message = email.message.EmailMessage()
    message["Subject"], message["From"] = "Lease", "a@example.org"
    message["List-Unsubscribe"] = f"<{address}>"
    html = f'<p>{words}</p><img src="{address}/a.png"><img src="cid:x"><img src="file://{secret}">'
    message.set_content(html, subtype="html")
    path.write_bytes(bytes(message))


def _rtf(path: Path, words: str, address: str, secret: Path) -> None:
    path.write_text(
        rf"{{\rtf1\ansi{{\*\template {address}/t.dot}}{words}\par "
        rf'{{\field{{\*\fldinst INCLUDEPICTURE "{address}/a.png" \\d}}{{\fldrslt }}}}'
        rf'{{\field{{\*\fldinst LINK Word.Document "{secret}"}}{{\fldrslt }}}}\par End.}}'
    )


def _docx(path: Path, words: str, address: str, secret: Path) -> None:
    made = docx.Document()
    made.add_paragraph(words)
    kinds = ("image", "attachedTemplate", "oleObject", "hyperlink", "aFChunk", "frame")
    base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    for number, kind in enumerate(kinds):
        target = f"{address}/{kind}" if number % 2 == 0 else f"file://{secret}"
        made.part.relate_to(target, base + kind, is_external=True)
    made.save(str(path))


def _pptx(path: Path, words: str, address: str, secret: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = words
    base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    for kind in ("image", "video", "oleObject"):
        slide.part.relate_to(f"{address}/{kind}", base + kind, is_external=True)
    slide.part.relate_to(f"file://{secret}", base + "audio", is_external=True)
    deck.save(str(path))


def _xlsx(path: Path, words: str, address: str, secret: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Lease", words])
    sheet.append([f'=WEBSERVICE("{address}")', f'=HYPERLINK("file://{secret}","x")'])
    sheet["A1"].hyperlink = address
    book.save(path)


def _pdf(path: Path, words: str, address: str, secret: Path) -> None:
    document = mupdf.open()
    page = document.new_page()
    page.insert_text((72, 100), words)
    place = mupdf.Rect(72, 90, 300, 110)
    page.insert_link({"kind": mupdf.LINK_URI, "from": place, "uri": address})
    page.insert_link({"kind": mupdf.LINK_LAUNCH, "from": place, "file": str(secret)})
    action = document.get_new_xref()
    document.update_object(action, f"<< /S /URI /URI ({address}/open) >>")
    document.xref_set_key(document.pdf_catalog(), "OpenAction", f"{action} 0 R")
    picture = document.get_new_xref()
    document.update_object(
        picture,
        "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 "
        f"/F << /FS /URL /F ({address}/i) >> >>",
    )
    document.save(path)


def _odt(path: Path, words: str, address: str, secret: Path) -> None:
    body = (
        f'<text:p>{words}<draw:frame><draw:image xlink:href="{address}/a.png"/></draw:frame>'
        f'<draw:frame><draw:object xlink:href="file://{secret}"/></draw:frame></text:p>'
    )
    make_opendocument(path, "text", body)


def _epub(path: Path, words: str, address: str, secret: Path) -> None:
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="b.opf"/></rootfiles></container>'
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml" '
        f'media-type="application/xhtml+xml"/><item id="b" href="{address}/b.xhtml" '
        'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/>'
        '<itemref idref="b"/></spine></package>'
    )
    page = f'<html><body><p>{words}</p><img src="{address}/a.png"/><img src="file://{secret}"/></body></html>'
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", container)
        archive.writestr("b.opf", package)
        archive.writestr("a.xhtml", page)


_WRITERS: dict[str, Callable[[Path, str, str, Path], None]] = {
    "html": _html, "svg": _svg, "xml": _xml, "md": _md, "eml": _eml, "rtf": _rtf, "docx": _docx,
    "pptx": _pptx, "xlsx": _xlsx, "pdf": _pdf, "odt": _odt, "epub": _epub,
}  # fmt: skip
