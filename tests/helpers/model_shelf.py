"""Small models made by script: a catalog, a GGUF file, wheels that carry its pieces."""

from __future__ import annotations

import hashlib
import struct
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.domain.events import Event
from desktop_rag.services.models import ModelLibrary

_BYTES = 24
"""Number of the tensor type for whole numbers of 8 bits."""

BIG, SMALL, EMBEDDER, RERANKER = "big-llm-q4", "small-llm-q4", "tiny-embedder", "tiny-reranker"


def gguf(size: int = 300_000, *, seed: int = 1, name: str = "Test") -> bytes:
    """A file with a true GGUF header (4 layers, 2 key-value heads of 8), one tensor of bytes that
    reaches to its end, and `size` bytes."""

    def text(value: str) -> bytes:
        data = value.encode()
        return struct.pack("<Q", len(data)) + data

    def number(key: str, value: int) -> bytes:
        return text(key) + struct.pack("<II", 4, value)

    pairs = [
        text("general.architecture") + struct.pack("<I", 8) + text("qwen2"),
        text("general.name") + struct.pack("<I", 8) + text(name),
        number("qwen2.block_count", 4),
        number("qwen2.context_length", 2048),
        number("qwen2.embedding_length", 64),
        number("qwen2.attention.head_count", 8),
        number("qwen2.attention.head_count_kv", 2),
        text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 0),
    ]
    before = b"GGUF" + struct.pack("<IQQ", 3, 1, len(pairs)) + b"".join(pairs) + text("weights")
    begin = -(-(len(before) + 24) // 32) * 32
    tensor = struct.pack("<IQIQ", 1, max(size - begin, 1), _BYTES, 0)
    header = (before + tensor).ljust(begin, b"\0")
    noise = b"".join(hashlib.sha256(b"%d %d" % (seed, n)).digest() for n in range(size // 32))
    return header + noise[: size - len(header)]


@dataclass
class Shelf:
    """A models folder and a shipped folder with a catalog of two language models."""

    root: Path
    url: str = ""
    big: bytes = field(default_factory=lambda: gguf(seed=1))
    small: bytes = field(default_factory=lambda: gguf(120_000, seed=2))
    memory: int = 64 << 30
    pieces: int = 3
    reranker: dict[str, bytes] = field(default_factory=dict)
    """Files of one that the catalog knows; without any, it knows none."""

    def __post_init__(self) -> None:
        self.events: list[Event] = []
        self.models = self.root / "models"
        self.shipped = self.root / "shipped"
        folder = self.shipped / EMBEDDER
        folder.mkdir(parents=True)
        self.embedder = {
            "model.onnx": b"onnx" * 50,
            "tokenizer.json": b"{}",
            "embedder.json": b"{}",
        }
        for name, data in self.embedder.items():
            (folder / name).write_bytes(data)
        (self.shipped / "catalog.toml").write_text(self._catalog(), encoding="utf-8")

    def library(self) -> ModelLibrary:
        """A library as a new start of the program would open it."""
        return ModelLibrary(self.models, self.shipped, self.events.append, lambda: self.memory)

    def path(self, model_id: str) -> Path:
        """Where an installed language model lies."""
        return self.models / f"{model_id}.gguf"

    def ship(self, model_id: str, data: bytes) -> Path:
        """Let the program bring a language model, as its complete packages do."""
        (self.shipped / model_id).mkdir()
        path = self.shipped / model_id / f"{model_id}.gguf"
        path.write_bytes(data)
        return path

    def write(self, data: bytes, name: str = "downloaded.gguf") -> Path:
        """A file outside the models folder."""
        path = self.root / name
        path.write_bytes(data)
        return path

    def _catalog(self) -> str:
        files = "".join(_file(name, data) for name, data in self.embedder.items())
        wheels = (
            f'[[model.sources]]\nkind = "wheels"\npackage = "test-model-part{{n}}"\n'
            f'version = "1.0"\ncount = {self.pieces}\nmember = "part{{n}}/part{{n:02}}.bin"\n'
        )
        url = f'[[model.sources]]\nkind = "url"\nurl = "{self.url}"\n' if self.url else ""
        return (
            _head(EMBEDDER, "embedder") + files + _head(BIG, "llm", "is_default = true\n")
            + _file(f"{BIG}.gguf", self.big) + (url or wheels)
            + _head(SMALL, "llm") + _file(f"{SMALL}.gguf", self.small) + wheels
            + (self._reranker() if self.reranker else "")
        )  # fmt: skip

    def _reranker(self) -> str:
        files = "".join(_file(name, data) for name, data in self.reranker.items())
        return (
            _head(RERANKER, "reranker", 'context = 64\nnotes = "Better order."\n') + files
            + '[[model.sources]]\nkind = "wheels"\npackage = "test-ranks-part{n}"\n'
            + f'version = "1.0"\ncount = {self.pieces}\nmember = "ranks/{{file}}.{{n}}"\n'
            + "download = 50_000\n"
        )  # fmt: skip

    def reranker_wheels(self, folder: Path) -> Path:
        """Wheels with a piece of each of its files."""
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, self.pieces + 1):
            members = {
                f"ranks/{name}.{number}": _piece(data, number, self.pieces)
                for name, data in self.reranker.items()
            }
            _wheel(folder, f"test_ranks_part{number}", members)
        return folder

    def wheels(self, folder: Path, *, data: bytes | None = None) -> Path:
        """Wheels with the pieces of the big model, for pip's `--find-links`."""
        data = self.big if data is None else data
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, self.pieces + 1):
            piece = _piece(data, number, self.pieces)
            _wheel(folder, f"test_model_part{number}", {f"part{number}/part{number:02}.bin": piece})
        return folder


def _head(model_id: str, role: str, more: str = "") -> str:
    return (
        f'[[model]]\nid = "{model_id}"\ntitle = "{model_id.title()}"\nrole = "{role}"\n'
        f'licence = "Apache-2.0"\n{more}'
    )


def _file(name: str, data: bytes) -> str:
    digest = hashlib.sha256(data).hexdigest()
    return f'[[model.files]]\nname = "{name}"\nsize = {len(data)}\nsha256 = "{digest}"\n'


def _piece(data: bytes, number: int, pieces: int) -> bytes:
    cut = -(-len(data) // pieces)
    return data[(number - 1) * cut : number * cut]


def _wheel(folder: Path, name: str, members: dict[str, bytes]) -> None:
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        for member, data in members.items():
            archive.writestr(member, data)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
