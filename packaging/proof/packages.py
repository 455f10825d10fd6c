"""What is proved: each kind of package, and how a person installs it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from release.plan import BuildFailed, Plan, said

from proof.clean_root import PERSON
from proof.room import ROOT_USER, Room

HOME = f"/home/{PERSON}"
_GIVEN = "/media/stick"
"""Where the file lies in the clean root."""


@dataclass(frozen=True, slots=True)
class Package:
    """One file that people get, or, as long as there is none, the frozen folder."""

    kind: str
    """`deb`, `run` or `folder`."""
    path: Path

    @property
    def given(self) -> str:
        """The path in the clean root."""
        return f"{_GIVEN}/{self.path.name}"

    @property
    def command(self) -> str:
        """How the installed program is started."""
        if self.kind == "run":
            return f"{HOME}/.local/bin/desktop-rag"
        return f"{self.given}/desktop-rag" if self.kind == "folder" else "desktop-rag"

    def hand_over(self, room: Room) -> None:
        """Lay it where a stick would be."""
        room.inside(_GIVEN).mkdir(parents=True, exist_ok=True)
        target = room.inside(self.given)
        if self.kind == "folder":
            shutil.copytree(self.path, target, symlinks=True)
        else:
            shutil.copyfile(self.path, target)

    def install(self, room: Room) -> str:
        """Install it without a network; returns the command that was given.

        Raises:
            BuildFailed: that failed.
        """
        if self.kind == "folder":
            return "(a folder: nothing to install)"
        is_deb = self.kind == "deb"
        words = ["dpkg", "-i", self.given] if is_deb else ["sh", self.given, "--quiet"]
        done = (
            room.run("install", words, user=ROOT_USER, timeout_s=900)
            if is_deb
            else room.run("install", words, timeout_s=900)
        )
        if done.code:
            raise BuildFailed(f"{' '.join(words)} failed with {done.code}:\n{done.output}")
        return ("sudo " if is_deb else "") + " ".join(words)


def built(plan: Plan) -> list[Package]:
    """This version's packages in `plan.out`: of each kind the complete one, if there is one.

    Raises:
        BuildFailed: nothing is built.
    """
    found = [
        Package(kind, path)
        for kind, pattern in (
            ("deb", f"*_{plan.version}_amd64.deb"),
            ("run", f"*-{plan.version}-linux-x86_64.run"),
        )
        if (path := _fullest(plan.out, pattern)) is not None
    ]
    if not found and plan.program.exists():
        found.append(Package("folder", plan.program))
    if not found:
        raise BuildFailed("There is nothing to prove: run the steps `freeze deb bundle` first.")
    return found


def depends(found: list[Package]) -> str:
    """What the Debian package depends on: a desktop has it, and a bundle needs the same.

    Raises:
        BuildFailed: it cannot be read.
    """
    for package in found:
        if package.kind == "deb":
            told = said(["dpkg-deb", "-f", package.path, "Depends"])
            if not told:
                raise BuildFailed(f"{package.path} does not tell what it depends on.")
            return told
    from qt_libraries import QT_PACKAGES

    return ", ".join(QT_PACKAGES.split())


def _fullest(folder: Path, pattern: str) -> Path | None:
    paths = sorted(folder.glob(pattern), key=lambda path: path.stat().st_size)
    return paths[-1] if paths else None
