from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.paths import DataDir
from desktop_rag.storage.handing_over import HandingOver


@pytest.fixture
def holder(tmp_path: Path) -> HandingOver:
    return HandingOver(DataDir(tmp_path))


def test_who_made_no_offer_is_not_asked(holder: HandingOver, tmp_path: Path) -> None:
    assert not HandingOver(DataDir(tmp_path)).ask()
    assert not holder.is_asked_for()
    assert [*tmp_path.iterdir()] == []


def test_an_offer_is_taken_up(holder: HandingOver, tmp_path: Path) -> None:
    holder.offer()
    assert not holder.is_asked_for()
    assert HandingOver(DataDir(tmp_path)).ask()
    assert holder.is_asked_for()
    holder.withdraw()
    assert not holder.is_asked_for()
    assert not HandingOver(DataDir(tmp_path)).ask()


def test_a_new_offer_forgets_who_asked_before(holder: HandingOver) -> None:
    holder.offer()
    holder.ask()
    holder.offer()
    assert not holder.is_asked_for()


def test_a_folder_that_is_gone_is_no_error(tmp_path: Path) -> None:
    holder = HandingOver(DataDir(tmp_path / "gone"))
    holder.offer()
    holder.withdraw()
    assert not holder.is_asked_for()
