"""Sentences of the program, for a window: a button or a page where they name a command.

Errors and notes are written for the terminal and the window alike, so they may say which command
helps. Nobody who looks at a window should have to find a terminal.
"""

from __future__ import annotations

import re

from desktop_rag.ui.translation import _

_SENTENCE_START = re.compile(r"(?:^|(?<=[.!?] ))[a-z]")
_QUOTED = re.compile(r"(?<![\w/\\.-])`?desktop-rag(?![\w/\\.-])(?: [^`.;,)]+)?`?")
"""A command; a folder of that name is none."""


def in_window(sentence: str) -> str:
    """The same sentence without commands."""
    if "desktop-rag" not in sentence and "--data-dir" not in sentence:
        return sentence
    for pattern, words in _places():
        sentence = re.sub(pattern, words, sentence)
    sentence = _QUOTED.sub(_("Desktop RAG"), sentence)
    return _SENTENCE_START.sub(lambda found: found[0].upper(), sentence)


def _places() -> list[tuple[str, str]]:
    """Commands with what stands in their place; the more telling ones first."""
    settings, library = _("the Settings page"), _("the Library page")
    models, health = _("the Models page"), _("the Privacy page")
    return [
        (r"choose another (?:one|data folder) with --data-dir", _("open another data folder")),
        (r", or run `desktop-rag resume`,", ""),
        (r" Or go back to the copy [^`]*`desktop-rag restore [^`]*`\.", ""),
        (r",? or with `desktop-rag [^`]*`(?: and `desktop-rag [^`]*`)?", ""),
        (r"turn it on with `desktop-rag settings ocr on`", _("switch it on in the settings")),
        (r": desktop-rag remove [^;]+$", "."),
        (r"[Rr]un (?=`desktop-rag)", _("see ")),
        (r"`desktop-rag settings[^`]*`", settings),
        (r"`desktop-rag (?:files|status|add|remove|folder|collection|tag)[^`]*`", library),
        (r"`desktop-rag models[^`]*`", models),
        (r"`desktop-rag (?:doctor|backup|restore|audit|eval)[^`]*`", health),
    ]
