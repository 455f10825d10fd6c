"""Short texts of the window: counts, sizes, places. Pure functions, so every view says the same."""

from __future__ import annotations

from pathlib import PurePath

from desktop_rag.domain.answers import Answer, Citation, Confidence, Passage, RetrievalFigures
from desktop_rag.domain.mentions import remarks


def count(number: int, noun: str) -> str:
    """`1 file`, `2,300 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def scope_of(answer: Answer) -> str:
    """What was looked at for an answer, in its own words if it has any."""
    return answer.scope_note or scope(answer.figures, is_found=answer.found)


def scope(figures: RetrievalFigures, *, is_found: bool = True) -> str:
    """What was looked at: `5 of 340 passages from 3 of 35 files`."""
    if not is_found:
        chunks, files = figures.searched_chunks, figures.searched_documents
        return f"Searched {count(chunks, 'passage')} in {count(files, 'file')}"
    return (
        f"{figures.passages:,} of {count(figures.searched_chunks, 'passage')} "
        f"from {figures.passage_documents:,} of {count(figures.searched_documents, 'file')}"
    )


def confidence(level: Confidence) -> str:
    """The badge under an answer."""
    if level is Confidence.NONE:
        return "Not in your documents"
    return f"{level.value.capitalize()} confidence"


def remark(answer: Answer) -> str:
    """What else there is to say under an answer; empty for most."""
    said = [*answer.understood.sentences(), *answer.conflicts, *remarks(answer)]
    if answer.nearest and not answer.found:
        said.append(f"Closest in your library: {'; '.join(answer.nearest)}")
    said += [unread(answer.unread)] if answer.unread else []
    return " · ".join(said)


def unread(files: int) -> str:
    """What an answer cannot know, given while files are being read."""
    were = "was" if files == 1 else "were"
    return f"{count(files, 'file')} {were} still to be read: ask again later"


def place(of: Citation | Passage) -> str:
    """Where a quote stands: `p. iv · Warranty`, `slide 4`, or empty. Of a section path, its end."""
    page = f"p. {of.page_label}" if of.page_label else of.place
    section = of.section.rsplit(" > ", 1)[-1]
    section = "" if section == of.title else section
    return " · ".join(part for part in (page, section) if part)


def title(of: Citation | Passage) -> str:
    """The title of the document, or its file name."""
    return of.title or PurePath(of.path).name


def preview(quote: str, max_chars: int = 280) -> str:
    """A quote on one line, cut at a word."""
    flat = " ".join(quote.split())
    if len(flat) <= max_chars:
        return flat
    return flat[:max_chars].rsplit(" ", 1)[0] + " …"


def size(n_bytes: int) -> str:
    """`812 KB`, `3.4 MB`."""
    if n_bytes < 1_000_000:
        return f"{max(1, round(n_bytes / 1000)):,} KB"
    return f"{n_bytes / 1_000_000:,.1f} MB"


def duration(seconds: float) -> str:
    """How long something will take, roughly, as people say it."""
    if seconds < 60:
        return "less than a minute"
    minutes = round(seconds / 60)
    return (
        f"about {count(minutes, 'minute')}"
        if minutes < 90
        else f"about {round(minutes / 60)} hours"
    )
