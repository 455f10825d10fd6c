"""Builds `codebook.npz` of an embedder: how vectors of tokens are centred, weighed and quantised.

Not part of the program: it runs in the environment of `build_embedder.py`, after it, with

    .venv-build/bin/python models/build/build_codebook.py

Text to learn from comes with packages of that environment: news and mails (test data of gensim)
and the Python documentation. None of it is kept: the file holds 48 x 256 centroids of 8 numbers, a
mean vector, and how rare each word piece is. The same pinned environment gives the same bytes.

Source of the method: product quantisation, Jegou, Douze & Schmid, TPAMI 2011.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import faiss
import numpy as np
import onnxruntime
from build_embedder import OUTPUT, sha256
from tokenizers import Tokenizer

NAME = "codebook.npz"
SUBSPACES, BITS = 48, 8
TOKENS_A_TEXT = 200
TOKENS = 120_000
STOPWORDS = Path(__file__).resolve().parents[2] / "resources" / "stopwords" / "english.txt"


def main() -> int:
    """Train and write into the embedder's folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--embedder", type=Path, default=OUTPUT)
    parser.add_argument("--output", type=Path, help="folder to write to; default: the embedder's")
    arguments = parser.parse_args()
    output = arguments.output or arguments.embedder
    tokenizer = Tokenizer.from_file(str(arguments.embedder / "tokenizer.json"))
    texts = [one for text in shared_texts() for one in pieces(tokenizer, text)]
    states = token_states(arguments.embedder / "model.onnx", texts)
    mean = states.mean(axis=0)
    vectors = unit(states - mean)
    centroids = trained(vectors)
    print(f"{len(texts)} texts, {len(vectors)} tokens")
    print(f"cosine after quantisation: mean {restored_cosine(vectors, centroids):.3f}")
    np.savez(
        output / NAME,
        mean=mean.astype(np.float32),
        centroids=centroids.astype(np.float16),
        rarity=rarity(texts, tokenizer.get_vocab_size()).astype(np.float16),
        silent=silent(tokenizer),
        stopped=stopped(tokenizer),
    )
    describe(output)
    return 0


def shared_texts() -> Iterator[str]:
    """News, mails, documentation."""
    spec = find_spec("gensim")
    if spec is None or spec.origin is None:
        sys.exit("Install gensim (see requirements.txt): its test data is what is learned from.")
    data = Path(spec.origin).parent / "test" / "test_data"
    yield from (data / "lee_background.cor").read_text("utf-8").splitlines()
    yield from (data / "mini_newsgroup").read_text("utf-8", errors="ignore").split("\n\n")
    from pydoc_data import topics

    yield from topics.topics.values()


def pieces(tokenizer: Tokenizer, text: str) -> Iterator[list[int]]:
    """Token ids in pieces as long as passages, without special tokens; stumps are left out."""
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    for start in range(0, len(ids), TOKENS_A_TEXT):
        if len(ids) - start >= 20:
            yield ids[start : start + TOKENS_A_TEXT]


def token_states(
    model: Path, texts: list[list[int]], first: int = 101, last: int = 102
) -> np.ndarray:
    """Unit vectors of evenly drawn tokens, (tokens, dimensions)."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    wanted = TOKENS / sum(map(len, texts))
    found, dice = [], np.random.default_rng(0)
    for ids in texts:
        row = np.array([[first, *ids, last]], dtype=np.int64)
        feed = {
            "input_ids": row,
            "attention_mask": np.ones_like(row),
            "token_type_ids": np.zeros_like(row),
        }
        states = session.run(["last_hidden_state"], feed)[0][0][1:-1]
        found.append(states[dice.random(len(states)) < wanted])
    return unit(np.concatenate(found).astype(np.float32))


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows of length 1."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def trained(vectors: np.ndarray) -> np.ndarray:
    """Centroids, (subspaces, 256, dimensions / subspaces)."""
    faiss.omp_set_num_threads(1)
    quantiser = faiss.ProductQuantizer(vectors.shape[1], SUBSPACES, BITS)
    quantiser.train(np.ascontiguousarray(vectors, dtype=np.float32))
    flat = faiss.vector_to_array(quantiser.centroids)
    return flat.reshape(SUBSPACES, 1 << BITS, vectors.shape[1] // SUBSPACES)


def restored_cosine(vectors: np.ndarray, centroids: np.ndarray) -> float:
    """How close quantised vectors stay to what they were, on some of the tokens."""
    some = vectors[::50].reshape(-1, SUBSPACES, centroids.shape[2])
    distances = (centroids**2).sum(2)[None] - 2 * np.einsum("nsd,skd->nsk", some, centroids)
    nearest = distances.argmin(2)
    restored = unit(centroids[np.arange(SUBSPACES), nearest].reshape(len(some), -1))
    return float((restored * vectors[::50]).sum(1).mean())


def rarity(texts: list[list[int]], vocabulary: int) -> np.ndarray:
    """ln(1 + texts / (1 + texts that hold it)) of each word piece."""
    held = Counter(one for ids in texts for one in set(ids))
    counts = np.array([held[one] for one in range(vocabulary)], dtype=np.float64)
    return np.log1p(len(texts) / (1 + counts))


def silent(tokenizer: Tokenizer) -> np.ndarray:
    """Ids of word pieces without a letter or digit, special tokens among them."""
    special = {"[PAD]", "[CLS]", "[SEP]"}
    found = [
        number
        for piece, number in tokenizer.get_vocab().items()
        if piece in special or not any(letter.isalnum() for letter in piece)
    ]
    return np.array(sorted(found), dtype=np.int32)


def stopped(tokenizer: Tokenizer) -> np.ndarray:
    """Ids of function words."""
    words = {line.strip() for line in STOPWORDS.read_text("utf-8").splitlines()}
    vocabulary = tokenizer.get_vocab()
    return np.array(sorted(vocabulary[one] for one in words & vocabulary.keys()), dtype=np.int32)


def describe(folder: Path) -> None:
    """Name the file in `embedder.json`."""
    path = folder / "embedder.json"
    description = json.loads(path.read_text("utf-8"))
    file = folder / NAME
    description["files"][NAME] = {"size": file.stat().st_size, "sha256": sha256(file)}
    text = json.dumps(description, indent=2, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
