"""Kills the program at random moments and compares what is left with a run that was never killed.

`python -m tests.durability.kills --times 100 --seed 1`
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.durability.folder import ChangingFolder

_ROOT = Path(__file__).resolve().parents[2]
_SOONEST_S, _LATEST_S = 0.2, 5.0


@dataclass(slots=True)
class Outcome:
    """What the kills came to."""

    kills: int = 0
    differences: list[str] = field(default_factory=list)
    documents: int = 0
    chunks: int = 0


def run(
    root: Path, times: int, seed: int, latest_s: float = _LATEST_S, *, has_scans: bool = False
) -> Outcome:
    """Kill the program `times` times over a changing folder, let it finish, and compare.

    Args:
        root: an empty folder to work in.
        times: how often.
        seed: of all dice.
        latest_s: how long the program runs at most before it is killed.
        has_scans: let the folder hold pictures of text as well, which takes much longer.

    Raises:
        AssertionError: the program ended by itself, or could not finish.
    """
    dice = random.Random(seed)
    folder = ChangingFolder(root / "documents", seed, has_scans=has_scans)
    outcome = Outcome()
    for _ in range(times):
        _one_kill(root, folder, dice, latest_s)
        outcome.kills += 1
    finish(root / "killed", folder.root)
    finish(root / "calm", folder.root)
    outcome.differences, outcome.documents, outcome.chunks = compare(
        root / "killed", root / "calm", folder.root
    )
    return outcome


def compare(tried: Path, calm: Path, folder: Path) -> tuple[list[str], int, int]:
    """Differences of two libraries over one folder, then its numbers of documents and passages."""
    mine, theirs = _contents(tried, folder), _contents(calm, folder)
    differences = [*_differences(mine, theirs), *_disagreements(mine)]
    return differences, len(theirs["documents"]), len(theirs["catalog"])


def _one_kill(root: Path, folder: ChangingFolder, dice: random.Random, latest_s: float) -> None:
    for _ in range(dice.randint(0, 3)):
        folder.change()
    if dice.random() < 0.1:  # so that kills meet an index that is being built from the catalog
        shutil.rmtree(root / "killed" / "index", ignore_errors=True)
    child = start("program", root / "killed", folder.root)
    ends = time.monotonic() + dice.uniform(_SOONEST_S, latest_s)
    while (left := ends - time.monotonic()) > 0:
        time.sleep(min(left, dice.uniform(0.05, 0.6)))
        if dice.random() < 0.3:
            folder.change()
    if child.poll() is not None:
        raise AssertionError(f"ended by itself: {child.communicate()[1]}")
    if dice.random() < 0.75:
        os.killpg(child.pid, signal.SIGKILL)  # everything at once, as a power cut
    else:
        child.kill()  # its workers find out and end by themselves
    child.communicate()


def finish(data_dir: Path, folder: Path) -> None:
    """Let the program come to its end in peace."""
    child = start("program", data_dir, folder, "--until-done")
    _, said = child.communicate(timeout=300)
    if child.returncode:
        raise AssertionError(f"could not finish: {said}")


def _contents(data_dir: Path, folder: Path) -> dict[str, Any]:
    child = start("contents", data_dir, folder)
    printed, said = child.communicate(timeout=120)
    if child.returncode:
        raise AssertionError(f"cannot be read: {said}")
    found: dict[str, Any] = json.loads(printed)
    return found


def start(module: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """Run a module of this package as the head of a process group."""
    return subprocess.Popen(
        [sys.executable, "-m", f"tests.durability.{module}", *map(str, arguments)],
        cwd=_ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _differences(killed: dict[str, Any], calm: dict[str, Any]) -> list[str]:
    found = []
    for table in sorted(calm.keys() | killed.keys()):
        mine, theirs = killed.get(table), calm.get(table)
        if mine == theirs:
            continue
        if isinstance(mine, dict) and isinstance(theirs, dict):
            keys = sorted(mine.keys() | theirs.keys())
            wrong = [key for key in keys if mine.get(key) != theirs.get(key)]
            found += [f"{table}: {key}: {mine.get(key)} / {theirs.get(key)}" for key in wrong]
        else:
            found.append(f"{table}: {mine} / {theirs}")
    return found


def _disagreements(contents: dict[str, Any]) -> list[str]:
    """The catalog, the matrix, Chroma and the keywords hold the same passages and vectors."""
    catalog = contents["catalog"]
    wrong = [f"{name} and catalog" for name in ("matrix", "chroma") if contents[name] != catalog]
    if contents["keywords"].keys() != catalog.keys():
        wrong.append("keywords and catalog")
    if contents["keyword rows"] != [len(catalog), True]:
        wrong.append(f"keyword rows {contents['keyword rows']}")
    return wrong + [f"left: {name}" for name, count in contents["left"].items() if count]


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scans", action="store_true", help="with pictures of text")
    args = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kills-") as root:
        outcome = run(Path(root), args.times, args.seed, has_scans=args.scans)
    print(
        f"{outcome.kills} kills, seed {args.seed}: {len(outcome.differences)} differences to a run "
        f"without kills over {outcome.documents} documents and {outcome.chunks} passages, "
        f"in {time.monotonic() - started:.0f} s"
    )
    for difference in outcome.differences:
        print("  " + difference)
    return 1 if outcome.differences else 0


if __name__ == "__main__":
    sys.exit(main())
