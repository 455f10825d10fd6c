"""Answers "Why can't I find …?": what was typed may be the name of a file or a phrase."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path, PurePath

from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.tracing import Mark, Step, Trace, Way, concluded
from desktop_rag.paths import home_expanded
from desktop_rag.services.file_tracing import ADDED, FileTracing
from desktop_rag.services.phrase_tracing import PhraseTracing
from desktop_rag.storage.text_search import TextSearch

_MOST_FILES = 5
_MAX_CHARS = 1000
_MAX_ENDING = 6


class Tracing:
    """Usable from any thread. *May block* for seconds: it reads all stored text."""

    def __init__(self, files: FileTracing, phrases: PhraseTracing, texts: TextSearch) -> None:
        self._files = files
        self._phrases = phrases
        self._texts = texts

    def why(self, text: str, file: str = "", on_step: Callable[[], None] = lambda: None) -> Trace:
        """Where a file or a phrase gets lost on its way into the answers.

        Args:
            text: the name or path of a file, or a phrase.
            file: the name or path of the file in which the phrase is expected; the phrase is then
                never taken for a name.
            on_step: called now and then; may raise to stop.

        Raises:
            InvalidInput: there is nothing to look for.
            NotFound: `file` was given, and there is no such file anywhere.
        """
        text = text.strip()[:_MAX_CHARS]
        if not any(map(str.isalnum, text)):
            raise InvalidInput("Type the name of a file, or words that stand in one.")
        if file.strip():
            return self._in_file(text, file.strip(), on_step)
        paths = self._meant(text)
        ways = [self._files.trace(path) for path in paths]
        if ways or _looks_like_name(text):
            return concluded(text, ways or [_unknown(text)], None)
        return concluded(text, [], self._phrases.trace(text, None, on_step))

    def _in_file(self, text: str, file: str, on_step: Callable[[], None]) -> Trace:
        paths = self._meant(file)
        if not paths:
            raise NotFound(f"No file of the library, and none on this computer, is named {file}.")
        way = self._files.trace(paths[0])
        document = self._files.catalog.document_at(paths[0])
        phrase = None if document is None else self._phrases.trace(text, document, on_step)
        return concluded(text, [way], phrase)

    def _meant(self, name: str) -> list[str]:
        """The files that a name or path may mean, the nearest first."""
        path = Path(os.path.realpath(home_expanded(Path(name))))
        if _is_path(name) and (os.path.lexists(path) or self._is_known(str(path))):
            return [str(path)]
        named = self._texts.named(name)
        folded = name.casefold()
        exact = [one for one in named if folded in {PurePath(one).name.casefold(), one.casefold()}]
        if exact or _looks_like_name(name):
            return (exact or named)[:_MOST_FILES]
        stems = [one for one in named if PurePath(one).stem.casefold() == folded]
        return stems[:_MOST_FILES]

    def _is_known(self, path: str) -> bool:
        return self._files.catalog.document_at(path) is not None


def _is_path(name: str) -> bool:
    return os.sep in name or "/" in name or name.startswith("~")


def _looks_like_name(text: str) -> bool:
    """`report.pdf`, `C:\\Papers`; a sentence does not."""
    ending = PurePath(text).suffix
    is_ending = 1 < len(ending) <= _MAX_ENDING and ending[1:].isalnum() and not ending[1:].isdigit()
    return "\n" not in text and ((_is_path(text) and " " not in text) or is_ending)


def _unknown(text: str) -> Way:
    step = Step(
        ADDED,
        Mark.STOPPED,
        f"No file of the library is named {text}.",
        "Check the name, or add the file or its folder.",
    )
    return Way(text, (step,))
