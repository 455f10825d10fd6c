"""Earlier versions out of the history: their code, and libraries that it makes."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.engines.scan_drawing import draw_scan

ROOT = Path(__file__).resolve().parents[2]
_SCHEMA = re.compile(r"^SCHEMA_VERSION = (\d+)", re.MULTILINE)
_SCHEMA_FILE = "desktop_rag/storage/database.py"
_TIMEOUT_S = 300
_WINDOW_S = 8.0


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command said and how it ended."""

    code: int
    said: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the program: the folder of its code, and the schema it writes."""

    name: str
    root: Path
    schema: int

    def run(self, home: Path, *words: str | Path) -> Ran:
        """Run one of its commands on the library `home/data`."""
        started = time.monotonic()
        done = subprocess.run(
            self.command(home, *words),
            cwd=self.root,
            env=environment(home),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
        return Ran(done.returncode, done.stdout + done.stderr, time.monotonic() - started)

    def command(self, home: Path, *words: str | Path) -> list[str]:
        """The command line of `run`."""
        named = [sys.executable, "-m", "desktop_rag", "--data-dir", home / "data", *words]
        return [str(word) for word in named]

    def has(self, home: Path, command: str) -> bool:
        """Whether it knows a command."""
        told = self.run(home, "--help").said
        return re.search(rf"^    {command} ", told, re.MULTILINE) is not None

    @property
    def hands_over(self) -> bool:
        """Whether its idle MCP server lets go of the library when it is asked."""
        return (self.root / "desktop_rag" / "storage" / "handing_over.py").exists()

    def window(self, home: Path, patience_s: float = _WINDOW_S) -> Ran:
        """Show its window on no screen, and end it as the system does if it does not end itself."""
        started = time.monotonic()
        process = self._window(home)
        try:
            said, _ = process.communicate(timeout=patience_s)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            said, _ = process.communicate(timeout=_TIMEOUT_S)
        return Ran(process.returncode, said, time.monotonic() - started)

    @contextmanager
    def showing(self, home: Path) -> Iterator[None]:
        """Its window is open and listens for later starts."""
        process = self._window(home)
        try:
            while not _socket_of(home).exists() and process.poll() is None:
                time.sleep(0.2)
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=_TIMEOUT_S)

    def _window(self, home: Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(home),
            cwd=self.root,
            env={**environment(home), "QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    @contextmanager
    def holding(self, home: Path) -> Iterator[None]:
        """The library is open in a process of this version."""
        code = (
            "import sys, pathlib; from desktop_rag.app import App\n"
            "if __name__ == '__main__':\n"
            "    with App.open(pathlib.Path(sys.argv[1])):\n"
            "        print('open', flush=True); sys.stdin.read()\n"
        )
        with _talking([sys.executable, "-c", code, str(home / "data")], self, home) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "open\n"
            yield

    @contextmanager
    def serving(self, home: Path) -> Iterator[Callable[[], str]]:
        """Its MCP server has the library open and nothing to do; what is yielded searches again."""
        with _talking(self.command(home, "mcp"), self, home) as process:
            for message in _MCP:
                _tell(process, message)
            yield lambda: _tell(process, {**_MCP[-1], "id": 3})


_MCP: tuple[dict[str, object], ...] = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-03-26",
            "capabilities": {},
            "clientInfo": {"name": "proof", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "heat pump"}},
    },
)


def _socket_of(home: Path) -> Path:
    """Where every version listens for later starts (`desktop_rag.ui.single_instance`)."""
    data_dir = str((home / "data").resolve())
    name = "desktop-rag-" + hashlib.sha256(data_dir.encode()).hexdigest()[:20]
    return Path(tempfile.gettempdir(), name)


def _tell(process: subprocess.Popen[str], message: Mapping[str, object]) -> str:
    """Send a message; returns the answer, if it gets one."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()
    answer = ""
    while "id" in message and json.loads(answer or "{}").get("id") != message["id"]:
        answer = process.stdout.readline()
    return answer


@contextmanager
def _talking(
    command: Sequence[str], version: Version, home: Path
) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command,
        cwd=version.root,
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.communicate(timeout=_TIMEOUT_S)


def environment(home: Path) -> dict[str, str]:
    """Of another person on this computer, who has no models."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "HOME": str(home), "DESKTOP_RAG_MODELS_DIR": str(home / "models")}


def today() -> Version:
    """The version of this checkout."""
    return Version("today", ROOT, _schema((ROOT / _SCHEMA_FILE).read_text(encoding="utf-8")))


def unpacked(revision: str, folder: Path) -> Version:
    """A version of the history, its code unpacked into a folder."""
    packed = _git("archive", revision)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    name = _git("rev-parse", "--short", revision).decode().strip()
    return Version(name, folder, _schema((folder / _SCHEMA_FILE).read_text(encoding="utf-8")))


def last_of_each_schema() -> list[str]:
    """The last commit of every schema but today's, the oldest first."""
    changed = _git("log", "--format=%H", "-G^SCHEMA_VERSION = ", "--", _SCHEMA_FILE).decode()
    *later, _first = changed.split()
    return [f"{commit}^" for commit in reversed(later)]


def _schema(text: str) -> int:
    found = _SCHEMA.search(text)
    assert found is not None
    return int(found[1])


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout


QUESTIONS = (
    "What is the flow temperature of the heat pump?",
    "How much is the rent of the house in Maple Street?",
)


SCAN = "ferry-scan.pdf"


def make_documents(folder: Path) -> None:
    """The sample documents and a scan."""
    shutil.copytree(ROOT / "resources" / "sample_docs", folder)
    make_scan(folder / SCAN)


def make_scan(path: Path) -> None:
    """A page that is a picture of text."""
    draw_scan(path, ("Harbour office of Skarholm", "The ferry leaves at seven from pier four."))


def make_library(version: Version, home: Path) -> None:
    """A library as a person of that version would have it: all that it can do is in it."""
    docs = home / "docs"
    docs.parent.mkdir(parents=True)
    make_documents(docs)
    commands: list[tuple[str | Path, ...]] = [("add", docs)]
    commands += [("ask", question) for question in QUESTIONS]
    if version.has(home, "collection"):
        commands.append(("tag", "add", "home", docs / "lease-maple-street.md"))
        commands.append(("collection", "add", "Health", docs / "ward-7-sepsis-protocol.docx"))
        commands.append(("settings", "sweep_minutes", "30"))
    for command in commands:
        ran = version.run(home, *command)
        if ran.code:
            raise RuntimeError(f"{version.name} failed at {command[0]}: {ran.said}")
