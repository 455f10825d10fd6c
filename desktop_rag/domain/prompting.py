"""Builds the prompt for an answer: instructions, a little history, numbered passages, question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Passage, Role, Turn
from desktop_rag.domain.compression import shown
from desktop_rag.domain.fencing import fenced
from desktop_rag.domain.naming import file_name
from desktop_rag.domain.support import Terms, terms
from desktop_rag.domain.table_cells import with_column_names

MAX_QUESTION_CHARS = 2000
"""About 500 tokens. Someone who pastes a report wants it found, not read back."""
_ELLIPSIS = " …"
_SECTION_LEVELS = 2
"""Of a long section path, the last levels say where one is; each level costs reading time."""
_BLANK_LINES = re.compile(r"\n\s*\n+")
REFUSAL = "Not in the passages"
"""What a model is told to write when it finds no answer (`resources/prompts/answer_system.txt`)."""
_REFUSAL = re.compile(
    r"\bnot in the passages\b"
    r"|\b(?:passages?|documents?|text|context|sources?)\b[^.]{0,40}\b(?:do(?:es)?\s+not|don't|doesn't)"
    r"\s+(?:\w+\s+){0,2}(?:say|mention|contain|provide|specify|state|include|give|cover|discuss)"
    r"|\b(?:is|are)\s+not\s+(?:\w+\s+)?(?:mentioned|provided|specified|stated|given|found|included)\b"
    r"|\bno\s+(?:specific\s+)?information\b"
    r"|\bi\s+(?:do not|don't|cannot|can't)\s+(?:know|find|answer)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PromptTexts:
    """The wording of the prompt (`resources/prompts`); `user` has {passages} and {question}."""

    system: str
    user: str
    check: str = ""
    """Asks whether the passages state the answer; stands behind the question (`checking`)."""
    hint: str = ""
    """Names {words} that probably answer; stands behind the question (`spotting.hinted`)."""


def build(
    texts: PromptTexts, question: str, passages: Sequence[Passage], history: Sequence[Turn] = ()
) -> list[Turn]:
    """Turns of the prompt: instructions, passages, earlier questions and answers, the question.

    What changes least comes first: a follow-up about the same passages has the model read only
    what is new. The passages therefore stand with the first question of the history.

    Args:
        texts: the wording.
        question: is asked last.
        passages: as they are numbered.
        history: a question, its answer, a question, its answer …
    """
    turns = [*history, Turn(Role.USER, question)]
    # What was shown for an earlier question stays as it was: the model has read it.
    asked = terms(" ".join(turn.content for turn in turns if turn.role is Role.USER))
    numbered = "\n\n".join(numbered_passage(n, p, asked) for n, p in enumerate(passages, start=1))
    # Not str.format: passages and questions may hold braces, and each must go in only once.
    before, _, after = texts.user.partition("{passages}")
    spoken = [
        replace(turn, content=after.replace("{question}", turn.content, 1).strip())
        if turn.role is Role.USER
        else turn
        for turn in turns
    ]
    first = replace(spoken[0], content=f"{before}{numbered}\n\n{spoken[0].content}")
    return [Turn(Role.SYSTEM, texts.system), first, *spoken[1:]]


def checking(texts: PromptTexts, turns: Sequence[Turn]) -> list[Turn]:
    """The prompt of `build` with another question at its end; the model has read the rest then."""
    last = turns[-1]
    return [*turns[:-1], Turn(last.role, f"{last.content}\n{texts.check}")]


def numbered_passage(number: int, passage: Passage, asked: Terms) -> str:
    """`[1] title, section, page 4`, column names if any, and the text, without blank lines.

    Table rows about the question have the column's name at every value. Nothing of it reads like
    another part of the prompt (`domain.fencing`).
    """
    text = _BLANK_LINES.sub("\n", shown(passage).strip())
    text = with_column_names(text, passage.columns, asked)
    lines = (fenced(heading(passage)), fenced(passage.columns.replace(" / ", "\n")), fenced(text))
    return f"[{number}] " + "\n".join(line for line in lines if line)


def heading(passage: Passage) -> str:
    """Where a passage stands: title, file, section, page.

    The file's name is left out when the title repeats it. It often says what a title does not:
    "Document1" is nobody's idea of a title, "2023 Q1 report.pdf" names company and quarter.
    """
    title = title_of(passage)
    section = " > ".join(passage.section.split(" > ")[-_SECTION_LEVELS:])
    section = "" if section.strip() == title.strip() else section
    file = file_of(passage)
    if file.rsplit(".", 1)[0].casefold() not in title.casefold():
        title = f"{title} ({file})"
    page = ""
    if passage.pages:
        first, last = passage.pages
        page = f"page {first}" if first == last else f"pages {first}-{last}"
    return ", ".join(part for part in (title, section, page) if part)


def citation_grammar(passages: int) -> str:
    """GBNF for text whose square brackets hold only numbers of passages that exist.

    A line may not be empty twice in a row: small models otherwise end in endless blank lines.
    """
    return f'root ::= item (item | "\\n" item)*\n{_item_rules(passages)}'


def steps_grammar(passages: int, lines: int) -> str:
    """The same for a list of at most so many numbered lines.

    The number is no source: asked for a numbered list with sources, small models number by these.
    """
    more = f'("\\n" line){{0,{lines - 1}}}'
    line = 'line ::= [1-9] [0-9]? ". " [^\\[\\] \\n] item+'
    return f"root ::= line {more}\n{line}\n{_item_rules(passages)}"


def _item_rules(passages: int) -> str:
    numbers = " | ".join(f'"{number}"' for number in range(passages, 0, -1))
    return f'item ::= [^\\[\\]\\n] | "[" number "]"\nnumber ::= {numbers}\n'


def clean(question: str) -> str:
    """The question without what is no text: bytes a terminal could not decode, outer blanks."""
    return question.encode("utf-8", "replace").decode().strip()


def shortened(question: str, max_chars: int = MAX_QUESTION_CHARS) -> str:
    """The question, cut at a word when it is longer than `max_chars`."""
    question = clean(question)
    if len(question) <= max_chars:
        return question
    head = question[: max_chars - len(_ELLIPSIS)]
    at_word = head.rsplit(None, 1)[0] if len(head.split(None, 1)) > 1 else head
    return at_word + _ELLIPSIS


def conversation_title(question: str) -> str:
    """A title for a chat: its first question on one short line."""
    return shortened(" ".join(question.split()), 60)


def is_refusal(text: str) -> bool:
    """Whether the model says that the passages do not hold the answer.

    Only the first sentence counts: a later one may well add what a passage leaves out.
    """
    first = re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0]
    return bool(_REFUSAL.search(first))


def title_of(passage: Passage) -> str:
    """The document's title, or its file's name when it has none."""
    return passage.title or file_of(passage)


def file_of(passage: Passage) -> str:
    """The file's name."""
    return file_name(passage.path)
