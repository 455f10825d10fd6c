"""Proves that what is given away works on a bare computer without a network, and calls nobody.

Needs root, debootstrap, strace, Xvfb and xdotool, and, the first time, the network for the clean
root. Pictures of the window and all that strace wrote stay in `packaging/dist/proof`.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from proof import clean_root, table
from proof.calls import Tally, read
from proof.packages import HOME, Package, built, depends
from proof.room import Room
from proof.screen import display
from proof.session import LOGS, Session, Step

from release.plan import BuildFailed, Plan

_TOOLS = ("debootstrap", "strace", "unshare", "Xvfb", "xdotool")
_ELSEWHERE = "/dev/tcp/192.0.2.1/80"
"""An address that belongs to nobody, as the shell writes it."""


def run(plan: Plan) -> None:
    """Prove every package that is built, and print what was done and seen.

    Raises:
        BuildFailed: something is missing, a step failed, or a network was called.
    """
    _check_tools()
    found = built(plan)
    wanted = depends(found)
    print(
        f"The clean root has Debian {clean_root.SUITE} and what the package depends on:\n{wanted}"
    )
    archive = clean_root.prepared(wanted)
    folder = plan.dist / "proof"
    shutil.rmtree(folder, ignore_errors=True)
    tallies = [(package.kind, _prove(package, archive, folder)) for package in found]
    print("\nNetwork calls, as strace saw them in all processes:")
    for line in table.lines(tallies):
        print(line)
    whole = sum((tally for _kind, tally in tallies), Tally())
    number = len(whole.attempts) + len(whole.made)
    print(f"\n{number} attempts to reach a network.")
    if number or whole.to_the_kernel or table.unknown(whole):
        raise BuildFailed(f"The network was called, or looked at: see {folder}.")


def _check_tools() -> None:
    missing = [name for name in _TOOLS if shutil.which(name) is None]
    if missing:
        raise BuildFailed(f"{', '.join(missing)} is missing: install it and run this again.")
    if os.geteuid():
        raise BuildFailed("A clean root can only be entered by root: run this as root.")


def _prove(package: Package, archive: Path, folder: Path) -> Tally:
    """One package in a fresh root; the root is deleted afterwards."""
    print(f"\n{package.path.name}", flush=True)
    started = time.monotonic()
    root, traces = folder / "root", folder / package.kind
    traces.mkdir(parents=True)
    clean_root.unpack(archive, root)
    try:
        with display(traces) as screen:
            room = Room(root, traces, HOME, screen.name)
            _check_room(room)
            Session(package, room, screen, _tell).run()
    finally:
        _keep_logs(root, traces)
        shutil.rmtree(root, ignore_errors=True)
        (traces / "Xvfb_screen0").unlink(missing_ok=True)
    print(f"  all of it took {time.monotonic() - started:.0f} s")
    return read(*sorted(traces.glob("*.strace")))


def _keep_logs(root: Path, traces: Path) -> None:
    """What the program wrote down is of use to whoever looks for the reason of a failure."""
    logs = root / LOGS.lstrip("/")
    if logs.is_dir():
        shutil.copytree(logs, traces / "logs")


def _check_room(room: Room) -> None:
    """That the root is bare, that there is no network, and that an attempt would be counted."""
    tools = clean_root.unwanted(room.root)
    if tools:
        raise BuildFailed(
            f"The clean root has {', '.join(tools)}: what it proves is worth nothing."
        )
    print(f"  {clean_root.packages(room.root)} Debian packages, no Python, no compiler")
    control = room.run("control", ["bash", "-c", f"exec 3<>{_ELSEWHERE}"])
    trace = room.traces / "control.strace"
    attempts = len(read(trace).attempts)
    if not control.code or attempts != 1:
        raise BuildFailed(f"A connection was tried on purpose and counted {attempts} times.")
    trace.rename(trace.with_suffix(".control"))
    print(f"  no network: {control.output.splitlines()[-1]}")
    print(f"  a connection tried on purpose was counted: {attempts}")


def _tell(step: Step) -> None:
    print(f"  {step.name:<20} {step.seconds:6.1f} s  {step.detail}", flush=True)
