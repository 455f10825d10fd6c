"""What is advised when there is no language model is what this copy of the program can do."""

from __future__ import annotations

import sys

import pytest

from desktop_rag.services.llm_choosing import missing


def test_a_checkout_is_told_to_download(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.services.llm_choosing.has_pip", lambda: True)
    assert "`desktop-rag models install a-model`" in str(missing("a-model"))


def test_an_installed_program_is_told_to_take_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    said = str(missing("a-model"))
    assert "`desktop-rag models import FILE`" in said
    assert "models install" not in said
