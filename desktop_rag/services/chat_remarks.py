"""What an exported chat says beside its questions and answers, whatever the kind of file."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath

from desktop_rag.domain.answers import Citation, Confidence, Role
from desktop_rag.domain.chats import ExportedChat, ExportedMessage
from desktop_rag.domain.marks import without_marks
from desktop_rag.domain.structured import StructuredAnswer
from desktop_rag.domain.tally import count

UNSUPPORTED = "No source supports this."


def origin(chat: ExportedChat) -> str:
    """One line on where the file comes from."""
    questions = sum(message.role is Role.USER for message in chat.messages)
    return f"{count(questions, 'question')} · Desktop RAG, {local_time(chat.exported_at)}"


def speaker(message: ExportedMessage) -> str:
    """Who said it."""
    names = {Role.USER: "Question", Role.ASSISTANT: "Answer", Role.SYSTEM: "Note"}
    return names[message.role]


def local_time(moment: str) -> str:
    """A stored time as the clock on the wall showed it: `2026-11-30 09:15`."""
    try:
        return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return moment


def assurance(answer: StructuredAnswer) -> str:
    """How sure it is and what was looked at, on one line."""
    parts = [_confidence(answer), _scope(answer)]
    if answer.model:
        parts.append(f"written by {answer.model}")
    if answer.stopped:
        parts.append("stopped before its end")
    return " · ".join(filter(None, parts))


def doubts(answer: StructuredAnswer) -> list[str]:
    """Sentences that no source supports."""
    return [without_marks(claim).strip() for claim in answer.unsupported]


def remarks(answer: StructuredAnswer) -> list[str]:
    """Sentences on how the question was read, what qualifies the answer and what was hidden."""
    masked = ", ".join(f"{one.kind} ({one.count})" for one in answer.masked)
    return [
        *answer.understood.sentences(),
        *answer.conflicts,
        *([answer.note] if answer.note else []),
        *([f"Personal data hidden: {masked}."] if masked else []),
        *([f"Closest in the library: {'; '.join(answer.nearest)}"] if answer.nearest else []),
    ]


def title(citation: Citation) -> str:
    """Of the document, or the name of its file."""
    return citation.title or PurePath(citation.path).name


def place(citation: Citation) -> str:
    """Where in the document the quote stands; empty when that is not known."""
    page = ""
    if citation.page:
        label = citation.page_label
        printed = f" (printed {label})" if label and label != str(citation.page) else ""
        page = f"page {citation.page}{printed}"
    return " · ".join(filter(None, (page or citation.place, citation.section)))


def _confidence(answer: StructuredAnswer) -> str:
    if answer.kind in ("chat", "out_of_scope"):
        return ""
    if answer.confidence is Confidence.NONE:
        return "Not in the documents"
    return f"{answer.confidence.capitalize()} confidence"


def _scope(answer: StructuredAnswer) -> str:
    if answer.scope_note:
        return answer.scope_note
    figures = answer.retrieval
    files = count(figures.searched_documents, "file")
    if not answer.found:
        return f"searched {count(figures.searched_chunks, 'passage')} in {files}"
    return (
        f"{figures.passages:,} of {count(figures.searched_chunks, 'passage')} from "
        f"{figures.passage_documents:,} of {files}"
    )
