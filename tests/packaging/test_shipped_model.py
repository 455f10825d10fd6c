from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from release import shipped_model as module
from release.plan import BuildFailed, Plan
from release.shipped_model import shipped_model

from desktop_rag import paths

_BYTES = b"GGUF and weights"
_CATALOG = f"""
[[model]]
id = "tiny"
title = "Tiny"
role = "llm"
licence = "Apache-2.0"
is_default = true

[[model.files]]
name = "tiny.gguf"
size = {len(_BYTES)}
sha256 = "{hashlib.sha256(_BYTES).hexdigest()}"
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of installed models, with a catalog of one language model."""
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "catalog.toml").write_text(_CATALOG, encoding="utf-8")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(tmp_path / "installed"))
    (tmp_path / "installed").mkdir()
    return tmp_path / "installed"


def test_without_an_installed_model_there_is_none(installed: Path) -> None:
    assert shipped_model(Plan("1.0")) is None


def test_the_installed_default_is_taken_and_placed_as_the_catalog_names_it(
    installed: Path,
) -> None:
    (installed / "tiny.gguf").write_bytes(_BYTES)
    found = shipped_model(Plan("1.0"))
    assert found is not None
    assert found.size == len(_BYTES)
    assert found.placed(Path("/p/_internal")) == [
        (installed / "tiny.gguf", Path("/p/_internal/models/tiny/tiny.gguf"))
    ]


def test_a_named_model_is_recognised_by_its_bytes(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "download").write_bytes(_BYTES)
    found = shipped_model(Plan("1.0", model=tmp_path / "download"))
    assert found is not None
    assert found.id == "tiny"


def test_a_damaged_or_missing_model_stops_the_build(installed: Path, tmp_path: Path) -> None:
    damaged = _BYTES.replace(b"weights", b"weightz")
    (installed / "tiny.gguf").write_bytes(damaged)
    with pytest.raises(BuildFailed, match="models install"):
        shipped_model(Plan("1.0"))
    with pytest.raises(BuildFailed, match=r"Known: tiny\.gguf"):
        shipped_model(Plan("1.0", model=installed / "tiny.gguf"))
    with pytest.raises(BuildFailed, match="no model"):
        shipped_model(Plan("1.0", model=tmp_path / "nothing"))
