"""Scores question and passage read together, by an ONNX cross-encoder that the person added.

Slower by far than late interaction, whose vectors are ready before anybody asks: every passage is
read anew with every question.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from desktop_rag.domain.errors import ModelDamaged
from desktop_rag.engines.onnx_text import Floats, inputs_for, open_session

DESCRIPTION = "reranker.json"
_PAIRS_PER_PASS = 4
_PAD = 0


class OnnxReranker:
    """Any sequence-classification model with a `tokenizer.json`. Thread-safe.

    Args:
        folder: holds `model.onnx`, `tokenizer.json` and, once added, `reranker.json`.
        threads: inside each pass.
        max_tokens: of question and passage together; `None`: what `reranker.json` says.

    Raises:
        ModelDamaged: a file is missing or does not load.
    """

    def __init__(self, folder: Path, threads: int = 1, max_tokens: int | None = None) -> None:
        self.id = folder.name
        try:
            if max_tokens is None:
                facts = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
                max_tokens = int(facts["max_tokens"])
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._session = open_session(folder / "model.onnx", threads)
        except Exception as exc:
            raise ModelDamaged(
                f"The re-ranker in {folder} cannot be loaded: run `desktop-rag models remove "
                f"{self.id}` and add it again.",
                path=str(folder),
            ) from exc
        self._tokenizer.no_padding()
        # The question is kept whole; only passages are cut.
        self._tokenizer.enable_truncation(max_tokens, strategy="longest_first")

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, in order; higher is better, any range.

        Raises:
            ModelDamaged: the model does not give one or two numbers a pair.
        """
        encodings = self._tokenizer.encode_batch([(question, text) for text in texts])
        # Pairs of one length together: each pass is padded to its longest.
        order = sorted(range(len(texts)), key=lambda i: len(encodings[i].ids))
        scores = [0.0] * len(texts)
        for start in range(0, len(order), _PAIRS_PER_PASS):
            members = order[start : start + _PAIRS_PER_PASS]
            logits = self._forward([encodings[i] for i in members])
            for i, row in zip(members, logits, strict=True):
                scores[i] = float(row[-1] - row[0]) if len(row) == 2 else float(row[0])
        return scores

    def _forward(self, encodings: Sequence[object]) -> Floats:
        """Logits, shape (pairs, 1 or 2)."""
        tokens, mask, types = (
            _padded([getattr(one, name) for one in encodings])
            for name in ("ids", "attention_mask", "type_ids")
        )
        found = self._session.run(None, inputs_for(self._session, tokens, mask, types))[0]
        logits = np.asarray(found, np.float32).reshape(len(encodings), -1)
        if logits.shape[1] not in (1, 2):
            raise ModelDamaged(
                f"{self.id} gives {logits.shape[1]} numbers for question and passage where a "
                "re-ranker gives one or two: add another model."
            )
        return logits


def _padded(rows: Sequence[Sequence[int]]) -> np.ndarray:
    padded = np.full((len(rows), max(map(len, rows))), _PAD, np.int64)
    for n, row in enumerate(rows):
        padded[n, : len(row)] = row
    return padded
