"""What styles of OpenDocument files mean for reading: hidden text and slides, numbers of lists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from desktop_rag.engines.numerals import letters, roman, whole

_NS = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, STYLE = f"{{{_NS}office:1.0}}", f"{{{_NS}style:1.0}}"
TEXT, TABLE = f"{{{_NS}text:1.0}}", f"{{{_NS}table:1.0}}"
DRAW, PRESENTATION = f"{{{_NS}drawing:1.0}}", f"{{{_NS}presentation:1.0}}"
SVG, CHART = f"{{{_NS}svg-compatible:1.0}}", f"{{{_NS}chart:1.0}}"
META, MANIFEST = f"{{{_NS}meta:1.0}}", f"{{{_NS}manifest:1.0}}"
DC = "{http://purl.org/dc/elements/1.1/}"
XLINK = "{http://www.w3.org/1999/xlink}"
FO = f"{{{_NS}xsl-fo-compatible:1.0}}"
_MAX_LEVEL = 10
_POINTS = re.compile(r"(\d{1,4}(?:\.\d{1,6})?)pt")
_TINY_POINTS = 2.0


@dataclass(frozen=True, slots=True)
class _Level:
    form: str
    """`1`, `a`, `I` …; empty for a level without numbers."""
    before: str
    after: str
    start: int


class OdfStyles:
    """Styles of a document, from all places where they may stand."""

    def __init__(self, roots: list[Any]) -> None:
        self._hidden: set[str] = set()
        self._hidden_pages: set[str] = set()
        self._lists: dict[str, dict[int, _Level]] = {}
        for root in roots:
            for style in root.iter(STYLE + "style"):
                self._take(style, style.get(STYLE + "name") or "")
            for style in root.iter(TEXT + "list-style"):
                self._lists[style.get(STYLE + "name") or ""] = dict(_levels(style))

    def _take(self, style: Any, name: str) -> None:
        text = style.find(STYLE + "text-properties")
        if text is not None and (text.get(TEXT + "display") == "none" or _is_tiny(text)):
            self._hidden.add(name)
        page = style.find(STYLE + "drawing-page-properties")
        if page is not None and page.get(PRESENTATION + "visibility") == "hidden":
            self._hidden_pages.add(name)

    def is_hidden(self, element: Any) -> bool:
        """Whether a paragraph, span or section is not shown."""
        return (
            element.get(TEXT + "style-name") in self._hidden
            or element.get(TEXT + "display") == "none"
            or element.tag in (TEXT + "hidden-text", TEXT + "hidden-paragraph")
        )

    def is_hidden_page(self, page: Any) -> bool:
        """Whether a slide is left out when the presentation is shown."""
        return page.get(DRAW + "style-name") in self._hidden_pages

    def first_number(self, style: str, depth: int) -> int:
        """What a list of that style begins to count with."""
        level = self._lists.get(style, {}).get(depth + 1)
        return level.start if level else 1

    def mark(self, style: str, depth: int, number: int) -> str:
        """Number or bullet of a list item with the space after it.

        Args:
            depth: 0 for the outermost list.
        """
        level = self._lists.get(style, {}).get(depth + 1)
        if level is None or not level.form:
            return "- "
        return f"{level.before}{_written(number, level.form)}{level.after}".strip() + " "


def _is_tiny(text: Any) -> bool:
    size = _POINTS.fullmatch(text.get(FO + "font-size") or "")
    return size is not None and float(size[1]) < _TINY_POINTS


def _levels(style: Any) -> list[tuple[int, _Level]]:
    found = []
    for element in style:
        depth = whole(element.get(TEXT + "level"), 0)
        if not 0 < depth <= _MAX_LEVEL:
            continue
        is_number = element.tag == TEXT + "list-level-style-number"
        level = _Level(
            (element.get(STYLE + "num-format") or "") if is_number else "",
            (element.get(STYLE + "num-prefix") or "")[:10],
            (element.get(STYLE + "num-suffix") or "")[:10],
            whole(element.get(TEXT + "start-value"), 1),
        )
        found.append((depth, level))
    return found


def _written(number: int, form: str) -> str:
    if form in ("a", "A"):
        text = letters(number)
    elif form in ("i", "I"):
        text = roman(number)
    else:
        return str(number)
    return text.upper() if form.isupper() else text
