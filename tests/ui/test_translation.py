"""The language of the window and what goes with it."""

from __future__ import annotations

import gettext
import runpy
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from desktop_rag.domain.answers import Answer, Confidence, RetrievalFigures
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.services import finishing
from desktop_rag.ui import translation, words
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.library.remedies import failure_of, reason_of
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.translation import _, counted, numeral

ROOT = Path(__file__).resolve().parents[2]


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


def test_arabic_has_six_ways_to_count(qapp: QApplication) -> None:
    translation.speak(qapp, "ar")
    told = [counted("{n} file", "{n} files", number) for number in (0, 1, 2, 3, 11, 100)]
    assert len(set(told)) == 6
    assert told[1] == "ملف واحد"
    assert told[2] == "ملفان"


@pytest.mark.parametrize("kind", [PlainLabel, ElidedLabel])
def test_latin_names_stand_at_the_side_of_the_arabic_words(
    qapp: QApplication, kind: type[PlainLabel]
) -> None:
    translation.speak(qapp, "ar")
    label = kind()
    label.setText("/home/ada/Manuals")
    label.resize(400, 24)
    assert _inked(label.grab().toImage()) > 200


def _inked(image: QImage) -> int:
    """The first column that is not as the first pixel."""
    ground = image.pixelColor(0, 0)

    def is_inked(x: int) -> bool:
        return any(image.pixelColor(x, y) != ground for y in range(image.height()))

    return next(x for x in range(image.width()) if is_inked(x))


def test_margins_are_mirrored(qapp: QApplication) -> None:
    translation.speak(qapp, "ar")
    holder = QWidget()
    row = QHBoxLayout(holder)
    set_margins(row, 16, 1, 8, 2)
    assert (row.contentsMargins().left(), row.contentsMargins().right()) == (8, 16)
    translation.speak(qapp, "en")
    set_margins(row, 16, 1, 8, 2)
    assert (row.contentsMargins().left(), row.contentsMargins().right()) == (16, 8)


def test_qts_own_buttons_speak_the_language_too(qapp: QApplication) -> None:
    translation.speak(qapp, "de")
    assert qapp.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    translation.speak(qapp, "en")
    assert qapp.translate("QPlatformTheme", "Cancel") == "Cancel"


def test_an_unknown_language_is_the_systems_or_english(qapp: QApplication) -> None:
    assert translation.speak(qapp, "tlh") in translation.LANGUAGES


def test_what_the_program_says_itself_is_told_in_the_windows_language(qapp: QApplication) -> None:
    assert words.NOT_FOUND == finishing.NOT_FOUND
    answer = Answer(
        "Q?", words.NOT_FOUND, (), Confidence.NONE, False, RetrievalFigures(1, 1, 0, 0, 0)
    )
    assert words.said(answer) == words.NOT_FOUND
    translation.speak(qapp, "de")
    assert words.said(answer) == _("I could not find an answer to this in your documents.")
    assert words.said(replace(answer, text="Der Mietvertrag.")) == "Der Mietvertrag."


def test_why_a_file_failed_is_told_in_the_windows_language(qapp: QApplication) -> None:
    file = LibraryFile(
        DocumentId(1), "/a.pdf", FileState.FAILED, "pdf", "", 1, 0, 0, "", "",
        failure_code="encrypted", failure="a.pdf needs a password; remove it and try again.",
    )  # fmt: skip
    assert failure_of(file) == file.failure
    translation.speak(qapp, "de")
    told = failure_of(file)
    assert "password" not in told
    assert told.endswith(reason_of("encrypted").advice)
    assert failure_of(replace(file, failure="", failure_code="")) == ""


@pytest.mark.parametrize("language", [code for code in translation.LANGUAGES if code != "en"])
def test_every_text_of_the_window_is_translated(language: str) -> None:
    """`packaging/translations.py` brings the catalogues up to date; fill what it finds missing."""
    tool = runpy.run_path(str(ROOT / "packaging" / "translations.py"))
    catalogue = tool["merged"](language, tool["collected"]())
    assert tool["missing"](catalogue) == []
    assert tool["faults"](catalogue) == []
    compiled = gettext.translation("window", str(tool["FOLDER"]), [language])
    for message in catalogue:
        if isinstance(message.id, str) and message.id:
            assert compiled.gettext(message.id) == message.string
