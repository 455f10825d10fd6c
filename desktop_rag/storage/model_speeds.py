"""Remembers how language models run on this computer: a small file beside them.

An entry belongs to the contents of a model's file and to the processor: neither another model of
the same name nor a models folder that was carried to another computer is taken for known.
"""

from __future__ import annotations

import contextlib
import os
import platform
from dataclasses import asdict
from pathlib import Path

import msgspec

from desktop_rag.domain.tuning import Tuning
from desktop_rag.storage.model_files import is_unchanged, read_note
from desktop_rag.storage.small_memory import SmallMemory

FILE_NAME = "speeds.json"
_MOST = 100


class ModelSpeeds:
    """The file. Whatever is wrong with it, nothing is known then and nothing fails."""

    def __init__(self, file: Path) -> None:
        self._memory = SmallMemory(file, _MOST)

    def get(self, model_file: Path) -> Tuning | None:
        """What is known of a model on this computer."""
        entry = self._memory.get(_key(model_file))
        try:
            return msgspec.convert(entry, Tuning) if entry else None
        except msgspec.ValidationError:
            return None

    def put(self, model_file: Path, tuning: Tuning) -> None:
        """Remember. A disk that refuses costs only the memory of it."""
        self._memory.put(_key(model_file), asdict(tuning))


def _key(model_file: Path) -> str:
    note = read_note(model_file)
    if note is not None and is_unchanged(model_file, note):
        contents = note.sha256
    else:
        with contextlib.suppress(OSError):
            stat = model_file.stat()
            return f"{stat.st_size}-{stat.st_mtime_ns} {processor()}"
        contents = str(model_file)
    return f"{contents} {processor()}"


def processor() -> str:
    """The processor and how many threads it runs, as far as the system tells."""
    return f"{_processor_name()} x{os.cpu_count() or 1}"


def _processor_name() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
