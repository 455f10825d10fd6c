"""The tools as a client of the official SDK meets them, over fake engines."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, Literal

import anyio
import anyio.to_thread
import filelock
import pytest
from mcp import Client, MCPError, types

from desktop_rag import paths
from desktop_rag.domain import errors
from desktop_rag.mcp import server
from tests.domain.test_structured import valid
from tests.helpers.fakes import FakeGenerator
from tests.mcp.conftest import Served


def text_of(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def code_of(result: types.CallToolResult) -> str:
    assert result.is_error
    return str((result.meta or {})["desktop-rag/code"])


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_tools_say_what_they_do_and_only_read(
    served: Served, mode: Literal["auto", "legacy"]
) -> None:
    async def talk(client: Client) -> Any:
        return (await client.list_tools()).tools, client.instructions

    tools, instructions = served.talk(talk, mode)
    assert [one.name for one in tools] == ["search", "ask", "open_passage", "list_documents"]
    for one in tools:
        assert one.annotations.read_only_hint
        assert one.input_schema["type"] == one.output_schema["type"] == "object"
        assert one.input_schema["additionalProperties"] is False
        assert all("description" in of for of in one.input_schema["properties"].values())
    assert "never instructions" in instructions
    assert not served.data_dir.exists(), "nothing is opened before a tool is called"


def test_a_search_gives_passages(filled: Served) -> None:
    result = filled.call("search", query="warranty years", limit=1)
    found = valid(result.structured_content, "search")
    assert [one["text"] for one in found["passages"]] == ["The warranty lasts seven years."]
    assert f"chunk {found['passages'][0]['chunk']}" in text_of(result)
    assert "The warranty lasts seven years." in text_of(result)


def test_a_search_is_narrowed(filled: Served) -> None:
    for filters in (
        {"files": ["tea.md"]},
        {"types": ["md"]},
        {"folders": [str(filled.data_dir.parent / "docs")], "files": ["tea"]},
    ):
        found = filled.call("search", query="pump water", **filters).structured_content
        assert {Path(one["path"]).name for one in found["passages"]} == {"tea.md"}, filters


def test_an_answer_cites_and_leaves_no_chat(filled: Served) -> None:
    result = filled.call("ask", question="How much oil does the pump hold?")
    found = valid(result.structured_content, "answer")
    (citation,) = found["citations"]
    assert citation["number"] == 1
    assert found["answer"].removesuffix(" [1].") in citation["quote"]
    assert "[1] " in text_of(result)
    assert "Confidence" in text_of(result)
    with filled.open() as app:
        assert app.conversations() == []


@pytest.mark.parametrize(("choice", "is_shown"), [("off", True), ("on", False)])
def test_personal_data_stays_here_when_that_is_chosen(
    filled: Served, choice: str, is_shown: bool
) -> None:
    (filled.data_dir.parent / "docs" / "mail.txt").write_text("Write to ada@lovelace.org for tea.")
    with filled.open() as app:
        app.change_setting("mask_personal_data", choice)

    async def talk(client: Client) -> Any:
        found = await client.call_tool("search", {"query": "write for tea", "limit": 1})
        chunk = found.structured_content["passages"][0]["chunk"]
        return found, await client.call_tool("open_passage", {"chunk": chunk})

    for result in filled.talk(talk):
        told = text_of(result), json.dumps(result.structured_content)
        assert ["ada@lovelace.org" in one for one in told] == [is_shown, is_shown]


def test_what_is_not_there_is_not_found(filled: Served) -> None:
    result = filled.call("ask", question="Quantum chromodynamics confinement scale")
    assert not result.is_error
    assert result.structured_content["found"] is False
    assert result.structured_content["citations"] == []
    assert "Nearest: " in text_of(result)


def test_a_passage_is_opened_and_read_on(filled: Served) -> None:
    found = filled.call("search", query="oil of the pump", limit=1).structured_content
    passage = found["passages"][0]
    opened = filled.call("open_passage", chunk=passage["chunk"], around=0)
    first = valid(opened.structured_content, "opened_text")
    assert first["text"] == passage["text"]
    assert first["passage"] == {"start": passage["start"], "end": passage["end"]}
    assert passage["path"] in text_of(opened)
    on = filled.call("open_passage", path=passage["path"], offset=first["end"] + 2, around=0)
    assert on.structured_content["text"] == "The warranty lasts seven years."
    assert on.structured_content["end"] == on.structured_content["length"]


def test_documents_are_listed(filled: Served) -> None:
    whole = filled.call("list_documents")
    listed = valid(whole.structured_content, "documents")
    assert [Path(one["path"]).name for one in listed["documents"]] == ["pump.txt", "tea.md"]
    assert listed["total"] == 2
    assert "2 files." in text_of(whole)
    part = filled.call("list_documents", name="TEA")
    assert [Path(one["path"]).name for one in part.structured_content["documents"]] == ["tea.md"]
    assert text_of(part).startswith("1 file.")
    paged = filled.call("list_documents", limit=1, skip=1)
    assert [Path(one["path"]).name for one in paged.structured_content["documents"]] == ["tea.md"]
    assert "2 files, 1 of them here." in text_of(paged)


BAD: list[tuple[str, dict[str, Any], type[errors.DesktopRagError], str]] = [
    ("search", {}, errors.InvalidInput, "query"),
    ("search", {"query": 7}, errors.InvalidInput, "query"),
    ("search", {"query": ""}, errors.InvalidInput, "empty"),
    ("search", {"query": "pump", "limit": -1}, errors.InvalidInput, "limit"),
    ("search", {"query": "pump", "limit": 10**30}, errors.InvalidInput, "limit"),
    ("search", {"query": "pump", "color": "red"}, errors.InvalidInput, "color"),
    ("search", {"query": "pump", "files": "a"}, errors.InvalidInput, "files"),
    ("search", {"query": "pump", "after": "soon"}, errors.InvalidInput, "no date"),
    ("search", {"query": "pump", "pages": ["x"]}, errors.InvalidInput, "page"),
    ("search", {"query": "pump", "tags": ["none"]}, errors.NotFound, "none"),
    ("search", {"query": "pump", "files": ["nowhere"]}, errors.NothingIndexed, "nowhere"),
    ("ask", {"question": "  "}, errors.InvalidInput, "empty"),
    ("ask", {"question": ["a"]}, errors.InvalidInput, "question"),
    ("open_passage", {}, errors.InvalidInput, "chunk"),
    ("open_passage", {"chunk": 1, "path": "/a"}, errors.InvalidInput, "chunk"),
    ("open_passage", {"chunk": 10**15}, errors.NotFound, "passage"),
    ("open_passage", {"chunk": 10**30}, errors.InvalidInput, "chunk"),
    ("open_passage", {"path": "/nowhere.txt"}, errors.NotFound, "/nowhere.txt"),
    ("open_passage", {"chunk": 1, "around": 10**9}, errors.InvalidInput, "around"),
    ("list_documents", {"limit": 0}, errors.InvalidInput, "limit"),
]


def test_bad_input_is_one_sentence(filled: Served) -> None:
    async def talk(client: Client) -> Any:
        return [await client.call_tool(tool, given) for tool, given, _, _ in BAD]

    for (tool, given, error, says), result in zip(BAD, filled.talk(talk), strict=True):
        assert code_of(result) == error.code, (tool, given)
        assert says in text_of(result), (tool, given, text_of(result))
        assert text_of(result).endswith(".")


def test_an_unknown_tool_is_an_error_of_the_protocol(served: Served) -> None:
    async def talk(client: Client) -> Any:
        with pytest.raises(MCPError, match="no tool “delete_everything”") as refused:
            await client.call_tool("delete_everything", {})
        return refused.value.error.code

    assert served.talk(talk) == types.INVALID_PARAMS


@pytest.mark.parametrize(
    "question",
    ["pump oil " * 20_000, "pump \x00 \u202e oil\udcff".encode("utf-8", "replace").decode()],
)
def test_strange_questions_are_answered(filled: Served, question: str) -> None:
    assert not filled.call("ask", question=question).is_error
    assert not filled.call("search", query=question).is_error


def test_an_empty_library_says_what_to_do(served: Served) -> None:
    result = served.call("ask", question="Anything?")
    assert code_of(result) == errors.NothingIndexed.code
    assert "add" in text_of(result)
    assert served.call("list_documents").structured_content == {"total": 0, "documents": []}


def test_a_library_that_is_open_elsewhere_is_left_alone(filled: Served) -> None:
    async def talk(client: Client) -> Any:
        with filelock.FileLock(paths.DataDir(filled.data_dir).lock):
            locked = await client.call_tool("search", {"query": "pump"})
        return locked, await client.call_tool("search", {"query": "pump"})

    locked, free = filled.talk(talk)
    assert code_of(locked) == errors.LibraryLocked.code
    assert "open in another window or command" in text_of(locked)
    assert not free.is_error


def test_a_call_waits_a_little_for_a_command_to_end(filled: Served) -> None:
    filled.patience_s = 30.0
    lock = filelock.FileLock(paths.DataDir(filled.data_dir).lock, thread_local=False)

    async def talk(client: Client) -> Any:
        lock.acquire()
        async with anyio.create_task_group() as group:

            async def end_the_command() -> None:
                await anyio.sleep(0.3)
                lock.release()

            group.start_soon(end_the_command)
            return await client.call_tool("search", {"query": "pump"})

    assert not filled.talk(talk).is_error


def test_the_library_is_free_when_no_call_comes(filled: Served) -> None:
    filled.idle_s = 0.05

    async def talk(client: Client) -> Any:
        before = await client.call_tool("search", {"query": "pump"})
        with anyio.fail_after(20):
            while not is_free(filled):
                await anyio.sleep(0.05)
        return before, await client.call_tool("search", {"query": "pump"})

    assert not any(result.is_error for result in filled.talk(talk))


def test_the_window_need_only_ask_for_the_library(filled: Served) -> None:
    async def talk(client: Client) -> Any:
        before = await client.call_tool("search", {"query": "pump"})

        def as_the_window_does() -> int:
            with filled.open() as app:
                return len(app.files())

        files = await anyio.to_thread.run_sync(as_the_window_does)
        return before, files, await client.call_tool("search", {"query": "pump"})

    before, files, after = filled.talk(talk)
    assert (before.is_error, files, after.is_error) == (False, 2, False)
    assert not paths.DataDir(filled.data_dir).offer.exists()


def is_free(served: Served) -> bool:
    lock = filelock.FileLock(paths.DataDir(served.data_dir).lock)
    try:
        with lock.acquire(timeout=0):
            return True
    except filelock.Timeout:
        return False


def test_a_long_answer_tells_how_far_it_is(filled: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_TELL_EVERY_S", 0.02)
    monkeypatch.setattr(server, "_SIGN_OF_LIFE_S", 0.1)
    filled.generator = FakeGenerator("The pump holds four litres [1].", delay_s=0.5)
    heard: list[str | None] = []
    steps: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)
        steps.append(progress)

    async def talk(client: Client) -> Any:
        question = {"question": "How much oil does the pump hold?"}
        return await client.call_tool("ask", question, progress_callback=note)

    assert not filled.talk(talk).is_error
    assert heard[-1] == "Writing the answer."
    reading = [one for one in heard if one and one.startswith("Reading")]
    assert len(reading) > 1, "a sign of life until the first word"
    assert steps == sorted(set(steps))


def test_what_nobody_waits_for_is_stopped(filled: Served) -> None:
    filled.generator = FakeGenerator(" ".join(map(str, range(1000))), delay_s=0.1)

    async def talk(client: Client) -> Any:
        with anyio.move_on_after(1.0) as given_up:
            await client.call_tool("ask", {"question": "How much oil does the pump hold?"})
        assert given_up.cancelled_caught
        filled.generator.answer = "It holds four litres [1]."
        began = time.monotonic()
        after = await client.call_tool("ask", {"question": "How much oil does the pump hold?"})
        return after, time.monotonic() - began

    after, seconds = filled.talk(talk)
    assert not after.is_error
    assert seconds < 10
    with filled.open() as app:
        assert app.conversations() == []


def test_calls_may_overlap(filled: Served) -> None:
    filled.generator = FakeGenerator("The pump holds four litres [1].", delay_s=0.1)
    ended: list[str] = []

    async def talk(client: Client) -> Any:
        async def call(tool: str, given: dict[str, Any]) -> None:
            assert not (await client.call_tool(tool, given)).is_error
            ended.append(tool)

        async with anyio.create_task_group() as group:
            group.start_soon(call, "ask", {"question": "How much oil does the pump hold?"})
            await anyio.sleep(0.2)
            group.start_soon(call, "search", {"query": "tea"})
            group.start_soon(call, "list_documents", {})

    filled.talk(talk)
    assert sorted(ended) == ["ask", "list_documents", "search"]


def test_a_bug_ends_one_call_not_the_server(
    filled: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("desktop_rag.app.App.search", broken)
    result = filled.call("search", query="pump")
    assert "error inside Desktop RAG" in text_of(result)
    assert "secret" not in text_of(result)
    assert "ZeroDivisionError" in caplog.text
    caplog.clear()
