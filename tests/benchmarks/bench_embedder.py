"""Embedding speed, side by side: the plain way and ours.

Run with `python -m tests.benchmarks.bench_embedder`.
Prints tokens a second on synthetic passages of about 60 to 250 tokens.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from desktop_rag import paths
from desktop_rag.engines.embedder_onnx import OnnxEmbedder
from desktop_rag.engines.model_folders import MODEL, TOKENIZER
from desktop_rag.engines.onnx_text import pooled

# fmt: off
_WORDS = (
    "contract", "period", "payment", "warranty", "device", "pressure", "oil", "embargo", "1973",
    "section", "the", "of", "and", "to", "a", "in", "is", "for", "with", "by", "agreement",
    "shall", "notify", "customer", "network", "server", "backup", "restore", "password", "reset",
    "quarterly", "revenue", "decreased", "percent", "million", "patient", "treatment", "group",
)
# fmt: on


def passages(count: int) -> list[str]:
    """Random passages of 50 to 220 words, the same on every run."""
    dice = random.Random(7)
    return [" ".join(dice.choices(_WORDS, k=dice.randint(50, 220))) for _ in range(count)]


def naive(folder: Path, texts: list[str], threads: int, batch: int = 8) -> None:
    """One session, `threads` inside each operator, fixed batches in document order."""
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    tokenizer.enable_truncation(256)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        str(folder / MODEL), options, providers=["CPUExecutionProvider"]
    )
    for start in range(0, len(texts), batch):
        ids = [one.ids for one in tokenizer.encode_batch(texts[start : start + batch])]
        tokens = np.zeros((len(ids), max(map(len, ids))), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for row, one in enumerate(ids):
            tokens[row, : len(one)], mask[row, : len(one)] = one, 1
        feed = {
            "input_ids": tokens,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(tokens),
        }
        pooled(session.run(None, feed)[0], mask, "mean")


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=400)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    arguments = parser.parse_args()
    folder = paths.shipped("models", "all-minilm-l6-v2-int8")
    texts = passages(arguments.passages)
    embedder = OnnxEmbedder(folder, arguments.threads)
    tokens = sum(embedder.count_tokens(texts))
    embedder.embed(texts[:4])
    speeds = {}
    for name, run in (
        (
            "plain (batch 8, threads inside operators)",
            lambda: naive(folder, texts, arguments.threads),
        ),
        ("ours (a caller a core, longest first)", lambda: embedder.embed(texts)),
    ):
        start = time.perf_counter()
        run()
        speeds[name] = tokens / (time.perf_counter() - start)
        print(f"{name:45s} {speeds[name]:8,.0f} tokens/s")
    plain, ours = speeds.values()
    print(f"{'ratio':45s} {ours / plain:8.2f}")
    embedder.embed_query("warm")
    start = time.perf_counter()
    for number in range(50):
        embedder.embed_query(f"How long is the warranty of device {number}?")
    print(f"{'a question':45s} {(time.perf_counter() - start) * 20:8.2f} ms")
    embedder.close()


if __name__ == "__main__":
    main()
