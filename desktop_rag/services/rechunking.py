"""The part of cutting a document that needs a model: meaning of sentences, words about passages.

It runs between reading and storing. Whoever waits for an answer comes first; without a language
model a document is stored as it was read, with a note.
"""

from __future__ import annotations

import hashlib
import struct
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from desktop_rag.domain.chunking import Chunking
from desktop_rag.domain.chunking.semantic import joined_by_meaning
from desktop_rag.domain.chunking.written import (
    Task,
    context_tasks,
    proposition_tasks,
    statements,
    with_written,
)
from desktop_rag.domain.documents import Chunk, ReadDocument
from desktop_rag.domain.errors import Cancelled, DesktopRagError
from desktop_rag.domain.ports import Generator, SearchIndex
from desktop_rag.storage.prompt_texts import prompt_text

_BATCH = 32
_LONGEST_S = 120.0
"""For one thing to be written. What is there by then is taken; a slow computer goes on."""
_SLACK = 2
"""Tokens, as in `domain.chunking.rules`: words that were cut count more once they stand alone."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How a long piece of work goes along with all else."""

    wait: Callable[[], None]
    """Waits while somebody waits for an answer; raises Cancelled when the program ends."""
    is_interrupted: Callable[[], bool]
    """Whether what is being written should be left for somebody who waits."""
    tell: Callable[[int, int], None]
    """Is told how many of how many steps of a document are done."""


class Kept(Protocol):
    """What was written about a document before, by the hash of all it depends on."""

    def get(self, key: bytes) -> str | None:
        """What was written; `None` when nothing was yet."""
        ...

    def add(self, key: bytes, text: str) -> None:
        """Keep it, also over the end of the program."""
        ...

    def keep_only(self, keys: Iterable[bytes]) -> None:
        """Forget all else."""
        ...


@dataclass(slots=True)
class _Ending:
    """Tells the generator when to end, and remembers why."""

    interrupted: Callable[[], bool]
    clock: Callable[[], float]
    until: float
    is_interrupted: bool = False
    is_late: bool = False

    def __call__(self) -> bool:
        # Remembered: by the time the generator has ended, nobody may wait any longer.
        self.is_interrupted = self.is_interrupted or self.interrupted()
        self.is_late = self.clock() > self.until
        return self.is_interrupted or self.is_late


class Rechunking:
    """Called on the reader or the indexer thread.

    Args:
        chunking: the way of cutting that the reader was started with.
        index: embeds sentences and counts tokens.
        generator: writes about passages.
        clock: seconds, never set back.
    """

    def __init__(
        self,
        chunking: Chunking,
        index: SearchIndex,
        generator: Generator,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chunking = chunking
        self._index = index
        self._generator = generator
        self._clock = clock

    def finish(self, read: ReadDocument, pace: Pace, kept: Kept) -> ReadDocument:
        """The document as it is stored; most ways of cutting leave it as it was read.

        Raises:
            Cancelled: the program ends.
            UserError, TransientError: of the embedder, which nothing is stored without.
        """
        if not read.chunks:
            return read
        if self._chunking is Chunking.SEMANTIC:
            return replace(read, chunks=self._by_meaning(read, pace))
        if self._chunking.needs_language_model:
            return self._written_about(read, pace, kept)
        return read

    # ------------------------------------------------------------------ meaning

    def _by_meaning(self, read: ReadDocument, pace: Pace) -> tuple[Chunk, ...]:
        texts = [chunk.text for chunk in read.chunks]
        vectors: list[Sequence[float]] = []
        for start in range(0, len(texts), _BATCH):
            pace.wait()
            pace.tell(start, len(texts))
            found = self._index.embed(texts[start : start + _BATCH])
            vectors += [_unpacked(one.vector) for one in found]
        headers = list({chunk.header for chunk in read.chunks})
        costs = dict(zip(headers, self._count(headers), strict=True))
        tokens = self._count(texts)
        sizes = [(costs[chunk.header], n) for chunk, n in zip(read.chunks, tokens, strict=True)]
        return joined_by_meaning(read.document, read.chunks, vectors, sizes, self._most())

    def _count(self, texts: Sequence[str]) -> list[int]:
        """Tokens without the special ones."""
        special, *counts = (facts.tokens for facts in self._index.look_at(["", *texts]))
        return [count - special for count in counts]

    def _most(self) -> int:
        """Tokens of a chunk with all that is embedded with it."""
        return self._index.embedder().max_tokens - self._index.look_at([""])[0].tokens - _SLACK

    # ------------------------------------------------------------------ words

    def _written_about(self, read: ReadDocument, pace: Pace, kept: Kept) -> ReadDocument:
        written: dict[int, str] = {}
        keys: list[bytes] = []
        try:
            model, tasks = self._generator.info().id, self._tasks(read)
            for number, task in enumerate(tasks):
                pace.tell(number, len(tasks))
                keys.append(_key(model, task))
                written.update(statements(task, self._answer(task, keys[-1], pace, kept)))
            kept.keep_only(keys)
        except Cancelled:
            raise
        except DesktopRagError as error:
            note = (
                f"The language model wrote about {len(written)} of {len(read.chunks)} passages "
                f"only; the others are found by their own words. {error.message}"
            )
            document = replace(read.document, notes=(*read.document.notes, note))
            read = replace(read, document=document)
        return replace(read, chunks=with_written(read.chunks, self._fitting(read, written)))

    def _tasks(self, read: ReadDocument) -> list[Task]:
        wording = prompt_text(self._chunking)
        if self._chunking is Chunking.CONTEXT:
            return context_tasks(read.document, read.chunks, wording)
        return proposition_tasks(read.chunks, wording)

    def _answer(self, task: Task, key: bytes, pace: Pace, kept: Kept) -> str:
        pace.wait()
        answer = kept.get(key)
        if answer is None:
            answer, is_whole = self._write(task, pace)
            if is_whole:
                kept.add(key, answer)
        return answer

    def _write(self, task: Task, pace: Pace) -> tuple[str, bool]:
        """The model's words, and whether its time sufficed.

        Begun anew when somebody's question came between.
        """
        while True:
            pace.wait()
            ending = _Ending(pace.is_interrupted, self._clock, self._clock() + _LONGEST_S)
            answer = "".join(self._generator.stream(task.turns, task.limits, ending))
            if not ending.is_interrupted:
                return answer, not ending.is_late

    def _fitting(self, read: ReadDocument, written: dict[int, str]) -> dict[int, str]:
        """What was written, cut to what the embedder reads beside header and text."""
        most, numbers = self._most(), list(written)
        used = self._count([f"{read.chunks[n].header}\n{read.chunks[n].text}" for n in numbers])
        sizes = self._count([written[n] for n in numbers])
        return {
            n: written[n] if size + taken <= most else self._shortened(written[n], most - taken)
            for n, taken, size in zip(numbers, used, sizes, strict=True)
        }

    def _shortened(self, text: str, most: int) -> str:
        words = text.split()
        beginnings = [" ".join(words[:n]) for n in range(1, min(len(words), most) + 1)]
        counts = self._count(beginnings)
        fitting = (one for one, n in zip(beginnings, counts, strict=True) if n <= most)
        return max(fitting, key=len, default="")


def _key(model: str, task: Task) -> bytes:
    return hashlib.sha256(repr((model, task.turns, task.limits)).encode()).digest()


def _unpacked(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 2}e", vector)
