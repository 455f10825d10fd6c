"""`open`: shows files in the window, which is started if there is none."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop_rag import paths
from desktop_rag.cli.arguments import Subparsers, add_command, path_argument
from desktop_rag.cli.output import print_json
from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.wanted import Wanted


def register(subparsers: Subparsers) -> None:
    """Add the command. Whoever runs it puts `args.open_window` there: a skin knows no other."""
    command = add_command(
        subparsers,
        "open",
        "Show files in the window, at a page or at some words; nothing is added by itself.",
        _open,
    )
    command.add_argument("paths", metavar="PATH", nargs="+", type=path_argument)
    command.add_argument("--page", type=int, metavar="N", help="of the first file")
    command.add_argument("--quote", default="", metavar="TEXT", help="words to mark in it")


def _open(args: argparse.Namespace) -> int:
    if args.page is not None and args.page < 1:
        raise InvalidInput("Pages are counted from 1.")
    wanted = Wanted(tuple(_existing(path) for path in args.paths), args.page, args.quote)
    code = int(args.open_window(args.data_dir, wanted))
    if args.json:
        print_json({"opened": [str(path) for path in wanted.paths], "exit_code": code})
    return code


def _existing(path: Path) -> Path:
    absolute = paths.home_expanded(path).absolute()
    if not absolute.exists():
        raise NotFound(f"There is no file or folder {absolute}.")
    return absolute
