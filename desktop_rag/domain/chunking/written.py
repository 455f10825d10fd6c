"""What a language model is asked to write about passages, and what is taken from its answer.

`context`: a sentence that places a passage in its document (Anthropic, "Contextual Retrieval",
2024). `propositions`: what each sentence states, understandable alone (Chen et al. 2024, "Dense X
Retrieval"). What it writes is searched with the passage; only the document's own words are shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Role, Turn
from desktop_rag.domain.documents import Chunk, ParsedDocument
from desktop_rag.domain.ports import GenerationLimits

GROUP_CHARS = 400
"""Sentences the model restates at once."""
_BEGINNING_CHARS = 400
"""Of the document. It stands first in every prompt, so a model's cache reads it only once."""
_BEFORE_CHARS = 250
"""Before a passage: mostly whom its first sentence means."""
_STATEMENT = re.compile(r"^\s*(\d+)\s*[:.)]\s*(.+)$")
_CONTEXT_TOKENS = 40
_TOKENS_PER_CHAR = 0.5
"""Statements may be longer than their sentence: names stand in for pronouns."""


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to be written: about some chunks of a document."""

    chunks: range
    """Numbers of the chunks it is about."""
    turns: tuple[Turn, ...]
    limits: GenerationLimits


def context_tasks(document: ParsedDocument, chunks: Sequence[Chunk], prompt: str) -> list[Task]:
    """For each chunk: one sentence that says what it is about and where it stands.

    Args:
        document: that the chunks are of.
        chunks: all of them, in order.
        prompt: the wording, with {beginning}, {before}, {header} and {passage}.
    """
    limits = GenerationLimits(_CONTEXT_TOKENS, 0.0, stop=("\n",), is_background=True)
    beginning = document.text[:_BEGINNING_CHARS].strip()
    tasks = []
    for number, chunk in enumerate(chunks):
        before = document.text[max(0, chunk.start - _BEFORE_CHARS) : chunk.start].strip()
        asked = _filled(
            prompt, beginning=beginning, before=before, header=chunk.header, passage=chunk.text
        )
        tasks.append(Task(range(number, number + 1), (Turn(Role.USER, asked),), limits))
    return tasks


def proposition_tasks(chunks: Sequence[Chunk], prompt: str) -> list[Task]:
    """For each group of sentences of a section: what each of them states.

    Args:
        chunks: single sentences, in order.
        prompt: the wording, with {header} and {sentences}.
    """
    return [_propositions(chunks, group, prompt) for group in _groups(chunks)]


def statements(task: Task, answer: str) -> dict[int, str]:
    """What was written for each chunk of the task; those it says nothing about are missing."""
    if len(task.chunks) == 1 and not _STATEMENT.match(answer):
        text = " ".join(answer.split())
        return {task.chunks.start: text} if text else {}
    found: dict[int, list[str]] = {}
    for line in answer.splitlines():
        match = _STATEMENT.match(line)
        number = task.chunks.start + int(match[1]) - 1 if match else -1
        if match and number in task.chunks:
            found.setdefault(number, []).append(" ".join(match[2].split()))
    return {number: " ".join(lines) for number, lines in found.items()}


def with_written(chunks: Sequence[Chunk], written: dict[int, str]) -> tuple[Chunk, ...]:
    """The chunks, each with what was written about it, unless it merely says the same again."""
    return tuple(
        replace(chunk, written=_unlike(written.get(number, ""), chunk.text))
        for number, chunk in enumerate(chunks)
    )


def _unlike(written: str, text: str) -> str:
    return "" if written.casefold() in " ".join(text.split()).casefold() else written


def _propositions(chunks: Sequence[Chunk], group: range, prompt: str) -> Task:
    texts = [" ".join(chunks[number].text.split()) for number in group]
    numbered = "\n".join(f"{n}: {text}" for n, text in enumerate(texts, start=1))
    asked = _filled(prompt, header=chunks[group.start].header, sentences=numbered)
    tokens = 40 + int(len(numbered) * _TOKENS_PER_CHAR)
    limits = GenerationLimits(tokens, 0.0, _lines_grammar(len(texts)), is_background=True)
    return Task(group, (Turn(Role.USER, asked),), limits)


def _lines_grammar(count: int) -> str:
    """One line a sentence, in order; the model may end after each.

    A model that would end and may not, or that may go on for ever, says the same words until its
    tokens are used up.
    """
    lines = '"\\n"?'
    for number in range(count, 1, -1):
        lines = f'("\\n{number}: " line {lines})?'
    return f'root ::= "1: " line {lines}\nline ::= [^\\n]+\n'


def _groups(chunks: Sequence[Chunk]) -> list[range]:
    groups: list[range] = []
    size = 0
    for number, chunk in enumerate(chunks):
        size += len(chunk.text)
        last = groups[-1] if groups else None
        if last and size <= GROUP_CHARS and chunks[last.start].header == chunk.header:
            groups[-1] = range(last.start, number + 1)
        else:
            groups.append(range(number, number + 1))
            size = len(chunk.text)
    return groups


def _filled(prompt: str, **values: str) -> str:
    # Not str.format: documents may hold braces, and each value must go in only once.
    parts = re.split(r"\{(\w+)\}", prompt)
    return "".join(values[part] if n % 2 else part for n, part in enumerate(parts))
