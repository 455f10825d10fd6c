"""Takes the white space out of OpenDocument spreadsheets that are laid out for people.

KSpread and hand-made files indent their XML; calamine takes the space between cells for damage.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from lxml import etree

from desktop_rag.engines.zip_bounds import open_zip

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"


def unindented(path: Path, what: str) -> io.BytesIO:
    """The same workbook, in memory, with nothing but elements in its rows and tables.

    Raises:
        Encrypted, TooLarge, Damaged: as `zip_bounds.BoundedZip.read`.
    """
    made = io.BytesIO()
    with open_zip(path, what) as archive, zipfile.ZipFile(made, "w") as copy:
        root = archive.xml("content.xml")
        if root is None:
            raise archive.damaged()
        for element in root.iter(f"{_TABLE}*", f"{_OFFICE}*"):
            _trim(element)
        for name in archive.names:
            if name != "content.xml":
                copy.writestr(name, archive.read(name))
        copy.writestr("content.xml", etree.tostring(root, encoding="UTF-8", xml_declaration=True))
    made.seek(0)
    return made


def _trim(element: etree._Element) -> None:
    if not (element.text or "").strip():
        element.text = None
    for child in element:
        if not (child.tail or "").strip():
            child.tail = None
