"""Remembers which build of llama.cpp runs on this computer: a small file beside the models."""

from __future__ import annotations

import contextlib
import json
import logging
from pathlib import Path

from desktop_rag.domain.errors import UserError
from desktop_rag.storage.model_files import write_json

logger = logging.getLogger(__name__)

FILE_NAME = "processor.json"
_MOST = 8
"""Processors and versions of the program; a folder of models may travel on a stick."""


class KnownVariants:
    """The file. Whatever is wrong with it, nothing is known then and nothing fails."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def get(self, key: str) -> str:
        """The build for a key; empty when none is known."""
        return self._entries().get(key, "")

    def put(self, key: str, variant: str) -> None:
        """Remember. A disk that refuses costs only the memory of it."""
        entries = {name: value for name, value in self._entries().items() if name != key}
        entries[key] = variant
        try:
            write_json(self._file, dict(list(entries.items())[-_MOST:]))
        except (OSError, UserError) as error:
            logger.info("The build of llama.cpp was not stored: %s", type(error).__name__)

    def _entries(self) -> dict[str, str]:
        with contextlib.suppress(OSError, ValueError, RecursionError):
            found = json.loads(self._file.read_text(encoding="utf-8"))
            if isinstance(found, dict):
                return {str(key): str(value) for key, value in found.items()}
        return {}
