"""`add`, `remove`, `folder`, `files` and `status`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from desktop_rag.app import App
from desktop_rag.cli.arguments import Subparsers, add_command, path_argument
from desktop_rag.cli.output import ProgressLine, in_units, print_json, print_table, say, show
from desktop_rag.domain.coverage import waiting_words
from desktop_rag.domain.errors import NotFound
from desktop_rag.domain.library import (
    NO_RULES,
    AddReport,
    FileState,
    FolderRules,
    LibraryFile,
    Source,
    Tier,
)


def register(subparsers: Subparsers) -> None:
    """Add the commands of this module."""
    add = add_command(
        subparsers,
        "add",
        "Add files and folders and index them; returns when all is searchable.",
        _add,
    )
    add.add_argument("paths", metavar="PATH", nargs="+", type=path_argument)
    _add_rule_options(add)
    remove = add_command(
        subparsers,
        "remove",
        "Forget files or folders. The files themselves are not touched.",
        _remove,
    )
    remove.add_argument("paths", metavar="PATH", nargs="+", type=path_argument)
    folder = add_command(
        subparsers,
        "folder",
        "Show what of an added folder is read and how much it counts, or change it.",
        _folder,
    )
    folder.add_argument("path", metavar="PATH", type=path_argument)
    _add_rule_options(folder)
    folder.add_argument("--no-rules", action="store_true", help="read all of it again")
    folder.add_argument(
        "--moved-to", metavar="NEW_PATH", type=path_argument, help="where the folder lies now"
    )
    folder.add_argument(
        "--tier",
        choices=[tier.value for tier in Tier],
        help="how much it counts when documents contradict each other",
    )
    files = add_command(
        subparsers,
        "files",
        "List every file with its state, and why a file is not searchable.",
        _files,
    )
    files.add_argument(
        "--all", action="store_true", help="each file that was left out, too, not only how many"
    )
    add_command(subparsers, "status", "Counts, sources and models.", _status)


def _add_rule_options(parser: argparse.ArgumentParser) -> None:
    """--include and --exclude; each may be given more than once."""
    group = parser.add_argument_group(
        "what of a folder is read",
        "Patterns as in a .gitignore file, relative to the folder. A file .desktopragignore with "
        "such lines, in any folder, leaves out more.",
    )
    group.add_argument(
        "--include", metavar="PATTERN", action="append", help="only files like this: '*.pdf'"
    )
    group.add_argument(
        "--exclude", metavar="PATTERN", action="append", help="nothing like this: 'drafts/'"
    )
    group.add_argument("--max-mb", metavar="N", type=int, help="nothing larger; 0 for no such rule")


def _rules(args: argparse.Namespace, old: FolderRules = NO_RULES) -> FolderRules:
    """The rules of the options; what none was given for stays as it is in `old`."""
    return FolderRules(
        include=old.include if args.include is None else tuple(args.include),
        exclude=old.exclude if args.exclude is None else tuple(args.exclude),
        max_mb=old.max_mb if args.max_mb is None else args.max_mb,
    )


def _add(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        app.bus.subscribe(ProgressLine())
        report = app.add(args.paths, _rules(args))
        if report.added or report.already_there:
            app.start_indexing()
            app.wait_until_indexed()
        named = (*report.added, *report.already_there)
        files = [file for file in app.files() if _is_in(file, named)]
        left_out = [file for file in app.skipped_files() if _is_in(file, named)]
        status = app.status()
    if args.json:
        print_json({**asdict(report), "files": [asdict(file) for file in (*files, *left_out)]})
    else:
        _tell_added(report, files)
        if left_out:
            say(f"{_count(len(left_out))} left out; `desktop-rag files --all` says why.")
        print(f"The library holds {status.ready} searchable files, {status.chunks} passages.")
    return NotFound.exit_code if report.skipped else 0


def _is_in(file: LibraryFile, named: tuple[str, ...]) -> bool:
    return any(Path(file.path).is_relative_to(one) for one in named)


def _tell_added(report: AddReport, files: list[LibraryFile]) -> None:
    failed = [file for file in files if file.state is FileState.FAILED]
    for path in report.already_there:
        if path not in {file.path for file in failed}:
            say(f"Already in the library: {path}")
    for _, reason in report.skipped:
        say(f"Not added: {reason}")
    noted = [file for file in files if file.notes]
    if report.added or report.already_there:
        ready = sum(file.state is FileState.READY for file in files)
        print(f"Searchable there: {ready} of {_count(len(files))}.")
    for file in failed:
        show(f"  not searchable: {file.path}\n    {file.failure}")
    for file in noted:
        show("\n    ".join((f"  please note: {file.path}", *file.notes)))


def _remove(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        removed = app.remove(args.paths)
        app.start_indexing()
        app.wait_until_synchronised()  # what else there is to read is not this command's business
    if args.json:
        print_json({"removed": removed})
    else:
        print(f"No longer in the library: {_count(removed)}.")
    return 0


def _folder(args: argparse.Namespace) -> int:
    given = (args.include, args.exclude, args.max_mb)
    has_rules = args.no_rules or any(rule is not None for rule in given)
    with App.open(args.data_dir) as app:
        app.bus.subscribe(ProgressLine())
        if args.moved_to is not None:
            args.path = Path(app.relocate(args.path, args.moved_to).path)
        source = app.change_folder(args.path)
        if has_rules or args.tier:
            rules = _rules(args, NO_RULES if args.no_rules else source.rules)
            tier = Tier(args.tier) if args.tier else None
            app.change_folder(args.path, rules if has_rules else None, tier)
        if has_rules or args.tier or args.moved_to is not None:
            app.start_indexing()
            app.wait_until_indexed()
            source = app.change_folder(args.path)
    if args.json:
        print_json(asdict(source))
        return 0
    show(f"Folder   {source.path}")
    print(f"Files    {source.files}")
    print(f"Tier     {source.tier}")
    show(f"Include  {', '.join(source.rules.include) or 'everything'}")
    show(f"Exclude  {', '.join(source.rules.exclude) or 'nothing'}")
    if source.rules.max_mb:
        print(f"Limit    {source.rules.max_mb} MB a file")
    return 0


def _files(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        files = app.files()
        kinds = app.skipped_kinds()
        left_out = app.skipped_files() if args.all or args.json else []
    listed = sorted((*files, *left_out), key=lambda file: file.path)
    if args.json:
        print_json([asdict(file) for file in listed])
    elif not listed and not kinds:
        say("No files yet. Add a folder with `desktop-rag add PATH`.")
    else:
        headings = ("state", "pages", "passages", "size", "path")
        print_table([_row(file) for file in listed], headings)
        if kinds and not args.all:
            print("\nLeft out (`desktop-rag files --all` lists each):")
            for kind in kinds:
                show(f"  {_count(kind.files)}: {kind.reason}")
    return 0


def _count(files: int) -> str:
    return "1 file" if files == 1 else f"{files} files"


def _row(file: LibraryFile) -> tuple[str, ...]:
    said = (file.failure, waiting_words(file.coverage), *file.notes)
    remarks = "".join(f"\n    {remark}" for remark in said if remark)
    return (
        file.state,
        str(file.pages or ""),
        str(file.chunks or ""),
        in_units(file.size),
        file.path + remarks,
    )


def _status(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        status = app.status()
    if args.json:
        print_json(asdict(status))
        return 0
    print(f"Searchable files  {status.ready}")
    print(f"Waiting           {status.queued}")
    if status.pages_waiting:
        print(f"Waiting pages     {status.pages_waiting} for text recognition")
    print(f"Not searchable    {status.failed}")
    print(f"Left out          {status.skipped}")
    if status.noted:
        print(f"With notes        {status.noted} (`desktop-rag files` shows them)")
    print(f"Passages          {status.chunks} ({status.indexed_chunks} in the index)")
    print(f"Embedder          {status.embedder}")
    print(f"Language model    {status.llm or 'none: see `desktop-rag models --help`'}")
    print(f"Data folder       {status.data_dir}")
    for source in status.sources:
        state = "" if source.is_online else f"  ({_offline(source)})"
        rules = "" if source.rules == NO_RULES else ", with rules"
        tier = "" if source.tier is Tier.NORMAL else f", {source.tier}"
        show(f"Source            {source.path}, {source.files} files{tier}{rules}{state}")
    if status.is_paused:
        print("Indexing is paused; `desktop-rag resume` lets it go on.")
    for sentence in filter(None, (status.watching, status.rereading)):
        show(sentence)
    return 0


def _offline(source: Source) -> str:
    if not source.is_folder and not source.files:
        return "deleted or moved away"
    return "not found here now; what was read stays searchable"
