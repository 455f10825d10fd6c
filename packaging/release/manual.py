"""Writes the manual page from the command line's own parser, so that it cannot go out of date.

argparse's help of each command becomes a section. What the parser does not know (files and
environment) stands here.
"""

from __future__ import annotations

import argparse
import copy
import re
import sys
from collections.abc import Iterator, Sequence

from release.plan import ROOT

_USAGE_WIDTH = 72
_INHERITED = {"help", "data_dir"}
"""Options that every command has; they are described once."""

ENVIRONMENT = (
    ("DESKTOP_RAG_DATA_DIR", "The folder of the library, unless --data-dir names one."),
    ("DESKTOP_RAG_MODELS_DIR", "The folder of installed models."),
    ("DESKTOP_RAG_LLM", "The language model to use: an ID or a .gguf file."),
)
FILES = (
    ("~/.local/share/desktop-rag/", "The library: catalog, index, settings, logs."),
    ("~/.local/share/desktop-rag/models/", "Installed models, for all libraries of a person."),
    ("~/.config/autostart/desktop-rag.desktop", "Starts the program at log-in, if that is wanted."),
    (".desktopragignore", "In a folder of documents: what is not to be read, as in a .gitignore."),
)


def program_parser() -> argparse.ArgumentParser:
    """The parser of this checkout's program, with paths as every person may read them."""
    sys.path.insert(0, str(ROOT))  # an installed copy may be another version
    try:
        from desktop_rag.cli.main import build_parser
    finally:
        sys.path.remove(str(ROOT))
    parser = build_parser()
    for action in parser._actions:
        if action.dest == "data_dir":
            action.default = FILES[0][0]
    return parser


def page(parser: argparse.ArgumentParser, version: str, date: str) -> str:
    """The page in the language of man(7)."""
    name = parser.prog
    sections = [
        f'.TH {name.upper().replace("-", chr(92) + "-")} 1 "{date}" "{version}" "User Commands"',
        # A command line must not be broken within a word, and nothing is stretched.
        ".nh\n.ad l",
        f".SH NAME\n{_text(name)} \\- {_text('ask your own documents, entirely on this computer')}",
        ".SH SYNOPSIS\n" + _usage(parser),
        ".SH DESCRIPTION\n" + _text(parser.description or ""),
        ".SH OPTIONS\n" + _described(parser, skip=frozenset()),
        ".SH COMMANDS\nEvery command also takes \\-\\-help and \\-\\-data\\-dir.",
        *(_command(one) for one in commands(parser)),
        _listed("EXIT STATUS", _exit_codes(parser)),
        _listed("ENVIRONMENT", ENVIRONMENT),
        _listed("FILES", FILES),
    ]
    return "\n".join(sections) + "\n"


def commands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The commands of a parser and theirs, in the order of the help."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in dict.fromkeys(action.choices.values()):
                yield child
                yield from commands(child)


def _command(parser: argparse.ArgumentParser) -> str:
    parts = [f".SS {_text(parser.prog)}", _text(parser.description or ""), _usage(parser)]
    if options := _described(parser, skip=frozenset(_INHERITED)):
        parts.append(options)
    if parser.epilog:
        parts.append(".PP\n" + _text(parser.epilog))
    return "\n".join(parts)


def _usage(parser: argparse.ArgumentParser) -> str:
    """The synopsis as argparse breaks it into lines."""
    shown = copy.copy(parser)
    shown.formatter_class = _Wide
    usage = shown.format_usage().removeprefix("usage: ")
    lines = [re.sub(r"^ {7}", "", line) for line in usage.rstrip().splitlines()]
    return "\n".join([".PP", ".nf", *(f"{_text(line)}" for line in lines), ".fi"])


def _described(parser: argparse.ArgumentParser, skip: frozenset[str]) -> str:
    """Arguments and options, each with its help; groups keep their titles."""
    formatter, made = _Wide(parser.prog), []
    for group in parser._action_groups:
        entries = [
            f".TP\n\\fB{_text(formatter._format_action_invocation(action))}\\fR\n"
            + _text(formatter._expand_help(action) if action.help else "")
            for action in group._group_actions
            if _is_shown(action, skip)
        ]
        if entries and group.description:
            made.append(f".PP\n{_text(group.description)}")
        made += entries
    return "\n".join(made)


def _is_shown(action: argparse.Action, skip: frozenset[str]) -> bool:
    is_commands = isinstance(action, argparse._SubParsersAction)
    has_help = action.help != argparse.SUPPRESS
    says_nothing = not action.help and not action.option_strings
    return has_help and not is_commands and not says_nothing and action.dest not in skip


def _exit_codes(parser: argparse.ArgumentParser) -> list[tuple[str, str]]:
    """From the end of the help, which lists them."""
    return re.findall(r"^ +(\d+)  (.+)$", parser.epilog or "", re.MULTILINE)


def _listed(title: str, entries: Sequence[tuple[str, str]]) -> str:
    shown = (f".TP\n\\fB{_text(name)}\\fR\n{_text(meaning)}" for name, meaning in entries)
    return "\n".join([f".SH {title}", *shown])


def _text(text: str) -> str:
    """As roff reads it: no macros at the start of a line, every dash one that can be copied."""
    escaped = text.strip().replace("\\", "\\(rs").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", escaped, flags=re.MULTILINE)


class _Wide(argparse.RawDescriptionHelpFormatter):
    """The same width on every machine."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_USAGE_WIDTH)
