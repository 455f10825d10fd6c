"""Whatever is made first in the data folder, other people of the computer cannot look into it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag import logs, paths, settings
from desktop_rag.services.model_workplace import Workplace
from desktop_rag.storage.model_files import PartialFile, write_json

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")


def _import_a_model(data: Path) -> None:
    with PartialFile(data / "models" / "a" / "a.gguf", lambda _: None, lambda: False):
        pass


def _hold_a_model(data: Path) -> None:
    with Workplace(data / "models", lambda _: None).alone("a"):
        pass


@pytest.mark.parametrize(
    "make",
    [
        _import_a_model,
        _hold_a_model,
        lambda data: write_json(data / "models" / "processor.json", {}),
        lambda data: logs.stop_writing(logs.write_to(data / "logs")),
        lambda data: settings.store(data / "settings.toml", "forbid_network", "on"),
    ],
    ids=["import", "hold", "json", "log", "setting"],
)
def test_what_is_made_first_closes_the_data_folder(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    data = tmp_path / "share" / "desktop-rag"
    make(data)
    assert data.stat().st_mode & 0o077 == 0


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    data = tmp_path / "open"
    data.mkdir()
    data.chmod(0o755)
    paths.make_private(data / "models" / "a")
    assert data.stat().st_mode & 0o777 == 0o755
    assert (data / "models").stat().st_mode & 0o077 == 0


def test_a_file_in_the_way_is_said(tmp_path: Path) -> None:
    (tmp_path / "models").touch()
    with pytest.raises(FileExistsError):
        paths.make_private(tmp_path / "models")
