"""`settings`, `pause` and `resume`."""

from __future__ import annotations

import argparse

from desktop_rag import paths, settings
from desktop_rag.app import App
from desktop_rag.cli.arguments import Subparsers, add_command
from desktop_rag.cli.output import print_json, say, show
from desktop_rag.domain.errors import InvalidInput, LibraryLocked
from desktop_rag.settings import SETTINGS, Setting, Settings, Value, shown


def register(subparsers: Subparsers) -> None:
    """Add the commands of this module."""
    command = add_command(
        subparsers, "settings", "Show the settings, one of them, or change it.", _settings
    )
    command.add_argument("key", metavar="KEY", nargs="?")
    command.add_argument(
        "value", metavar="VALUE", nargs="?", help="the new value, or `default` to take it back"
    )
    add_command(
        subparsers,
        "pause",
        "Read no more files until `resume`; questions are still answered.",
        lambda args: _pause(args, is_paused=True),
    )
    add_command(
        subparsers,
        "resume",
        "Go on reading files, the next time the program runs.",
        lambda args: _pause(args, is_paused=False),
    )


def _settings(args: argparse.Namespace) -> int:
    if args.value is not None:
        return _change(args)
    chosen = settings.load(paths.DataDir(args.data_dir).settings)
    wanted = SETTINGS if args.key is None else (settings.setting(args.key),)
    if args.json:
        described = {one.key: _described(one, chosen) for one in wanted}
        print_json(described if args.key is None else described[args.key])
        return 0
    for one in wanted:
        _show(one, chosen)
    return 0


def _described(one: Setting, chosen: Settings) -> dict[str, Value]:
    return {
        "value": getattr(chosen, one.key),
        "default": one.default,
        "takes": one.takes,
        "meaning": one.meaning,
    }


def _show(one: Setting, chosen: Settings) -> None:
    value: Value = getattr(chosen, one.key)
    rest = "" if value == one.default else f", by default {shown(one.default)}"
    show(f"{one.key} = {shown(value)}\n    {one.meaning}; {one.takes}{rest}")


def _change(args: argparse.Namespace) -> int:
    """Through the library when it is free: what the choice concerns is queued at once."""
    known = settings.setting(args.key)
    path = paths.DataDir(args.data_dir).settings
    try:
        with App.open(args.data_dir) as app:
            app.change_setting(known.key, args.value)
    except LibraryLocked:
        settings.store(path, known.key, args.value)
        say("Desktop RAG is running; it follows this setting when it is started again.")
    except InvalidInput:
        # The file may hold nonsense that this command is to put right.
        settings.store(path, known.key, args.value)
    chosen = settings.load(path)
    if args.json:
        print_json(_described(known, chosen))
    else:
        show(f"{known.key} = {shown(getattr(chosen, known.key))}")
    return 0


def _pause(args: argparse.Namespace, *, is_paused: bool) -> int:
    with App.open(args.data_dir) as app:
        (app.pause_indexing if is_paused else app.resume_indexing)()
        waiting = app.status()
    if args.json:
        print_json(
            {"paused": is_paused, "queued": waiting.queued, "pages_waiting": waiting.pages_waiting}
        )
    elif is_paused:
        say("Indexing is paused. `desktop-rag resume` lets it go on.")
    else:
        say("Indexing goes on with the next `desktop-rag add`, question or open window.")
    return 0
