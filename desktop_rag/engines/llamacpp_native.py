"""Calls functions of llama.cpp that llama-cpp-python does not know: builds and single products."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from pathlib import Path
from typing import Any

_WINDOWS = ("ggml-base.dll", "ggml.dll", "llama.dll")
_ELSEWHERE = ("libllama.so", "libllama.dylib")


class Library:
    """The shared libraries in a folder; loading them again gives the same ones.

    On Windows each has to be asked for its own functions; elsewhere the last finds those of all
    that it was linked to, which are the very ones that llama-cpp-python uses.

    Raises:
        OSError: they cannot be loaded.
    """

    def __init__(self, folder: Path) -> None:
        names = _WINDOWS if sys.platform == "win32" else _ELSEWHERE
        if sys.platform == "win32":
            os.add_dll_directory(str(folder))
        files = [folder / name for name in names if (folder / name).exists()]
        self._libraries = [ctypes.CDLL(str(file)) for file in files]

    def call(self, name: str, result: Any, *arguments: Any) -> Any:
        """Call a function. Arguments are ctypes values; `result` is the type of what it returns.

        Raises:
            OSError: there is no such function.
        """
        for library in self._libraries:
            with contextlib.suppress(AttributeError):
                function = library[name]
                function.restype = result
                return function(*arguments)
        raise OSError(f"llama.cpp has no function {name}")


def load_variant(library: Library, file: Path) -> ctypes.c_void_p:
    """Let llama.cpp calculate with a build of its engine from now on.

    Raises:
        OSError: it does not suit this processor.
    """
    loaded = library.call("ggml_backend_load", ctypes.c_void_p, ctypes.c_char_p(os.fsencode(file)))
    if not loaded:
        raise OSError(f"llama.cpp does not load {file.name} on this processor")
    return ctypes.c_void_p(loaded)
