"""A root folder as a computer of its own: without a network, and every network call is noted."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_ENTER = Path(__file__).with_name("enter.sh")
_TRACED = "network,io_uring_setup"
"""`io_uring` makes sockets without any of the calls of the first group."""
ROOT_USER, PERSON = "0:0", "1000:1000"


@dataclass(frozen=True, slots=True)
class Done:
    """What a command left behind."""

    code: int
    output: str
    """Both streams, as they came."""


@dataclass(frozen=True, slots=True)
class Room:
    """Commands in it see this root, one display at most, and a network without interfaces.

    `strace` stays outside and follows every process. Without `--seccomp-bpf`: a process whose own
    filter refuses a call never shows that call to a tracer who came by a filter.
    """

    root: Path
    traces: Path
    """Each command leaves `NAME.strace` here."""
    home: str
    display: str = ""
    """`:N`, or empty."""
    variables: tuple[tuple[str, str], ...] = ()

    def run(
        self, name: str, command: Sequence[str], *, timeout_s: float = 300, user: str = PERSON
    ) -> Done:
        """Run a command to its end; one that takes too long is ended with all it started."""
        process = self.start(name, command, user=user)
        try:
            output, _errors = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            end(process)
            output, _errors = process.communicate()
            output += f"\nIt did not end within {timeout_s:.0f} s."
        return Done(process.returncode, output.strip())

    def start(
        self, name: str, command: Sequence[str], *, user: str = PERSON
    ) -> subprocess.Popen[str]:
        """Start a command and return at once."""
        words = [*self._trace(name), *self._name_spaces(user), *self._environment(user), *command]
        return subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd="/",
            start_new_session=True,
        )

    def inside(self, path: str) -> Path:
        """Where a path of the room is outside of it."""
        return self.root / path.lstrip("/")

    def _trace(self, name: str) -> list[str]:
        file = self.traces / f"{name}.strace"
        return ["strace", "-f", "-qq", "-s", "120", "-e", f"trace={_TRACED}", "-o", str(file)]

    def _name_spaces(self, user: str) -> list[str]:
        socket = f"/tmp/.X11-unix/X{self.display[1:]}" if self.display else ""
        spaces = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child"]
        return [*spaces, "sh", str(_ENTER), str(self.root), user, socket]

    def _environment(self, user: str) -> list[str]:
        """Of a log-in, and nothing from outside."""
        is_root = user == ROOT_USER
        variables: Mapping[str, str] = {
            "HOME": "/root" if is_root else self.home,
            "USER": "root" if is_root else Path(self.home).name,
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin" if is_root else "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            **({"DISPLAY": self.display} if self.display else {}),
            **dict(self.variables),
        }
        return ["env", "-i", *(f"{name}={value}" for name, value in variables.items())]


def end(process: subprocess.Popen[str]) -> None:
    """End a command with everything it started: `unshare` takes its name space along."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
