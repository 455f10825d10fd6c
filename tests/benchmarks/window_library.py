"""Makes what a window is measured with: 10,000 files and 500 chats, one of 2,000 messages.

Everything stands in a real catalog and a real index; only the vectors are drawn by lot, because
embedding 20,000 passages would take the afternoon and the window never looks at them.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from desktop_rag.app import App
from desktop_rag.domain.answers import Answer, Role
from desktop_rag.paths import DataDir
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.database import Database
from tests.benchmarks.bench_scale import make_files, random_vectors

FILES, CHATS, MESSAGES = 10_000, 500, 2_000
LONG_CHAT = "A chat that never ends"


def make(data: Path) -> None:
    """Fill `data` with `library` and `files`, unless it was done before."""
    if (data / "done").exists():
        return
    make_files(data / "files", FILES)
    with App.open(data / "library") as app:
        app._engines.index.embed = random_vectors  # type: ignore[method-assign]
        app.start_indexing()
        app.add([data / "files"])
        app.wait_until_indexed()
    _add_chats(data / "library")
    (data / "done").touch()


def _add_chats(library: Path) -> None:
    database = Database(DataDir(library).database)
    conversations = Conversations(database)
    for number in range(CHATS - 1):
        chat = conversations.begin(f"Question {number} about the notes")
        for role, text, answer in _messages(2):
            conversations.add(chat, role, text, answer)
    chat = conversations.begin(LONG_CHAT)
    for role, text, answer in _messages(MESSAGES):
        conversations.add(chat, role, text, answer)
    database.close()


def _messages(count: int) -> list[tuple[Role, str, Answer | None]]:
    """Questions and answers of different lengths, every answer with four citations."""
    from tests.helpers.documents import filler
    from tests.helpers.fake_app import ANSWER, FakeApp, with_sample_library

    fake = with_sample_library(FakeApp())
    whole = fake.answer("How long is the cover?", ANSWER)
    fake.close()
    made: list[tuple[Role, str, Answer | None]] = []
    for number in range(0, count, 2):
        question = f"Question {number}: what is said about it?"
        text = f"{ANSWER}\n\n{filler(20 + number * 37 % 160, seed=number)}"
        made.append((Role.USER, question, None))
        made.append((Role.ASSISTANT, text, replace(whole, question=question, text=text)))
    return made


if __name__ == "__main__":
    if len(sys.argv) > 2:
        make_files(Path(sys.argv[1]) / "new", int(sys.argv[2]))
    else:
        make(Path(sys.argv[1]))
