"""`collection` and `tag`, and the options of `search` and `ask` that narrow what is searched."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace

from desktop_rag.app import App
from desktop_rag.cli.arguments import Run, Subparsers, add_command, path_argument
from desktop_rag.cli.output import print_json, print_table, say
from desktop_rag.domain.library import Tier
from desktop_rag.domain.query_language import scope_of_filters
from desktop_rag.domain.scope import Scope
from desktop_rag.services.organising import resolved


def register(subparsers: Subparsers) -> None:
    """Add the commands of this module."""
    collection = subparsers.add_parser(
        "collection",
        help="Name parts of the library, to ask only them.",
        description="A collection names files and folders of the library. Ask one with "
        "`desktop-rag ask --in NAME`.",
    )
    actions = collection.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_command(actions, "list", "Show all collections with their members.", _list)
    _with_paths(actions, "add", "NAME", "Put files and folders into a collection.", _collect)
    _with_paths(actions, "remove", "NAME", "Take members out of a collection.", _leave_out)
    rename = add_command(actions, "rename", "Give a collection another name.", _rename)
    rename.add_argument("name", metavar="NAME")
    rename.add_argument("new_name", metavar="NEW_NAME")
    delete = add_command(actions, "delete", "Forget a collection; its files stay.", _delete)
    delete.add_argument("name", metavar="NAME")

    tag = subparsers.add_parser(
        "tag",
        help="Tag files, to ask only those.",
        description="A tag marks files. Ask them with `desktop-rag ask --tag TAG`.",
    )
    actions = tag.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_command(actions, "list", "Show all tags with the number of their files.", _tags)
    _with_paths(actions, "add", "TAG", "Tag files, or all files below a folder.", _tag)
    _with_paths(actions, "remove", "TAG", "Take a tag off.", _untag)


def _with_paths(
    actions: Subparsers, action: str, what: str, description: str, run: Run
) -> argparse.ArgumentParser:
    parser = add_command(actions, action, description, run)
    parser.add_argument("name", metavar=what)
    parser.add_argument("paths", metavar="PATH", nargs="+", type=path_argument)
    return parser


def add_scope_options(parser: argparse.ArgumentParser) -> None:
    """--in, --tag, --file …: what is searched. Each may be given more than once."""
    group = parser.add_argument_group(
        "what is searched",
        "Different options narrow each other; one given twice widens. The question may say it, "
        'too: "exact phrase" -word file:NAME folder:NAME type:pdf after:2023-05 before:2024 '
        "page:3-5. Put such a question in single quotes.",
    )
    group.add_argument("--in", dest="collections", metavar="COLLECTION", action="append")
    group.add_argument("--tag", dest="tags", metavar="TAG", action="append")
    group.add_argument(
        "--folder", dest="folders", metavar="PATH", action="append", type=path_argument
    )
    group.add_argument(
        "--tier", dest="tiers", choices=[tier.value for tier in Tier], action="append"
    )
    group.add_argument("--file", dest="files", metavar="NAME", action="append")
    group.add_argument("--type", dest="types", metavar="TYPE", action="append")
    group.add_argument("--after", metavar="DATE", action="append")
    group.add_argument("--before", metavar="DATE", action="append")
    group.add_argument("--page", dest="pages", metavar="N-M", action="append")


def scope_of(args: argparse.Namespace) -> Scope:
    """The scope that those options name.

    Raises:
        InvalidInput: a date or a page cannot be read.
    """
    filters = scope_of_filters(
        files=args.files or (),
        types=args.types or (),
        after=args.after or (),
        before=args.before or (),
        pages=args.pages or (),
    )
    return replace(
        filters,
        collections=tuple(args.collections or ()),
        tags=tuple(args.tags or ()),
        folders=tuple(resolved(path) for path in args.folders or ()),
        tiers=tuple(Tier(tier) for tier in args.tiers or ()),
    )


def _list(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        collections = app.organising.collections()
    if args.json:
        print_json([asdict(collection) for collection in collections])
    elif not collections:
        say("No collections yet. Make one with `desktop-rag collection add NAME PATH`.")
    else:
        rows = [(c.name, str(c.files), "\n    ".join(c.members)) for c in collections]
        print_table(rows, ("collection", "files", "members"))
    return 0


def _collect(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        app.organising.collect(args.name, args.paths)
    return _done(args, f"The collection “{args.name}” holds them now.")


def _leave_out(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        app.organising.leave_out(args.name, args.paths)
    return _done(args, f"No longer in “{args.name}”; still in the library.")


def _rename(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        app.organising.rename(args.name, args.new_name)
    return _done(args, f"“{args.name}” is called “{args.new_name}” now.")


def _delete(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        app.organising.delete(args.name)
    return _done(args, f"The collection “{args.name}” is gone; its files stay in the library.")


def _tags(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        tags = app.organising.tags()
    if args.json:
        print_json([{"tag": tag, "files": files} for tag, files in tags])
    elif not tags:
        say("No tags yet. Make one with `desktop-rag tag add TAG PATH`.")
    else:
        print_table([(tag, str(files)) for tag, files in tags], ("tag", "files"))
    return 0


def _tag(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        count = app.organising.tag(args.name, args.paths)
    return _done(args, f"{count} files are tagged “{args.name}” now.", files=count)


def _untag(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        count = app.organising.untag(args.name, args.paths)
    return _done(args, f"{count} files are no longer tagged “{args.name}”.", files=count)


def _done(args: argparse.Namespace, sentence: str, **result: int) -> int:
    if args.json:
        print_json({"name": args.name, **result})
    else:
        print(sentence)
    return 0
