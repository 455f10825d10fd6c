"""An old processor gets one sentence, before anything that would die of it is loaded."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_rag import __main__, processor
from desktop_rag.domain.errors import ProcessorTooOld

is_known = sys.platform == "linux" and platform.machine() == "x86_64"

# ECX of CPUID leaf 1 as these processors fill it.
PENRYN, NEHALEM = 0x80082201, 0x80982201


def leaf(ecx: int) -> SimpleNamespace:
    return SimpleNamespace(has=[0, 0, ecx, 0], usable=[0, 0, 0, 0])


def test_this_computer_runs_the_program() -> None:
    processor.check()
    assert processor.missing_for_the_program() == []


@pytest.mark.skipif(not is_known, reason="only Linux on x86-64 is asked")
def test_the_processor_tells_what_the_kernel_tells() -> None:
    found = processor._leaf(0)
    assert found is not None
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    flags = next(line for line in lines if line.startswith("flags")).split()
    assert bool(found.has[2] >> 20 & 1) == ("sse4_2" in flags)
    assert bool(found.has[2] >> 28 & 1) == ("avx" in flags)


@pytest.mark.parametrize(
    ("ecx", "missing"),
    [(PENRYN, ["SSE4.2", "POPCNT"]), (NEHALEM, []), (0, ["SSSE3", "SSE4.1", "SSE4.2", "POPCNT"])],
)
def test_what_an_old_processor_lacks_is_named(
    monkeypatch: pytest.MonkeyPatch, ecx: int, missing: list[str]
) -> None:
    monkeypatch.setattr(processor, "_leaf", lambda _: leaf(ecx))
    assert processor.missing_for_the_program() == missing


def test_an_unknown_processor_is_given_a_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "_leaf", lambda _: None)
    processor.check()
    assert processor.fingerprint()


def test_an_old_processor_ends_a_command_with_a_sentence_and_a_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(processor, "_leaf", lambda _: leaf(PENRYN))
    monkeypatch.setattr(sys, "argv", ["desktop-rag", "search", "x"])
    assert __main__._start() == ProcessorTooOld.exit_code == 18
    assert "too old for Desktop RAG: it lacks SSE4.2, POPCNT." in capsys.readouterr().err


def test_the_look_at_the_processor_loads_nothing_native() -> None:
    script = "import sys, desktop_rag.processor; print('numpy' in sys.modules)"
    told = subprocess.check_output([sys.executable, "-c", script], text=True)
    assert told.strip() == "False"


def test_fingerprints_tell_processors_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "_leaf", lambda _: leaf(PENRYN))
    old = processor.fingerprint()
    monkeypatch.setattr(processor, "_leaf", lambda _: leaf(NEHALEM))
    assert processor.fingerprint() != old
