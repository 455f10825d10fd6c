"""`mcp`: lets assistants on this computer search the library and ask it."""

from __future__ import annotations

import argparse

from desktop_rag import paths
from desktop_rag.cli.arguments import Subparsers, add_data_dir
from desktop_rag.cli.output import say

_DESCRIPTION = """\
An MCP server on standard input and output, for assistants that run on this computer: they start
it by themselves. Its tools search, answer and open passages; they change nothing. What a tool
returns goes to the assistant, and wherever that sends it.
"""


def register(subparsers: Subparsers) -> None:
    """Add the command of this module."""
    parser = subparsers.add_parser(
        "mcp",
        help="Let assistants on this computer search and ask, as an MCP server.",
        description=_DESCRIPTION,
    )
    add_data_dir(parser, is_command=True)
    parser.set_defaults(run=_serve)


def _serve(args: argparse.Namespace) -> int:
    # Half a second, which no other command is to wait.
    from desktop_rag.mcp import server, wire

    if wire.is_typed():
        say("Waiting for an MCP client on standard input; Ctrl+C ends it.")
    server.run(paths.DataDir(args.data_dir))
    return 0
