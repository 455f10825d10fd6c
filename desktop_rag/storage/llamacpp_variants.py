"""llama.cpp as it is given away: built for several kinds of processor, one of which is loaded.

The builds lie beside the library (`libggml-cpu-haswell.so`). A library that was compiled on this
computer has none of them, and nothing here changes how it is used. Imports nothing native.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

_BUILD = re.compile(r"(?:lib)?ggml-cpu-(\w+)\.(?:so|dll)")


def library_folder() -> Path | None:
    """Where the shared libraries of llama_cpp are; the package is not imported."""
    spec = importlib.util.find_spec("llama_cpp")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "lib"


def variants_in(folder: Path | None) -> dict[str, Path]:
    """Name to file of each build in a folder; empty for a library without any."""
    if folder is None or not folder.is_dir():
        return {}
    found = ((_BUILD.fullmatch(file.name), file) for file in sorted(folder.iterdir()))
    return {match[1]: file for match, file in found if match is not None}
