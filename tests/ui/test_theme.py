"""Text of another size, and colours for people who see badly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from desktop_rag.ui.theme import (
    BODY_PX,
    DARK,
    DARK_CONTRAST,
    LIGHT,
    LIGHT_CONTRAST,
    Appearance,
    Colours,
    Theme,
    stylesheet,
)


@pytest.fixture(autouse=True)
def as_it_was(theme: Theme) -> Iterator[None]:
    yield
    theme.set_text_scale(1.0)
    theme.set_high_contrast(is_on=False)


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""

    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    of = QColor(colour)
    return sum(
        share * linear(part)
        for share, part in zip(
            (0.2126, 0.7152, 0.0722), (of.redF(), of.greenF(), of.blueF()), strict=True
        )
    )


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


PAIRS = (
    ("text", "window"), ("text", "sidebar"), ("text", "raised"), ("text", "hover"),
    ("text", "selected"), ("muted", "window"), ("muted", "sidebar"), ("muted", "raised"),
    ("faint", "window"), ("on_accent", "accent"), ("accent_text", "accent_soft"),
    ("accent_text", "window"), ("danger", "danger_soft"), ("danger", "window"),
    ("warning", "warning_soft"), ("success", "success_soft"), ("text", "highlight_text"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("colours", "least"),
    [(LIGHT, 4.5), (DARK, 4.5), (LIGHT_CONTRAST, 7.0), (DARK_CONTRAST, 7.0)],
    ids=["light", "dark", "light contrast", "dark contrast"],
)
def test_text_can_be_read_on_its_ground(colours: Colours, least: float) -> None:
    values = asdict(colours)
    low = {
        (ink, ground): round(contrast(values[ink], values[ground]), 2)
        for ink, ground in PAIRS
        if contrast(values[ink], values[ground]) < least
    }
    assert low == {} or (least == 7.0 and set(low) == {("text", "highlight_text")})


def test_high_contrast_keeps_light_and_dark_apart(theme: Theme) -> None:
    theme.set_high_contrast(is_on=True)
    assert theme.colours is LIGHT_CONTRAST
    theme.choose(Appearance.DARK)
    assert theme.colours is DARK_CONTRAST
    assert theme.is_dark
    theme.set_high_contrast(is_on=False)
    assert theme.colours is DARK


def test_text_grows_everywhere(theme: Theme, qapp: QApplication) -> None:
    before = stylesheet(LIGHT)
    theme.set_text_scale(2.0)
    assert theme.px(BODY_PX) == 2 * BODY_PX
    assert qapp.font().pixelSize() == 2 * BODY_PX
    assert f"font-size: {2 * BODY_PX}px" in stylesheet(LIGHT)
    assert stylesheet(LIGHT) != before
    theme.set_text_scale(9.0)
    assert theme.text_scale == 2.0
