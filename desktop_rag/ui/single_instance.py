"""One window per data folder: a second start hands its paths to the first and ends."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

logger = logging.getLogger(__name__)

_CONNECT_MS = 300
_REPLY_MS = 3000
_MAX_MESSAGE_BYTES = 1_000_000
_REPLY = b"ok\n"


def server_name(data_dir: Path) -> str:
    """The same for every way to write the same folder."""
    return "desktop-rag-" + hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:20]


def hand_over(data_dir: Path, paths: Sequence[Path]) -> bool:
    """Give `paths` to a window that is open already; false when there is none (or it hangs)."""
    socket = QLocalSocket()
    socket.connectToServer(server_name(data_dir))
    if not socket.waitForConnected(_CONNECT_MS):
        return False
    message = json.dumps({"paths": [str(path.absolute()) for path in paths]})
    socket.write(message.encode() + b"\n")
    is_heard = socket.waitForBytesWritten(_REPLY_MS) and socket.waitForReadyRead(_REPLY_MS)
    socket.disconnectFromServer()
    return is_heard


class InstanceServer(QObject):
    """Listens for later starts. Only the person's own account may connect.

    Signals:
        called (list[Path]): another start wants this window in front, with these paths added.
    """

    called = Signal(object)

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
            paths = _paths(bytes(socket.readLine().data()))
        except (ValueError, TypeError, KeyError):
            socket.abort()
            return
        socket.write(_REPLY)
        socket.flush()
        self.called.emit(paths)


def _paths(message: bytes) -> list[Path]:
    return [Path(str(one)) for one in json.loads(message)["paths"]]
