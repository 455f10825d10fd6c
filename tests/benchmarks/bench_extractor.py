"""What it costs to mark the words that answer: loading, and five passages for a question.

Run with `python -m tests.benchmarks.bench_extractor`. Processor time counts all threads; unlike the
time by the clock other programs change it little. Each pass of one passage is compared with passes
of several, padded to one length.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from desktop_rag import paths
from desktop_rag.engines.extractor_onnx import OnnxExtractor
from desktop_rag.engines.model_folders import MODEL, TOKENIZER
from desktop_rag.engines.onnx_text import inputs_for, open_session
from tests.benchmarks.bench_embedder import passages

QUESTION = "How long must the customer notify the group before the warranty ends?"
ROUNDS = 12


def passages_of(tokenizer: Tokenizer, tokens: int, count: int) -> list[str]:
    """Random passages of about so many tokens each."""
    dice = random.Random(11)
    words = " ".join(passages(40)).split()
    found = []
    for _ in range(count):
        dice.shuffle(words)
        text = " ".join(words[:tokens])
        offsets = tokenizer.encode(text, add_special_tokens=False).offsets
        found.append(text[: offsets[min(tokens, len(offsets)) - 1][1]])
    return found


def cost(run: Callable[[], object]) -> tuple[float, float]:
    """Medians in milliseconds: processor time, time by the clock."""
    spent, elapsed = [], []
    for _ in range(ROUNDS):
        begin, clock = time.process_time(), time.perf_counter()
        run()
        spent.append((time.process_time() - begin) * 1000)
        elapsed.append((time.perf_counter() - clock) * 1000)
    return statistics.median(spent), statistics.median(elapsed)


def print_batches(folder: Path, length: int) -> None:
    """Processor time a passage, by how many are read in one pass."""
    session = open_session(folder / MODEL)
    dice = np.random.default_rng(3)
    for size in (1, 2, 4):
        tokens = dice.integers(1000, 30_000, (size, length))
        feed = inputs_for(session, tokens, np.ones_like(tokens))
        spent, _ = cost(lambda feed=feed: session.run(None, feed))  # type: ignore[misc]
        print(f"{size} in one pass: {spent / size:6.1f} ms of one core for each")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=180)
    parser.add_argument("--passages", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    arguments = parser.parse_args()
    folder = paths.shipped("models", "minilm-l12-squad-int8")
    begin = time.process_time()
    extractor = OnnxExtractor(folder, arguments.threads)
    print(f"load: {(time.process_time() - begin) * 1000:.0f} ms of one core")
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    texts = passages_of(tokenizer, arguments.tokens, arguments.passages)
    extractor.spans(QUESTION, texts)
    spent, elapsed = cost(lambda: extractor.spans(QUESTION, texts))
    print(
        f"{len(texts)} passages of {arguments.tokens} tokens: {spent:.0f} ms of one core, "
        f"{elapsed:.0f} ms by the clock with {arguments.threads} threads"
    )
    print_batches(folder, arguments.tokens)
    extractor.close()


if __name__ == "__main__":
    main()
