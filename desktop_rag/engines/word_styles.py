"""What Word's styles and list definitions mean for a paragraph: heading, list item, its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from desktop_rag.engines.numerals import letters, roman, whole

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING_NAME = re.compile(
    r"^(?:heading|überschrift|titre|título|titolo|kop|rubrik|заголовок|標題|标题|見出し)\s*(\d)$",
    re.IGNORECASE,
)
_LIST_NAME = re.compile(r"list|aufzählung|puces", re.IGNORECASE)
_PLACE = re.compile(r"%(\d)")
_BULLETS = frozenset({"bullet", "none", ""})
MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph style makes of a paragraph."""

    level: int = 0
    """Heading depth; 0 for others. The title is 1."""
    is_list: bool = False
    is_title: bool = False
    numbering: str = ""
    """Id of the list that the style numbers its paragraphs with."""
    depth: int = 0
    """Depth in that list, 0 for the outermost."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a paragraph is, after its style and its own properties."""

    style: Style
    mark: str = ""
    """Its number or bullet, with the space that follows; empty for none."""
    depth: int = 0


def value(element: Any) -> str:
    """The `w:val` of an element, empty without one."""
    return (element.get(W + "val") or "") if element is not None else ""


def is_on(element: Any) -> bool:
    """Whether a switch (`w:vanish`, `w:tblHeader` …) is there and not switched off."""
    return element is not None and value(element) not in ("0", "false", "off")


class StyleSheet:
    """All styles and lists of a document; counts list items as the document is read."""

    def __init__(self, styles: Any | None, numbering: Any | None) -> None:
        elements = (
            {} if styles is None else {e.get(W + "styleId"): e for e in styles.iter(W + "style")}
        )
        self._styles = {key: _style(elements, key) for key in elements}
        self._lists = _Lists(numbering)

    def is_heading(self, properties: Any | None) -> bool:
        """Whether a paragraph of these properties is a heading; counts nothing."""
        if properties is None:
            return False
        outline = _number(value(properties.find(W + "outlineLvl")))
        style = self._styles.get(value(properties.find(W + "pStyle")), Style())
        return outline < 9 or style.level > 0

    def role_of(self, properties: Any | None) -> Role:
        """What `w:pPr` says; a numbered paragraph takes the next number of its list.

        Call once for every paragraph that is shown, in order.
        """
        if properties is None:
            return Role(Style())
        style = self._styles.get(value(properties.find(W + "pStyle")), Style())
        outline = _number(value(properties.find(W + "outlineLvl")))
        if outline < 9:
            style = Style(outline + 1, numbering=style.numbering, depth=style.depth)
        own = properties.find(W + "numPr")
        numbering, depth = style.numbering, style.depth
        if own is not None:
            numbering = value(own.find(W + "numId")) or numbering
            depth = whole(value(own.find(W + "ilvl")), depth, MAX_DEPTH)
        if not numbering or numbering == "0":
            is_bare = own is not None and not style.level
            return Role(
                Style() if is_bare else style, "- " if style.is_list and not is_bare else ""
            )
        mark = self._lists.next_mark(numbering, depth)
        if style.level:
            return Role(style, "" if mark == "- " else mark)
        return Role(Style(is_list=True), mark or "- ", depth)


def _style(elements: dict[str, Any], key: str) -> Style:
    """The meaning of a style by its name, its outline level and what it is based on."""
    seen: set[str] = set()
    is_list, numbering, depth = False, "", 0
    while key in elements and key not in seen:
        seen.add(key)
        element = elements[key]
        label = value(element.find(W + "name"))
        own = element.find(f"{W}pPr/{W}numPr")
        if own is not None and not numbering:
            numbering = value(own.find(W + "numId"))
            depth = whole(value(own.find(W + "ilvl")), 0, MAX_DEPTH)
        if label.lower() in ("title", "titel", "titre", "título", "titolo"):
            return Style(1, is_title=True)
        outline = element.find(f"{W}pPr/{W}outlineLvl")
        heading = _HEADING_NAME.match(label)
        if heading or outline is not None:
            level_no = int(heading.group(1)) if heading else _number(value(outline)) + 1
            return Style(
                level_no if 1 <= level_no <= 9 else 0, is_list, numbering=numbering, depth=depth
            )
        is_list = is_list or bool(_LIST_NAME.search(label)) or own is not None
        key = value(element.find(W + "basedOn"))
    return Style(is_list=is_list, numbering=numbering, depth=depth)


def _number(text: str) -> int:
    return whole(text, 99, 99)


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    form: str
    """Kind of numbers: `decimal`, `lowerRoman`, `bullet` …"""
    pattern: str
    """`%1.%2)`: the numbers of levels 1 and 2 with what stands around them."""


class _Lists:
    """Numbers of lists. Lists that share their definition share their count, as in Word."""

    def __init__(self, root: Any | None) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._counted_as: dict[str, str] = {}
        self._counts: dict[str, list[int]] = {}
        if root is None:
            return
        abstract = {
            e.get(W + "abstractNumId"): dict(_levels(e)) for e in root.iterfind(W + "abstractNum")
        }
        for number in root.iterfind(W + "num"):
            key = number.get(W + "numId") or ""
            base = value(number.find(W + "abstractNumId"))
            levels = dict(abstract.get(base, {}))
            overrides = list(number.iterfind(W + "lvlOverride"))
            for one in overrides:
                _override(levels, one)
            self._levels[key] = levels
            # A list with a start of its own begins anew; all others go on.
            self._counted_as[key] = f"own {key}" if overrides else base

    def next_mark(self, key: str, depth: int) -> str:
        levels = self._levels.get(key, {})
        level = levels.get(depth)
        if level is None or level.form in _BULLETS:
            return "- "
        counts = self._counts.setdefault(self._counted_as.get(key, key), [])
        while len(counts) <= depth:
            above = levels.get(len(counts))
            counts.append((above.start if above else 1) - (1 if len(counts) == depth else 0))
        counts[depth] += 1
        del counts[depth + 1 :]

        def shown(place: re.Match[str]) -> str:
            index = int(place[1]) - 1
            form = levels[index].form if index in levels else "decimal"
            return _written(counts[index], form) if 0 <= index < len(counts) else ""

        mark = _PLACE.sub(shown, level.pattern).strip()
        return f"{mark} " if mark else ""


def _levels(definition: Any) -> Iterator[tuple[int, _Level]]:
    for element in definition.iterfind(W + "lvl"):
        depth = whole(element.get(W + "ilvl"), -1)
        if depth >= 0:
            yield depth, _level(element)


def _level(element: Any) -> _Level:
    start = value(element.find(W + "start"))
    return _Level(
        whole(start, 1),
        value(element.find(W + "numFmt")) or "decimal",
        value(element.find(W + "lvlText"))[:40],
    )


def _override(levels: dict[int, _Level], element: Any) -> None:
    depth = whole(element.get(W + "ilvl"), -1)
    own, start = element.find(W + "lvl"), value(element.find(W + "startOverride"))
    if own is not None and depth >= 0:
        levels[depth] = _level(own)
    elif start and depth in levels:
        old = levels[depth]
        levels[depth] = _Level(whole(start, old.start), old.form, old.pattern)


def _written(number: int, form: str) -> str:
    if form in ("lowerRoman", "upperRoman"):
        text = roman(number)
        return text.upper() if form == "upperRoman" else text
    if form in ("lowerLetter", "upperLetter") and number > 0:
        letter = letters(number)
        return letter.upper() if form == "upperLetter" else letter
    if form == "decimalZero":
        return f"{number:02d}"
    return str(number)
