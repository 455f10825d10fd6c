"""The tools: what each is for, what it takes, and how it answers through `App`.

They only read. Called on worker threads; nothing here knows the protocol.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.events import AnswerDelta, AnswerProgress, Event, SourcesFound
from desktop_rag.domain.library import LibraryFile
from desktop_rag.domain.structured import (
    DocumentList,
    ListedDocument,
    Structured,
    structured_answer,
    structured_search,
)
from desktop_rag.mcp import arguments, texts
from desktop_rag.storage.result_schemas import ResultName, result_schema

if TYPE_CHECKING:
    from desktop_rag.app import App


@dataclass(frozen=True, slots=True)
class Reply:
    """What a tool answers: for programs, and the same for people and language models."""

    structured: Structured
    text: str


class Call:
    """A call that is being worked on: how far it is, and whether the client still wants it."""

    def __init__(self) -> None:
        self.sentence = ""
        """How far it is; written by whoever works, read by whoever tells the client."""
        self.steps = 0
        """Grows with every sign of life."""
        self.stop: Callable[[], None] = lambda: None
        self._is_cancelled = threading.Event()

    def tell(self, sentence: str) -> None:
        """Say how far the work is."""
        self.sentence = sentence
        self.steps += 1

    def cancel(self) -> None:
        """The client wants no answer any more."""
        self._is_cancelled.set()
        self.stop()

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits for the answer."""
        return self._is_cancelled.is_set()


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as clients see it, and `work` to do it."""

    name: str
    title: str
    description: str
    takes: type[Struct]
    gives: ResultName
    work: Callable[[App, Any, Call], Reply]

    @property
    def input_schema(self) -> dict[str, Any]:
        """What it takes."""
        return arguments.schema_of(self.takes)

    @property
    def output_schema(self) -> dict[str, Any]:
        """What it gives: the same as `--json` prints."""
        return result_schema(self.gives)

    def run(self, app: App, given: Mapping[str, Any], call: Call) -> Reply:
        """Do it. *Blocks.*

        Raises:
            DesktopRagError: with one sentence for whoever called.
        """
        return self.work(app, arguments.read(self.takes, given), call)


def _search(app: App, given: arguments.Search, call: Call) -> Reply:
    scope = given.scope()
    call.tell("Looking for changed files.")
    pending = app.catch_up()
    call.tell("Searching.")
    found = app.search(given.query, given.limit or None, scope)
    return Reply(structured_search(found, pending), texts.of_search(found, pending))


def _ask(app: App, given: arguments.Ask, call: Call) -> Reply:
    scope = given.scope()
    call.tell("Looking for changed files.")
    pending = app.catch_up()
    call.tell("Searching.")
    handle = app.ask(given.question, scope=scope)
    unsubscribe = app.bus.subscribe(lambda event: _follow(event, handle.request, call))
    call.stop = handle.cancel
    if call.is_cancelled:  # before there was anything to stop
        handle.cancel()
    try:
        answer = handle.result()
    finally:
        unsubscribe()
        app.delete_conversation(handle.conversation)  # no chat that the person had
    return Reply(structured_answer(answer, pending), texts.of_answer(answer, pending))


def _follow(event: Event, request: int, call: Call) -> None:
    """A bus listener."""
    if getattr(event, "request", None) != request:
        return
    if isinstance(event, SourcesFound) and event.passages:
        number = len(event.passages)
        call.tell(f"Reading {number} passage{'s' if number > 1 else ''}.")
    elif isinstance(event, AnswerProgress):
        call.tell(event.sentence)
    elif isinstance(event, AnswerDelta):
        call.tell("Writing the answer.")


def _open(app: App, given: arguments.OpenPassage, _: Call) -> Reply:
    if bool(given.chunk) == bool(given.path):
        raise InvalidInput("Name the `chunk` of a passage, or a `path` with an `offset`.")
    if given.chunk:
        opened = app.open_passage(ChunkId(given.chunk), given.around)
    else:
        opened = app.open_at(given.path, given.offset, given.around)
    return Reply(opened, texts.of_opened(opened))


def _list(app: App, given: arguments.ListDocuments, _: Call) -> Reply:
    sought = given.name.casefold()
    files = [
        one
        for one in app.files()
        if sought in one.path.casefold() or sought in one.title.casefold()
    ]
    shown = files[given.skip : given.skip + given.limit]
    listed = DocumentList(len(files), tuple(map(_listed, shown)))
    return Reply(listed, texts.of_list(listed))


def _listed(file: LibraryFile) -> ListedDocument:
    return ListedDocument(
        document=file.id,
        path=file.path,
        title=file.title,
        format=file.format,
        state=file.state,
        pages=file.pages,
        passages=file.chunks,
        tags=file.tags,
        failure=file.failure,
    )


TOOLS = (
    Tool(
        "search",
        "Search my documents",
        "Finds the passages of the person's own documents that say something about a query, best "
        "first, with file, page and section. Quick, without a language model. `open_passage` reads "
        "on around a passage.",
        arguments.Search,
        "search",
        _search,
    ),
    Tool(
        "ask",
        "Ask my documents",
        "Answers a question from the person's own documents with a small language model on this "
        "computer: a short text whose every statement cites file, page and quote, or a plain “not "
        "found”. Takes seconds to a minute; use `search` to read for yourself.",
        arguments.Ask,
        "answer",
        _ask,
    ),
    Tool(
        "open_passage",
        "Read on in a document",
        "Gives the text around a passage that `search` or `ask` named by its `chunk`, or around an "
        "offset in a file. To read on, ask for the `end` of what you got as `offset`.",
        arguments.OpenPassage,
        "opened_text",
        _open,
    ),
    Tool(
        "list_documents",
        "List my documents",
        "Lists the files of the library with title, kind, number of pages, and why one cannot be "
        "searched.",
        arguments.ListDocuments,
        "documents",
        _list,
    ),
)
