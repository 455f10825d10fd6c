"""Form fields, comments and attached files of a PDF page.

MuPDF draws fields and typewriter notes with the page, so most of their text is found there; a
field's value is exact, though, and comments are not drawn at all.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import pymupdf

from desktop_rag.domain.layout.fragments import Fragment, Rect
from desktop_rag.domain.layout.rows import usual_size
from desktop_rag.domain.text_cleaning import clean_block, clean_line
from desktop_rag.engines.pdf_damage import ERRORS
from desktop_rag.engines.pdf_page_text import FoundText, RawPage

logger = logging.getLogger(__name__)

_mupdf: Any = pymupdf
"""The library carries no annotations."""
_MAX_ITEMS = 5000
_UNSEEN = 2 | 32
"""Flags of annotations that are not shown on the screen."""
_PASSWORD_FIELD = 1 << 13
_TICK = "[x]"
_LABEL_GAP = 160.0
"""Points between a field and the words before it that name it."""


@dataclass(slots=True)
class Extras:
    """What hangs on a page beside its text."""

    comments: list[Fragment] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)


def read_extras(document: Any, page: Any, raw: RawPage) -> Extras:
    """Comments and attached files of a page; puts the values of its fields into its text.

    Broken annotations are left out: they cost no page.
    """
    extras = Extras()
    if document.xref_get_key(page.xref, "Annots")[0] == "null":
        return extras
    try:
        if document.is_form_pdf:
            for widget in islice(page.widgets(), _MAX_ITEMS):
                _put_value(widget, page, raw)
        for annotation in islice(page.annots(), _MAX_ITEMS):
            if not annotation.flags & _UNSEEN:
                _read_annotation(annotation, page, raw, extras)
    except (*ERRORS, TypeError, AttributeError, LookupError) as exc:
        logger.debug("Annotations cannot be read: %s", exc)
    return extras


def attached_files(document: Any) -> list[str]:
    """Names of the files embedded in a document: attachments, parts of a portfolio.

    PyMuPDF's own list leaves out trees of names with branches, so MuPDF is asked.
    """
    native = _mupdf.mupdf
    names = []
    try:
        tree = native.pdf_load_name_tree(
            _mupdf._as_pdf_document(document), native.pdf_new_name("EmbeddedFiles")
        )
        for number in range(min(native.pdf_dict_len(tree), _MAX_ITEMS)):
            file = native.pdf_dict_get_val(tree, number)
            called = [native.pdf_to_text_string(native.pdf_dict_gets(file, k)) for k in ("UF", "F")]
            key = native.pdf_to_name(native.pdf_dict_get_key(tree, number))
            name = clean_line(next(filter(None, called), key))
            names.append(name.rsplit("/", 1)[-1] or "unnamed file")
    except (*ERRORS, TypeError) as exc:
        logger.debug("Attachments cannot be listed: %s", exc)
    return names


def _read_annotation(annotation: Any, page: Any, raw: RawPage, extras: Extras) -> None:
    kind = annotation.type[1]
    content = clean_line(clean_block(annotation.info.get("content") or ""))
    box = _shown(annotation.rect, page)
    if kind == "FileAttachment":
        name = clean_line(annotation.file_info.get("filename") or "") or content
        extras.attachments.append(name or "unnamed file")
    elif kind == "FreeText":
        if content and not any(_is_inside(piece.fragment, box) for piece in raw.found):
            raw.found += _lines(annotation.info.get("content") or "", box)
    elif content and kind not in ("Link", "Popup", "Widget"):
        author = clean_line(annotation.info.get("title") or "")
        said = f"Comment by {author}: {content}" if author else f"Comment: {content}"
        extras.comments.append(Fragment(said, *box, 10.0, is_bold=False, shown=box))


def _put_value(widget: Any, page: Any, raw: RawPage) -> None:
    """Set a field's value in its place, with its name when no words on the page stand by it."""
    is_password = bool(widget.field_flags & _PASSWORD_FIELD) and widget.field_type_string == "Text"
    value = "" if is_password else _value(widget)
    if widget.field_display == 1 or not (value or is_password):
        return
    box = _shown(widget.rect, page)
    drawn = [piece for piece in raw.found if _is_inside(piece.fragment, box, slack=3)]
    if len(value.splitlines()) > 1 and drawn:
        return  # the lines as they are drawn have their own boxes
    label = clean_line(widget.field_label or _worded(widget.field_name or ""))
    gone = {id(piece) for piece in drawn}
    raw.found = [piece for piece in raw.found if id(piece) not in gone]
    if label and not _is_named(box, raw, is_button=value == _TICK):
        value = f"{label}: {value}"
    # In the size of the text around it: what is filled in is no heading, however large.
    usual = usual_size([piece.fragment for piece in raw.found])
    raw.found += _lines(value, box, min(usual, box[3] - box[1]) if usual else 0.0)


def _value(widget: Any) -> str:
    kind = widget.field_type_string
    value = widget.field_value
    if kind in ("CheckBox", "RadioButton"):
        return _TICK if value not in (None, False, "Off", "") and value == _on(widget) else ""
    if kind in ("Text", "ComboBox", "ListBox"):
        lines = value if isinstance(value, list) else str(value or "").splitlines()
        return "\n".join(filter(None, map(clean_line, map(str, lines))))
    return ""


def _on(widget: Any) -> object:
    """The state that means a box is ticked; of radio buttons each has its own."""
    state = widget.on_state()
    return widget.field_value if state in (None, "", True) else state


def _worded(name: str) -> str:
    """The last part of a field's name if it is made of words, not of the maker's numbers."""
    last = name.rsplit(".", 1)[-1].split("[", 1)[0].replace("_", " ").strip()
    return last if len(last) > 2 and not any(c.isdigit() for c in last) else ""


def _is_named(box: Rect, raw: RawPage, *, is_button: bool) -> bool:
    """Whether words stand before the field in its row or right above it; behind it for buttons."""
    height = max(box[3] - box[1], 8.0)
    for piece in raw.found:
        x0, y0, x1, y1 = piece.fragment.shown
        gap = x0 - box[2] if is_button else box[0] - x1
        is_beside = box[1] - 2 < (y0 + y1) / 2 < box[3] + 2 and -4 < gap < _LABEL_GAP
        is_above = -4 < box[1] - y1 < height and min(x1, box[2]) - max(x0, box[0]) > 0
        if (is_beside or is_above) and any(c.isalpha() for c in piece.fragment.text):
            return True
    return False


def _lines(text: str, box: Rect, size: float = 0.0) -> Iterator[FoundText]:
    """The lines of a text spread over its box from top to bottom."""
    lines = [line for line in map(clean_line, text.splitlines()) if line]
    if not lines:
        return
    height = (box[3] - box[1]) / len(lines)
    usual = size or min(max(0.75 * height, 4.0), 10.0)
    for number, line in enumerate(lines):
        top = box[1] + number * height
        place = (box[0], top, box[2], top + height)
        yield FoundText(Fragment(line, *place, usual, is_bold=False, shown=place), (1, 0), None)


def _shown(rect: Any, page: Any) -> Rect:
    x0, y0, x1, y1 = rect * page.rotation_matrix if page.rotation else rect
    return float(x0), float(y0), float(x1), float(y1)


def _is_inside(fragment: Fragment, box: Rect, slack: float = 0.0) -> bool:
    x, y = (
        (fragment.shown[0] + fragment.shown[2]) / 2,
        (fragment.shown[1] + fragment.shown[3]) / 2,
    )
    return box[0] - slack <= x <= box[2] + slack and box[1] - slack <= y <= box[3] + slack
