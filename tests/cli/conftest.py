"""The command line over fake engines, as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.app import App
from desktop_rag.cli.main import main
from tests.helpers.fakes import FakeGenerator, FakeIndex, FakeReader, fake_engines


class Terminal:
    """Runs commands as a person would and keeps what was printed."""

    def __init__(self, data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.data_dir = data_dir
        self.index, self.generator = FakeIndex(), FakeGenerator()
        self._capsys = capsys

    def run(self, *arguments: str | Path) -> tuple[int, str, str]:
        code = main(["--data-dir", str(self.data_dir), *map(str, arguments)])
        out, err = self._capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    def json(self, *arguments: str | Path) -> Any:
        code, out, _ = self.run(*arguments, "--json")
        assert code == 0
        return json.loads(out)


@pytest.fixture
def terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Terminal:
    made = Terminal(tmp_path / "data", capsys)
    # One index for all commands: a real one lives in the data folder.
    monkeypatch.setattr(
        App,
        "_start_engines",
        lambda _self: fake_engines(FakeReader(), made.index, made.generator),
    )
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    (made / "pump.txt").write_text(
        "# Pump manual\n\nThe pump holds four litres of oil.\n\nThe warranty lasts seven years."
    )
    return made
