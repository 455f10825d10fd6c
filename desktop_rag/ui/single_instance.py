"""One window per data folder: a second start hands what it wants to the first and ends."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import sys
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from desktop_rag import __version__, paths
from desktop_rag.domain.wanted import Wanted

logger = logging.getLogger(__name__)

_CONNECT_MS = 300
_REPLY_MS = 3000
_MAX_MESSAGE_BYTES = 8_000_000
_REPLY = b"ok\n"
_VERSION = re.compile(r"[0-9A-Za-z.+-]{1,20}")
ACTIVATION_VARIABLE = "XDG_ACTIVATION_TOKEN"
"""Wayland lets a window come to the front only with the token of who the person clicked on."""


class HandOver(Enum):
    """What came of it."""

    TAKEN = "taken"
    """A window has it and comes to the front."""
    NOBODY = "nobody"
    SILENT = "silent"
    """Somebody listens and does not answer: the first window hangs, or is being closed."""


def server_name(data_dir: Path) -> str:
    """The same for every way to write the same folder."""
    name = "desktop-rag-" + hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:20]
    if paths.portable_dir() is None or sys.platform == "win32":
        return name
    # Temporary files are on the stick then, which may know no sockets and has long paths.
    return str(Path(os.environ.get("XDG_RUNTIME_DIR") or "/tmp") / name)


def hand_over(data_dir: Path, wanted: Wanted, reply_ms: int = _REPLY_MS) -> HandOver:
    """Give `wanted` to a window that is open already. Waits no longer than `reply_ms`."""
    socket = QLocalSocket()
    socket.connectToServer(server_name(data_dir))
    if not socket.waitForConnected(_CONNECT_MS):
        return HandOver.NOBODY
    socket.write(_written(wanted))
    is_heard = socket.waitForBytesWritten(reply_ms) and socket.waitForReadyRead(reply_ms)
    socket.disconnectFromServer()
    return HandOver.TAKEN if is_heard else HandOver.SILENT


class InstanceServer(QObject):
    """Listens for later starts. Only the person's own account may connect.

    Signals:
        called (Wanted): another start wants this.
        other_version (str): it was one of another version of the program. Told after `called`.
    """

    called = Signal(object)
    other_version = Signal(str)

    def __init__(self, data_dir: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        name = server_name(data_dir)
        if not self._server.listen(name):
            # The socket of a process that was killed; nobody answered on it a moment ago.
            QLocalServer.removeServer(name)
            if not self._server.listen(name):
                logger.info("Later starts cannot find this window: %s", self._server.errorString())

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    def _on_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            socket.readyRead.connect(lambda one=socket: self._on_message(one))
            if socket.bytesAvailable():
                self._on_message(socket)

    def _on_message(self, socket: QLocalSocket) -> None:
        if socket.bytesAvailable() > _MAX_MESSAGE_BYTES:
            socket.abort()
            return
        if not socket.canReadLine():
            return
        try:
            line = bytes(socket.readLine().data())
            wanted, token = _read(line)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            socket.abort()
            return
        socket.write(_REPLY)
        socket.flush()
        if token:
            os.environ[ACTIVATION_VARIABLE] = token
        self.called.emit(wanted)
        version = _version(line)
        if version != __version__ and not wanted.is_hidden:
            self.other_version.emit(version)


# Other versions read and write these messages, too: names may be added, and none may be needed
# but `paths`.


def _written(wanted: Wanted) -> bytes:
    message = {
        "paths": [str(path.absolute()) for path in wanted.paths],
        "page": wanted.page,
        "quote": wanted.quote,
        "added": [str(path.absolute()) for path in wanted.added],
        "new_chat": wanted.is_new_chat,
        "hidden": wanted.is_hidden,
        "token": os.environ.get(ACTIVATION_VARIABLE, ""),
        "version": __version__,
    }
    return json.dumps(message).encode() + b"\n"


def _read(message: bytes) -> tuple[Wanted, str]:
    """Raises ValueError, TypeError or KeyError for what is no such message."""
    found = json.loads(message)
    page = found.get("page")
    wanted = Wanted(
        tuple(Path(str(one)) for one in found["paths"]),
        int(page) if page is not None else None,
        str(found.get("quote", "")),
        found.get("hidden") is True,
        # A second start may be of an older version.
        tuple(Path(str(one)) for one in found.get("added", [])),
        found.get("new_chat") is True,
    )
    return wanted, str(found.get("token") or "")


def _version(message: bytes) -> str:
    """Of the program that wrote it; our own where it does not say."""
    version = str(json.loads(message).get("version", ""))
    return version if _VERSION.fullmatch(version) else __version__
