"""The whole program over one folder, in a process of its own that may be killed at any time.

`python -m tests.durability.program DATA_DIR FOLDER` goes on for ever;
with `--until-done` it ends when everything is searchable and at rest.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from desktop_rag.app import App
from desktop_rag.domain.errors import LibraryLocked
from desktop_rag.domain.events import Event, IndexingPaused

_PATIENCE_S = 30
_DONE_S = 240


def main() -> None:
    """Open the library, add the folder, index and watch it."""
    data_dir, folder = Path(sys.argv[1]), Path(sys.argv[2])
    with _opened(data_dir) as app:
        app.bus.subscribe(_tell_pauses)
        if not app.status().sources:
            app.add([folder])
        app.start_indexing()
        if "--until-done" not in sys.argv:
            app.start_watching()
            threading.Event().wait()
        if not app.wait_until_indexed(_DONE_S):
            raise TimeoutError("indexing does not come to an end")
        status = app.status()
        if status.indexed_chunks != status.chunks or status.queued:
            raise AssertionError(f"done, and yet {status}")


def _tell_pauses(event: Event) -> None:
    if isinstance(event, IndexingPaused):
        print(event, file=sys.stderr, flush=True)


def _opened(data_dir: Path) -> App:
    """Orphans of a killed process end by themselves; until then the library may be locked."""
    for _ in range(_PATIENCE_S * 10):
        try:
            return App.open(data_dir)
        except LibraryLocked:
            threading.Event().wait(0.1)
    return App.open(data_dir)


if __name__ == "__main__":
    main()
