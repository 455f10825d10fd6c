"""The files of a model that comes with the program: whole, as recorded, or told by name."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from desktop_rag.domain.errors import ModelDamaged, ModelMissing

_T = TypeVar("_T")

MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"

Files = dict[str, tuple[int, str]]
"""Size in bytes and SHA-256, by name."""


def verify_files(folder: Path, files: Mapping[str, tuple[int, str]], what: str) -> None:
    """Compare sizes and checksums with the description; about 20 ms for 23 MB.

    Args:
        folder: of the model.
        files: as the description has them.
        what: the model, as errors name it.

    Raises:
        ModelMissing, ModelDamaged: naming the file.
    """
    for name, (size, sha256) in files.items():
        path = folder / name
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                if file.tell() != size or digest != sha256:
                    raise damaged(path, what)
        except FileNotFoundError as exc:
            raise missing(path, what) from exc
        except OSError as exc:
            raise damaged(path, what) from exc


def guarded(path: Path, what: str, load: Callable[[], _T]) -> _T:
    """What `load` gives; whatever it raises is told as damage of the file."""
    try:
        return load()
    except Exception as exc:
        raise damaged(path, what) from exc


def missing(path: Path, what: str) -> ModelMissing:
    """The error for a file that is not there."""
    return ModelMissing(
        f"The {what}'s file {path} is missing; reinstall the program, or put the file back.",
        path=str(path),
    )


def damaged(path: Path, what: str) -> ModelDamaged:
    """The error for a file that is not the recorded one, or does not load."""
    return ModelDamaged(
        f"The {what}'s file {path} is damaged; reinstall the program, or put the original"
        " file back.",
        path=str(path),
    )
