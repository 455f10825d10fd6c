"""Stops llama.cpp in the middle of a prompt."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from typing import Any

import llama_cpp

_LOOK_EVERY_S = 0.02


class Abort:
    """Lets llama.cpp ask between two operations whether to go on, without asking Python.

    llama.cpp asks a thousand times a batch and from all its threads; a Python callback would make
    them wait for the interpreter each time. It therefore asks C's `strlen` for the length of a
    string that is empty until a watching thread writes a character into it. Installed only while a
    prompt is read: between single tokens a plain check is quick enough.
    """

    def __init__(self, context: Any, is_cancelled: Callable[[], bool]) -> None:
        self._context = context
        self._is_cancelled = is_cancelled
        self._flag = ctypes.create_string_buffer(2)
        self._is_over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="llm-stop-watch", daemon=True)

    @property
    def has_fired(self) -> bool:
        """Whether an evaluation may have been stopped half-way."""
        return self._flag.value != b""

    def __enter__(self) -> Abort:
        self._watcher.start()
        ask = ctypes.cast(_c_library().strlen, llama_cpp.ggml_abort_callback)
        llama_cpp.llama_set_abort_callback(self._context, ask, ctypes.addressof(self._flag))
        return self

    def __exit__(self, *_error: object) -> None:
        nothing = llama_cpp.ggml_abort_callback()
        llama_cpp.llama_set_abort_callback(self._context, nothing, None)
        self._is_over.set()
        self._watcher.join()

    def is_due(self) -> bool:
        """Look now."""
        if not self.has_fired and self._is_cancelled():
            self._flag.value = b"x"
        return self.has_fired

    def _watch(self) -> None:
        while not self._is_over.wait(_LOOK_EVERY_S) and not self.is_due():
            pass


def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
