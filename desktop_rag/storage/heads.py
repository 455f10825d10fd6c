"""Heads that read a language model's state (`domain.assurance`), shipped with the program."""

from __future__ import annotations

import base64
from array import array
from pathlib import Path

import msgspec

from desktop_rag.domain.assurance import STRANGER, Head, Levels


class HeadFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`MODEL.json`, as `models/build/build_head.py` writes it."""

    refuse_below: float
    medium_from: float
    high_from: float
    bias: float
    yes_weight: float
    weights: str
    """Little-endian float32 in base64, one for each value of the model's hidden state."""


class Heads:
    """All of one folder; each is read once.

    Args:
        folder: holds a file for each model that has a head.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, Head] = {}

    def of(self, model: str) -> Head:
        """The head of a language model, by its id; `STRANGER` when it has none."""
        if model not in self._known:
            self._known[model] = self._read(model)
        return self._known[model]

    def _read(self, model: str) -> Head:
        # Looked for among what is there: the id of a model that was added may be any text.
        files = {file.stem: file for file in self._folder.glob("*.json")}
        if model not in files:
            return STRANGER
        return _head(msgspec.json.decode(files[model].read_bytes(), type=HeadFile))


def _head(file: HeadFile) -> Head:
    weights = array("f")
    weights.frombytes(base64.b64decode(file.weights))
    return Head(
        Levels(file.refuse_below, file.medium_from, file.high_from),
        weights,
        file.yes_weight,
        file.bias,
    )
