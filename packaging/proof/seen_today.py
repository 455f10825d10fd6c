"""Run with today's code on an upgraded library: what of it is there, as JSON.

python packaging/proof/seen_today.py DATA_FOLDER
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from desktop_rag.app import App
from desktop_rag.domain.answers import Citation
from desktop_rag.domain.errors import DesktopRagError, NothingIndexed
from desktop_rag.domain.library import FileState

_SOON_S = 60.0


def main(data_dir: Path) -> dict[str, object]:
    """Open it, search as soon as that can be, wait until all that is to be read again was read."""
    started = time.monotonic()
    with App.open(data_dir) as app:
        opened_s = time.monotonic() - started
        citations = _citations(app)
        opening = sum(_opens(app, one) for one in citations)
        held, started = _vectors(data_dir), time.monotonic()
        app.start_indexing()
        app.start_watching()
        found_soon, finds_after_s = _finds_soon(app), time.monotonic() - started
        app.wait_until_swept(120)
        app.wait_until_indexed(300)
        return {
            "opened_s": opened_s,
            "found_soon": found_soon,
            "finds_after_s": finds_after_s,
            "found_later": _finds(app),
            "answers": sum(
                message.answer is not None
                for chat in app.conversations()
                for message in app.messages(chat.id)
            ),
            "citations": len(citations),
            "citations_that_open": opening,
            "citations_that_open_later": sum(_opens(app, one) for one in citations),
            "ready": [
                Path(file.path).name for file in app.files() if file.state is FileState.READY
            ],
            "embedded_again": len(_vectors(data_dir) - held),
            "vectors": len(held),
            "settled_s": time.monotonic() - started,
        }


def _finds(app: App) -> bool:
    passages = app.search("flow temperature of the heat pump", 3).passages
    return any("heat-pump" in passage.path for passage in passages)


def _finds_soon(app: App) -> bool:
    """An index of another format is filled anew from the catalog; that takes its moment."""
    give_up = time.monotonic() + _SOON_S
    while time.monotonic() < give_up:
        with contextlib.suppress(NothingIndexed):
            if _finds(app):
                return True
        time.sleep(0.05)
    return False


def _citations(app: App) -> list[Citation]:
    return [
        citation
        for chat in app.conversations()
        for message in app.messages(chat.id)
        if message.answer is not None
        for citation in message.answer.citations
    ]


def _opens(app: App, citation: Citation) -> bool:
    """The document opens, the quote stands in it; on a page, it has a place there."""
    try:
        view, current = app.cited_document(citation)
    except DesktopRagError:
        return False
    if current is None or not current.quote:
        return False
    is_on_page = bool(app.viewing.boxes(view.file.id, current.start, current.end))
    return is_on_page or current.page is None


def _vectors(data_dir: Path) -> set[bytes]:
    with closing(sqlite3.connect(data_dir / "library.sqlite3")) as db:
        return {row[0] for row in db.execute("SELECT hash FROM vectors")}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
