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

GROUP_CHARS = 1000
"""Sentences the model restates at once."""
_AROUND_CHARS = 700
"""Of the document before and behind a passage that the model sees to place it."""
_STATEMENT = re.compile(r"^\s*(\d+)\s*[:.)]\s*(.+)$")
_CONTEXT_TOKENS = 60
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
        prompt: the wording, with {header}, {around} and {passage}.
    """
    limits = GenerationLimits(_CONTEXT_TOKENS, temperature=0.0, stop=("\n",))
    tasks = []
    for number, chunk in enumerate(chunks):
        start, end = max(0, chunk.start - _AROUND_CHARS), chunk.end + _AROUND_CHARS
        around = document.text[start:end].strip()
        asked = _filled(prompt, header=chunk.header, around=around, passage=chunk.text)
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
    """The chunks, each with what was written about it."""
    return tuple(
        replace(chunk, written=written.get(number, "")) for number, chunk in enumerate(chunks)
    )


def _propositions(chunks: Sequence[Chunk], group: range, prompt: str) -> Task:
    texts = [" ".join(chunks[number].text.split()) for number in group]
    numbered = "\n".join(f"{n}: {text}" for n, text in enumerate(texts, start=1))
    asked = _filled(prompt, header=chunks[group.start].header, sentences=numbered)
    allowed = " | ".join(f'"{number}"' for number in range(len(texts), 0, -1))
    grammar = f'root ::= line+\nline ::= number ": " [^\\n]+ "\\n"\nnumber ::= {allowed}\n'
    tokens = 40 + int(len(numbered) * _TOKENS_PER_CHAR)
    return Task(group, (Turn(Role.USER, asked),), GenerationLimits(tokens, 0.0, grammar))


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
