"""Answers as they are handed over: written, not found, stopped, or from no document at all."""

from __future__ import annotations

from dataclasses import replace

from desktop_rag.domain.answers import Answer, Confidence, RetrievalFigures
from desktop_rag.domain.citing import Cited, confidence
from desktop_rag.domain.prompting import title_of
from desktop_rag.domain.question_kinds import QuestionKind
from desktop_rag.services.drafts import Draft

NOT_FOUND = "I could not find an answer to this in your documents."
_NEAREST = 3


def nothing_searched() -> RetrievalFigures:
    """Figures of an answer before, or without, any search."""
    return RetrievalFigures(0, 0, 0, 0, 0)


def answer_of(draft: Draft, cited: Cited) -> Answer:
    """What was written, with its citations checked."""
    return Answer(
        question=draft.question.text,
        text=cited.text,
        citations=cited.citations,
        confidence=confidence(draft.judged, cited),
        found=True,
        figures=draft.figures,
        model=draft.model,
        stopped=draft.is_stopped,
        unsupported=cited.unsupported,
        note=draft.note,
        extract=draft.extract,
    )


def not_found(draft: Draft) -> Answer:
    """What was found does not hold the answer: only titles are named."""
    titles = dict.fromkeys(title_of(passage) for passage in draft.found.passages)
    return Answer(
        question=draft.question.text,
        text=NOT_FOUND,
        citations=(),
        confidence=Confidence.NONE,
        found=False,
        figures=replace(draft.figures, passages=0, passage_documents=0),
        model=draft.model,
        stopped=draft.is_stopped,
        nearest=tuple(titles)[:_NEAREST],
    )


def stopped_early(draft: Draft) -> Answer:
    """Stopped before the first word."""
    return replace(
        stopped_answer(draft.question.text),
        figures=draft.figures,
        model=draft.model,
        extract=draft.extract,
    )


def stopped_answer(question: str) -> Answer:
    """Stopped before anything was found."""
    return Answer(
        question=question,
        text="",
        citations=(),
        confidence=Confidence.LOW,
        found=True,
        figures=nothing_searched(),
        stopped=True,
    )


def from_no_document(question: str, text: str, kind: QuestionKind) -> Answer:
    """A reply that needs no document."""
    return Answer(
        question=question,
        text=text,
        citations=(),
        confidence=Confidence.NONE,
        found=True,
        figures=nothing_searched(),
        kind=kind,
        scope_note="No document was looked at.",
    )
