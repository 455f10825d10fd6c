"""The real command with real engines, as a client of the official SDK starts it.

No language model is installed; answers are quotations. Its process may open no socket of the
internet: an audit hook refuses and reports that.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from desktop_rag import paths
from tests.domain.test_structured import valid

Mode = Literal["auto", "legacy"]
ROOT = Path(__file__).resolve().parents[2]
OFFLINE = """
import runpy, socket, sys
def refuse(event, args):
    if event == "socket.__new__" and args[1] in (socket.AF_INET, socket.AF_INET6):
        print("SOCKET OPENED", file=sys.stderr)
        raise PermissionError("this program is offline")
sys.addaudithook(refuse)
sys.argv[0] = "desktop-rag"
runpy.run_module("desktop_rag", run_name="__main__", alter_sys=True)
"""
if sys.platform == "win32":  # its event loop wakes itself through a socket on this computer
    OFFLINE = OFFLINE.replace("in (socket.AF_INET, socket.AF_INET6)", "== socket.AF_INET6")
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    (folder / "pump.txt").write_text(
        "Pump manual\n\nThe pump holds four litres of oil.\n\nThe warranty lasts seven years.\n"
    )
    program = [sys.executable, "-m", "desktop_rag", "--data-dir", str(folder / "data")]
    added = [*program, "add", str(folder / "pump.txt")]
    subprocess.run(added, check=True, capture_output=True, cwd=ROOT, timeout=120)
    return folder


def command(library: Path) -> list[str]:
    return [sys.executable, "-c", OFFLINE, "--data-dir", str(library / "data"), "mcp"]


def environment(library: Path) -> dict[str, str]:
    return {paths.MODELS_DIR_VARIABLE: str(library / "models")}


def talk(library: Path, talking: Callable[[Client], Awaitable[Any]], mode: Mode) -> Any:
    """One session; what the program said on standard error must be nothing."""
    program, *arguments = command(library)
    log = library / "stderr.txt"

    async def whole() -> Any:
        server = StdioServerParameters(
            command=program, args=arguments, env=environment(library), cwd=ROOT
        )
        with log.open("w", encoding="utf-8") as errlog:
            async with Client(stdio_client(server, errlog), mode=mode) as client:
                await client.list_tools()
                return await talking(client)

    heard = anyio.run(whole)
    assert log.read_text(encoding="utf-8") == ""
    return heard


def test_a_session_of_today(library: Path) -> None:
    async def talking(client: Client) -> Any:
        found = await client.call_tool("search", {"query": "warranty", "limit": 1})
        chunk = found.structured_content["passages"][0]["chunk"]
        return {
            "search": found,
            "answer": await client.call_tool("ask", {"question": "How much oil does it hold?"}),
            "opened_text": await client.call_tool("open_passage", {"chunk": chunk}),
            "documents": await client.call_tool("list_documents", {}),
            "wrong": await client.call_tool("search", {"query": ""}),
        }

    heard = talk(library, talking, "auto")
    assert heard.pop("wrong").is_error
    told = {name: valid(one.structured_content, name) for name, one in heard.items()}
    assert "seven years" in told["search"]["passages"][0]["text"]
    assert "four litres" in told["answer"]["citations"][0]["quote"]
    assert told["answer"]["answer"].startswith(("four litres: “", "“")), "no model need write it"
    assert "four litres" in told["opened_text"]["text"]
    assert told["documents"]["total"] == 1


def test_a_session_of_an_older_client(library: Path) -> None:
    async def talking(client: Client) -> Any:
        return await client.call_tool("list_documents", {})

    assert not talk(library, talking, "legacy").is_error


def started(library: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(library),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment(library)},
        cwd=ROOT,
    )


def test_input_that_ends_ends_the_program(library: Path) -> None:
    """Whatever was asked before is answered; what is no message is no reason to stop."""
    garbage = b"\n{\n\xff\xfe\n[]\n" + json.dumps({"jsonrpc": "2.0", "id": 9}).encode() + b"\n"
    program = started(library)
    out, err = program.communicate(garbage + json.dumps(HELLO).encode() + b"\n", timeout=60)
    answers = [json.loads(line) for line in out.splitlines()]
    assert [one["result"]["serverInfo"]["name"] for one in answers if "result" in one] == [
        "desktop-rag"
    ]
    assert program.returncode == 0
    assert b"Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="programs are ended otherwise there")
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_program_in_order(library: Path, by: signal.Signals) -> None:
    program = started(library)
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write(json.dumps(HELLO).encode() + b"\n")
    program.stdin.flush()
    assert b"serverInfo" in program.stdout.readline()
    program.send_signal(by)
    began = time.monotonic()
    _, err = program.communicate(timeout=30)
    assert (program.returncode, err) == (0, b"")
    assert time.monotonic() - began < 15


def test_a_client_that_vanishes_is_no_error(library: Path) -> None:
    program = started(library)
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdout.close()
    _, err = program.communicate(json.dumps(HELLO).encode() + b"\n", timeout=60)
    assert b"Traceback" not in err
    assert program.returncode == 0
