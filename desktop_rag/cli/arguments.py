"""What every command of the command line shares: its options and how it is entered."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag import paths

if TYPE_CHECKING:
    # argparse's own type is generic for the type checker only.
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Subparsers = argparse._SubParsersAction


class CommandNames(Subparsers):
    """Commands whose names may be two words, of which the first is a command, too: `eval make`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """Called by argparse with the name and all that follows it."""
        words = [str(value) for value in values or ()]
        if " ".join(words[:2]) in self.choices:
            words[:2] = [" ".join(words[:2])]
        super().__call__(parser, namespace, words, option_string)


Run = Callable[[argparse.Namespace], int]
"""Carries a command out and returns the exit code; errors are raised, `main` words them."""


def path_argument(text: str) -> Path:
    """A path from the command line. An empty one (an unset variable) must not mean "here"."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the path is empty; name a file or a folder")
    return Path(text)


def add_data_dir(parser: argparse.ArgumentParser, *, is_command: bool) -> None:
    """The option --data-dir, before or after the command's name."""
    parser.add_argument(
        "--data-dir",
        type=path_argument,
        metavar="FOLDER",
        default=argparse.SUPPRESS if is_command else paths.default_data_dir(),
        help="where the library is kept (default: %(default)s; also DESKTOP_RAG_DATA_DIR)"
        if not is_command
        else argparse.SUPPRESS,
    )


def add_command(
    subparsers: Subparsers, name: str, description: str, run: Run
) -> argparse.ArgumentParser:
    """A command with --json and --data-dir; `run` is what it does."""
    parser = subparsers.add_parser(name, help=description, description=description)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    add_data_dir(parser, is_command=True)
    parser.set_defaults(run=run)
    return parser
