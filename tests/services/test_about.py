"""What the program says of itself: as a built one, as a checkout, and when its list is damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_rag import __version__
from desktop_rag.domain.errors import DesktopRagError, NotFound
from desktop_rag.services.about import About

ROWS: list[dict[str, Any]] = [
    {"name": "Desktop RAG", "version": "9", "licence": "AGPL-3.0-or-later", "files": ["LICENSE"]},
    {
        "name": "numpy",
        "version": "2.4",
        "licence": "BSD-3-Clause",
        "kind": "library",
        "home": "https://numpy.org",
        "files": ["libraries/numpy/LICENSE.txt", "libraries/numpy/NOTICE"],
    },
    {
        "name": "A language model",
        "version": "",
        "licence": "Apache-2.0",
        "kind": "model",
        "where": "models/some",
        "files": [],
    },
]


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """The folder of a built program."""
    folder = tmp_path / "resources" / "licences"
    (folder / "libraries" / "numpy").mkdir(parents=True)
    (folder / "LICENSE").write_text("AGPL", encoding="utf-8")
    (folder / "libraries" / "numpy" / "LICENSE.txt").write_text("BSD", encoding="utf-8")
    (folder / "libraries" / "numpy" / "NOTICE").write_text("Notice", encoding="utf-8")
    program = {"version": "9", "commit": "abc", "date": "2030-03-04"}
    index = {"format": 1, "program": program, "parts": ROWS}
    (folder / "index.json").write_text(json.dumps(index), encoding="utf-8")
    return tmp_path


def test_a_built_program_tells_from_what(shipped: Path) -> None:
    build = About(shipped).build()
    assert build.is_frozen
    assert (build.version, build.commit, build.date) == ("9", "abc", "2030-03-04")


def test_its_parts_are_those_of_the_list(shipped: Path) -> None:
    parts = About(shipped).parts()
    assert [part.name for part in parts] == ["Desktop RAG", "numpy"]
    assert parts[1].home == "https://numpy.org"


def test_a_model_is_a_part_where_it_came_along(shipped: Path) -> None:
    (shipped / "models" / "some").mkdir(parents=True)
    assert About(shipped).parts()[-1].name == "A language model"


def test_all_texts_of_a_part_are_read(shipped: Path) -> None:
    about = About(shipped)
    text = about.text(about.find("NumPy"))
    assert text.startswith("BSD\n")
    assert text.endswith("\nNotice")


def test_a_text_that_is_gone_is_said(shipped: Path) -> None:
    (shipped / "resources" / "licences" / "LICENSE").unlink()
    about = About(shipped)
    assert "LICENSE is missing" in about.text(about.find("desktop rag"))


def test_an_unknown_part_is_told_with_names_like_it(shipped: Path) -> None:
    with pytest.raises(NotFound, match=r"Do you mean numpy\?"):
        About(shipped).find("nunpy")
    with pytest.raises(NotFound, match=r"called zzz\. `desktop-rag about`"):
        About(shipped).find("zzz")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"program": 3}',
        '{"program": {"version": "9"}}',
        '{"program": {"version": "9", "commit": "", "date": ""}, "parts": [{"name": "x"}]}',
        '{"program": {"version": "9", "commit": "", "date": ""}, "parts": 5}',
        '{"program": {"version": "9", "commit": "", "date": ""}}',
    ],
)
def test_a_damaged_list_is_one_sentence(shipped: Path, text: str) -> None:
    (shipped / "resources" / "licences" / "index.json").write_text(text, encoding="utf-8")
    with pytest.raises(DesktopRagError, match="damaged: install the program again"):
        About(shipped).parts()


def test_the_list_for_machines_is_found(shipped: Path) -> None:
    about = About(shipped)
    assert about.bill_of_materials() is None
    bill = shipped / "resources" / "licences" / "desktop-rag-9.cdx.json"
    bill.write_text("{}", encoding="utf-8")
    assert about.bill_of_materials() == bill


def test_a_checkout_tells_the_libraries_it_runs_on(tmp_path: Path) -> None:
    (tmp_path / "LICENSE").write_text("AGPL", encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("numpy==1.0 \\\nlxml==1\n# no\n", encoding="utf-8")
    about = About(tmp_path)
    assert not about.build().is_frozen
    assert about.build().version == __version__
    parts = about.parts()
    assert [part.name for part in parts] == ["Desktop RAG", "lxml", "numpy"]
    assert "BSD-3-Clause" in parts[2].licence
    assert "Redistribution" in about.text(parts[2])
    assert about.text(parts[0]) == "AGPL"


def test_without_a_list_of_libraries_all_are_told(tmp_path: Path) -> None:
    assert "pytest" in {part.name for part in About(tmp_path).parts()}
