"""Short texts of the window: counts, places. Pure functions, so every view says the same."""

from __future__ import annotations

import re
from pathlib import PurePath

from desktop_rag.domain.answers import Answer, Citation, Confidence, Passage, RetrievalFigures
from desktop_rag.ui.translation import _, counted, numeral

_UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def scope_of(answer: Answer) -> str:
    """What was looked at for an answer, in its own words if it has any."""
    return answer.scope_note or scope(answer.figures, is_found=answer.found)


def scope(figures: RetrievalFigures, *, is_found: bool = True) -> str:
    """What was looked at: `5 of 340 passages from 3 of 35 files`."""
    passages = counted("{n} passage", "{n} passages", figures.searched_chunks)
    files = counted("{n} file", "{n} files", figures.searched_documents)
    if not is_found:
        return _("Searched {passages} in {files}").format(passages=passages, files=files)
    return _("{read} of {passages} from {held} of {files}").format(
        read=numeral(figures.passages),
        passages=passages,
        held=numeral(figures.passage_documents),
        files=files,
    )


def confidence(level: Confidence) -> str:
    """The badge under an answer."""
    return {
        Confidence.HIGH: _("High confidence"),
        Confidence.MEDIUM: _("Medium confidence"),
        Confidence.LOW: _("Low confidence"),
        Confidence.NONE: _("Not in your documents"),
    }[level]


def confidence_reason(level: Confidence) -> str:
    """What the badge means, in a sentence."""
    return {
        Confidence.HIGH: _(
            "The sources speak clearly about the question, and what is said was found in them."
        ),
        Confidence.MEDIUM: _(
            "The sources speak about the question, but not all that is said was found in them; "
            "look at the places before you rely on it."
        ),
        Confidence.LOW: _(
            "Little in the sources supports this; check it yourself before you rely on it."
        ),
        Confidence.NONE: _("Nothing that was searched answers the question."),
    }[level]


def doubtful(stretches: int) -> str:
    """What a screen reader is told of an answer with underlined sentences."""
    return counted(
        "{n} underlined stretch was not found in the sources",
        "{n} underlined stretches were not found in the sources",
        stretches,
    )


def unread(files: int) -> str:
    """What an answer cannot know, given while files are being read."""
    return counted(
        "{n} file was still to be read: ask again later",
        "{n} files were still to be read: ask again later",
        files,
    )


def place(of: Citation | Passage) -> str:
    """Where a quote stands: `p. iv · Warranty`, `slide 4`, or empty. Of a section path, its end."""
    page = _("p. {label}").format(label=of.page_label) if of.page_label else of.place
    section = of.section.rsplit(" > ", 1)[-1]
    section = "" if section == of.title else section
    return " · ".join(part for part in (page, section) if part)


def title(of: Citation | Passage) -> str:
    """The title of the document, or its file name."""
    return one_line(of.title) or file_name(of.path)


def file_name(path: str) -> str:
    """The name of a file, on one line and in the order it is written in."""
    return one_line(PurePath(path).name)


def one_line(text: str) -> str:
    """Without what would break the line or turn it round: `invoice` + RLO + `fdp.exe` is no PDF."""
    return _UNSHOWN.sub("\ufffd", text)


def preview(quote: str, max_chars: int = 280) -> str:
    """A quote on one line, cut at a word."""
    flat = " ".join(quote.split())
    if len(flat) <= max_chars:
        return flat
    return flat[:max_chars].rsplit(" ", 1)[0] + " …"


def isolated(path: str) -> str:
    """A path that keeps its slashes in place between words that are read from right to left."""
    return f"\u2066{one_line(path)}\u2069"


def duration(seconds: float) -> str:
    """How long something will take, roughly, as people say it."""
    if seconds < 60:
        return _("less than a minute")
    minutes = round(seconds / 60)
    if minutes < 90:
        return counted("about {n} minute", "about {n} minutes", minutes)
    return counted("about {n} hour", "about {n} hours", round(minutes / 60))


NOT_FOUND = "I could not find an answer to this in your documents."
"""As the program answers and stores it (`services.finishing`)."""


def said(answer: Answer) -> str:
    """The text of an answer; what the program itself says, in the language of the window."""
    if answer.text == NOT_FOUND:
        return _("I could not find an answer to this in your documents.")
    return answer.text
