"""Every text of the window can be translated: it goes through `_` or `counted`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

UI = Path(__file__).resolve().parents[2] / "desktop_rag" / "ui"
WRAPPERS = {"_", "counted"}
SILENT = {"debug", "info", "warning", "error", "exception", "getLogger", "compile", "sub", "match"}
"""Calls whose words nobody sees: the log, and patterns."""
SHOWING = {
    *("setText", "setToolTip", "setWindowTitle", "setAccessibleName", "setAccessibleDescription"),
    *("setPlaceholderText", "setPlainText", "setTabText", "setWhatsThis", "QPushButton", "QMenu"),
    *("PlainLabel", "QAction", "QCheckBox", "QRadioButton", "announce", "addAction", "addTab"),
}
"""Calls whose first words are shown, even where it is one only."""
NAMES = {"Desktop RAG", "Desktop RAG\n", "csv log"}
"""The same in every language."""
STORED = {"I could not find an answer to this in your documents."}
"""What services write is known again by these words, and shown in others."""
KEPT = {
    "about_words.py": "details for those who help, in a language that they read",
    "application.py": "what a terminal says before there is a window",
    "autostart.py": "the file that starts the program at log-in",
    "crash_report.py": "for those who mend it",
    "missing_libraries.py": "what a terminal says when there can be no window",
    "pdf.py": "a style sheet",
    "screen.py": "what a terminal says when there can be no window",
    "theme.py": "names of fonts",
    "window_words.py": "patterns of what services say",
}
SENTENCE = re.compile(r"[A-Za-z]{2,}[,.:;!?]? [A-Za-z]{2,}")


def shown_words(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Texts that are sentences, or are given to something that shows them, and are not wrapped."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Call):
            yield from _of_call(child)
        elif isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue  # a docstring
        elif isinstance(child, ast.Dict):
            for value in child.values:  # a key is looked up, not shown
                yield from shown_words(ast.Expression(value))
        elif isinstance(child, ast.Constant):
            if isinstance(child.value, str) and SENTENCE.search(child.value):
                yield child.lineno, child.value
        elif not isinstance(child, ast.Raise | ast.Assert):
            yield from shown_words(child)


def _of_call(call: ast.Call) -> Iterator[tuple[int, str]]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in WRAPPERS | SILENT:
        return
    if name in SHOWING and call.args:
        first = call.args[0]
        if isinstance(first, ast.Constant) and re.search(r"[A-Za-z]{2}", str(first.value)):
            yield first.lineno, str(first.value)
    yield from shown_words(call)


@pytest.mark.parametrize("file", sorted(UI.rglob("*.py")), ids=lambda file: file.name)
def test_words_of_the_window_are_wrapped(file: Path) -> None:
    if file.name in KEPT:
        return
    tree = ast.parse(file.read_text("utf-8"))
    assert [found for found in shown_words(tree) if found[1] not in NAMES | STORED] == []


@pytest.mark.parametrize(
    "line",
    [
        'label.setText("Copied")',
        'QPushButton("Add a folder")',
        'SENTENCE = "Nothing was found."',
        'tell(f"{name} was removed")',
        'say("One half of it " + _("and the other"))',
    ],
)
def test_words_that_are_not_are_found(line: str) -> None:
    assert list(shown_words(ast.parse(line)))
