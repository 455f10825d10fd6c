"""Why files are not searchable, in groups, with what helps: a sentence and a button for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.ui.translation import _, counted, spoken
from desktop_rag.ui.window_words import in_window


class Remedy(StrEnum):
    """What a button does for the files of a group."""

    RETRY = "retry"
    OPEN = "open"
    """In their own program; for a single file."""
    SHOW = "show"
    """In the file manager; for a single file."""
    RECOGNISE = "recognise"
    """Switch text recognition on and read them again."""
    LIMIT = "limit"
    """Choose another limit for large files."""
    RULES = "rules"
    """Change what is read of the folder."""
    LIST = "list"
    """Show the files of the group."""
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Reason:
    """A kind of failure, as a person sees it."""

    title: str
    advice: str
    remedies: tuple[Remedy, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """Files that have the same reason."""

    code: str
    reason: Reason
    files: tuple[LibraryFile, ...]

    @property
    def heading(self) -> str:
        """`3 files need a password`, in the words of the language."""
        number = counted("{n} file", "{n} files", len(self.files))
        return _("{files}: {reason}").format(files=number, reason=self.reason.title)


def problems(files: Sequence[LibraryFile]) -> list[Problem]:
    """Files that failed by reason, the most frequent first."""
    groups: dict[str, list[LibraryFile]] = {}
    for file in files:
        if file.state is FileState.FAILED:
            groups.setdefault(file.failure_code, []).append(file)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return [Problem(code, reason_of(code), tuple(found)) for code, found in ordered]


def reason_of(code: str) -> Reason:
    """What a failure code means and what helps."""
    reasons = {
        "encrypted": Reason(
            _("locked with a password"),
            _("Open the file, save a copy without the password, then read it again."),
            (Remedy.OPEN, Remedy.RETRY),
        ),
        "damaged": Reason(
            _("damaged"),
            _("Open the file in its own program and save it again, then retry."),
            (Remedy.OPEN, Remedy.RETRY),
        ),
        "unsupported": Reason(
            _("of a kind that cannot be read"),
            _("Save it as PDF, DOCX or text and add that, or remove it from the library."),
            (Remedy.OPEN, Remedy.REMOVE),
        ),
        "too-large": Reason(
            _("larger than the limit"),
            _("Choose a higher limit to have it read."),
            (Remedy.LIMIT, Remedy.REMOVE),
        ),
        "no-text": Reason(
            _("without any text"),
            _("Nothing of it can be found. If it shows text, save it as PDF and add that."),
            (Remedy.OPEN, Remedy.REMOVE),
        ),
        "recognition-off": Reason(
            _("pictures of text"),
            _("Let the program recognise the text on scanned pages."),
            (Remedy.RECOGNISE, Remedy.REMOVE),
        ),
        "reader-crashed": Reason(
            _("break the reader"),
            _("Open the file in its own program and save it again, then retry."),
            (Remedy.OPEN, Remedy.RETRY),
        ),
        "reader-timed-out": Reason(
            _("take too long to read"),
            _("Save it again, or split it into smaller files, then retry."),
            (Remedy.OPEN, Remedy.RETRY),
        ),
        "unreadable": Reason(
            _("not allowed to be opened"),
            _("Change the file's permissions in the file manager, then retry."),
            (Remedy.SHOW, Remedy.RETRY),
        ),
        "not-found": Reason(
            _("no longer where they were"),
            _("Connect the drive they are on, then retry."),
            (Remedy.RETRY, Remedy.REMOVE),
        ),
    }
    other = Reason(
        _("could not be read"),
        _("Try again; if it stays so, open the file and save it anew."),
        (Remedy.RETRY, Remedy.OPEN),
    )
    return reasons.get(code, other)


def failure_of(file: LibraryFile) -> str:
    """Why a file is not searchable: its own sentence, which is English, or what its kind means."""
    if not file.failure or spoken() == "en":
        return in_window(file.failure)
    reason = reason_of(file.failure_code)
    return f"{reason.title[:1].upper()}{reason.title[1:]}. {reason.advice}"


def label(remedy: Remedy) -> str:
    """What its button says."""
    return {
        Remedy.RETRY: _("Retry"),
        Remedy.OPEN: _("Open"),
        Remedy.SHOW: _("Show in folder"),
        Remedy.RECOGNISE: _("Recognise text"),
        Remedy.LIMIT: _("Change limit …"),
        Remedy.RULES: _("Change rules …"),
        Remedy.LIST: _("Show files"),
        Remedy.REMOVE: _("Remove"),
    }[remedy]
