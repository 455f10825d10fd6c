"""Colours of marks on text: the citation, what was found, and the hit the person stepped to."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor

from desktop_rag.ui.theme import Theme


@dataclass(frozen=True, slots=True)
class Tones:
    """Grounds below letters in the colour of the theme's text."""

    rest: QColor
    bright: QColor
    hit: QColor
    current_hit: QColor

    def cited(self, strength: float = 0.0) -> QColor:
        """Of the citation, while it lights up so much (0 to 1)."""
        return between(self.rest, self.bright, strength)


def tones(theme: Theme) -> Tones:
    """For the appearance in force."""
    is_dark = theme.is_dark
    rest = theme.color("highlight_text")
    bright = QColor("#8a6d10") if is_dark else theme.color("highlight")
    hit = QColor("#22435e" if is_dark else "#d3eaff")
    current = QColor("#2f6fa3" if is_dark else "#8fcbff")
    return Tones(rest, bright, hit, current)


def between(one: QColor, other: QColor, share: float) -> QColor:
    """A colour on the way from one to another."""

    def mixed(a: int, b: int) -> int:
        return round(a + (b - a) * share)

    return QColor(
        mixed(one.red(), other.red()),
        mixed(one.green(), other.green()),
        mixed(one.blue(), other.blue()),
    )
