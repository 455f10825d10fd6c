"""The language of the window and what goes with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QApplication

from desktop_rag.ui import translation
from desktop_rag.ui.translation import _, counted, numeral


@pytest.fixture(autouse=True)
def back_to_english(qapp: QApplication) -> Iterator[None]:
    yield
    translation.speak(qapp, "en")


def test_english_is_what_the_code_says(qapp: QApplication) -> None:
    assert translation.speak(qapp, "en") == "en"
    assert _("Retry") == "Retry"
    assert counted("{n} file", "{n} files", 1) == "1 file"
    assert counted("{n} file", "{n} files", 2300) == "2,300 files"


def test_numbers_follow_the_language(qapp: QApplication) -> None:
    translation.speak(qapp, "de")
    assert numeral(2300) == "2.300"
    assert QLocale().language() == QLocale.Language.German


def test_arabic_is_laid_out_from_the_right(qapp: QApplication) -> None:
    translation.speak(qapp, "ar")
    assert qapp.layoutDirection() == Qt.LayoutDirection.RightToLeft
    translation.speak(qapp, "fr")
    assert qapp.layoutDirection() == Qt.LayoutDirection.LeftToRight


def test_qts_own_buttons_speak_the_language_too(qapp: QApplication) -> None:
    translation.speak(qapp, "de")
    assert qapp.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    translation.speak(qapp, "en")
    assert qapp.translate("QPlatformTheme", "Cancel") == "Cancel"


def test_an_unknown_language_is_the_systems_or_english(qapp: QApplication) -> None:
    assert translation.speak(qapp, "tlh") in translation.LANGUAGES
