"""`add`, `remove`, `files` and `status`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from desktop_rag.app import App
from desktop_rag.cli.arguments import Subparsers, add_command, path_argument
from desktop_rag.cli.output import ProgressLine, in_units, print_json, print_table, say, show
from desktop_rag.domain.errors import NotFound
from desktop_rag.domain.library import AddReport, FileState, LibraryFile, Source


def register(subparsers: Subparsers) -> None:
    """Add the commands of this module."""
    add = add_command(
        subparsers,
        "add",
        "Add files and folders and index them; returns when all is searchable.",
        _add,
    )
    add.add_argument("paths", metavar="PATH", nargs="+", type=path_argument)
    remove = add_command(
        subparsers,
        "remove",
        "Forget files or folders. The files themselves are not touched.",
        _remove,
    )
    remove.add_argument("paths", metavar="PATH", nargs="+", type=path_argument)
    add_command(
        subparsers,
        "files",
        "List every file with its state, and why a file is not searchable.",
        _files,
    )
    add_command(subparsers, "status", "Counts, sources and models.", _status)


def _add(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        app.bus.subscribe(ProgressLine())
        report = app.add(args.paths)
        if report.added or report.already_there:
            app.start_indexing()
            app.wait_until_indexed()
        named = (*report.added, *report.already_there)
        files = [file for file in app.files() if _is_in(file, named)]
        status = app.status()
    if args.json:
        print_json({**asdict(report), "files": [asdict(file) for file in files]})
    else:
        _tell_added(report, files)
        print(f"The library holds {status.ready} searchable files, {status.chunks} passages.")
    return NotFound.exit_code if report.skipped else 0


def _is_in(file: LibraryFile, named: tuple[str, ...]) -> bool:
    return any(Path(file.path).is_relative_to(one) for one in named)


def _tell_added(report: AddReport, files: list[LibraryFile]) -> None:
    for path in report.already_there:
        say(f"Already in the library: {path}")
    for _, reason in report.skipped:
        say(f"Not added: {reason}")
    failed = [file for file in files if file.state is FileState.FAILED]
    noted = [file for file in files if file.notes]
    if report.added or report.already_there:
        ready = sum(file.state is FileState.READY for file in files)
        print(f"{ready} of {len(files)} files there are searchable.")
    for file in failed:
        show(f"  not searchable: {file.path}\n    {file.failure}")
    for file in noted:
        show("\n    ".join((f"  please note: {file.path}", *file.notes)))


def _remove(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        removed = app.remove(args.paths)
        app.start_indexing()
        app.wait_until_indexed()
    if args.json:
        print_json({"removed": removed})
    else:
        print(f"{removed} files are no longer in the library.")
    return 0


def _files(args: argparse.Namespace) -> int:
    with App.open(args.data_dir) as app:
        files = app.files()
    if args.json:
        print_json([asdict(file) for file in files])
    elif not files:
        say("No files yet. Add a folder with `desktop-rag add PATH`.")
    else:
        print_table([_row(file) for file in files], ("state", "pages", "passages", "size", "path"))
    return 0


def _row(file: LibraryFile) -> tuple[str, ...]:
    remarks = "".join(f"\n    {remark}" for remark in (file.failure, *file.notes) if remark)
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
    print(f"Not searchable    {status.failed}")
    print(f"Passages          {status.chunks} ({status.indexed_chunks} in the index)")
    print(f"Embedder          {status.embedder}")
    print(f"Language model    {status.llm or 'none: `desktop-rag models install` gets one'}")
    print(f"Data folder       {status.data_dir}")
    for source in status.sources:
        state = "" if source.is_online else f"  ({_offline(source)})"
        print(f"Source            {source.path}, {source.files} files{state}")
    return 0


def _offline(source: Source) -> str:
    if not source.is_folder and not source.files:
        return "deleted or moved away"
    return "not reachable now; what was read stays searchable"
