"""Lends the library to calls, and lets go of it when none has come for a while.

A client starts the server with itself and keeps it for days; the library is open in one process at
a time. So it is opened by the first call, closed a minute after the last, and handed over between
calls to the window or a command that asks for it.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from desktop_rag.domain.errors import LibraryLocked
from desktop_rag.paths import DataDir
from desktop_rag.storage.handing_over import HandingOver

if TYPE_CHECKING:
    from desktop_rag.app import App

_IDLE_S = 60.0
_PATIENCE_S = 5.0
"""How long a call waits for another process: commands are quick, the window is not."""
_LOOK_EVERY_S = 1.0


class LibraryDesk:
    """One library, opened on demand. Used on the event loop only."""

    def __init__(
        self,
        folder: DataDir,
        open_library: Callable[[DataDir], App],
        idle_s: float = _IDLE_S,
        patience_s: float = _PATIENCE_S,
    ) -> None:
        self._folder = folder
        self._open_library = open_library
        self._handing_over = HandingOver(folder)
        self._idle_s = idle_s
        self._patience_s = patience_s
        self._app: App | None = None
        self._borrowers = 0
        self._idle_since = 0.0
        # Whoever opens or closes holds it; calls that are under way do not.
        self._lock = anyio.Lock()

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[App]:
        """The open library, for one call.

        Raises:
            LibraryLocked, LibraryTooNew, LibraryDamaged, UserError: as `App.open`.
        """
        async with self._lock:
            app = self._app or await self._open()
            self._borrowers += 1
        try:
            yield app
        finally:
            self._borrowers -= 1
            self._idle_since = time.monotonic()

    async def let_go_when_idle(self) -> None:
        """Runs as long as the server."""
        while True:
            await anyio.sleep(min(_LOOK_EVERY_S, self._idle_s))
            async with self._lock:
                if not self._borrowers and (self._is_idle() or self._handing_over.is_asked_for()):
                    await self._close()

    async def close(self) -> None:
        """Let go of the library, whatever is under way."""
        with anyio.CancelScope(shield=True):
            await self._close()

    async def _open(self) -> App:
        # Cancelled in the middle, nobody would know of the library that was opened.
        with anyio.CancelScope(shield=True):
            self._app = app = await to_thread.run_sync(self._opened)
        return app

    async def _close(self) -> None:
        app, self._app = self._app, None
        if app is not None:
            await to_thread.run_sync(app.close)

    def _is_idle(self) -> bool:
        return time.monotonic() - self._idle_since >= self._idle_s

    def _opened(self) -> App:
        give_up = time.monotonic() + self._patience_s
        while True:
            try:
                app = self._open_library(self._folder)
            except LibraryLocked:
                if time.monotonic() >= give_up:
                    raise
                time.sleep(0.2)
            else:
                self._handing_over.offer()
                app.start_indexing()
                app.start_watching()
                return app
