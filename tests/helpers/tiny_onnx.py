"""ONNX models of text of a few kilobytes, written byte by byte: no library for making them is here.

A model looks each token up in a table. An embedder gives the rows; a re-ranker gives the mean of
the rows, so that passages with good words score high.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "query", "passage", "good", "bad", "oil", "pump")
_FLOAT, _INT64 = 1, 7


def write_embedder(
    folder: Path, *, output: str = "last_hidden_state", has_types: bool = False, width: int = 8
) -> Path:
    """A folder with an embedder as people download it."""
    rows = [
        [float((7 * word + 3 * i) % 5 - 1.5) for i in range(width)] for word in range(len(WORDS))
    ]
    nodes = [_node("Gather", ["table", "input_ids"], [output])]
    shape = [None, None, width]
    _write(folder, nodes, rows, (output, shape), has_types=has_types)
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
    _write(folder, nodes, rows, ("logits", [None, classes]), has_types=True)
    told = {"architectures": ["BertForSequenceClassification"], "max_position_embeddings": 64}
    (folder / "config.json").write_text(json.dumps(told), "utf-8")
    return folder


def _write(
    folder: Path,
    nodes: Sequence[bytes],
    rows: Sequence[Sequence[float]],
    output: tuple[str, list[int | None]],
    *,
    has_types: bool,
) -> None:
    folder.mkdir(parents=True)
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if has_types else [])]
    graph = b"".join(
        (
            *(_field(1, node) for node in nodes),
            _field(2, b"tiny"),
            _field(5, _tensor("table", rows)),
            *(_field(11, _value(name, _INT64, [None, None])) for name in names),
            _field(12, _value(output[0], _FLOAT, output[1])),
        )
    )
    model = _number(1, 8) + _field(7, graph) + _field(8, _field(1, b"") + _number(2, 13))
    (folder / "model.onnx").write_bytes(model)
    _tokenizer().save(str(folder / "tokenizer.json"))


def _tokenizer() -> Tokenizer:
    vocabulary = {word: n for n, word in enumerate(WORDS)}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
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


def _tensor(name: str, rows: Sequence[Sequence[float]]) -> bytes:
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
