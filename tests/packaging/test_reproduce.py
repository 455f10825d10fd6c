"""The comparison of two builds."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from release import reproduce
from release.plan import BuildFailed, Plan
from release.reproduce import compare, explained


@pytest.fixture
def builds(tmp_path: Path) -> tuple[Path, Path]:
    """Two that are the same."""
    made = (tmp_path / "one", tmp_path / "two")
    for folder in made:
        (folder / "lib").mkdir(parents=True)
        (folder / "lib" / "a.so").write_bytes(b"abcdef")
        (folder / "program").write_bytes(b"program")
        (folder / "link").symlink_to("program")
    return made


def test_two_that_are_the_same(builds: tuple[Path, Path]) -> None:
    found = compare(*builds)
    assert (found.same, found.different, found.missing) == (3, (), ())


def test_content_links_and_rights_are_compared(builds: tuple[Path, Path]) -> None:
    one, two = builds
    (two / "lib" / "a.so").write_bytes(b"abXdef")
    (two / "link").unlink()
    (two / "link").symlink_to("lib/a.so")
    (two / "program").chmod(0o755)
    (one / "only").write_bytes(b"")
    found = compare(one, two)
    assert found.different == ("lib/a.so", "link", "program")
    assert found.missing == ("only",)
    place = "lib/a.so"
    assert explained(one / place, two / place) == ": 1 of 6 bytes, the first at 2"
    assert explained(one / "link", two / "link") == ": links to other places"
    assert explained(one / "program", two / "program") == ": one of them can be run"


def test_archives_tell_whether_it_is_the_time(tmp_path: Path) -> None:
    for name, year in (("one.zip", 2020), ("two.zip", 2021)):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr(zipfile.ZipInfo("m.pyc", (year, 1, 1, 0, 0, 0)), b"same")
            archive.writestr(zipfile.ZipInfo("n.pyc"), str(year).encode())
    said = explained(tmp_path / "one.zip", tmp_path / "two.zip")
    assert said == ": of 2 and 2 members 1 differ in content (n.pyc), 1 in time"


def test_without_a_first_build_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="run `freeze licences sbom` first"):
        reproduce.run(Plan("9.9.9", dist=tmp_path / "dist"))


def test_signatures_are_not_compared(builds: tuple[Path, Path], tmp_path: Path) -> None:
    plan = Plan("9.9.9", dist=tmp_path / "dist")
    for name in ("SHA256SUMS.asc", "SHA256SUMS", "desktop-rag-9.9.9-windows-x86_64.exe", "a.deb"):
        (plan.out / name).touch()
    found = compare(plan.out, builds[1], reproduce.passed_over(plan))
    assert found.missing == ("a.deb", "lib/a.so", "link", "program")


def test_a_build_of_another_commit_is_not_compared(tmp_path: Path) -> None:
    plan = Plan("9.9.9", dist=tmp_path / "dist")
    folder = plan.libraries / "resources" / "licences"
    folder.mkdir(parents=True)
    index = {"program": {"commit": "000000000000"}}
    (folder / "index.json").write_text(json.dumps(index), encoding="utf-8")
    with pytest.raises(BuildFailed, match="is of commit 000000000000, and this is"):
        reproduce.run(plan)


@pytest.mark.parametrize("is_same", [True, False])
def test_a_difference_fails_the_step(
    tmp_path: Path, builds: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, *, is_same: bool
) -> None:
    one, two = builds
    if not is_same:
        (two / "program").write_bytes(b"PROGRAM")
    plan = Plan("9.9.9", dist=tmp_path / "dist")
    (tmp_path / "dist").mkdir()
    one.rename(plan.program)
    again = Plan("9.9.9", dist=tmp_path / "again")
    (tmp_path / "again").mkdir()
    two.rename(again.program)
    monkeypatch.setattr(reproduce, "_require_first_build", lambda _plan: None)
    monkeypatch.setattr(reproduce, "said", lambda _command: "")
    monkeypatch.setattr(reproduce, "_built_again", lambda _plan, _clone: again)
    if is_same:
        reproduce.run(plan)
    else:
        with pytest.raises(BuildFailed, match="not the same"):
            reproduce.run(plan)
