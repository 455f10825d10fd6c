"""Time to the first word and to the last: the program against llama-cpp-python called directly.

    python -m tests.benchmarks.bench_generation [--model FILE …] [--repeats 3] [--tokens 64]
        [--threads N]

All ways read the same prompts with the same settings, one after the other in every repetition, and
a new prompt each time so that no cache helps. Figures are the best of all repetitions, which other
work on the computer can only worsen; ratio 1.00 is as quick as llama-cpp-python called directly.
`processor` is the time that the processor spent, which with one thread is what the clock would show
on a computer that does nothing else.

Then a conversation: how many tokens of a follow-up about the same passages are evaluated, and how
long that takes, as a share of the first prompt; also when other prompts came between.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from llama_cpp import Llama

from desktop_rag import paths
from desktop_rag.domain.answers import Role, Turn
from desktop_rag.domain.ports import GenerationLimits
from desktop_rag.domain.prompting import build
from desktop_rag.engines.generator_llamacpp import LlamaGenerator, open_generator
from desktop_rag.engines.processor_load import OthersLoad
from desktop_rag.services.composing import load_prompts
from desktop_rag.workers.remote import start_engines
from desktop_rag.workers.roles import default_threads
from tests.helpers.documents import filler
from tests.helpers.passages import make_passage

_BATCH = 128
_PASSAGE_WORDS = 110
_PASSAGES = 4
_ANSWER = "The text says that it took eight years and was finished in 1932."
_ONLY_READ = GenerationLimits(max_tokens=0)

Stream = Callable[[list[Turn]], Iterator[str]]


class _Alone(OthersLoad):
    """Takes all threads, as llama-cpp-python called directly does."""

    def cores(self) -> float:
        return 0.0


@dataclass(frozen=True, slots=True)
class _Choice:
    model_id: str
    model_file: Path


@dataclass(slots=True)
class _Lane:
    """One way to call the model, with what was measured."""

    name: str
    stream: Stream
    spent: Callable[[], float] = time.process_time
    """Seconds of the processor so far, of the process that runs the model."""
    first_s: list[float] = field(default_factory=list)
    total_s: list[float] = field(default_factory=list)
    processor_s: list[float] = field(default_factory=list)

    def run(self, turns: list[Turn]) -> None:
        spent, begin = self.spent(), time.perf_counter()
        arrivals = [time.perf_counter() for _ in self.stream(turns)]
        self.first_s.append(arrivals[0] - begin)
        self.total_s.append(arrivals[-1] - begin)
        self.processor_s.append(self.spent() - spent)

    @property
    def best(self) -> tuple[float, float, float]:
        return min(self.first_s), min(self.total_s), min(self.processor_s)


def main() -> None:
    """Print the figures of each model."""
    options = _options()
    for model in options.model:
        print(f"\n{model.stem}, {options.threads} threads")
        _measure_model(model, options)


def _measure_model(model: Path, options: argparse.Namespace) -> None:
    limits = GenerationLimits(max_tokens=options.tokens, temperature=0.0)
    own = open_generator(model, "own", options.threads, load_of_others=_Alone())
    alone = Llama(
        str(model),
        n_ctx=own.info().context_tokens,
        n_batch=_BATCH,
        n_ubatch=_BATCH,
        n_threads=options.threads,
        n_threads_batch=options.threads,
        flash_attn=True,
        verbose=False,
    )
    with tempfile.TemporaryDirectory() as scratch:
        pool = start_engines(
            paths.DataDir(Path(scratch)),
            paths.shipped("models"),
            lambda: _Choice("worker", model),
            threads=options.threads,
        )
        lanes = [
            _Lane("llama-cpp-python", lambda turns: _direct(alone, turns, options.tokens)),
            _Lane("in process", lambda turns: own.stream(turns, limits, _go_on)),
            _Lane(
                "through the worker",
                lambda turns: pool.generator.stream(turns, limits, _go_on),
                lambda: _spent_by(pool.generator._supervisor.pid),
            ),
        ]
        try:
            _race(lanes, options.repeats)
        finally:
            pool.close()
    alone.close()
    _print(lanes)
    _converse(own)
    own.close()


def _race(lanes: list[_Lane], repeats: int) -> None:
    for lane in lanes:
        list(lane.stream([Turn(Role.USER, "Say something.")]))
    for repeat in range(1, repeats + 1):
        # Who goes first changes, so that a busy moment hits no lane every time.
        for lane in lanes[repeat % 3 :] + lanes[: repeat % 3]:
            lane.run(_prompt(repeat))


def _print(lanes: list[_Lane]) -> None:
    names = "".join(f"{name:>12}{'ratio':>7}" for name in ("first word", "total", "processor"))
    print(f"{'':20}{names}")
    for lane in lanes:
        figures = zip(lane.best, lanes[0].best, strict=True)
        told = "".join(f"{own:10.2f} s{own / base:7.2f}" for own, base in figures)
        print(f"{lane.name:20}{told}")


def _spent_by(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def _direct(model: Llama, turns: list[Turn], tokens: int) -> Iterator[str]:
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


# ---------------------------------------------------------------------- a conversation


@dataclass(frozen=True, slots=True)
class _Read:
    """One prompt: tokens that were evaluated, and seconds by the clock and of the processor."""

    tokens: int
    seconds: float
    processor_s: float

    def told(self, name: str, first: _Read) -> str:
        shares = f"{self.tokens / first.tokens:7.0%}{self.processor_s / first.processor_s:8.0%}"
        spent = f"{self.seconds:6.2f} s, processor {self.processor_s:6.2f} s"
        return f"{name:44}{self.tokens:6} tokens {spent}{shares}"


def _converse(generator: LlamaGenerator) -> None:
    first = _read(generator, _prompt(100))
    print(first.told("first prompt", first))
    history = [Turn(Role.USER, "Retell it."), Turn(Role.ASSISTANT, _ANSWER)]
    print(_read(generator, _prompt(100, "And who paid?", history)).told("follow-up", first))
    _between(generator)
    later = [*history, Turn(Role.USER, "And who paid?"), Turn(Role.ASSISTANT, _ANSWER)]
    after = _read(generator, _prompt(100, "Where does it stand?", later))
    print(after.told("another, with five other prompts in between", first))
    again = _read(generator, _prompt(100, "Where does it stand?", later))
    print(again.told("the same, read while it was typed", first))


def _between(generator: LlamaGenerator) -> None:
    """Background work, and a short question of another kind."""
    for number in range(4):
        limits = GenerationLimits(max_tokens=4, temperature=0.0, is_background=True)
        turns = [Turn(Role.USER, filler(60, seed=200 + number))]
        list(generator.stream(turns, limits, _go_on))
    list(generator.stream([Turn(Role.USER, "Yes or no?")], GenerationLimits(2), _go_on))


def _read(generator: LlamaGenerator, turns: list[Turn]) -> _Read:
    evaluated: list[int] = []
    model: Any = generator._model
    evaluate = model.eval

    def counting(tokens: list[int]) -> None:
        evaluated.append(len(tokens))
        evaluate(tokens)

    model.eval = counting
    begin, spent = time.perf_counter(), time.process_time()
    try:
        list(generator.stream(turns, _ONLY_READ, _go_on))
    finally:
        del model.eval
    elapsed = time.perf_counter() - begin
    return _Read(sum(evaluated), elapsed, time.process_time() - spent)


def _prompt(
    number: int, question: str = "Retell it.", history: list[Turn] | None = None
) -> list[Turn]:
    """A prompt as the program writes it, over passages of which no two prompts share one."""
    texts = [filler(_PASSAGE_WORDS, seed=number * _PASSAGES + n) for n in range(_PASSAGES)]
    passages = [
        make_passage(text, chunk=n, title=f"Text {n}") for n, text in enumerate(texts, start=1)
    ]
    return build(load_prompts(), question, passages, history or [])


def _go_on() -> bool:
    return False


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, nargs="+", default=_installed())
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--threads", type=int, default=default_threads())
    return parser.parse_args()


def _installed() -> list[Path]:
    return sorted(paths.models_dir().rglob("*.gguf"), key=lambda file: -file.stat().st_size)


if __name__ == "__main__":
    main()
