"""What a role must not load before it is needed: start-up time and memory of every start."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from desktop_rag import paths


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("desktop_rag.engines.pdf_pymupdf", ["onnxruntime", "chromadb"]),
        ("desktop_rag.engines.hybrid_index", ["chromadb", "pymupdf"]),
        # What could send traces of the work over a network is never even loaded.
        ("desktop_rag.engines.vectors_chroma", ["grpc", "google.protobuf"]),
    ],
)
def test_an_engine_loads_no_more_than_it_needs(module: str, unwanted: list[str]) -> None:
    script = f"import sys, {module}; print([one for one in {unwanted} if one in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(paths.shipped())},
        check=True,
        capture_output=True,
        text=True,
    )
    assert told.stdout.strip() == "[]"
