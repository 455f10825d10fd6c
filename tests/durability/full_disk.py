"""Fills the disk under the running program, again and again, and looks at what is left.

`mount -t tmpfs -o size=64m tmpfs DIR && python -m tests.durability.full_disk DIR`: the library lies
in DIR, a small file system of its own. Everything must end as on a disk with room, and every
command that finds none must say so and change nothing.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from desktop_rag.domain.errors import DiskFull
from tests.durability.folder import ChangingFolder
from tests.durability.kills import compare, finish, start
from tests.helpers.old_library import make_version_1

_ROOT = Path(__file__).resolve().parents[2]
_LARGEST = 1 << 30


class Filler:
    """Takes all room of a file system but a chosen rest."""

    def __init__(self, folder: Path) -> None:
        if shutil.disk_usage(folder).total > _LARGEST:
            raise SystemExit(f"{folder} is not on a small file system of its own")
        self._file = folder / "filler"

    def leave(self, size: int) -> None:
        """Leave so many bytes free."""
        self.empty()
        with self._file.open("wb") as file:
            free = shutil.disk_usage(self._file.parent).free
            os.posix_fallocate(file.fileno(), 0, max(1, free - size))

    def empty(self) -> None:
        """Give all room back."""
        self._file.unlink(missing_ok=True)


def run_full(disk: Path, work: Path, times: int, seed: int) -> tuple[list[str], int]:
    """Fill and empty the disk `times` times while the program indexes a changing folder.

    Returns differences to a library that always had room, and how often indexing paused.
    """
    dice, filler = random.Random(seed), Filler(disk)
    folder = ChangingFolder(work / "documents", seed)
    finish(disk / "full", folder.root)
    pauses = 0
    for _ in range(times):
        child = start("program", disk / "full", folder.root)
        time.sleep(dice.uniform(3.0, 5.0))
        filler.leave(dice.choice([0, 4096, 20_000, 65_536, 200_000]))
        for _ in range(6):
            folder.change()
        time.sleep(dice.uniform(4.0, 7.0))
        filler.empty()
        if child.poll() is not None:
            return [f"the program ended: {child.communicate()[1]}"], pauses
        time.sleep(dice.choice([0.0, 3.0]))
        child.kill()
        pauses += child.communicate()[1].count("IndexingPaused")
    finish(disk / "full", folder.root)
    finish(work / "calm", folder.root)
    return compare(disk / "full", work / "calm", folder.root)[0], pauses


def run_commands(disk: Path, work: Path) -> list[str]:
    """Every command that writes meets a full disk; returns what went wrong."""
    filler, wrong = Filler(disk), []
    good = work / "calm"
    backup = work / "library.zip"
    _command("--data-dir", good, "backup", backup)
    old = disk / "old" / "library.sqlite3"
    make_version_1(old)
    commands = {
        "first start": ("--data-dir", disk / "new", "status"),
        "migration": ("--data-dir", old.parent, "status"),
        "backup": ("--data-dir", good, "backup", disk / "backup.zip"),
        "restore": ("--data-dir", disk / "restored", "restore", backup),
    }
    for name, arguments in commands.items():
        for left in (0, 4096, 40_000):
            filler.leave(left)
            done = _command(*arguments)
            if done.returncode != DiskFull.exit_code or "Traceback" in done.stderr:
                wrong.append(f"{name}, {left} bytes free: {done.returncode} {done.stderr[-300:]}")
        filler.empty()
        done = _command(*arguments)
        if done.returncode:
            wrong.append(f"{name}, afterwards: {done.returncode} {done.stderr[-300:]}")
    return wrong


def _command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "desktop_rag", *map(str, arguments)],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("disk", type=Path)
    parser.add_argument("--times", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="full-") as work:
        wrong, pauses = run_full(args.disk, Path(work), args.times, args.seed)
        print(
            f"{args.times} times full while indexing, which paused {pauses} times: "
            f"{len(wrong)} differences"
        )
        more = run_commands(args.disk, Path(work))
        print(f"4 commands on a full disk: {len(more)} faults")
    for one in wrong + more:
        print("  " + one)
    return 1 if wrong or more else 0


if __name__ == "__main__":
    sys.exit(main())
