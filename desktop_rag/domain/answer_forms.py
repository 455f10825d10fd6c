"""What an answer is to look like, by the kind of its question: two sides, steps, or neither.

The instruction stands behind the question, so that everything before it is the same for all kinds
and a model that has read it once need not read it again. Small models do best what they read last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Answer, Passage, Turn
from desktop_rag.domain.comparing import Side, by_side, holds, missing, sides_of
from desktop_rag.domain.extracting import likely_stretches
from desktop_rag.domain.procedures import steps_in
from desktop_rag.domain.prompting import citation_grammar, steps_grammar
from desktop_rag.domain.question_kinds import QuestionKind
from desktop_rag.domain.sentences import ends_sentence

_MOST_STEPS = 20
PROCEDURE_TOKENS = 900
"""At least, for passages of a procedure: cutting it would lose steps."""


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """How an answer is asked for."""

    instruction: str = ""
    """Ends the prompt; empty: the question does."""
    has_steps: bool = False
    sides: tuple[Side, ...] = ()
    """Of a comparison."""
    absent: tuple[Side, ...] = ()
    """Sides of a comparison that no passage is about."""

    @property
    def absence(self) -> str:
        """Says which side was not found; empty when both were."""
        labels = " and ".join(side.label for side in self.absent)
        return f"Nothing was found about {labels} in your documents." if labels else ""

    def completed(self, answer: Answer) -> Answer:
        """The answer with what was not found at its end, where no offset moves."""
        text = f"{answer.text}\n\n{self.absence}" if self.absence else answer.text
        return replace(answer, text=text)

    def arranged(self, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        """Passages as the prompt has them: of a comparison, one side after the other."""
        return tuple(by_side(self.sides, passages) if self.sides else passages)

    def quoted(self, passages: Sequence[Passage]) -> str:
        """What this form wants, word for word with numbers of passages; empty for one sentence.

        All steps of the best passage, or the sentence that says most about each side.
        """
        if self.has_steps and passages:
            text = passages[0].text
            steps = (" ".join(text[start:end].split()) for start, end in steps_in(text))
            return "\n".join(f"{n}. {step} [1]" for n, step in enumerate(steps, start=1))
        about = [(side, [p for p in passages if holds(side, p)]) for side in self.sides]
        best = [likely_stretches(side.aspect or side.query, own)[:1] for side, own in about]
        return "\n".join(
            f"{_sentences(one.text)} [{passages.index(one.passage) + 1}]"
            for stretches in best
            for one in stretches
        )

    def told(self, turns: Sequence[Turn]) -> list[Turn]:
        """The prompt with the instruction at its end."""
        if not self.instruction:
            return list(turns)
        last = turns[-1]
        return [*turns[:-1], replace(last, content=f"{last.content}\n{self.instruction}")]

    def grammar(self, passages: int) -> str:
        """GBNF for the answer; a list of steps has no more of them than people can follow."""
        return (
            steps_grammar(passages, _MOST_STEPS) if self.has_steps else citation_grammar(passages)
        )

    def tokens(self, usual: int) -> int:
        """How long the answer may become; a model has to stop by itself before."""
        return usual * 2 if self.has_steps else usual


PLAIN = AnswerForm()


def _sentences(text: str) -> str:
    """The text on one line, without headings that stand in it."""
    lines = [line for line in text.splitlines() if ends_sentence(line)]
    return " ".join(" ".join(lines or [text]).split())


def form_for(
    kind: QuestionKind, question: str, passages: Sequence[Passage], texts: Mapping[str, str]
) -> AnswerForm:
    """The form of the answer to a question from these passages.

    Args:
        kind: of the question.
        question: without filters.
        passages: as they were found.
        texts: instructions: `steps`, `comparison` with {one} and {other}, `one_side` with {one}.
    """
    if kind is QuestionKind.HOW_TO:
        return AnswerForm(texts["steps"], has_steps=True)
    sides = sides_of(question) if kind is QuestionKind.COMPARISON else ()
    if not sides:
        return PLAIN
    absent = missing(sides, passages)
    if len(absent) == len(sides):
        return PLAIN
    if absent:
        found = next(side for side in sides if side not in absent)
        text = texts["one_side"].replace("{one}", found.label)
        return AnswerForm(text, sides=sides, absent=tuple(absent))
    text = texts["comparison"].replace("{one}", sides[0].label).replace("{other}", sides[1].label)
    return AnswerForm(text, sides=sides)
