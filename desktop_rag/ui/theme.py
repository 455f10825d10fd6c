"""The look of the window: tokens for colour, type and space, and the style sheet made from them.

One template (`resources/styles/app.qss`) and two sets of colours give the light and the dark
window. Widgets that paint themselves read the same tokens through `Theme.colours`.
"""

from __future__ import annotations

import re
import sys
from dataclasses import asdict, dataclass, replace
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
SEND_RADIUS = 17
"""Of the round button that sends a question."""


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


LIGHT_CONTRAST = replace(
    LIGHT,
    sidebar="#ffffff",
    raised="#ffffff",
    hover="#e0e0e0",
    selected="#c9c9c9",
    border="#000000",
    border_strong="#000000",
    text="#000000",
    muted="#000000",
    faint="#1f1f1f",
    accent="#004d46",
    accent_hover="#00332e",
    accent_soft="#ffffff",
    accent_text="#003d37",
    danger="#8c0000",
    danger_soft="#ffffff",
    warning="#5c3a00",
    warning_soft="#ffffff",
    success="#00441f",
    success_soft="#ffffff",
)

DARK_CONTRAST = replace(
    DARK,
    window="#000000",
    sidebar="#000000",
    raised="#000000",
    hover="#2a2a2a",
    selected="#444444",
    border="#ffffff",
    border_strong="#ffffff",
    text="#ffffff",
    muted="#ffffff",
    faint="#e6e6e6",
    accent="#5ff0dd",
    accent_hover="#a5fff3",
    on_accent="#000000",
    accent_soft="#000000",
    accent_text="#8ffff0",
    danger="#ffb3ad",
    danger_soft="#000000",
    warning="#ffdf8f",
    warning_soft="#000000",
    success="#a8f5c6",
    success_soft="#000000",
    highlight_text="#6e5a00",
)

MOST_TEXT_SCALE = 2.0
_SIZE_OF_TEXT = re.compile(r"((?:font-size|icon-size|min-height): *)(\d+)px")
_text_scale = 1.0


def scaled(px: float) -> int:
    """A size that goes with the size of text, in pixels, as large as the person wants it."""
    return round(px * _text_scale)


def _scale_text(scale: float) -> None:
    global _text_scale
    _text_scale = min(max(scale, 1.0), MOST_TEXT_SCALE)


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

    def __init__(
        self,
        application: QApplication,
        choice: Appearance = Appearance.SYSTEM,
        *,
        text_scale: float | None = None,
        is_high_contrast: bool = False,
    ) -> None:
        super().__init__(application)
        self._application = application
        self._choice = choice
        self._is_high_contrast = is_high_contrast
        self._system_font = application.font()
        self.colours = LIGHT
        application.setStyle("Fusion")
        hints = application.styleHints()
        hints.colorSchemeChanged.connect(self._on_system_changed)
        if hasattr(hints, "accessibility"):  # since Qt 6.10
            hints.accessibility().contrastPreferenceChanged.connect(self._apply)
        if text_scale is not None:
            _scale_text(text_scale)
        self._apply()

    @property
    def choice(self) -> Appearance:
        """What the person chose."""
        return self._choice

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are in force."""
        return self._wants_dark()

    @property
    def is_high_contrast(self) -> bool:
        """Whether black, white and strong lines are in force, by choice or the system's wish."""
        return self._is_high_contrast or _wants_contrast(self._application)

    @property
    def text_scale(self) -> float:
        """1 is the usual size of text, 2 twice that."""
        return _text_scale

    def px(self, px: float) -> int:
        """See `scaled`."""
        return scaled(px)

    def set_high_contrast(self, *, is_on: bool) -> None:
        """Black, white and strong lines."""
        self._is_high_contrast = is_on
        self._apply()

    def set_text_scale(self, scale: float) -> None:
        """Text of another size, 1 to 2; what was laid out already wants to be built again."""
        _scale_text(scale)
        self._apply()

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
        sets = (LIGHT_CONTRAST, DARK_CONTRAST) if self.is_high_contrast else (LIGHT, DARK)
        self.colours = sets[self._wants_dark()]
        self._application.setFont(_interface_font(self._system_font))
        self._application.setPalette(palette(self.colours))
        sheet = stylesheet(self.colours, is_high_contrast=self.is_high_contrast)
        self._application.setStyleSheet(sheet)
        self.changed.emit()

    def _wants_dark(self) -> bool:
        if self._choice is Appearance.SYSTEM:
            return self._is_system_dark()
        return self._choice is Appearance.DARK


def stylesheet(colours: Colours, *, is_high_contrast: bool = False) -> str:
    """The style sheet of the whole window in these colours."""
    names = ("app.qss", "contrast.qss") if is_high_contrast else ("app.qss",)
    parts = [shipped("resources", "styles", name).read_text(encoding="utf-8") for name in names]
    template = Template("\n".join(parts))
    sizes = {"body": BODY_PX, "small": SMALL_PX, "title": TITLE_PX, "hero": HERO_PX}
    sizes["send_radius"] = scaled(SEND_RADIUS)
    sheet = template.substitute(asdict(colours), **sizes)
    return _SIZE_OF_TEXT.sub(lambda found: f"{found[1]}{scaled(int(found[2]))}px", sheet)


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
    """The same font in a size (before scaling) and weight of ours."""
    made = QFont(font)
    made.setPixelSize(scaled(px))
    made.setWeight(weight)
    return made


def _interface_font(system: QFont) -> QFont:
    """The desktop's own font; on a Linux without one, the best that is installed."""
    font = QFont(system)
    font.setPixelSize(scaled(BODY_PX))
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


def _wants_contrast(application: QApplication) -> bool:
    """What the system's settings for people who see badly say; older versions of Qt cannot tell."""
    hints = application.styleHints()
    if not hasattr(hints, "accessibility"):
        return False
    return hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
