"""What else there is to say under an answer, sorted by kind. Pure functions, no Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.domain.answers import Answer
from desktop_rag.domain.mentions import masked_words
from desktop_rag.ui import words
from desktop_rag.ui.translation import _
from desktop_rag.ui.window_words import in_window


class RemarkKind(StrEnum):
    """What a remark is about; the value is the name of its icon."""

    ORDER = "shield"
    """A document gives orders to AI programs; they were left out."""
    CONFLICT = "conflict"
    NEWER = "versions"
    """An older version was used, or another time may be meant."""
    AMENDED = "amended"
    """Another document may change what is cited."""
    FOOTNOTE = "footnote"
    VERSION = "file"
    """Which of several versions was used, and all is well."""
    UNREAD = "reading"
    UNDERSTOOD = "search"
    NOTE = "info"
    MASKED = "lock"
    CACHED = "clock"
    NEAREST = "library"

    @property
    def is_warning(self) -> bool:
        """Whether it may make the answer wrong."""
        return self in _WARNINGS


_WARNINGS = frozenset({RemarkKind.ORDER, RemarkKind.CONFLICT, RemarkKind.NEWER, RemarkKind.AMENDED})
_PATTERNS = (
    (RemarkKind.FOOTNOTE, re.compile(r"Footnote to \[\d+\]")),
    (RemarkKind.AMENDED, re.compile(r".+ may change this: “")),
    (RemarkKind.NEWER, re.compile(r"From .+, an older version: |Found for another time")),
    (RemarkKind.VERSION, re.compile(r"From .+ the newest of \d+ versions")),
)
"""How sentences of `services.editions`, `domain.footnotes` and `domain.amendments` begin."""
_ORDER = re.compile(r"Text that gives orders to AI programs")


@dataclass(frozen=True, slots=True)
class Remark:
    """One line under an answer."""

    kind: RemarkKind
    text: str


def remarks_of(answer: Answer) -> list[Remark]:
    """All remarks, those first that may make the answer wrong; none for most answers."""
    kinds = RemarkKind
    made = [
        *(Remark(_kind_of_understood(line), line) for line in answer.understood.sentences()),
        *(Remark(_kind_of_conflict(line), line) for line in answer.conflicts),
        *_told(answer),
    ]
    if answer.nearest and not answer.found:
        titles = "; ".join(answer.nearest)
        nearest = _("Closest in your library: {titles}").format(titles=titles)
        made.append(Remark(kinds.NEAREST, nearest))
    if answer.unread:
        made.append(Remark(kinds.UNREAD, words.unread(answer.unread)))
    return sorted(made, key=lambda remark: not remark.kind.is_warning)


def _told(answer: Answer) -> list[Remark]:
    masked = masked_words(answer)
    again = _("Answered before; nothing it rests on has changed.")
    told = (
        (RemarkKind.NOTE, in_window(answer.note)),
        (RemarkKind.MASKED, masked),
        (RemarkKind.CACHED, again if answer.is_cached else ""),
    )
    return [Remark(kind, text) for kind, text in told if text]


def _kind_of_understood(line: str) -> RemarkKind:
    return RemarkKind.ORDER if _ORDER.match(line) else RemarkKind.UNDERSTOOD


def _kind_of_conflict(line: str) -> RemarkKind:
    found = (kind for kind, pattern in _PATTERNS if pattern.match(line))
    return next(found, RemarkKind.CONFLICT)
