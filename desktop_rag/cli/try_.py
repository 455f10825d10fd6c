"""`desktop-rag try`: the whole road on the sample documents, for someone who has just arrived."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.cli.answers import AnswerPrinter
from desktop_rag.cli.arguments import Subparsers, add_command
from desktop_rag.cli.output import ProgressLine, print_json, say
from desktop_rag.domain.answers import Answer
from desktop_rag.domain.structured import as_json, structured_answer

QUESTIONS = (
    "How long is the warranty on the Aurora heat pump?",
    "How do I reset a fault of the heat pump?",
    "What is the melting point of tungsten?",
)
"""The first two stand in the manual, pages 3 and 2: one is quoted at once, one is written. The last
stands nowhere, and the program says so."""

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
        structured = [as_json(structured_answer(answer)) for answer in answers]
        print_json({"data_dir": str(data_dir), "answers": structured})
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


def _ask(app: App, question: str, *, is_quiet: bool) -> Answer:
    printer = AnswerPrinter(is_quiet=is_quiet)
    stop_listening = app.bus.subscribe(printer)
    if not is_quiet:
        print(f"Question: {question}", flush=True)
    answer = app.ask(question).result()
    stop_listening()
    if not is_quiet:
        printer.finish(answer)
        print(flush=True)
    return answer


def _say_what_next(data_dir: Path) -> None:
    folder = shlex.quote(str(data_dir))
    say(f"Open the window on these documents:   {_program()} --data-dir {folder}")
    say(f"Start your own library:               {_program()} add YOUR-FOLDER")


def _program() -> str:
    """How the program is started here: a checkout has a launcher, an installation a command."""
    launcher = paths.shipped("launch.py")
    if not launcher.exists() or paths.is_frozen():
        return "desktop-rag"
    return f"{'py' if sys.platform == 'win32' else 'python3'} launch.py run"
