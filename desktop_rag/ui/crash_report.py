"""What is kept of a crash, and how it is read back: no document text, no path of the person's.

A message of an exception may quote a document, so only its kind is kept, with the system's own
words for an error of the operating system.
"""

from __future__ import annotations

import contextlib
import platform
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_rag import __version__
from desktop_rag.domain.errors import DesktopRagError

FILE_PATTERN = "crash-*.txt"
_SEEN = "seen-"
_HEAD_END = "----\n"
_FRAMES = 60
_MAX_CHARS = 60_000
_MAX_SEEN = 5
_NATIVE = ("Fatal Python error", "Windows fatal exception")


@dataclass(frozen=True, slots=True)
class CrashReport:
    """What went wrong in earlier runs."""

    text: str
    is_native: bool
    """The process was ended by it; else a part of the program failed and the rest went on."""
    files: tuple[Path, ...]


def head() -> str:
    """What stands above every report: versions and the system, nobody's name."""
    import PySide6

    lines = (
        f"Desktop RAG {__version__}",
        f"System: {platform.platform()} ({platform.machine()})",
        f"Python {platform.python_version()}, Qt {PySide6.__version__}",
    )
    return "\n".join(lines) + "\n" + _HEAD_END


def described(error: BaseException) -> str:
    """Where it happened and of which kind it is, without its message."""
    lines: list[str] = []
    for one in _chain(error):
        stack = traceback.extract_tb(one.__traceback__, limit=-_FRAMES)
        lines += ["Traceback (most recent call last):\n", *traceback.format_list(stack)]
        lines.append(f"{_named(one)}\n")
    return "".join(lines)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """What came first, first; circles end."""
    chain: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in chain:
        chain.append(one)
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return reversed(chain)


def _named(error: BaseException) -> str:
    name = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    if isinstance(error, OSError) and error.strerror:
        return f"{name}: {error.strerror}"
    return f"{name}: {error.code}" if isinstance(error, DesktopRagError) else name


def collect(folder: Path, own: Path | None = None) -> CrashReport | None:
    """What earlier runs left in the folder of logs, newest last; empty files are taken away.

    Nobody else has the library open when this is called. *Touches the disk.*
    """
    texts, files = [], []
    for path in sorted(folder.glob(FILE_PATTERN), key=_time_of):
        if path == own:
            continue
        text = _read(path)
        if text.partition(_HEAD_END)[2].strip():
            texts.append(text)
            files.append(path)
        else:
            _remove(path)
    if not files:
        return None
    whole = shortened("\n".join(texts))
    is_native = any(mark in whole for mark in _NATIVE)
    return CrashReport(whole.replace(_HEAD_END, "\n"), is_native, tuple(files))


def put_aside(report: CrashReport) -> None:
    """It was shown: keep the last few files for who looks into the logs, under another name."""
    for path in report.files:
        with contextlib.suppress(OSError):
            path.replace(path.with_name(_SEEN + path.name))
    for folder in {path.parent for path in report.files}:
        for old in sorted(folder.glob(_SEEN + FILE_PATTERN), key=_time_of)[:-_MAX_SEEN]:
            _remove(old)


def delete(report: CrashReport) -> None:
    """Take every trace of it away, put aside or not."""
    for path in report.files:
        _remove(path)
        _remove(path.with_name(_SEEN + path.name))


def shortened(text: str) -> str:
    """The same without where the person's home and the program are."""
    places = {
        str(Path(__file__).resolve().parents[2]): "",
        sys.prefix: "python",
        sys.base_prefix: "python",
        str(Path.home()): "~",
    }
    for place, short in sorted(places.items(), key=lambda one: -len(one[0])):
        for separator in ("/", "\\"):
            text = text.replace(place + separator, short + separator if short else "")
    return text


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    above, mark, body = text.partition(_HEAD_END)
    return above + mark + body[-_MAX_CHARS:]


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _time_of(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
