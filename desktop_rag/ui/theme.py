"""The look of the window: tokens for colour, type and space, and the style sheet made from them.

One template (`resources/styles/app.qss`) and two sets of colours give the light and the dark
window. Widgets that paint themselves read the same tokens through `Theme.colours`.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from enum import StrEnum
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from desktop_rag.paths import shipped

# Space, in device-independent pixels: every margin and gap is one of these.
XS, S, M, L, XL, XXL = 4, 8, 12, 16, 24, 32
COLUMN_WIDTH = 760
"""Widest line of the chat: longer lines are tiring to read."""
BODY_PX, SMALL_PX, TITLE_PX, HERO_PX = 14, 12, 20, 26


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one appearance, as `#rrggbb`. Text on its ground meets a contrast of 4.5:1."""

    window: str
    sidebar: str
    raised: str
    hover: str
    selected: str
    border: str
    border_strong: str
    text: str
    muted: str
    faint: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_soft: str
    accent_text: str
    danger: str
    danger_soft: str
    warning: str
    warning_soft: str
    success: str
    success_soft: str
    canvas: str
    """Ground behind a page picture."""
    highlight: str
    highlight_edge: str
    highlight_text: str
    """Ground of a highlighted passage in text."""


LIGHT = Colours(
    window="#ffffff",
    sidebar="#f6f6f3",
    raised="#f3f2ee",
    hover="#ecebe6",
    selected="#e4e3dd",
    border="#e5e4de",
    border_strong="#cfcdc5",
    text="#1d1d1b",
    muted="#62615c",
    faint="#6b6963",
    accent="#0f766e",
    accent_hover="#0b5f58",
    on_accent="#ffffff",
    accent_soft="#dff1ee",
    accent_text="#0b5f58",
    danger="#b3261e",
    danger_soft="#fdeceb",
    warning="#8a5a00",
    warning_soft="#fff4d9",
    success="#176b3f",
    success_soft="#e2f4e9",
    canvas="#eae9e4",
    highlight="#ffd84d",
    highlight_edge="#d9a400",
    highlight_text="#fff0b3",
)

DARK = Colours(
    window="#1b1c1e",
    sidebar="#151618",
    raised="#26282b",
    hover="#2b2d31",
    selected="#33363a",
    border="#2f3236",
    border_strong="#4a4e54",
    text="#ececea",
    muted="#acaba6",
    faint="#92918c",
    accent="#2fb5a5",
    accent_hover="#4cc9ba",
    on_accent="#06201d",
    accent_soft="#16383a",
    accent_text="#7fdccf",
    danger="#ff8a80",
    danger_soft="#3d2220",
    warning="#f0c263",
    warning_soft="#3a2f17",
    success="#6fd39b",
    success_soft="#1c3527",
    canvas="#101113",
    highlight="#ffd84d",
    highlight_edge="#d9a400",
    highlight_text="#5b4a12",
)


class Appearance(StrEnum):
    """What the person chose; `SYSTEM` follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """The appearance in force, applied to the whole application.

    Signals:
        changed: the colours are different now; widgets that paint themselves or hold coloured
            icons bring themselves up to date.
    """

    changed = Signal()

    def __init__(self, application: QApplication, choice: Appearance = Appearance.SYSTEM) -> None:
        super().__init__(application)
        self._application = application
        self._choice = choice
        self.colours = LIGHT
        application.setStyle("Fusion")
        application.setFont(_interface_font(application.font()))
        application.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        self._apply()

    @property
    def choice(self) -> Appearance:
        """What the person chose."""
        return self._choice

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are in force."""
        return self.colours is DARK

    def choose(self, choice: Appearance) -> None:
        """Switch to another appearance."""
        self._choice = choice
        self._apply()

    def toggle(self) -> None:
        """Light becomes dark and dark light."""
        self.choose(Appearance.LIGHT if self.is_dark else Appearance.DARK)

    def color(self, name: str) -> QColor:
        """The colour of a token, ready to paint with."""
        return QColor(getattr(self.colours, name))

    def _is_system_dark(self) -> bool:
        return self._application.styleHints().colorScheme() == Qt.ColorScheme.Dark

    def _on_system_changed(self) -> None:
        if self._choice is Appearance.SYSTEM:
            self._apply()

    def _apply(self) -> None:
        self.colours = DARK if self._wants_dark() else LIGHT
        self._application.setPalette(palette(self.colours))
        self._application.setStyleSheet(stylesheet(self.colours))
        self.changed.emit()

    def _wants_dark(self) -> bool:
        if self._choice is Appearance.SYSTEM:
            return self._is_system_dark()
        return self._choice is Appearance.DARK


def stylesheet(colours: Colours) -> str:
    """The style sheet of the whole window in these colours."""
    template = Template(shipped("resources", "styles", "app.qss").read_text(encoding="utf-8"))
    sizes = {"body": BODY_PX, "small": SMALL_PX, "title": TITLE_PX, "hero": HERO_PX}
    return template.substitute(asdict(colours), **sizes)


def palette(colours: Colours) -> QPalette:
    """Colours for what a style sheet does not reach: text documents, selections, tool tips."""
    made = QPalette()
    role = QPalette.ColorRole
    for roles, colour in (
        ((role.Window, role.Base), colours.window),
        ((role.AlternateBase, role.Button, role.ToolTipBase), colours.raised),
        ((role.Text, role.WindowText, role.ButtonText, role.ToolTipText), colours.text),
        ((role.PlaceholderText,), colours.faint),
        ((role.Highlight,), colours.accent),
        ((role.HighlightedText,), colours.on_accent),
        ((role.Link, role.LinkVisited, role.Accent), colours.accent_text),
    ):
        for one in roles:
            made.setColor(one, QColor(colour))
    return made


def sized(font: QFont, px: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The same font in a size and weight of ours."""
    made = QFont(font)
    made.setPixelSize(px)
    made.setWeight(weight)
    return made


def _interface_font(system: QFont) -> QFont:
    """The desktop's own font; on a Linux without one, the best that is installed."""
    font = QFont(system)
    font.setPixelSize(BODY_PX)
    if sys.platform.startswith("linux") and font.family() in {
        "",
        "Sans",
        "Sans Serif",
        "DejaVu Sans",
    }:
        for family in ("Inter", "Cantarell", "Noto Sans", "Ubuntu"):
            if QFontDatabase.hasFamily(family):
                font.setFamily(family)
                break
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
