"""A language model that never sees personal data: everything said to it and by it passes here.

All parts of the program that ask the model are given this one, so a prompt that somebody adds
tomorrow is masked as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from desktop_rag.domain.answers import Turn
from desktop_rag.domain.masking import Mask, unfinished
from desktop_rag.domain.ports import GenerationLimits, Generator, GeneratorInfo
from desktop_rag.domain.tuning import Tuning
from desktop_rag.services.stoppable import end


class MaskedGenerator:
    """`ports.Generator` in front of another one. Does nothing while masking is off."""

    def __init__(self, generator: Generator, mask: Mask, is_on: Callable[[], bool]) -> None:
        self._generator = generator
        self._mask = mask
        self._is_on = is_on

    def info(self) -> GeneratorInfo:
        """See `ports.Generator.info`."""
        return self._generator.info()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Of the texts as they are: placeholders are hardly ever longer."""
        return self._generator.count_tokens(texts)

    def tune(self, is_cancelled: Callable[[], bool]) -> Iterator[Tuning]:
        """See `ports.Generator.tune`."""
        return self._generator.tune(is_cancelled)

    def weigh(
        self, turns: Sequence[Turn], openings: Sequence[str], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[float, ...]]:
        """See `ports.Generator.weigh`; the turns are masked."""
        return self._generator.weigh(self._masked(turns), openings, is_cancelled)

    def stream(
        self, turns: Sequence[Turn], limits: GenerationLimits, is_cancelled: Callable[[], bool]
    ) -> Iterator[str]:
        """See `ports.Generator.stream`; the turns are masked, and the text is unmasked."""
        if self._is_on() and limits.begun:
            limits = replace(limits, begun=self._mask.masked(limits.begun).text)
        stream = self._generator.stream(self._masked(turns), limits, is_cancelled)
        return self._unmasked(stream) if self._is_on() else stream

    def _masked(self, turns: Sequence[Turn]) -> Sequence[Turn]:
        if not self._is_on():
            return turns
        return [replace(turn, content=self._mask.masked(turn.content).text) for turn in turns]

    def _unmasked(self, stream: Iterator[str]) -> Iterator[str]:
        """The text with data for placeholders; the beginning of one waits for its rest."""
        waiting = ""
        try:
            for delta in stream:
                waiting += delta
                whole = unfinished(waiting)
                if whole:
                    yield self._mask.unmasked(waiting[:whole])
                waiting = waiting[whole:]
            if waiting:
                yield self._mask.unmasked(waiting)
        finally:
            end(stream)
