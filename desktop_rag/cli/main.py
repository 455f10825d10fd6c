"""Reads the command line, runs a command, and words what goes wrong."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from desktop_rag import __version__, paths
from desktop_rag.cli.arguments import CommandNames, add_data_dir, add_window_options
from desktop_rag.cli.output import print_json, say
from desktop_rag.cli.upgrade_notice import tell_of_upgrade
from desktop_rag.domain.errors import Cancelled, DesktopRagError, DiskFull, UserError, exit_codes

_DESCRIPTION = """\
A chat over your own documents that runs entirely on this computer.
Without a command it opens the window.
"""


_MODULES = (
    "library",
    "organising",
    "answers",
    "why",
    "chats",
    "opening",
    "serving",
    "models",
    "evaluating",
    "auditing",
    "settings",
    "upkeep",
    "try_",
    "self_test",
    "about",
)
"""Each has commands to register, in the order of the help."""


def build_parser(modules: Sequence[str] = _MODULES) -> argparse.ArgumentParser:
    """The whole command line. `args.command` is `None` when the window is meant."""
    codes = "\n".join(f"  {code:>3}  {meaning}" for code, meaning in exit_codes())
    parser = argparse.ArgumentParser(
        prog="desktop-rag",
        description=_DESCRIPTION,
        epilog=f"exit codes:\n{codes}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"Desktop RAG {__version__}")
    add_window_options(parser)
    add_data_dir(parser, is_command=False)
    subparsers = parser.add_subparsers(
        action=CommandNames, dest="command", metavar="COMMAND", title="commands"
    )
    for name in modules:
        module = importlib.import_module(f"desktop_rag.cli.{name}")
        module.register(subparsers)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry out the chosen command; returns the exit code."""
    is_json = getattr(args, "json", False)
    try:
        return _run_and_flush(args)
    except DesktopRagError as error:
        return told(error, is_json=is_json)
    except KeyboardInterrupt:
        return told(Cancelled("Stopped."), is_json=False)
    except BrokenPipeError:
        _drop_output()  # whoever read it has enough
        return 0
    except OSError as error:
        if _is_of_the_program(error):
            return told(_damaged(error), is_json=is_json)
        if error.errno != errno.ENOSPC:
            raise
        _drop_output()
        return told(DiskFull("There is no room left to write the result to."), is_json=False)


def _run_and_flush(args: argparse.Namespace) -> int:
    """A full disk behind a redirected output must show here, not while Python ends."""
    tell_of_upgrade(args)
    code = int(args.run(args))
    if sys.stdout is not None:
        sys.stdout.flush()
    return code


def _is_of_the_program(error: OSError) -> bool:
    """Whether something that is shipped with the frozen program is missing or cannot be read."""
    if not paths.is_frozen() or not isinstance(error.filename, str):
        return False
    return Path(error.filename).is_relative_to(paths.shipped())


def _damaged(error: OSError) -> UserError:
    return UserError(
        f"A part of the program cannot be read ({error.filename}: {error.strerror}): install "
        "Desktop RAG again."
    )


def _drop_output() -> None:
    """Python must not complain when it flushes what nobody takes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def told(error: DesktopRagError, *, is_json: bool) -> int:
    """Tell why a command ends; returns its exit code."""
    if is_json:
        print_json({"error": {"code": error.code, "message": error.message, **error.details}})
    else:
        say(error.message)
    return error.exit_code


def parsed(argv: Sequence[str]) -> argparse.Namespace:
    """The command line as the parser reads it. Ends the program with a remark on a wrong one."""
    if (modules := _light_modules(argv)) is not None:
        return build_parser(modules).parse_args(argv)
    from desktop_rag.cli.answers import with_words_left_out

    return build_parser().parse_args(with_words_left_out(argv))


_LIGHT = {"mcp": ["serving"], "open": ["opening"]}
"""Commands that somebody waits for; what other commands load would double their time to start."""


def _light_modules(argv: Sequence[str]) -> list[str] | None:
    """The modules of commands that are enough to read this command line; `None`: all of them."""
    words = list(argv[2:] if argv[:1] == ["--data-dir"] else argv)
    while words[:1] in (["--hidden"], ["--new-chat"]):
        del words[0]
    are_files = words[:1] == ["--open"] and not any(word.startswith("-") for word in words[1:])
    if not words or are_files:
        return []  # the window, for which somebody waits as well
    return _LIGHT.get(words[0])


def main(argv: Sequence[str]) -> int:
    """Parse and run a command; for tests."""
    return run(parsed(argv))
