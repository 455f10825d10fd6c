"""A server over fake engines, and a client of the official SDK."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, types

from desktop_rag.app import App
from desktop_rag.mcp.desk import LibraryDesk
from desktop_rag.mcp.server import made
from desktop_rag.paths import DataDir
from tests.helpers.fakes import FakeGenerator, FakeIndex, FakeReader, fake_engines

Talk = Callable[[Client], Awaitable[Any]]


class Served:
    """A library that clients talk to."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.index, self.generator = FakeIndex(), FakeGenerator()
        self.idle_s, self.patience_s = 60.0, 0.0

    def open(self) -> App:
        return App.open(self.data_dir, fake_engines(FakeReader(), self.index, self.generator))

    def add(self, folder: Path) -> None:
        with self.open() as app:
            app.add([folder])
            app.start_indexing()
            assert app.wait_until_indexed(30)

    def talk(self, talk: Talk, mode: Literal["auto", "legacy"] = "legacy") -> Any:
        """What a client gets to hear; the server ends with it."""

        async def whole() -> Any:
            folder = DataDir(self.data_dir)
            desk = LibraryDesk(folder, lambda _: self.open(), self.idle_s, self.patience_s)
            try:
                async with anyio.create_task_group() as background:
                    background.start_soon(desk.let_go_when_idle)
                    async with Client(made(desk), mode=mode) as client:
                        await client.list_tools()  # the client checks results by their schemas then
                        heard = await talk(client)
                    background.cancel_scope.cancel()
                return heard
            finally:
                await desk.close()

        return anyio.run(whole)

    def call(self, tool: str, **arguments: Any) -> types.CallToolResult:
        async def talk(client: Client) -> Any:
            return await client.call_tool(tool, arguments)

        result: types.CallToolResult = self.talk(talk)
        return result


@pytest.fixture
def served(tmp_path: Path) -> Served:
    return Served(tmp_path / "data")


@pytest.fixture
def filled(served: Served, tmp_path: Path) -> Served:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "pump.txt").write_text(
        "# Pump manual\n\nThe pump holds four litres of oil.\n\nThe warranty lasts seven years."
    )
    (folder / "tea.md").write_text("Green tea wants water of eighty degrees.")
    served.add(folder)
    return served
