"""Results as plain text, for clients that show text and for the language models behind them."""

from __future__ import annotations

from desktop_rag.domain.answers import Answer, SearchResult
from desktop_rag.domain.mentions import mention, remarks
from desktop_rag.domain.structured import DocumentList, ListedDocument, OpenedText
from desktop_rag.domain.tally import count


def of_search(found: SearchResult, pending: str) -> str:
    """Passages with their numbers, places and whole texts."""
    head = [*found.understood.sentences(), found.figures.expansion.note, pending]
    if found.is_weak:
        head.append("Nothing in the documents matches well; these are the nearest passages.")
    passages = [
        f"[{number}] {mention(one)} (chunk {one.chunk}, {one.relevance:.0%} relevant)\n{one.text}"
        for number, one in enumerate(found.passages, 1)
    ]
    return _joined("\n".join(filter(None, head)), *passages)


def of_answer(answer: Answer, pending: str) -> str:
    """The answer, what to doubt in it, its sources, and how it came about."""
    doubts = [
        f"No source bears this out: “{answer.text[start:end].strip()}”"
        for start, end in answer.unsupported
    ]
    sources = [
        f"[{one.number}] {mention(one)} (chunk {one.chunk})\n“{one.quote}”"
        for one in answer.citations
    ]
    nearest = [f"Nearest: {'; '.join(answer.nearest)}"] if answer.nearest else []
    remarked = (
        *answer.understood.sentences(),
        *remarks(answer),
        answer.scope_note,
        answer.figures.expansion.note,
        pending,
        f"Confidence: {answer.confidence}.",
    )
    last = "\n".join(filter(None, remarked))
    return _joined(answer.text, *doubts, *answer.conflicts, *sources, *nearest, last)


def of_opened(opened: OpenedText) -> str:
    """Where the text stands, then the text."""
    page = f"page {opened.page_label}" if opened.page else opened.place
    where = " · ".join(filter(None, (opened.path, page, opened.section)))
    changed = "The file has changed since it was read.\n" if opened.is_changed else ""
    span = f"Characters {opened.start} to {opened.end} of {opened.length}."
    return _joined(f"{where}\n{changed}{span}", opened.text)


def of_list(listed: DocumentList) -> str:
    """A line a file."""
    shown = len(listed.documents)
    here = f", {shown} of them here" if shown < listed.total else ""
    return _joined(f"{count(listed.total, 'file')}{here}.", "\n".join(map(_line, listed.documents)))


def _line(document: ListedDocument) -> str:
    size = count(document.pages, "page") if document.pages else ""
    return " · ".join(
        filter(None, (document.path, document.title, size, document.state, document.failure))
    )


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))
