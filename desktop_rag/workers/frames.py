"""What travels between the program and its workers: typed msgpack frames of bounded size.

Values are the dataclasses of `domain`, decoded strictly by type. Nothing is unpickled: a child that
hostile input took over can say nothing but values of the expected type.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from desktop_rag.domain.errors import DesktopRagError, from_code
from desktop_rag.network import UseKind

if TYPE_CHECKING:
    from collections.abc import Hashable
    from multiprocessing.connection import Connection

MAX_FRAME_BYTES = 192 * 1024 * 1024
"""A frame over this size is refused on both sides; the longest legitimate one is a book's text."""
_MAX_MESSAGE_CHARS = 4000
_MAX_DETAILS = 20

T = TypeVar("T")


class FrameTooLarge(Exception):
    """A value does not fit into a frame. Nothing was sent; the pipe is still in step."""


class FrameError(Exception):
    """The other side sent something that is not a frame, or a value of another type."""


class Call(msgspec.Struct, frozen=True, tag="call", array_like=True):
    """Parent to child: run a method of the role. Urgent calls overtake queued ones."""

    id: int
    method: str
    arguments: msgspec.Raw
    is_urgent: bool = False


class Cancel(msgspec.Struct, frozen=True, tag="cancel", array_like=True):
    """Parent to child: forget a queued call, stop a running stream."""

    id: int


class Shutdown(msgspec.Struct, frozen=True, tag="shutdown", array_like=True):
    """Parent to child: finish what is running, close the engine, exit."""


class Ready(msgspec.Struct, frozen=True, tag="ready", array_like=True):
    """Child to parent: the engine is open, calls are served."""

    is_sealed: bool = False
    """The kernel refuses it the network, whatever its code does."""


class NetworkUse(msgspec.Struct, frozen=True, tag="network", array_like=True):
    """Child to parent: it tried to use the network, or has a local socket (`network.Use`)."""

    at: float
    kind: UseKind
    target: str
    is_refused: bool
    is_local: bool


class Started(msgspec.Struct, frozen=True, tag="started", array_like=True):
    """Child to parent: a call left the queue and runs now; its time-out begins here."""

    id: int


class Item(msgspec.Struct, frozen=True, tag="item", array_like=True):
    """Child to parent: the next value of a stream."""

    id: int
    value: msgspec.Raw


class Result(msgspec.Struct, frozen=True, tag="result", array_like=True):
    """Child to parent: the value of a call; ends a stream (whose last value is `None`)."""

    id: int
    value: msgspec.Raw


class Failure(msgspec.Struct, frozen=True, tag="failure", array_like=True):
    """Child to parent: a call ended with an error. `id` 0: the engine could not be opened."""

    id: int
    code: str
    message: str
    details: dict[str, str] = {}

    @classmethod
    def of(cls, call: int, error: DesktopRagError) -> Failure:
        """Take an error apart, cut to a sensible size."""
        details = {key: str(error.details[key]) for key in list(error.details)[:_MAX_DETAILS]}
        return cls(
            call,
            error.code,
            error.message[:_MAX_MESSAGE_CHARS],
            {key: value[:_MAX_MESSAGE_CHARS] for key, value in details.items()},
        )

    def error(self) -> DesktopRagError:
        """Make the error again."""
        return from_code(self.code, self.message, self.details)


Frame = Call | Cancel | Shutdown | Ready | NetworkUse | Started | Item | Result | Failure

_frames: msgspec.msgpack.Decoder[Frame] = msgspec.msgpack.Decoder(Frame)


def _to_plain(value: object) -> object:
    if isinstance(value, PurePath):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} does not cross the pipe")


def _from_plain(wanted: type, value: object) -> object:
    if wanted is Path and isinstance(value, str):
        return Path(value)
    raise NotImplementedError(f"{wanted} does not cross the pipe")


_encoder = msgspec.msgpack.Encoder(enc_hook=_to_plain)


@lru_cache(maxsize=128)
def _decoder(wanted: Hashable) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(cast("Any", wanted), dec_hook=_from_plain)


def encode(value: object) -> msgspec.Raw:
    """Pack a value of the domain.

    Raises:
        FrameTooLarge: it would not fit into a frame.
    """
    data = _encoder.encode(value)
    _check_size(len(data))
    return msgspec.Raw(data)


def decode(data: msgspec.Raw, wanted: type[T]) -> T:
    """Unpack a value of exactly this type.

    Raises:
        FrameError: it is of another type.
    """
    try:
        return cast("T", _decoder(cast("Hashable", wanted)).decode(data))
    except msgspec.MsgspecError as exc:
        raise FrameError(str(exc)) from exc


class Channel:
    """One end of a pipe. Any thread may send; one thread receives."""

    def __init__(self, connection: Connection[Any, Any]) -> None:
        self._connection = connection
        # Held while one frame is written; other senders of the same side wait on it.
        self._sending = threading.Lock()

    def send(self, frame: Frame, wait_s: float = -1) -> None:
        """Write one frame whole.

        Args:
            frame: what to send.
            wait_s: how long to wait for other senders; -1 waits for ever.

        Raises:
            FrameTooLarge: refused, nothing was sent.
            OSError: the other side is gone, or `wait_s` ran out.
        """
        data = _encoder.encode(frame)
        _check_size(len(data))
        if not self._sending.acquire(timeout=wait_s):
            raise TimeoutError("another frame blocks the pipe")
        try:
            self._connection.send_bytes(data)
        finally:
            self._sending.release()

    def receive(self) -> Frame:
        """Wait for the next frame.

        Raises:
            EOFError, OSError: the other side is gone.
            FrameError: what came is not a frame, or too large.
        """
        try:
            data = self._connection.recv_bytes(MAX_FRAME_BYTES)
        except OSError as exc:
            if str(exc) == "bad message length":
                raise FrameError("a frame over the size limit") from exc
            raise
        try:
            return _frames.decode(data)
        except msgspec.MsgspecError as exc:
            raise FrameError(str(exc)) from exc

    def close(self) -> None:
        """Close this end; the other side reads EOF."""
        self._connection.close()


def _check_size(size: int) -> None:
    # Room for the frame around the value.
    if size > MAX_FRAME_BYTES - 1024:
        raise FrameTooLarge(f"{size // 2**20} MB is more than fits through the pipe")
