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


def add_window_options(parser: argparse.ArgumentParser) -> None:
    """What the window begins with when no command is named; menu entries use these."""
    parser.add_argument(
        "--hidden", action="store_true", help="start the window in the tray, as at log-in"
    )
    parser.add_argument(
        "--new-chat", action="store_true", help="open the window with an empty chat"
    )
    parser.add_argument(
        "--open",
        nargs="*",
        type=path_argument,
        action=_Absolute,
        dest="added",
        default=(),
        metavar="FILE",
        help="open the window and add these files and folders, as if they were dropped on it",
    )


class _Absolute(argparse.Action):
    """Paths as the window, which may run elsewhere already, understands them."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """Called by argparse with the paths that follow the option."""
        named = [one for one in values or () if isinstance(one, Path)]
        setattr(namespace, self.dest, tuple(paths.home_expanded(one).absolute() for one in named))


def add_command(
    subparsers: Subparsers, name: str, description: str, run: Run
) -> argparse.ArgumentParser:
    """A command with --json and --data-dir; `run` is what it does."""
    parser = subparsers.add_parser(name, help=description, description=description)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    add_data_dir(parser, is_command=True)
    parser.set_defaults(run=run)
    return parser
