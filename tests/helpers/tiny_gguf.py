"""Writes a language model of 200 KB by hand: a llama with one layer and random weights.

It babbles, but it babbles through the same code as a real one: loading, templates, grammar, cache,
cancelling. Format: GGUF version 3, https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

BEGIN, END = 1, 2
TURN_BEGINS, TURN_ENDS = "<|im_start|>", "<|im_end|>"
_NORMAL, _UNKNOWN, _CONTROL, _BYTE = 1, 2, 3, 6
_WIDTH, _HIDDEN, _HEADS = 64, 96, 2
_ALIGNMENT = 32
_CHARACTERS = "▁abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789[].,:?\n"


def write_tiny_model(
    path: Path, *, template: str | None = None, context: int = 4096, seed: int = 1
) -> Path:
    """Write the model; the same arguments give the same file."""
    vocabulary = _vocabulary()
    fields = [
        _text_field("general.architecture", "llama"),
        _text_field("general.name", "tiny"),
        *(_number_field(f"llama.{key}", value) for key, value in _shape(len(vocabulary), context)),
        _float_field("llama.attention.layer_norm_rms_epsilon", 1e-5),
        _text_field("tokenizer.ggml.model", "llama"),
        _array_field("tokenizer.ggml.tokens", 8, [_text(token) for token, _ in vocabulary]),
        _array_field("tokenizer.ggml.scores", 6, [struct.pack("<f", -1.0)] * len(vocabulary)),
        _array_field(
            "tokenizer.ggml.token_type", 5, [struct.pack("<i", kind) for _, kind in vocabulary]
        ),
        _number_field("tokenizer.ggml.bos_token_id", BEGIN),
        _number_field("tokenizer.ggml.eos_token_id", END),
        _number_field("tokenizer.ggml.unknown_token_id", 0),
    ]
    if template is not None:
        fields.append(_text_field("tokenizer.chat_template", template))
    tensors = _tensors(len(vocabulary), seed)
    path.write_bytes(_file(fields, tensors))
    return path


def _vocabulary() -> list[tuple[str, int]]:
    special = [("<unk>", _UNKNOWN), ("<s>", _CONTROL), ("</s>", _CONTROL)]
    turns = [(TURN_BEGINS, _CONTROL), (TURN_ENDS, _CONTROL)]
    return [
        *special,
        *((f"<0x{byte:02X}>", _BYTE) for byte in range(256)),
        *turns,
        *((character, _NORMAL) for character in _CHARACTERS),
    ]


def _shape(vocabulary: int, context: int) -> list[tuple[str, int]]:
    return [
        ("context_length", context),
        ("embedding_length", _WIDTH),
        ("block_count", 1),
        ("feed_forward_length", _HIDDEN),
        ("attention.head_count", _HEADS),
        ("attention.head_count_kv", _HEADS),
        ("rope.dimension_count", _WIDTH // _HEADS),
        ("vocab_size", vocabulary),
    ]


def _tensors(vocabulary: int, seed: int) -> list[tuple[str, np.ndarray]]:
    """Weights as numpy sees them: rows are outputs (GGUF writes the dimensions reversed)."""
    random = np.random.default_rng(seed)

    def weight(*shape: int) -> np.ndarray:
        return random.normal(0.0, 0.4, shape).astype(np.float32)

    def ones(size: int) -> np.ndarray:
        return np.ones(size, dtype=np.float32)

    return [
        ("token_embd.weight", weight(vocabulary, _WIDTH)),
        ("output_norm.weight", ones(_WIDTH)),
        ("output.weight", weight(vocabulary, _WIDTH)),
        ("blk.0.attn_norm.weight", ones(_WIDTH)),
        *((f"blk.0.attn_{part}.weight", weight(_WIDTH, _WIDTH)) for part in ("q", "k", "v")),
        ("blk.0.attn_output.weight", weight(_WIDTH, _WIDTH)),
        ("blk.0.ffn_norm.weight", ones(_WIDTH)),
        ("blk.0.ffn_gate.weight", weight(_HIDDEN, _WIDTH)),
        ("blk.0.ffn_up.weight", weight(_HIDDEN, _WIDTH)),
        ("blk.0.ffn_down.weight", weight(_WIDTH, _HIDDEN)),
    ]


def _file(fields: list[bytes], tensors: list[tuple[str, np.ndarray]]) -> bytes:
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(fields)) + b"".join(fields)
    offset, body = 0, b""
    for name, values in tensors:
        head += _text(name) + struct.pack("<I", values.ndim)
        head += struct.pack(f"<{values.ndim}Q", *reversed(values.shape))
        head += struct.pack("<IQ", 0, offset)
        data = _padded(values.tobytes())
        body += data
        offset += len(data)
    return _padded(head) + body


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % _ALIGNMENT)


def _text(value: str) -> bytes:
    encoded = value.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def _text_field(key: str, value: str) -> bytes:
    return _text(key) + struct.pack("<I", 8) + _text(value)


def _number_field(key: str, value: int) -> bytes:
    return _text(key) + struct.pack("<II", 4, value)


def _float_field(key: str, value: float) -> bytes:
    return _text(key) + struct.pack("<If", 6, value)


def _array_field(key: str, kind: int, values: list[bytes]) -> bytes:
    return _text(key) + struct.pack("<IIQ", 9, kind, len(values)) + b"".join(values)
