"""Runs the frozen program as older and newer processors, with qemu-user, and prints what ran.

On each that is new enough, the program tests itself: it reads, searches, draws, tries the builds of
llama.cpp and lets a made model of 300 KB answer. All its processes are emulated. Then the small
language model says a few words, with the same library. On older ones one sentence is expected. An
illegal instruction fails the step, in whatever process it happens. Recognition of a page, the
slowest, may run out of time.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.domain.errors import ProcessorTooOld
from desktop_rag.workers.roles import RECOGNISE_TIMEOUT_S
from release.llama import is_whole, portable_folder
from release.plan import PACKAGING, ROOT, BuildFailed, Plan, call, executable

_SHIM = PACKAGING / "emulated_children.c"
_TIMEOUT_S = 3600
_DIED = ("Illegal instruction", "SIGILL", "target signal 4")
_SLOW = re.compile("took longer|took too long")
_SPEAK = """
import sys
from pathlib import Path
from desktop_rag.domain.tuning import usual
from desktop_rag.engines.llamacpp_loading import load
model = load(Path(sys.argv[1]), "model", usual(1)).model
model.eval(model.tokenize(b"The capital of France is"))
for _ in range(2):
    token = model.sample(temp=0)
    print(model.detokenize([token]).decode(), end="", flush=True)
    model.eval([token])
"""


@dataclass(frozen=True, slots=True)
class Processor:
    """One that qemu can be."""

    name: str
    what: str
    build: str
    """The build of llama.cpp it should take; empty: too old for the program."""


PROCESSORS = (
    Processor("core2duo", "2006, SSSE3", ""),
    Processor("Penryn", "2008, SSE4.1", ""),
    Processor("Nehalem", "2008, SSE4.2, no AVX", "sse42"),
    Processor("SandyBridge", "2011, AVX", "sandybridge"),
    Processor("Haswell", "2013, AVX2", "haswell"),
    Processor("max", "all that qemu knows", "haswell"),
)


def run(plan: Plan) -> None:
    """Try all of them and print a table.

    Raises:
        BuildFailed: something is missing, or a processor did not do what it should.
    """
    needed = {"qemu-x86_64": shutil.which("qemu-x86_64"), "cc": shutil.which("cc")}
    for name, found in needed.items():
        if not found:
            raise BuildFailed(f"{name} is missing: install qemu-user and gcc and run this again.")
    if not executable(plan).exists() or not is_whole(portable_folder()):
        raise BuildFailed("There is no portable program: run the steps `llama` and `freeze` first.")
    with tempfile.TemporaryDirectory() as scratch:
        emulation = Emulation(plan, Path(scratch))
        results = [emulation.tried(processor) for processor in PROCESSORS]
    for processor, problem in zip(PROCESSORS, results, strict=True):
        if problem:
            raise BuildFailed(f"As {processor.name}: {problem}")


class Emulation:
    """Runs programs as other processors, in a folder of its own."""

    def __init__(self, plan: Plan, scratch: Path) -> None:
        from tests.helpers.tiny_gguf import write_tiny_model

        self._program = executable(plan)
        self._scratch = scratch
        self._model = plan.model or _small_model()
        self._tiny = write_tiny_model(scratch / "tiny.gguf")
        self._shim = scratch / "emulated_children.so"
        call(["cc", "-O1", "-shared", "-fPIC", "-o", self._shim, _SHIM, "-ldl"])

    def tried(self, processor: Processor) -> str:
        """Print what ran; returns what went wrong."""
        print(f"\n{processor.name} ({processor.what})", flush=True)
        started = time.monotonic()
        code, told = self._run(processor, [self._program, "self-test", "--json"])
        if not processor.build:
            problem = _refusal_problem(code, told)
        else:
            problem = _test_problem(processor, code, told) or self._words_problem(processor)
        print(f"  {problem or 'as it should be'}, {time.monotonic() - started:.0f} s", flush=True)
        return problem

    def _words_problem(self, processor: Processor) -> str:
        if self._model is None:
            print("  no language model of this user: it says nothing")
            return ""
        code, told = self._run(processor, [sys.executable, "-c", _SPEAK, self._model])
        words = told.splitlines()[-1] if told else ""
        print(f"  {self._model.name}: The capital of France is{words}")
        return "" if not code and "Paris" in words else f"the model did not answer: {told[-300:]}"

    def _run(self, processor: Processor, command: list[str | Path]) -> tuple[int, str]:
        emulator = str(shutil.which("qemu-x86_64"))
        folder = self._scratch / processor.name
        folder.mkdir(exist_ok=True)
        done = subprocess.run(
            [emulator, "-cpu", processor.name, "-E", f"LD_PRELOAD={self._shim}", *command],
            env={
                **{k: v for k, v in os.environ.items() if not k.startswith("PYTHON")},
                "EMULATOR": emulator,
                "EMULATED_PROCESSOR": processor.name,
                "DESKTOP_RAG_DATA_DIR": str(folder / "data"),
                # Another processor would find in the person's folder what this one chose.
                "DESKTOP_RAG_MODELS_DIR": str(folder),
                "DESKTOP_RAG_LLM": str(self._tiny),
                **_python_path(command),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_TIMEOUT_S,
            check=False,
        )
        lines = [line for line in done.stdout.splitlines() if "TCG doesn't support" not in line]
        return done.returncode, "\n".join(lines)


def _python_path(command: list[str | Path]) -> dict[str, str]:
    """For this environment's Python: the library of the frozen program."""
    if command[0] != sys.executable:
        return {}
    return {"PYTHONPATH": os.pathsep.join([str(portable_folder()), str(ROOT)])}


