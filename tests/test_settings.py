"""Choices a person makes: kept, checked, and never lost."""

from __future__ import annotations

import logging
import tomllib
from pathlib import Path

import pytest

from desktop_rag import settings
from desktop_rag.domain.errors import InvalidInput, NotFound, UserError
from desktop_rag.settings import SETTINGS, Settings, shown


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "settings.toml"


def test_without_a_file_there_are_defaults(path: Path) -> None:
    assert settings.load(path) == Settings()
    assert not path.exists()


def test_choices_are_kept_and_taken_back(path: Path) -> None:
    settings.store(path, "ocr", "off")
    settings.store(path, "cpu", "Low")
    settings.store(path, "sweep_minutes", "45")
    assert settings.load(path) == Settings(ocr=False, cpu="low", sweep_minutes=45)
    settings.store(path, "ocr", "yes")
    settings.store(path, "sweep_minutes", "default")
    assert settings.load(path) == Settings(cpu="low")
    assert tomllib.loads(path.read_text()) == {"cpu": "low"}, "defaults are not written down"
    assert [file.name for file in path.parent.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("ocr", "maybe", "on or off"),
        ("cpu", "turbo", "low, balanced or full"),
        ("sweep_minutes", "0", "a whole number from 1 to 1440"),
        ("sweep_minutes", "-5", "a whole number from 1 to 1440"),
        ("sweep_minutes", "²", "a whole number from 1 to 1440"),
        ("max_file_mb", "9" * 5000, "a whole number from 1 to 100000"),
        ("ocr_language", "../up", "auto or a name"),
        ("leave_out", "c/v", "endings with a space"),
        ("update_address", "ftp://x.example/v", "an http or https address"),
        ("update_address", "https:// x", "an http or https address"),
    ],
)
def test_a_value_that_is_not_allowed_names_those_that_are(
    path: Path, key: str, value: str, allowed: str
) -> None:
    with pytest.raises(InvalidInput) as raised:
        settings.store(path, key, value)
    assert key in raised.value.message
    assert allowed in raised.value.message
    assert not path.exists()


def test_endings_are_taken_as_people_write_them(path: Path) -> None:
    settings.store(path, "leave_out", " *.CSV, .log;csv ")
    assert settings.load(path).leave_out == "csv log"
    settings.store(path, "leave_out", "")
    assert settings.load(path).leave_out == ""


def test_an_unknown_setting_is_named(path: Path) -> None:
    with pytest.raises(NotFound, match="no setting colour"):
        settings.store(path, "colour", "red")


@pytest.mark.parametrize("line", ['ocr = "on"', "ocr = 1", "sweep_minutes = true", 'cpu = "fast"'])
def test_a_bad_value_in_the_file_is_told_and_can_be_put_right(path: Path, line: str) -> None:
    path.parent.mkdir()
    path.write_text(line)
    key = line.split()[0]
    with pytest.raises(InvalidInput) as raised:
        settings.load(path)
    assert f"`desktop-rag settings {key} default`" in raised.value.message
    settings.store(path, key, "default")
    assert settings.load(path) == Settings()


def test_unknown_keys_are_kept_and_ignored(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.parent.mkdir()
    path.write_text('future = "x"\n[table]\ninner = [1, 2]\n')
    with caplog.at_level(logging.ERROR, logger="desktop_rag.settings"):
        assert settings.load(path) == Settings()
    settings.store(path, "ocr", "off")
    kept = tomllib.loads(path.read_text())
    assert kept == {"future": "x", "ocr": False, "table": {"inner": [1, 2]}}


def test_a_file_that_is_no_toml_is_named(path: Path) -> None:
    path.parent.mkdir()
    for rubbish in (b"ocr = ", b"\xff\xfe\x00"):
        path.write_bytes(rubbish)
        with pytest.raises(InvalidInput, match="cannot be understood"):
            settings.load(path)
        assert path.read_bytes() == rubbish


def test_a_folder_in_its_place_is_told(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(UserError, match="cannot be used"):
        settings.load(path)


def test_every_setting_says_what_it_is_and_takes_its_own_default() -> None:
    for one in SETTINGS:
        assert one.meaning
        assert one.parsed(shown(one.default)) == one.default
        assert one.takes
