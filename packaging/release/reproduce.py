"""Freezes the program a second time, from a clone at another place, and tells which files differ.

What was made before is the first build: run `freeze licences sbom` first, and the steps of packages
that are to be compared. What cannot be the same, and why, stands in `packaging/README.md`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from release.plan import CACHE, ROOT, BuildFailed, Plan, call, digest_of, said
from release.sums import NAME, SIGNATURE

STEPS = ("freeze", "licences", "sbom")
PACKAGES = {"deb": "*.deb", "bundle": "*.run", "models": "*.ragmodels", "sums": "*.tar.gz"}
"""Steps that are repeated when the first build has what they make."""
_SIGNED = (".exe", ".dmg")
"""Packages that hold the time of a signature."""
_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Comparison:
    """Files of two builds, by their place."""

    same: int
    different: tuple[str, ...]
    missing: tuple[str, ...]
    """Only one of the two has them."""


def run(plan: Plan) -> None:
    """Build again and compare.

    Raises:
        BuildFailed: there is no first build, it is of other sources, or a file differs.
    """
    _require_first_build(plan)
    if said(["git", "status", "--porcelain", "--untracked-files=no"]):
        raise BuildFailed("Sources are changed since the commit: commit or restore them first.")
    clone = plan.work / "second-build-at-another-place"
    try:
        second = _built_again(plan, clone)
        found = [_compared("the program", plan.program, second.program)]
        if any(plan.out.iterdir()):
            found.append(_compared("what is given away", plan.out, second.out, passed_over(plan)))
        if any(one.different or one.missing for one in found):
            raise BuildFailed("The two builds are not the same.")
    finally:
        shutil.rmtree(clone, ignore_errors=True)


def _require_first_build(plan: Plan) -> None:
    index = plan.licences / "index.json"
    if not index.exists():
        raise BuildFailed("There is nothing to compare with: run `freeze licences sbom` first.")
    built = json.loads(index.read_text(encoding="utf-8"))["program"]["commit"]
    head = said(["git", "rev-parse", "--short=12", "HEAD"])
    if built != head:
        raise BuildFailed(
            f"The program is of commit {built}, and this is {head}: run `freeze licences sbom` "
            "first."
        )


def _built_again(plan: Plan, clone: Path) -> Plan:
    shutil.rmtree(clone, ignore_errors=True)
    call(["git", "clone", "--quiet", ROOT, clone])
    (clone / ".venv").symlink_to(ROOT / ".venv")
    if CACHE.exists():  # llama.cpp is not compiled a second time
        (clone / "packaging" / "cache").symlink_to(CACHE)
    repeated = [step for step, like in PACKAGES.items() if any(plan.out.glob(like))]
    model = ["--model", str(plan.model)] if plan.model else []
    command = [sys.executable, "packaging/build.py", *STEPS, *repeated, *model]
    if subprocess.call(command, cwd=clone):
        raise BuildFailed("The second build failed; what it said stands above.")
    return Plan(plan.version, plan.model, dist=clone / "packaging" / "dist")


def passed_over(plan: Plan) -> frozenset[str]:
    """What of `plan.out` is not compared: signed packages, the sums of all, and their signature."""
    signed = {path.name for path in plan.out.iterdir() if path.suffix in _SIGNED}
    return frozenset({NAME, SIGNATURE, *signed})


def _compared(
    name: str, first: Path, second: Path, without: frozenset[str] = frozenset()
) -> Comparison:
    found = compare(first, second, without)
    print(f"\n{name}: {found.same} files are the same, {len(found.different)} differ")
    for place in found.different[:_SHOWN]:
        print(f"  differs: {place}{explained(first / place, second / place)}")
    for place in found.missing[:_SHOWN]:
        print(f"  only in one: {place}")
    return found


def compare(first: Path, second: Path, without: frozenset[str] = frozenset()) -> Comparison:
    """Every file and link of two folders, by content, target and whether it can be run."""
    ours, theirs = (
        {place: state for place, state in _states(folder) if place not in without}
        for folder in (first, second)
    )
    both = ours.keys() & theirs.keys()
    different = sorted(place for place in both if ours[place] != theirs[place])
    return Comparison(
        len(both) - len(different), tuple(different), tuple(sorted(ours.keys() ^ theirs.keys()))
    )


def _states(folder: Path) -> Iterator[tuple[str, str]]:
    for path in folder.rglob("*"):
        place = path.relative_to(folder).as_posix()
        if path.is_symlink():
            yield place, f"link to {path.readlink()}"
        elif path.is_file():
            yield place, f"{digest_of(path)} {path.stat().st_mode & 0o111:o}"


def explained(first: Path, second: Path) -> str:
    """What differs in it, as far as that can be told in a line."""
    if first.is_symlink() or second.is_symlink():
        return ": links to other places"
    if zipfile.is_zipfile(first) and zipfile.is_zipfile(second):
        return _members(first, second)
    ours, theirs = first.read_bytes(), second.read_bytes()
    if len(ours) != len(theirs):
        return f": {len(ours)} and {len(theirs)} bytes"
    places = [n for n, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one != other]
    if not places:
        return ": one of them can be run"
    return f": {len(places)} of {len(ours)} bytes, the first at {places[0]}"


def _members(first: Path, second: Path) -> str:
    with zipfile.ZipFile(first) as one, zipfile.ZipFile(second) as other:
        ours = {info.filename: (info.CRC, info.date_time) for info in one.infolist()}
        theirs = {info.filename: (info.CRC, info.date_time) for info in other.infolist()}
    both = ours.keys() & theirs.keys()
    contents = [name for name in both if ours[name][0] != theirs[name][0]]
    times = [name for name in both if ours[name][1] != theirs[name][1]]
    return (
        f": of {len(ours)} and {len(theirs)} members {len(contents)} differ in content "
        f"({', '.join(sorted(contents)[:3])}), {len(times)} in time"
    )
