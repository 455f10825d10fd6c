"""The proof that libraries of earlier versions survive an upgrade, and that versions get along.

    .venv/bin/python packaging/proof/upgrade.py [REVISION …]

Needs a clone with its history. Without a revision it takes the last commit of every schema before
today's. Each makes a library with its own code (the sample documents, a scan, tags, a collection,
chats with answers, a setting); today's code opens it; the old code is then shown the upgraded one.
It takes a minute for each, and fails when anything is not as it should be.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proof.earlier import (
    QUESTIONS,
    SCAN,
    Version,
    environment,
    last_of_each_schema,
    make_library,
    today,
    unpacked,
)

_LOCKED, _TOO_NEW = 4, 5
_PATIENCE_S = 60.0
_OF_A_START = ("library.lock", "library.holder", "crash-")
_TABLES = ("sources", "documents", "document_tags", "collections", "conversations", "messages")


class Report:
    """One line for each thing that was looked at; remembers whether all were well."""

    def __init__(self) -> None:
        self.failed = 0

    def head(self, text: str) -> None:
        """What follows."""
        print(f"\n{text}", flush=True)

    def line(self, what: str, found: object, *, is_well: bool) -> None:
        """One thing."""
        self.failed += not is_well
        print(f"  {'ok' if is_well else 'FAILED':<7} {what:<46} {found}", flush=True)


def main(revisions: list[str]) -> int:
    """Prove it for each revision; returns the exit code."""
    report = Report()
    for revision in revisions or last_of_each_schema():
        with tempfile.TemporaryDirectory(prefix="upgrade-proof-") as scratch:
            folder = Path(scratch)
            (folder / "code").mkdir()
            old = unpacked(revision, folder / "code")
            report.head(f"{old.name} (schema {old.schema}) to today's (schema {today().schema})")
            make_library(old, folder / "home")
            shutil.copytree(folder / "home", folder / "second", symlinks=True)
            look_side_by_side(old, folder / "second", report)
            look_after_upgrade(old, folder / "home", report)
            look_at_refusals(old, folder / "home", report)
            look_at_way_back(old, folder / "home", report)
    print(f"\n{'All is well.' if not report.failed else f'{report.failed} FAILED.'}")
    return 1 if report.failed else 0


# ---------------------------------------------------------------------- the upgrade


def look_after_upgrade(old: Version, home: Path, report: Report) -> None:
    """Open it with today's code: what was there is there."""
    before, dump = counts(home), dump_of(home / "data" / "library.sqlite3")
    child = subprocess.run(
        [sys.executable, Path(__file__).with_name("seen_today.py"), home / "data"],
        env=environment(home), capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    if child.returncode:
        report.line("opens", child.stderr[-400:], is_well=False)
        return
    seen = json.loads(child.stdout)
    report.line("opens, with the copy made first", f"{seen['opened_s']:.2f} s", is_well=True)
    copy = copy_of(home)
    report.line("the copy is the old library", copy.name, is_well=dump_of(copy) == dump)
    after = counts(home)
    lost = {name: number for name, number in before.items() if after[name] < number}
    report.line("rows of each table", _said(before), is_well=not lost)
    _look_at_contents(seen, report)


def _look_at_contents(seen: dict[str, Any], report: Report) -> None:
    total, opening = seen["citations"], seen["citations_that_open"]
    later, ready = seen["citations_that_open_later"], seen["ready"]
    again = (
        f"{seen['embedded_again']} beside {seen['vectors']} that were there; all settled after "
        f"{seen['settled_s']:.1f} s"
    )
    soon = seen["finds_after_s"]
    lines: tuple[tuple[str, object, bool], ...] = (
        ("search finds after", f"{soon:.1f} s", seen["found_soon"]),
        ("answers in chats", seen["answers"], seen["answers"] == len(QUESTIONS)),
        ("citations that open at once", f"{opening} of {total}", opening == total > 0),
        ("and after files were read again", f"{later} of {total}", later == total),
        ("and search then", seen["found_later"], seen["found_later"]),
        ("files that are searchable, with the scan", len(ready), SCAN in ready and len(ready) == 6),
        ("passages embedded again", again, True),
    )
    for what, found, is_well in lines:
        report.line(what, found, is_well=is_well)


# ---------------------------------------------------------------------- the old program then


def look_at_refusals(old: Version, home: Path, report: Report) -> None:
    """The old code says that it cannot, and changes nothing."""
    before = sums(home / "data")
    for words in (("files",), ("files", "--json"), ("ask", "heat"), ("status",)):
        ran = old.run(home, *words)
        is_well = ran.code == _TOO_NEW and "newer version" in ran.said and "Trace" not in ran.said
        report.line(f"old program: {' '.join(words)}", f"exit code {ran.code}", is_well=is_well)
    ran = old.window(home)
    report.line("old program: its window", f"exit code {ran.code}", is_well=ran.code == _TOO_NEW)
    after = sums(home / "data")
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    report.line("files it changed", sorted(changed) or "none", is_well=not changed)


def look_at_way_back(old: Version, home: Path, report: Report) -> None:
    """Whoever must go back can, where the old program has `restore`."""
    if not old.has(home, "restore"):
        return
    ran, files = old.run(home, "restore", copy_of(home), "--force"), old.run(home, "files")
    is_well = ran.code == files.code == 0 and "lease-maple" in files.said
    codes = f"exit codes {ran.code} and {files.code}"
    report.line("old program: goes back to the copy", codes, is_well=is_well)


# ---------------------------------------------------------------------- side by side


def look_side_by_side(old: Version, home: Path, report: Report) -> None:
    """Both versions at one library: the lock decides, and idle servers hand over."""
    before = dump_of(home / "data" / "library.sqlite3")
    with old.holding(home):
        _look_at_lock("today's, while the old one has it open", today(), home, report)
    _look_at_windows(old, today(), home, report)
    is_same = dump_of(home / "data" / "library.sqlite3") == before
    report.line("it was not upgraded meanwhile", is_same, is_well=is_same)
    if old.hands_over:
        with old.serving(home) as search:
            ran, answer = today().run(home, "files"), search()
        code = f"exit code {ran.code}"
        report.line("the old one's idle server hands it over", code, is_well=ran.code == 0)
        is_well = "newer version" in answer
        report.line("and says then that it is too old", is_well, is_well=is_well)
    _look_at_windows(today(), old, home, report)
    with today().holding(home):
        _look_at_lock("the old one, while today's has it open", old, home, report)


def _look_at_windows(first: Version, second: Version, home: Path, report: Report) -> None:
    """The second start brings the window of the first to the front, and ends."""
    with first.showing(home):
        ran = second.window(home, _PATIENCE_S)
    is_well = ran.code == 0 and ran.seconds < _PATIENCE_S
    what = f"window of {second.name} while one of {first.name} is open"
    report.line(what, f"exit code {ran.code}", is_well=is_well)


def _look_at_lock(what: str, second: Version, home: Path, report: Report) -> None:
    ran = second.run(home, "files")
    is_well = ran.code == _LOCKED and "open in another" in ran.said and "Trace" not in ran.said
    report.line(what, f"exit code {ran.code}", is_well=is_well)


# ---------------------------------------------------------------------- looking


def counts(home: Path) -> dict[str, int]:
    """Rows of what a person would miss."""
    with closing(sqlite3.connect(home / "data" / "library.sqlite3")) as db:
        there = {row[0] for row in db.execute("SELECT name FROM sqlite_schema")}
        return {
            table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in _TABLES
            if table in there
        }


def copy_of(home: Path) -> Path:
    """The one copy that was made before the upgrade."""
    [copy] = (home / "data" / "backups").glob("library-v*.sqlite3")
    return copy


def dump_of(catalog: Path) -> str:
    """A digest of everything in a catalog."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(catalog)) as db:
        for line in db.iterdump():
            digest.update(line.encode())
    return digest.hexdigest()


def sums(folder: Path) -> dict[str, str]:
    """Checksums of the files of a data folder, but for those that tell of a start itself."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file() and not file.name.startswith(_OF_A_START)
    }


def _said(numbers: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in numbers.items())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