def _refusal_problem(code: int, told: str) -> str:
    """A processor that is too old gets one sentence."""
    try:
        error = json.loads(told)["error"]
    except (ValueError, KeyError):
        return f"it ended with {code}: {told[-300:]}"
    print(f"  refused: {error['message']}")
    return "" if code == ProcessorTooOld.exit_code else f"it ended with {code}"


def _test_problem(processor: Processor, code: int, told: str) -> str:
    """What is wrong with a self-test; prints its steps."""
    if any(word in told for word in _DIED):
        return f"a process died of an illegal instruction: {told[-300:]}"
    try:
        steps = json.loads(told[told.index("{") :])["steps"]
    except (ValueError, KeyError):
        return f"it ended with {code}: {told[-300:]}"
    for step in steps:
        shown = "".join(letter if letter.isascii() else "?" for letter in step["detail"])
        print(f"  {step['step']:<14}{step['outcome']:<8}{step['ms'] / 1000:7.1f} s  {shown[:160]}")
    builds = {step["detail"] for step in steps if step["step"] == "processor"}
    if builds != {f"llama.cpp for {processor.build}"}:
        return f"it took {builds} and not {processor.build}"
    if _is_only_slow(steps):
        print("  recognising a page takes this computer too long when it emulates")
        return ""
    return "" if not code else "a step of the self-test failed"


def _is_only_slow(steps: list[dict[str, Any]]) -> bool:
    """Whether all that went wrong is the time limit of `ocr`, which is begun again after it."""
    failed = {step["step"]: step["detail"] for step in steps if step["outcome"] == "failed"}
    took = {step["step"]: step["ms"] / 1000 for step in steps}
    if failed.keys() == {"close"}:
        is_over = bool(took.get("recognition", 0.0) > RECOGNISE_TIMEOUT_S)
        return is_over and str(failed["close"]).startswith("ocr crashed")
    return failed.keys() == {"recognition"} and bool(_SLOW.search(failed["recognition"]))


def _small_model() -> Path | None:
    """The smallest language model of this user."""
    from desktop_rag.paths import models_dir

    return min(models_dir().glob("*.gguf"), key=lambda file: file.stat().st_size, default=None)
