"""The façade: what it starts, and that it lets go of everything."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from desktop_rag import settings
from desktop_rag.app import App
from desktop_rag.domain.answers import ConversationId, Role
from desktop_rag.domain.errors import DiskFull
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.jobs import Jobs
from tests.helpers.fakes import FakeGenerator, fake_engines

TIMEOUT_S = 10.0


def test_warming_up_lets_the_model_read_what_every_prompt_begins_with(tmp_path: Path) -> None:
    generator = FakeGenerator()
    with App.open(tmp_path / "data", fake_engines(generator=generator)) as app:
        app.warm_up()
        deadline = time.monotonic() + TIMEOUT_S
        while not generator.prompts:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    assert [turn.role for turn in generator.prompts[0]] == [Role.SYSTEM, Role.USER]


def test_a_folder_around_the_data_folder_brings_none_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Apples.")
    with App.open(tmp_path / "data", fake_engines()) as app:
        (tmp_path / "data" / "own.txt").write_text("Of the program.")
        app.add([tmp_path])
        app.start_indexing()
        assert app.wait_until_indexed(TIMEOUT_S)
        assert [file.path for file in app.files()] == [str(tmp_path / "a.txt")]


def test_a_closed_library_can_be_opened_again_at_once(tmp_path: Path) -> None:
    for _ in range(3):
        with App.open(tmp_path / "data", fake_engines()) as app:
            app.start_indexing()
            assert app.wait_until_indexed(TIMEOUT_S)


def test_a_library_that_could_not_be_opened_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Jobs) -> None:
        raise DiskFull("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(Jobs, "recover", fail)
        with pytest.raises(DiskFull) as shown:
            App.open(tmp_path / "data", fake_engines())
    with App.open(tmp_path / "data", fake_engines()) as app:
        assert app.files() == []
    assert shown.value.message, "the window still shows why the first try failed"


def test_a_full_disk_keeps_removed_chats_and_nobody_from_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Conversations, __: ConversationId) -> None:
        raise DiskFull("The disk is full.")

    with App.open(tmp_path / "data", fake_engines()) as app:
        chat = app._conversations.begin("Apples")
        app.history.remove([chat])
    monkeypatch.setattr(Conversations, "delete", fail)
    with App.open(tmp_path / "data", fake_engines()) as app:
        assert app.conversations() == []
        app.history.bring_back([chat])
        assert [one.id for one in app.conversations()] == [chat]


def test_two_choices_made_at_once_are_both_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = settings._read

    def slow(path: Path) -> dict[str, Any]:
        contents = read(path)
        time.sleep(0.1)
        return contents

    with App.open(tmp_path, fake_engines()) as app:
        monkeypatch.setattr(settings, "_read", slow)
        threads = [
            threading.Thread(target=app.change_setting, args=(key, "off"))
            for key in ("ocr", "watch")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (app.settings().ocr, app.settings().watch) == (False, False)
