"""Repeats the builds of embedder and codebook and compares with what is committed.

Needs the build environment (see `models/build/build_embedder.py`): name its Python in
DESKTOP_RAG_BUILD_PYTHON, or have torch installed beside pytest. DESKTOP_RAG_BUILD_WEIGHTS may name
the folder of fp32 weights when their package is not installed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from desktop_rag import paths
from desktop_rag.engines.embedder_onnx import VECTOR_TYPE, OnnxEmbedder
from desktop_rag.engines.token_vectors import CODEBOOK

SHIPPED = paths.shipped("models", "all-minilm-l6-v2-int8")
SCRIPT = paths.shipped("models", "build", "build_embedder.py")
PYTHON = os.environ.get("DESKTOP_RAG_BUILD_PYTHON", sys.executable)
TEXTS = ["The warranty lasts two years.", "def fuse(lists): return sorted(lists)", "Ölpreis 1973"]


def _has_torch() -> bool:
    found = "import importlib.util as u, sys; sys.exit(u.find_spec('torch') is None)"
    return subprocess.run([PYTHON, "-c", found], check=False).returncode == 0


@pytest.mark.build
def test_the_build_repeats(tmp_path: Path) -> None:
    if not _has_torch():
        pytest.skip("no build environment: torch is not installed")
    weights = os.environ.get("DESKTOP_RAG_BUILD_WEIGHTS")
    command = [PYTHON, str(SCRIPT), "--output", str(tmp_path)]
    done = subprocess.run(
        [*command, "--weights", weights] if weights else command,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    built, shipped = OnnxEmbedder(tmp_path), OnnxEmbedder(SHIPPED)
    try:
        for ours, theirs in zip(built.embed(TEXTS), shipped.embed(TEXTS), strict=True):
            pair = (ours.vector, theirs.vector)
            left, right = (np.frombuffer(raw, VECTOR_TYPE).astype(float) for raw in pair)
            assert left @ right > 0.999
    finally:
        built.close()
        shipped.close()
    recorded, made = (json.loads((f / "embedder.json").read_text()) for f in (SHIPPED, tmp_path))
    assert made["files"]["tokenizer.json"] == recorded["files"]["tokenizer.json"]
    assert made["cosine_to_fp32"] >= 0.99


@pytest.mark.build
@pytest.mark.timeout(1200)
def test_the_codebook_repeats_byte_by_byte(tmp_path: Path) -> None:
    wanted = "all(map(importlib.util.find_spec, ('faiss', 'gensim')))"
    found = f"import importlib.util, sys; sys.exit(not {wanted})"
    if subprocess.run([PYTHON, "-c", found], check=False).returncode:
        pytest.skip("no build environment: faiss or gensim is not installed")
    shutil.copyfile(SHIPPED / "embedder.json", tmp_path / "embedder.json")
    script = SCRIPT.with_name("build_codebook.py")
    command = [PYTHON, str(script), "--embedder", str(SHIPPED), "--output", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert (tmp_path / CODEBOOK).read_bytes() == (SHIPPED / CODEBOOK).read_bytes()
