"""Has a language model write the sentences of a summary: of one part, and of the notes on all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_rag.domain.answers import Passage, Role, Turn
from desktop_rag.domain.errors import UserError, WorkerCrashed
from desktop_rag.domain.fencing import fenced
from desktop_rag.domain.ports import GenerationLimits, Generator, GeneratorInfo
from desktop_rag.domain.prompting import title_of
from desktop_rag.domain.sentences import sentence_spans
from desktop_rag.domain.summary_parts import SummaryPart
from desktop_rag.domain.summary_points import whole_sentences
from desktop_rag.services.writing import write
from desktop_rag.storage.prompt_texts import prompt_text

_PART_TOKENS = 1000
"""A part is a few pages: small models lose themselves in more, and progress is seen."""
_PART_S = 30.0
"""Reading after which something should be seen; on slow computers, parts are smaller."""
_SLOW_PART_TOKENS = 300
_LEAST_TOKENS = 100
"""Of a part, below which a language model's context is too small for summaries."""
_SENTENCE_TOKENS = 32
MOST_SENTENCES = 6
"""Of one part; small models write short ones, a fact each."""
_TEMPLATE_TOKENS = 60
_WRITING_SHARE = 0.4
"""Of the time for a part, that goes into writing; estimated until a part was written."""
_SAMPLED = 20
_MARGIN = 0.9

IsCancelled = Callable[[], bool]
Publish = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class SummaryPrompts:
    """Instructions (`resources/prompts`) with {name} and {sentences}."""

    part: str
    whole: str


class SummaryWriter:
    """Writes with one model for one summary.

    Args:
        generator: the language model.
        model: what it tells of itself.
        prompts: instructions.
        name: of what is summarised, for a person.
        is_cancelled: Stop.
        publish: is told every piece of text at once.

    Raises:
        UserError: the model reads too little at once.
    """

    def __init__(
        self,
        generator: Generator,
        model: GeneratorInfo,
        prompts: SummaryPrompts,
        name: str,
        is_cancelled: IsCancelled,
        publish: Publish,
    ) -> None:
        self._generator = generator
        self._prompts = prompts
        self._name = name
        self._is_cancelled = is_cancelled
        self._publish = publish
        self._speed = model.prompt_tokens_per_s
        self._tokens = self._tokens_of_a_part(model)

    def chars_of_a_part(self, passages: Sequence[Passage]) -> int:
        """Characters of this text that the model reads at once."""
        step = max(1, len(passages) // _SAMPLED)
        texts = [passage.text for passage in passages[::step]]
        used = max(1, sum(self._generator.count_tokens(texts)))
        return max(1, int(self._tokens * sum(map(len, texts)) / used * _MARGIN))

    def seconds_of_a_part(self) -> float:
        """About how long one takes, by the model's speed on this computer; 0 while unknown."""
        return self._tokens / self._speed / (1 - _WRITING_SHARE) if self._speed else 0.0

    def on_part(self, part: SummaryPart, sentences: int) -> str:
        """What the model says of a part.

        Raises:
            WorkerCrashed, WorkerTimedOut: the model ended in the middle.
        """
        system = _filled(self._prompts.part, title_of(part.passages[0]), sentences)
        return self._written(system, self._fitting(fenced(part.text)), sentences)

    def on_whole(self, notes: Sequence[str], sentences: int) -> str:
        """What the model says of all of it, by the notes on its parts; notes on notes if need be.

        Raises:
            WorkerCrashed, WorkerTimedOut: the model ended in the middle.
        """
        system = _filled(self._prompts.whole, self._name, sentences)
        groups = self._grouped(notes)
        while 1 < len(groups) < len(notes) and not self._is_cancelled():
            notes = [self._written(system, group, sentences - 1) for group in groups]
            groups = self._grouped(notes)
        return "" if self._is_cancelled() else self._written(system, groups[0], sentences)

    # ------------------------------------------------------------------ steps

    def _tokens_of_a_part(self, model: GeneratorInfo) -> int:
        part, whole, name = self._generator.count_tokens(
            [self._prompts.part, self._prompts.whole, self._name]
        )
        reserved = max(part, whole) + name + _TEMPLATE_TOKENS + _SENTENCE_TOKENS * MOST_SENTENCES
        room = model.context_tokens - reserved
        if room < _LEAST_TOKENS:
            raise UserError(
                f"The language model {model.id} reads too little at once to summarise; choose "
                "another with `desktop-rag models default`."
            )
        quick = round(model.prompt_tokens_per_s * _PART_S) or _PART_TOKENS
        return min(room, max(_SLOW_PART_TOKENS, min(quick, _PART_TOKENS)))

    def _grouped(self, notes: Sequence[str]) -> list[str]:
        """Notes as texts that fit."""
        groups: list[str] = []
        left = 0
        for note, cost in zip(notes, self._generator.count_tokens(notes), strict=True):
            if groups and cost + 2 <= left:
                groups[-1] += f"\n- {note}"
            else:
                groups.append(f"- {note}")
                left = self._tokens
            left -= cost + 2
        return groups

    def _fitting(self, text: str) -> str:
        """The text, cut at a sentence when it is more tokens than estimated."""
        cost = self._generator.count_tokens([text])[0]
        while cost > self._tokens:
            room = int(len(text) * self._tokens / cost * _MARGIN)
            ends = [end for _, end in sentence_spans(text) if end <= room]
            text = text[: ends[-1] if ends else room]
            cost = self._generator.count_tokens([text])[0]
        return text

    def _written(self, system: str, text: str, sentences: int) -> str:
        """Whole sentences."""
        turns = [Turn(Role.SYSTEM, system), Turn(Role.USER, text)]
        limits = GenerationLimits(
            max_tokens=_SENTENCE_TOKENS * sentences + 20,
            temperature=0.0,
            grammar=_grammar(sentences),
        )
        self._publish("\n\n")
        written = write(self._generator, turns, limits, self._is_cancelled, self._publish)
        if written.is_stopped and not self._is_cancelled():
            raise WorkerCrashed(written.note)
        return whole_sentences(written.text, sentences)


def load_prompts() -> SummaryPrompts:
    """The prompts shipped with the program."""
    return SummaryPrompts(prompt_text("summary_part"), prompt_text("summary_whole"))


def _grammar(sentences: int) -> str:
    """GBNF for a list of sentences: asked for sentences, small models write lists or run on."""
    return (
        f'root ::= line ("\\n" line){{0,{sentences - 1}}}\n'
        'line ::= "- " [^\\[\\] \\n*-] [^\\[\\]\\n]+\n'
    )


def _filled(prompt: str, name: str, sentences: int) -> str:
    wanted = "one short sentence" if sentences <= 1 else f"{sentences} short sentences"
    return prompt.replace("{sentences}", wanted).replace("{name}", name)
