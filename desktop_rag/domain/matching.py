"""Which documents a person means by a name, a type, a folder or a date.

Names are compared without case and accents. A name that fits some file exactly means those files
only: `file:report.pdf` is not `old-report.pdf`, as long as there is a `report.pdf`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fnmatch import translate

from desktop_rag.domain.calendar_words import first_day
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.terms import fold

# fmt: off
TYPES: dict[str, frozenset[str]] = {
    "word": frozenset({
        "doc", "docx", "docm", "dot", "dotx", "dotm", "odt", "ott", "fodt", "rtf", "wps", "pages",
    }),
    "spreadsheet": frozenset({"xls", "xlsx", "xlsm", "xlsb", "ods", "csv", "tsv", "tab"}),
    "presentation": frozenset({
        "ppt", "pptx", "pptm", "ppsx", "ppsm", "potx", "potm", "odp", "otp", "fodp",
    }),
    "mail": frozenset({"eml", "emlx", "mbox", "mbx", "msg"}),
    "image": frozenset({"png", "jpg", "jpeg", "tif", "tiff", "bmp", "gif", "webp"}),
    "web": frozenset({"html", "htm", "xhtml"}),
    "book": frozenset({"epub", "ibooks"}),
    "markdown": frozenset({"md", "markdown", "mdown"}),
    "text": frozenset({"txt", "text", "rst", "md", "markdown", "mdown", "org", "tex", "log"}),
    "code": frozenset({
        "py", "pyi", "js", "mjs", "ts", "tsx", "jsx", "java", "c", "h", "cc", "cpp", "hpp", "cs",
        "go", "rs", "rb", "php", "sh", "bash",
    }),
}
_ALIASES = {
    "document": "word", "excel": "spreadsheet", "sheet": "spreadsheet", "table": "spreadsheet",
    "slide": "presentation", "powerpoint": "presentation", "deck": "presentation",
    "email": "mail", "e-mail": "mail", "message": "mail", "picture": "image", "photo": "image",
    "scan": "image", "webpage": "web", "website": "web", "ebook": "book", "e-book": "book",
    "source": "code", "bild": "image", "tabelle": "spreadsheet",
}
# fmt: on
_SEPARATORS = re.compile(r"[/\\]+")
_EXACT, _STEM, _PART, _NO = 3, 2, 1, 0


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What filters look at."""

    id: DocumentId
    path: str
    created: str
    """The document's own date in ISO 8601, as far as it is known."""
    mtime_ns: int

    @property
    def names(self) -> list[str]:
        """The parts of the path, folded; the file's own name last."""
        return [part for part in _SEPARATORS.split(fold(self.path)) if part]

    @property
    def day(self) -> date:
        """When it was written, else when the file was last changed."""
        own = first_day(self.created[:10])
        return own or datetime.fromtimestamp(self.mtime_ns / 1e9, UTC).date()


def selected(documents: Sequence[DocumentFacts], scope: Scope) -> list[DocumentFacts]:
    """Those that the scope's files, folder names, types and dates let through."""
    chosen = list(documents)
    if scope.types:
        wanted = frozenset().union(*map(suffixes, scope.types))
        chosen = [one for one in chosen if _suffix(one) in wanted]
    if scope.after:
        chosen = [one for one in chosen if one.day >= scope.after]
    if scope.before:
        chosen = [one for one in chosen if one.day < scope.before]
    if scope.folder_names:
        chosen = _best(chosen, scope.folder_names, _folder_fit)
    if scope.files:
        chosen = _best(chosen, scope.files, _file_fit)
    return chosen


def suffixes(kind: str) -> frozenset[str]:
    """Suffixes, without dot, of a type as a person names it: `pdf`, `.PDF`, `PDFs`, `images`."""
    name = fold(kind).strip(" .")
    for one in (name, name.removesuffix("s")):
        known = TYPES.get(_ALIASES.get(one, one))
        if known:
            return known
    return frozenset({name, name.removesuffix("s")})


def has_type(documents: Iterable[DocumentFacts], kind: str) -> bool:
    """Whether some document is of this type."""
    wanted = suffixes(kind)
    return any(_suffix(one) in wanted for one in documents)


def has_file(documents: Iterable[DocumentFacts], name: str) -> bool:
    """Whether some file is called so, with or without its suffix."""
    return any(_file_fit(one, name) >= _STEM for one in documents)


def has_folder(documents: Iterable[DocumentFacts], name: str) -> bool:
    """Whether some document lies in a folder that is called so."""
    return any(_folder_fit(one, name) == _EXACT for one in documents)


def _best(
    documents: Sequence[DocumentFacts],
    values: Sequence[str],
    fit: Callable[[DocumentFacts, str], int],
) -> list[DocumentFacts]:
    """For each value the documents it fits best."""
    chosen: set[DocumentId] = set()
    for value in values:
        fits = {one.id: fit(one, value) for one in documents}
        best = max(fits.values(), default=_NO)
        chosen |= {key for key, level in fits.items() if level == best > _NO}
    return [one for one in documents if one.id in chosen]


def _file_fit(document: DocumentFacts, value: str) -> int:
    names, wanted = document.names, [one for one in _SEPARATORS.split(fold(value)) if one]
    if not wanted:
        return _NO
    name, last = names[-1], wanted[-1]
    around = names[-len(wanted) : -1]
    if not all(_is_like(*pair) for pair in zip(around, wanted[:-1], strict=False)):
        return _NO
    if _is_pattern(last):
        return _EXACT if _is_like(name, last) else _NO
    if name == last:
        return _EXACT
    if name.rpartition(".")[0] == last:
        return _STEM
    return _PART if last in name else _NO


def _folder_fit(document: DocumentFacts, value: str) -> int:
    folders, wanted = document.names[:-1], [one for one in _SEPARATORS.split(fold(value)) if one]
    level = _NO
    for start in range(len(folders) - len(wanted) + 1 if wanted else 0):
        pairs = list(zip(folders[start:], wanted, strict=False))
        if all(_is_like(*pair) for pair in pairs):
            return _EXACT
        if all(part in name for name, part in pairs):
            level = _PART
    return level


def _is_pattern(value: str) -> bool:
    return "*" in value or "?" in value


def _is_like(name: str, value: str) -> bool:
    return re.match(translate(value), name) is not None if _is_pattern(value) else name == value


def _suffix(document: DocumentFacts) -> str:
    return document.names[-1].rpartition(".")[2]
