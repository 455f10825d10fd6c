"""What the step `qemu` makes of what an emulated program says, and that children are emulated."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from release import qemu
from release.qemu import Processor

NEHALEM = Processor("Nehalem", "2008", "sse42")


def told_by_a_test(build: str, outcome: str = "ok") -> str:
    steps = [
        {"step": "processor", "outcome": "ok", "ms": 5.0, "detail": f"llama.cpp for {build}"},
        {"step": "answer", "outcome": outcome, "ms": 9.0, "detail": "tiny: ޅLq"},
    ]
    return "load_backend: loaded\n" + json.dumps({"ok": outcome == "ok", "steps": steps})


def too_slow(step: str) -> str:
    told = json.loads(told_by_a_test("sse42").partition("\n")[2])
    detail = "it took longer than 300 s"
    told["steps"].append({"step": step, "outcome": "failed", "ms": 300.0, "detail": detail})
    return json.dumps(told)


def begun_again(role: str, seconds: float) -> str:
    """A worker that ended once, while a page was recognised that took so long in all."""
    told = json.loads(told_by_a_test("sse42").partition("\n")[2])
    detail = f"{role} crashed on the way; all workers have ended"
    told["steps"] += [
        {"step": "recognition", "outcome": "ok", "ms": seconds * 1000, "detail": "19 words of 19"},
        {"step": "close", "outcome": "failed", "ms": 200.0, "detail": detail},
    ]
    return json.dumps(told)


@pytest.mark.parametrize(
    ("code", "told", "problem"),
    [
        (0, told_by_a_test("sse42"), ""),
        (0, told_by_a_test("haswell"), "and not sse42"),
        (1, told_by_a_test("sse42", "failed"), "a step of the self-test failed"),
        (1, too_slow("recognition"), ""),
        (1, too_slow("search"), "a step of the self-test failed"),
        (1, begun_again("ocr", 228), ""),
        (1, begun_again("ocr", 5), "a step of the self-test failed"),
        (1, begun_again("index", 228), "a step of the self-test failed"),
        (132, "qemu: uncaught target signal 4 (Illegal instruction) - core dumped", "illegal"),
        (1, told_by_a_test("sse42").replace("tiny", "index crashed (SIGILL)"), "illegal"),
        (1, "something else", "it ended with 1: something else"),
    ],
)
def test_a_self_test_is_judged(code: int, told: str, problem: str) -> None:
    found = qemu._test_problem(NEHALEM, code, told)
    assert problem in found
    assert bool(problem) == bool(found)


@pytest.mark.parametrize(
    ("code", "told", "is_good"),
    [
        (18, '{"error": {"code": "processor-too-old", "message": "Too old."}}', True),
        (1, '{"error": {"code": "error", "message": "Something else."}}', False),
        (132, "Illegal instruction", False),
    ],
)
def test_an_old_processor_has_to_be_refused(code: int, told: str, is_good: bool) -> None:
    assert (qemu._refusal_problem(code, told) == "") is is_good


@pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("cc"), reason="compiles for Linux with cc"
)
def test_what_an_emulated_program_starts_is_emulated_too(tmp_path: Path) -> None:
    shim, emulator = tmp_path / "shim.so", tmp_path / "emulator"
    subprocess.check_call(
        ["cc", "-Wall", "-Werror", "-shared", "-fPIC", "-o", shim, qemu._SHIM, "-ldl"]
    )
    emulator.write_text('#!/bin/sh\necho "emulated: $*"\n', encoding="utf-8")
    emulator.chmod(0o755)
    start = f"import subprocess; subprocess.call([{str(Path('/bin/echo'))!r}, 'a', 'b c'])"
    told = subprocess.check_output(
        [sys.executable, "-c", start],
        env={
            **os.environ,
            "LD_PRELOAD": str(shim),
            "EMULATOR": str(emulator),
            "EMULATED_PROCESSOR": "Nehalem",
        },
        text=True,
    )
    assert told == "emulated: -cpu Nehalem -0 /bin/echo /bin/echo a b c\n"
