"""A program with `portable.txt` beside it keeps everything there and says so."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop_rag import __main__ as program
from desktop_rag import paths
from desktop_rag.domain.errors import UserError
from desktop_rag.services.stored import Kind, Stored
from desktop_rag.storage.erasing import erase
from desktop_rag.storage.library_lock import locked
from desktop_rag.ui.autostart import NoAutostart, autostart, start_command
from desktop_rag.ui.background import Background
from desktop_rag.ui.preferences.surroundings import Surroundings
from desktop_rag.ui.preferences.system_choices import SystemChoices
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.privacy.stored_card import StoredCard
from desktop_rag.ui.single_instance import server_name
from desktop_rag.ui.theme import Theme


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That of the frozen program, which is not portable yet."""
    monkeypatch.delenv(paths.DATA_DIR_VARIABLE)
    monkeypatch.delenv(paths.MODELS_DIR_VARIABLE)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "desktop-rag"))
    return tmp_path


@pytest.fixture
def portable(folder: Path) -> Path:
    (folder / "portable.txt").touch()
    return folder / "data"


def test_data_and_models_lie_beside_it(
    folder: Path, portable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert paths.default_data_dir() == portable
    assert paths.models_dir() == portable / "models"
    monkeypatch.setenv(paths.DATA_DIR_VARIABLE, "/elsewhere")
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, "/models")
    assert (paths.default_data_dir(), paths.models_dir()) == (Path("/elsewhere"), Path("/models"))


def test_without_the_mark_or_from_a_checkout_it_is_not_portable(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert paths.portable_dir() is None
    assert folder not in paths.default_data_dir().parents
    (folder / "portable.txt").touch()
    monkeypatch.setattr(sys, "frozen", False)
    assert paths.portable_dir() is None


def test_a_link_to_the_program_leads_to_its_own_folder(
    portable: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "rag").symlink_to(tmp_path / "desktop-rag")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "rag"))
    assert paths.portable_dir() == portable.resolve()


def test_temporary_files_lie_beside_it_too(portable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, "/tmp")
    program._keep_temporary_files_beside()
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert Path(tempfile.gettempdir()) == portable / "temporary"
    assert portable.stat().st_mode & 0o077 == 0 or sys.platform == "win32"


@pytest.mark.parametrize("is_portable", [True, False])
def test_what_lies_beside_it_goes_with_everything(folder: Path, *, is_portable: bool) -> None:
    if is_portable:
        (folder / "portable.txt").touch()
    for name in ("temporary", "qt"):
        (folder / "data" / name).mkdir(parents=True)
        (folder / "data" / name / "one").write_text("left by a crash")
    erase(paths.DataDir(folder / "data"))
    assert (folder / "data" / "qt").exists() != is_portable
    assert (folder / "data" / "temporary").exists() != is_portable


def test_an_ordinary_program_uses_the_systems_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", "/tmp")
    program._keep_temporary_files_beside()
    assert os.environ["TMPDIR"] == "/tmp"
    assert list(folder.iterdir()) == []


def test_a_stick_that_cannot_be_written_is_told(portable: Path) -> None:
    portable.write_text("in the way of the folder")
    program._keep_temporary_files_beside()
    with (
        pytest.raises(UserError, match="Take off the write protection"),
        locked(paths.DataDir(portable)),
    ):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has pipes without a place")
def test_later_starts_meet_outside_of_the_stick(
    portable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1")
    name = server_name(portable)
    assert name.startswith("/run/user/1/desktop-rag-")
    (portable.parent / "portable.txt").unlink()
    assert server_name(portable) == Path(name).name


def test_it_does_not_start_at_log_in(portable: Path) -> None:
    starter = autostart(portable)
    assert isinstance(starter, NoAutostart)
    starter.switch(is_on=False)
    assert not starter.is_on()
    with pytest.raises(UserError):
        starter.switch(is_on=True)


@pytest.mark.parametrize("is_offered", [True, False])
def test_and_does_not_offer_it(
    theme: Theme, qtbot: QtBot, tmp_path: Path, *, is_offered: bool
) -> None:
    around = Surroundings(Preferences(tmp_path), NoAutostart(), False, is_offered)
    with contextlib.closing(Background()) as background:
        choices = SystemChoices(theme, background, around, lambda: None)
        shown = choices.all()
        for choice in shown:
            qtbot.addWidget(choice.row)
        qtbot.addWidget(choices.login.row)
        assert (choices.login in shown) is is_offered


def test_the_privacy_page_says_where_everything_is(
    portable: Path, theme: Theme, qtbot: QtBot
) -> None:
    card = StoredCard(theme)
    qtbot.addWidget(card)
    said = [label.text() for label in card.portable.findChildren(QLabel)]
    assert any("Everything is kept in" in text and str(portable) in text for text in said)
    inside = [
        Stored(Kind.LIBRARY, portable / "library.sqlite3", 1),
        Stored(Kind.MODELS, portable / "models", 1),
    ]
    card.show_stored(inside)
    assert not card.portable.isHidden()
    card.show_stored([inside[0], Stored(Kind.MODELS, Path("/elsewhere"), 1)])
    assert card.portable.isHidden()


def test_an_ordinary_program_says_nothing_of_it(folder: Path, theme: Theme, qtbot: QtBot) -> None:
    card = StoredCard(theme)
    qtbot.addWidget(card)
    card.show_stored([Stored(Kind.LIBRARY, folder / "data" / "library.sqlite3", 1)])
    assert card.portable.isHidden()


def test_an_installed_version_starts_at_log_in_through_its_link(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = folder / "0.1.0"
    version.mkdir()
    monkeypatch.setattr(sys, "executable", str(version / "desktop-rag"))
    assert start_command(paths.default_data_dir()) == [str(version / "desktop-rag")]
    (folder / "current").symlink_to("0.1.0")
    assert start_command(paths.default_data_dir()) == [str(folder / "current" / "desktop-rag")]
    (folder / "0.2.0").mkdir()
    (folder / "current").unlink()
    (folder / "current").symlink_to("0.2.0")
    assert start_command(paths.default_data_dir()) == [str(version / "desktop-rag")]


def test_what_qt_remembers_goes_beside_it(portable: Path, tmp_path: Path) -> None:
    from desktop_rag.ui.application import keep_qt_settings_in

    before = Path(QSettings(QSettings.Scope.UserScope, "QtProject").fileName()).parent
    try:
        keep_qt_settings_in(portable)
        assert (
            QSettings(QSettings.Scope.UserScope, "QtProject").fileName().startswith(str(tmp_path))
        )
    finally:
        keep_qt_settings_in(before)
