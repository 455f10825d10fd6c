"""`desktop-rag try`: the whole road on the sample documents, for someone who has just arrived."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.cli.answers import answer_as_json, print_citations
from desktop_rag.cli.arguments import Subparsers, add_command
from desktop_rag.cli.output import ProgressLine, print_json, say
from desktop_rag.domain.answers import Answer
from desktop_rag.domain.events import AnswerDelta, Event, SourcesFound

QUESTIONS = (
    "How long is the warranty on the Aurora heat pump?",
    "What is the melting point of tungsten?",
)
"""The first stands in the manual, page 3; the second stands nowhere, and the program says so."""

_INDEXING_TIMEOUT_S = 600.0


def register(subparsers: Subparsers) -> None:
    """Add the command `try`."""
    add_command(subparsers, "try", "Index the sample documents and ask about them.", _try)


def _try(args: argparse.Namespace) -> int:
    data_dir = _own_data_dir(args.data_dir)
    with App.open(data_dir) as app:
        _index(app)
        answers = [_ask(app, question, is_quiet=args.json) for question in QUESTIONS]
    if args.json:
        print_json({"data_dir": str(data_dir), "answers": [answer_as_json(a) for a in answers]})
    else:
        _say_what_next(data_dir)
    return 0


def _own_data_dir(named: Path) -> Path:
    """The folder the person named, else one beside the real library, which stays untouched."""
    default = paths.default_data_dir()
    return default.with_name(f"{default.name}-try") if named == default else named


def _index(app: App) -> None:
    samples = paths.shipped("resources", "sample_docs")
    say(f"Indexing the documents in {samples} …")
    stop_listening = app.bus.subscribe(ProgressLine())
    app.add([samples])
    app.start_indexing()
    app.warm_up()
    app.wait_until_indexed(_INDEXING_TIMEOUT_S)
    stop_listening()
    status = app.status()
    say(f"{status.ready} files are searchable in {status.chunks} passages.\n")


class _Typing:
    """Prints an answer while it is written, and knows how much was printed."""

    def __init__(self, *, is_quiet: bool) -> None:
        self._is_quiet = is_quiet
        self.typed = ""

    def __call__(self, event: Event) -> None:
        """A bus listener; called on the answerer's thread."""
        if self._is_quiet:
            return
        if isinstance(event, SourcesFound) and event.passages:
            say(f"Reading {len(event.passages)} passages …")
        elif isinstance(event, AnswerDelta):
            self.typed += event.text
            print(event.text, end="", flush=True)


def _ask(app: App, question: str, *, is_quiet: bool) -> Answer:
    typing = _Typing(is_quiet=is_quiet)
    stop_listening = app.bus.subscribe(typing)
    if not is_quiet:
        print(f"Question: {question}", flush=True)
    answer = app.ask(question).result()
    stop_listening()
    if not is_quiet:
        _print_rest(answer, typing.typed)
    return answer


def _print_rest(answer: Answer, typed: str) -> None:
    """What was not typed, and the citations."""
    if typed:
        print()
    if typed.strip() != answer.text.strip():
        print(answer.text)
    print_citations(answer.citations)
    total_ms = answer.figures.timings_ms.get("total", 0.0)
    print(f"(confidence: {answer.confidence}, {total_ms / 1000:.1f} s)\n", flush=True)


def _say_what_next(data_dir: Path) -> None:
    folder = shlex.quote(str(data_dir))
    say(f"Open the window on these documents:   {_program()} --data-dir {folder}")
    say(f"Start your own library:               {_program()} add YOUR-FOLDER")


def _program() -> str:
    """How the program is started here: a checkout has a launcher, an installation a command."""
    launcher = paths.shipped("launch.py")
    if not launcher.exists() or getattr(sys, "frozen", False):
        return "desktop-rag"
    return f"{'py' if sys.platform == 'win32' else 'python3'} launch.py run"
