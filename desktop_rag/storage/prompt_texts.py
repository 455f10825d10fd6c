"""What language models are told, as it is shipped: `resources/prompts`."""

from __future__ import annotations

import functools
import hashlib

from desktop_rag import __version__, paths

_FOLDER = ("resources", "prompts")


def prompt_text(name: str) -> str:
    """One of the texts, without blank lines around it."""
    return paths.shipped(*_FOLDER, f"{name}.txt").read_text(encoding="utf-8").strip()


@functools.cache
def prompts_digest() -> str:
    """Changes with the wording of any prompt, and with the program's version."""
    digest = hashlib.sha256(__version__.encode())
    for file in sorted(paths.shipped(*_FOLDER).glob("*.txt")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
