"""Time to first token and tokens/s: through the worker, in process, and llama-cpp-python alone.

    python -m tests.benchmarks.bench_generation [--model FILE] [--repeats 3] [--tokens 64]

All three read the same prompts with the same settings, one after the other in every repetition, and
a new prompt each time so that no cache helps. Figures are the best of all repetitions, which other
work on the computer can only worsen; ratio 1.00 is as quick as llama-cpp-python called directly.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from llama_cpp import Llama

from desktop_rag import paths
from desktop_rag.domain.answers import Role, Turn
from desktop_rag.domain.ports import GenerationLimits
from desktop_rag.engines.generator_llamacpp import open_generator
from desktop_rag.workers.remote import start_engines
from desktop_rag.workers.roles import default_threads
from tests.helpers.documents import filler

_BATCH = 128
_PROMPT_WORDS = 450

Stream = Callable[[list[Turn]], Iterator[str]]


@dataclass(frozen=True, slots=True)
class _Choice:
    model_id: str
    model_file: Path


@dataclass(slots=True)
class _Lane:
    """One way to call the model, with what was measured."""

    name: str
    stream: Stream
    first_s: list[float] = field(default_factory=list)
    tokens_per_s: list[float] = field(default_factory=list)

    def run(self, turns: list[Turn]) -> None:
        begin = time.perf_counter()
        arrivals = [time.perf_counter() for _ in self.stream(turns)]
        self.first_s.append(arrivals[0] - begin)
        self.tokens_per_s.append((len(arrivals) - 1) / (arrivals[-1] - arrivals[0]))


def main() -> None:
    """Print the figures."""
    options = _options()
    limits = GenerationLimits(max_tokens=options.tokens, temperature=0.0)
    threads = default_threads()
    own = open_generator(options.model, "own", threads)
    alone = Llama(
        str(options.model),
        n_ctx=own.info().context_tokens,
        n_batch=_BATCH,
        n_ubatch=_BATCH,
        n_threads=threads,
        n_threads_batch=threads,
        flash_attn=True,
        verbose=False,
    )
    with tempfile.TemporaryDirectory() as scratch:
        pool = start_engines(
            paths.DataDir(Path(scratch)),
            paths.shipped("models"),
            lambda: _Choice("worker", options.model),
        )
        lanes = [
            _Lane("llama-cpp-python", lambda turns: _alone(alone, turns, options.tokens)),
            _Lane("in process", lambda turns: own.stream(turns, limits, _go_on)),
            _Lane("through the worker", lambda turns: pool.generator.stream(turns, limits, _go_on)),
        ]
        try:
            _measure(lanes, options.repeats)
        finally:
            pool.close()
    _print(lanes)
    own.close()
    alone.close()


def _measure(lanes: list[_Lane], repeats: int) -> None:
    warm = _Lane("warm-up", lanes[0].stream)
    for lane in lanes:
        warm.stream = lane.stream
        warm.run(_prompt(0))
    for repeat in range(1, repeats + 1):
        # Who goes first changes, so that a busy moment hits no lane every time.
        for lane in lanes[repeat % 3 :] + lanes[: repeat % 3]:
            lane.run(_prompt(repeat))


def _print(lanes: list[_Lane]) -> None:
    base = lanes[0]
    print(f"{'':22}{'first token':>12}{'ratio':>7}{'tokens/s':>10}{'ratio':>7}")
    for lane in lanes:
        first, speed = min(lane.first_s), max(lane.tokens_per_s)
        first_ratio, speed_ratio = first / min(base.first_s), speed / max(base.tokens_per_s)
        print(f"{lane.name:22}{first:10.2f} s{first_ratio:7.2f}{speed:10.1f}{speed_ratio:7.2f}")


def _alone(model: Llama, turns: list[Turn], tokens: int) -> Iterator[str]:
    chunks = model.create_chat_completion(
        [{"role": turn.role.value, "content": turn.content} for turn in turns],  # type: ignore[misc]
        stream=True,
        temperature=0.0,
        max_tokens=tokens,
    )
    for chunk in chunks:
        text = chunk["choices"][0]["delta"].get("content")  # type: ignore[index,union-attr]
        if text:
            yield str(text)


def _prompt(number: int) -> list[Turn]:
    text = filler(_PROMPT_WORDS, seed=number)
    return [Turn(Role.SYSTEM, f"{number} Retell the text."), Turn(Role.USER, text)]


def _go_on() -> bool:
    return False


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=_installed())
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=64)
    return parser.parse_args()


def _installed() -> Path | None:
    found = sorted(paths.models_dir().rglob("*.gguf"), key=lambda file: -file.stat().st_size)
    return found[0] if found else None


if __name__ == "__main__":
    main()
