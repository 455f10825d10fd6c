"""ONNX models of text of a few kilobytes, written byte by byte: no library for making them is here.

A model looks each token up in a table. An embedder gives the rows; a re-ranker gives the mean of
the rows, so that passages with good words score high; an extractor has one table for the words
that answers begin with and one for those that they end with.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordLevel, WordPiece
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "query", "passage", "good", "bad", "oil", "pump")
_PIECES = (*WORDS, "##s", ".")
_FLOAT, _INT64 = 1, 7

_Rows = Sequence[Sequence[float]]
_Output = tuple[str, list[int | None]]


def write_embedder(
    folder: Path, *, output: str = "last_hidden_state", has_types: bool = False, width: int = 8
) -> Path:
    """A folder with an embedder as people download it."""
    rows = [
        [float((7 * word + 3 * i) % 5 - 1.5) for i in range(width)] for word in range(len(WORDS))
    ]
    nodes = [_node("Gather", ["table", "input_ids"], [output])]
    shape = [None, None, width]
    _write(folder, nodes, {"table": rows}, [(output, shape)], has_types=has_types)
    (folder / "config.json").write_text('{"max_position_embeddings": 64}', "utf-8")
    return folder


def write_reranker(folder: Path, *, classes: int = 1) -> Path:
    """A folder with a re-ranker: `good` raises the score, `bad` lowers it."""
    worth = {"good": 1.0, "bad": -1.0}
    rows = [[worth.get(word, 0.0)] * (classes - 1) + [2 * worth.get(word, 0.0)] for word in WORDS]
    nodes = [
        _node("Gather", ["table", "input_ids"], ["rows"]),
        _node("ReduceMean", ["rows"], ["logits"], _ints("axes", [1]) + _int("keepdims", 0)),
    ]
    _write(folder, nodes, {"table": rows}, [("logits", [None, classes])], has_types=True)
    told = {"architectures": ["BertForSequenceClassification"], "max_position_embeddings": 64}
    (folder / "config.json").write_text(json.dumps(told), "utf-8")
    return folder


def write_extractor(folder: Path, *, max_tokens: int = 32, ends: str = "end_logits") -> Path:
    """A folder with an extractor as it is shipped: answers are `good … pump`, or not there."""
    tables = {
        "start_logits": {"[CLS]": 1.0, "good": 4.0, "oil": 1.0},
        ends: {"[CLS]": 1.0, "pump": 3.0, "oil": 0.5},
    }
    nodes = []
    for name in tables:
        nodes.append(_node("Gather", [f"{name} table", "input_ids"], [f"{name} rows"]))
        attributes = _ints("axes", [2]) + _int("keepdims", 0)
        nodes.append(_node("ReduceMean", [f"{name} rows"], [name], attributes))
    rows = {
        f"{name} table": [[worth.get(word, 0.0)] for word in _PIECES]
        for name, worth in tables.items()
    }
    outputs: list[_Output] = [(name, [None, None]) for name in tables]
    _write(folder, nodes, rows, outputs, has_types=True)
    pieces = WordPiece({word: n for n, word in enumerate(_PIECES)}, unk_token="[UNK]")
    _tokenizer(pieces).save(str(folder / "tokenizer.json"))
    describe_extractor(folder, max_tokens)
    return folder


def describe_extractor(folder: Path, max_tokens: int = 32) -> None:
    """Write `extractor.json` for the files that are there."""
    files = {
        name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name in ("model.onnx", "tokenizer.json")
        for data in [(folder / name).read_bytes()]
    }
    told = {"id": folder.name, "max_tokens": max_tokens, "files": files}
    (folder / "extractor.json").write_text(json.dumps(told), "utf-8")


def _write(
    folder: Path,
    nodes: Sequence[bytes],
    tables: Mapping[str, _Rows],
    outputs: Sequence[_Output],
    *,
    has_types: bool,
) -> None:
    folder.mkdir(parents=True)
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if has_types else [])]
    graph = b"".join(
        (
            *(_field(1, node) for node in nodes),
            _field(2, b"tiny"),
            *(_field(5, _tensor(name, rows)) for name, rows in tables.items()),
            *(_field(11, _value(name, _INT64, [None, None])) for name in names),
            *(_field(12, _value(name, _FLOAT, shape)) for name, shape in outputs),
        )
    )
    model = _number(1, 8) + _field(7, graph) + _field(8, _field(1, b"") + _number(2, 13))
    (folder / "model.onnx").write_bytes(model)
    words = WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]")
    _tokenizer(words).save(str(folder / "tokenizer.json"))


def _tokenizer(words: WordLevel | WordPiece) -> Tokenizer:
    tokenizer = Tokenizer(words)
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return tokenizer


def _node(
    kind: str, inputs: Sequence[str], outputs: Sequence[str], attributes: bytes = b""
) -> bytes:
    named = b"".join(_field(1, one.encode()) for one in inputs)
    named += b"".join(_field(2, one.encode()) for one in outputs)
    return named + _field(4, kind.encode()) + attributes


def _ints(name: str, values: Sequence[int]) -> bytes:
    numbers = b"".join(_number(8, one) for one in values)
    return _field(5, _field(1, name.encode()) + numbers + _number(20, 7))


def _int(name: str, value: int) -> bytes:
    return _field(5, _field(1, name.encode()) + _number(3, value) + _number(20, 2))


def _tensor(name: str, rows: _Rows) -> bytes:
    dims = _number(1, len(rows)) + _number(1, len(rows[0]))
    flat = [value for row in rows for value in row]
    data = struct.pack(f"<{len(flat)}f", *flat)
    return dims + _number(2, _FLOAT) + _field(8, name.encode()) + _field(9, data)


def _value(name: str, kind: int, shape: Sequence[int | None]) -> bytes:
    dims = b"".join(
        _field(1, _field(2, f"d{n}".encode()) if one is None else _number(1, one))
        for n, one in enumerate(shape)
    )
    tensor = _number(1, kind) + _field(2, dims)
    return _field(1, name.encode()) + _field(2, _field(1, tensor))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _field(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
