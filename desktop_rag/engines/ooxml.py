"""What Word and PowerPoint files share: a ZIP of XML parts that name each other by relations."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Any

from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines import safe_xml
from desktop_rag.engines.zip_bounds import BoundedZip

RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
ALTERNATIVES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
_DC = "{http://purl.org/dc/elements/1.1/}"
_CREATED = "{http://purl.org/dc/terms/}created"
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NO_TITLE = re.compile(
    r"^(?:(?:microsoft )?(?:word|power ?point)\b.*|untitled.*|document ?\d*|dokument ?\d*"
    r"|presentation ?\d*|präsentation ?\d*|slide ?1|folie ?1|title|.*\.(?:docx?|pptx?|dotx?|odt))$",
    re.IGNORECASE,
)
_PICTURE = re.compile(r"/media/[^/]+\.(?:png|jpe?g|gif|tiff?|bmp|webp|emf|wmf|svg)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Relation:
    """Where one part points to."""

    kind: str
    """Last piece of the relation's type: `slide`, `notesSlide`, `image` …"""
    target: str
    """Name of the part in the archive; an address when `is_external`."""
    is_external: bool


@dataclass(frozen=True, slots=True)
class Properties:
    """Title, author and ISO date of creation; each may be empty."""

    title: str = ""
    author: str = ""
    created: str = ""


class OfficePackage:
    """The parts of an Office file."""

    def __init__(self, archive: BoundedZip) -> None:
        self.archive = archive

    def part(self, name: str) -> Any | None:
        """Root element of a part in the transitional namespaces, `None` when there is none."""
        data = self.archive.read(name)
        if b"purl.oclc.org/ooxml" in data:
            data = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", data)
        return safe_xml.parsed(data, self.archive.name, self.archive.mended) if data else None

    def relations(self, name: str) -> dict[str, Relation]:
        """Relations of a part by their id; `""` stands for the package itself."""
        folder, _, file = name.rpartition("/")
        root = self.archive.xml(posixpath.join(folder, "_rels", f"{file}.rels"))
        found: dict[str, Relation] = {}
        for element in root if root is not None else ():
            target, kind = element.get("Target") or "", element.get("Type") or ""
            external = element.get("TargetMode") == "External"
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[element.get("Id") or ""] = Relation(kind.rpartition("/")[2], target, external)
        return found

    def main_part(self, usual: str) -> str:
        """Name of the part that holds the document; `usual` when the package does not say."""
        for relation in self.relations("").values():
            if relation.kind == "officeDocument" and relation.target in self.archive:
                return relation.target
        return usual

    def properties(self) -> Properties:
        """What the file says about itself; titles that programs make up are left out."""
        core = self.part("docProps/core.xml")
        if core is None:
            return Properties()
        title = clean_line(core.findtext(_DC + "title") or "")[:300]
        date = _ISO_DATE.match(core.findtext(_CREATED) or "")
        return Properties(
            title="" if _NO_TITLE.match(title) else title,
            author=clean_line(core.findtext(_DC + "creator") or "")[:200],
            created=date.group() if date else "",
        )

    def embedded_files(self) -> tuple[str, ...]:
        """Names of files inside the file, without the workbooks behind charts."""
        names = self.archive.names
        charted = {
            relation.target
            for name in names
            if "/charts/chart" in name and name.endswith(".xml")
            for relation in self.relations(name).values()
        }
        return tuple(
            name.rpartition("/")[2]
            for name in names
            if "/embeddings/" in name
            if name not in charted
        )

    def pictures(self) -> int:
        """How many pictures are in the file."""
        return sum(1 for name in self.archive.names if _PICTURE.search("/" + name))


def embedded_note(files: tuple[str, ...]) -> tuple[str, ...]:
    """The sentence about files inside the file, if there are any."""
    if not files:
        return ()
    return (f"Files embedded in this document were not read: {', '.join(files[:20])}.",)


def picture_note(pictures: int) -> tuple[str, ...]:
    """The sentence about pictures, if there are any."""
    if not pictures:
        return ()
    count = "One picture is" if pictures == 1 else f"{pictures} pictures are"
    return (f"{count} in this file; text inside pictures is not read.",)
