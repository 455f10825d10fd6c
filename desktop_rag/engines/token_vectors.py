"""Late interaction: scores passages by the vectors of their tokens, quantised to 48 bytes each.

The pass that embeds a passage gives one vector for each of its tokens. They are centred (the mean
token says nothing), those of function words and punctuation are dropped, and the rest is product
quantised (Jegou, Douze & Schmid, TPAMI 2011). A passage's score is the weighted mean, over the
question's tokens, of the cosine with its nearest token (MaxSim of ColBERT, Khattab & Zaharia, SIGIR
2020); rare tokens weigh more, as in BM25.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

CODEBOOK = "codebook.npz"
_TOKENS_AT_ONCE = 1024
"""Restored in slices that stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class TokenQuery:
    """A question's tokens as passages are compared with them."""

    vectors: Floats
    """Unit vectors, (tokens, dimensions)."""
    weights: Floats
    """They add up to 1."""


class TokenCodebook:
    """Encodes tokens of passages and scores them. Thread-safe.

    Args:
        path: of the file that `models/build/build_codebook.py` writes.

    Raises:
        OSError, ValueError, KeyError: it is not such a file.
    """

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            self._mean: Floats = stored["mean"].astype(np.float32)
            centroids: Floats = stored["centroids"].astype(np.float32)
            self._rarity: Floats = stored["rarity"].astype(np.float32)
            silent, stopped = stored["silent"], stored["stopped"]
        self._subspaces, count, self._width = centroids.shape
        if self._subspaces * self._width != len(self._mean) or count > 256:
            raise ValueError(f"{path} does not fit together")
        self._transposed = np.ascontiguousarray(centroids.transpose(0, 2, 1))
        self._half_squares = (centroids**2).sum(axis=2)[:, None, :] / 2
        self._flat = centroids.reshape(-1, self._width)
        self._offsets = np.arange(self._subspaces, dtype=np.int32) * count
        self._is_silent = self._marked(silent)
        self._is_dropped = self._marked(np.concatenate([silent, stopped]))
        # One caller restores tokens at a time: the buffer is as large as all they need.
        self._lock = threading.Lock()
        self._buffer = np.empty((_TOKENS_AT_ONCE, self._subspaces, self._width), np.float32)

    def encode(self, ids: Ids, states: Floats) -> bytes:
        """Quantised vectors of the tokens that carry meaning, in their order.

        Args:
            ids: of the tokens.
            states: the encoder's last hidden state for them, (tokens, dimensions).
        """
        kept = ~self._is_dropped[ids]
        if not kept.any():
            return b""
        parts = self._centred(states[kept]).reshape(-1, self._subspaces, self._width)
        # The nearest centroid is the one with the largest x.c - |c|^2 / 2.
        nearness = np.matmul(parts.transpose(1, 0, 2), self._transposed)
        nearness -= self._half_squares
        codes: bytes = nearness.argmax(axis=2).astype(np.uint8).T.tobytes()
        return codes

    def query(self, ids: Ids, states: Floats) -> TokenQuery:
        """The tokens of a question; all of them when none carries meaning."""
        kept = ~self._is_silent[ids]
        if not kept.any():
            kept[:] = True
        weights = self._rarity[ids[kept]]
        return TokenQuery(self._centred(states[kept]), weights / weights.sum())

    def scores(self, query: TokenQuery, passages: Sequence[bytes]) -> list[float | None]:
        """Score of each passage, about in [0, 1]; `None` for one without tokens.

        Raises:
            ValueError: a passage was encoded by another codebook.
        """
        if any(len(one) % self._subspaces for one in passages):
            raise ValueError("quantised tokens of another size")
        lengths = [len(one) // self._subspaces for one in passages]
        codes = np.frombuffer(b"".join(passages), np.uint8).reshape(-1, self._subspaces)
        nearness = self._nearness(query, codes)
        starts = np.cumsum([0, *lengths])
        return [
            float(nearness[start:end].max(axis=0) @ query.weights) if end > start else None
            for start, end in pairwise(starts)
        ]

    def _nearness(self, query: TokenQuery, codes: npt.NDArray[np.uint8]) -> Floats:
        """Cosine of every quantised token with every token of the question."""
        found = np.empty((len(codes), len(query.vectors)), np.float32)
        with self._lock:
            for start in range(0, len(codes), _TOKENS_AT_ONCE):
                some = codes[start : start + _TOKENS_AT_ONCE]
                buffer = self._buffer[: len(some)]
                np.take(self._flat, some + self._offsets, axis=0, out=buffer)
                restored = buffer.reshape(len(some), -1)
                lengths = np.sqrt(np.einsum("nd,nd->n", restored, restored))
                np.matmul(restored, query.vectors.T, out=found[start : start + len(some)])
                found[start : start + len(some)] /= np.maximum(lengths, 1e-6)[:, None]
        return found

    def _centred(self, states: Floats) -> Floats:
        centred = _unit(states) - self._mean
        return _unit(centred)

    def _marked(self, ids: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        marks = np.zeros(len(self._rarity), np.bool_)
        marks[ids] = True
        return marks


def _unit(vectors: Floats) -> Floats:
    found: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return found
