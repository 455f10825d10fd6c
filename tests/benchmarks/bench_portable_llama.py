"""llama.cpp for every processor against the one that was compiled on this computer.

    python -m tests.benchmarks.bench_portable_llama [--model FILE …] [--repeats 5] [--prompt 256]
        [--tokens 32] [--threads N]

Needs the build of `packaging/build.py llama`. Each runs in a process of its own; both are asked in
turn, and who goes first changes. Figures are the best of all repetitions, which other work on the
computer can only worsen. A ratio of 1.00 is as quick as the native build, 0.90 a tenth slower.
`processor` counts the time the processor spent instead of the clock's: with one thread it is what
the clock would show on a computer that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from desktop_rag import paths
from desktop_rag.workers.roles import default_threads

_ROOT = Path(__file__).resolve().parents[2]
_WANTED = 0.90
_MEASURES = ("prompt", "prompt, processor", "answer", "answer, processor")


@dataclass(slots=True)
class _Lane:
    """A process with one of the libraries, and the tokens a second of each repetition."""

    name: str
    process: subprocess.Popen[str]
    build: str = ""
    speeds: list[list[float]] = field(default_factory=list)

    def run(self, *, counts: bool = True) -> None:
        found = self._ask()
        if counts:
            self.speeds.append([float(found[name]) for name in _MEASURES])

    def open(self) -> None:
        self.build = str(_line(self.process.stdout)["build"])

    def best(self) -> list[float]:
        return [max(values) for values in zip(*self.speeds, strict=True)]

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def _ask(self) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return _line(self.process.stdout)


def main() -> int:
    """Print both, and whether the portable one is within a tenth; 1 when it is not."""
    options = _options()
    if options.lane:
        _serve(options)
        return 0
    return max(_compare(model, options) for model in options.model)


def _compare(model: Path, options: argparse.Namespace) -> int:
    native, portable = (_started(name, model, options) for name in ("native", "portable"))
    for lane in (native, portable):
        lane.open()
        lane.run(counts=False)
    for repeat in range(options.repeats):
        for lane in (native, portable) if repeat % 2 else (portable, native):
            lane.run()
    for lane in (native, portable):
        lane.close()
    print(f"\n{model.stem}, {options.threads} threads, portable build: {portable.build}")
    print(f"{'tokens a second':20}{'native':>10}{'portable':>10}{'ratio':>8}")
    ratios = []
    for name, base, own in zip(_MEASURES, native.best(), portable.best(), strict=True):
        print(f"{name:20}{base:10.1f}{own:10.1f}{own / base:8.2f}")
        ratios.append(own / base)
    told = ratios[1::2] if options.threads == 1 else ratios[::2]
    return 0 if min(told) >= _WANTED else 1


def _started(name: str, model: Path, options: argparse.Namespace) -> _Lane:
    command = [
        sys.executable, "-m", "tests.benchmarks.bench_portable_llama", "--lane", name,
        "--model", str(model), "--prompt", str(options.prompt), "--tokens", str(options.tokens),
        "--threads", str(options.threads),
    ]  # fmt: skip
    found = [str(_ROOT)] if name == "native" else [str(_portable()), str(_ROOT)]
    process = subprocess.Popen(
        command,
        cwd=_ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(found)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    return _Lane(name, process)


def _portable() -> Path:
    sys.path.append(str(_ROOT / "packaging"))
    from release.llama import is_whole, portable_folder

    if not is_whole(portable_folder()):
        sys.exit("There is no portable llama.cpp: run `packaging/build.py llama` first.")
    return portable_folder()


def _line(stream: IO[str] | None) -> dict[str, Any]:
    assert stream is not None
    found = json.loads(stream.readline() or '{"build": "the process ended"}')
    return dict(found)


# ---------------------------------------------------------------------- in the process


def _serve(options: argparse.Namespace) -> None:
    """Measure once for each line of standard input."""
    from desktop_rag.domain.tuning import usual
    from desktop_rag.engines.llamacpp_loading import load
    from desktop_rag.workers.choosing_variant import variant_file

    found = variant_file(Path(os.devnull))
    variant = Path(found) if found else None
    loaded = load(options.model[0], "model", usual(options.threads), None, variant)
    print(json.dumps({"build": variant.name if variant else "native"}), flush=True)
    for _ in sys.stdin:
        print(json.dumps(_measured(loaded.model, options)), flush=True)


def _measured(model: Any, options: argparse.Namespace) -> dict[str, float]:
    model.reset()
    steps = {
        "prompt": [list(range(1000, 1000 + options.prompt))],
        "answer": [[2000 + number] for number in range(options.tokens)],
    }
    found: dict[str, float] = {}
    for name, evaluations in steps.items():
        begin, spent = time.perf_counter(), time.process_time()
        for tokens in evaluations:
            model.eval(tokens)
        count = sum(map(len, evaluations))
        found[name] = count / (time.perf_counter() - begin)
        found[f"{name}, processor"] = count / (time.process_time() - spent)
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, nargs="+", default=_installed())
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--prompt", type=int, default=256)
    parser.add_argument("--tokens", type=int, default=32)
    parser.add_argument("--threads", type=int, default=default_threads())
    parser.add_argument("--lane", choices=("native", "portable"), help=argparse.SUPPRESS)
    return parser.parse_args()


def _installed() -> list[Path]:
    return sorted(paths.models_dir().rglob("*.gguf"), key=lambda file: file.stat().st_size)


if __name__ == "__main__":
    sys.exit(main())
