"""Time to the first word and to the last: the program against llama-cpp-python called directly.

    python -m tests.benchmarks.bench_generation [--model FILE …] [--repeats 3] [--tokens 64]
        [--threads N]

All ways read the same prompts with the same settings, one after the other in every repetition, and
a new prompt each time so that no cache helps. Figures are the best of all repetitions, which other
work on the computer can only worsen; ratio 1.00 is as quick as llama-cpp-python called directly.

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
    first_s: list[float] = field(default_factory=list)
    total_s: list[float] = field(default_factory=list)

    def run(self, turns: list[Turn]) -> None:
        begin = time.perf_counter()
        arrivals = [time.perf_counter() for _ in self.stream(turns)]
        self.first_s.append(arrivals[0] - begin)
        self.total_s.append(arrivals[-1] - begin)


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
            _Lane("through the worker", lambda turns: pool.generator.stream(turns, limits, _go_on)),
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
    warm = _Lane("warm-up", lanes[0].stream)
    for lane in lanes:
        warm.stream = lane.stream
        warm.run([Turn(Role.USER, "Say something.")])
    for repeat in range(1, repeats + 1):
        # Who goes first changes, so that a busy moment hits no lane every time.
        for lane in lanes[repeat % 3 :] + lanes[: repeat % 3]:
            lane.run(_prompt(repeat))


def _print(lanes: list[_Lane]) -> None:
    base = lanes[0]
    print(f"{'':22}{'first word':>12}{'ratio':>7}{'total':>10}{'ratio':>7}")
    for lane in lanes:
        first, total = min(lane.first_s), min(lane.total_s)
        ratios = first / min(base.first_s), total / min(base.total_s)
        print(f"{lane.name:22}{first:10.2f} s{ratios[0]:7.2f}{total:8.2f} s{ratios[1]:7.2f}")


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
    """One prompt: tokens that were evaluated, and seconds."""

    tokens: int
    seconds: float

    def told(self, name: str, first: _Read) -> str:
        shares = f"{self.tokens / first.tokens:7.0%}{self.seconds / first.seconds:8.0%}"
        return f"{name:44}{self.tokens:6} tokens {self.seconds:6.2f} s{shares}"


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
    begin = time.perf_counter()
    try:
        list(generator.stream(turns, _ONLY_READ, _go_on))
    finally:
        del model.eval
    return _Read(sum(evaluated), time.perf_counter() - begin)


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
