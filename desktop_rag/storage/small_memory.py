"""A small JSON file of what was found out about this computer, so that it need not be found again.

Everything in it is under a key that names what it depends on: a folder of models may travel on a
stick, and what another computer has found is not taken for known.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from desktop_rag.domain.errors import UserError
from desktop_rag.storage.model_files import read_json, write_json

logger = logging.getLogger(__name__)


class SmallMemory:
    """The file. Whatever is wrong with it, nothing is known then and nothing fails.

    Args:
        file: lies beside the models.
        most: entries that are kept, the newest ones.
    """

    def __init__(self, file: Path, most: int) -> None:
        self._file = file
        self._most = most

    def get(self, key: str) -> Any:
        """What stands in the file, which anybody may have written; `None` for nothing."""
        return self._entries().get(key)

    def put(self, key: str, value: object) -> None:
        """Remember. A disk that refuses costs only the memory of it."""
        entries = {name: known for name, known in self._entries().items() if name != key}
        entries[key] = value
        try:
            write_json(self._file, dict(list(entries.items())[-self._most :]))
        except (OSError, UserError) as error:
            logger.info("%s was not written: %s", self._file.name, type(error).__name__)

    def _entries(self) -> dict[str, Any]:
        found = read_json(self._file)
        return found if isinstance(found, dict) else {}
