"""`why`: where a file or a phrase gets lost on its way into the answers."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from desktop_rag.app import App
from desktop_rag.cli.arguments import Subparsers, add_command
from desktop_rag.cli.output import print_json, show
from desktop_rag.domain.tracing import Mark, Trace, Way

_MARKS = {Mark.PASSED: "ok  ", Mark.STOPPED: "lost", Mark.NOTE: "note", Mark.OPEN: "wait"}


def register(subparsers: Subparsers) -> None:
    """Add the command of this module."""
    why = add_command(
        subparsers, "why", "Say why a file or a phrase is not found, step by step.", _why
    )
    why.add_argument("text", metavar="TEXT", help="the name of a file, or words that stand in one")
    why.add_argument("--file", metavar="F", default="", help="the file in which the words stand")


def _why(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        trace = app.tracing.why(args.text, args.file)
    if args.json:
        print_json({**asdict(trace), "is_found": trace.is_found})
    else:
        _print(trace)
    return 0


def _print(trace: Trace) -> None:
    for way in (*trace.files, *([trace.phrase] if trace.phrase else [])):
        _print_way(way)
    show(trace.conclusion)


def _print_way(way: Way) -> None:
    show(way.subject)
    width = max(len(step.name) for step in way.steps)
    for step in way.steps:
        show(f"  {_MARKS[step.mark]}  {step.name.ljust(width)}  {step.sentence}")
        if step.remedy:
            show(f"  {' ' * 6}{' ' * width}  -> {step.remedy}")
