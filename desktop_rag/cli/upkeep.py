"""`doctor`, `backup`, `restore` and `erase`: looking after a library."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.cli.arguments import Subparsers, add_command, path_argument
from desktop_rag.cli.output import ProgressLine, in_units, print_json, say, show
from desktop_rag.domain.errors import InvalidInput, NotFound, ProblemsFound, UserError
from desktop_rag.services.erasing import Erasure
from desktop_rag.services.models import ModelLibrary
from desktop_rag.services.upkeep import CheckUp, Finding, Mending, Outcome, Repair
from desktop_rag.storage import archives, erasing
from desktop_rag.storage.library_lock import locked
from desktop_rag.workers.remote import start_engines

_MARKS = {
    Outcome.OK: "ok",
    Outcome.NOTE: "note",
    Outcome.PROBLEM: "PROBLEM",
    Outcome.SKIPPED: "skipped",
}
_NEEDS_INDEXING = {Repair.READ_AGAIN, Repair.QUEUE, Repair.VECTORS, Repair.INDEX}


def register(subparsers: Subparsers) -> None:
    """Add the commands of this module."""
    doctor = add_command(
        subparsers,
        "doctor",
        "Check the library, the search index and the models; says what to do.",
        _doctor,
    )
    doctor.add_argument("--full", action="store_true", help="look at everything, not at samples")
    doctor.add_argument("--repair", action="store_true", help="mend what can be mended")
    backup = add_command(
        subparsers,
        "backup",
        "Write the library to one file; also while the window is open.",
        _backup,
    )
    backup.add_argument("file", metavar="FILE", type=path_argument)
    restore = add_command(
        subparsers,
        "restore",
        "Put a library back from a backup, on any computer, without the documents.",
        _restore,
    )
    restore.add_argument("file", metavar="FILE", type=path_argument)
    restore.add_argument(
        "--force", action="store_true", help="also over a library, of which a copy is kept"
    )
    erase = add_command(
        subparsers,
        "erase",
        "Delete everything the program keeps; your documents stay where they are.",
        _erase,
    )
    erase.add_argument("--yes", action="store_true", help="really; this cannot be undone")
    erase.add_argument(
        "--models", action="store_true", help="also installed models, which other libraries use"
    )


# ---------------------------------------------------------------------- doctor


def _doctor(args: argparse.Namespace) -> int:
    folder = paths.DataDir(args.data_dir)
    mended = _mended(folder, args) if args.repair else []
    findings: list[Finding] = []
    for finding in _examined(folder, is_full=args.full):
        findings.append(finding)
        if not args.json:
            _tell(finding)
    is_healthy = all(one.outcome is not Outcome.PROBLEM for one in findings)
    if args.json:
        checks = [asdict(one) for one in findings]
        print_json({"ok": is_healthy, "repaired": mended, "checks": checks})
    return 0 if is_healthy else ProblemsFound.exit_code


def _tell(finding: Finding) -> None:
    show(f"{_MARKS[finding.outcome]:<8} {finding.check:<13} {finding.message}")
    if finding.remedy and finding.outcome is not Outcome.OK:
        show(f"{'':<22} {finding.remedy}")


def _examined(folder: paths.DataDir, *, is_full: bool) -> Iterator[Finding]:
    """All findings; without the search index when it cannot be had now."""
    with contextlib.ExitStack() as closing:
        try:
            check_up = _begin(folder, closing, is_full=is_full)
        except UserError as error:
            check_up = CheckUp(
                folder, _models(), None, None, is_full=is_full, without_index=error.message
            )
        yield from check_up.run()


def _begin(folder: paths.DataDir, closing: contextlib.ExitStack, *, is_full: bool) -> CheckUp:
    """A check-up that may use the engines, which start only when they are asked.

    Raises:
        LibraryLocked: another process has the library open.
        UserError: the data folder or the search model cannot be used.
    """
    models = _models()
    if not folder.root.is_dir():
        return CheckUp(folder, models, None, None, is_full=is_full)
    closing.enter_context(locked(folder))
    pool = start_engines(folder, models.embedder_dir(), models.choose_llm)
    closing.callback(pool.close)
    return CheckUp(folder, models, pool.index, pool.reader, is_full=is_full)


def _models() -> ModelLibrary:
    return ModelLibrary(paths.models_dir(), paths.shipped("models"), lambda _: None)


def _mended(folder: paths.DataDir, args: argparse.Namespace) -> list[str]:
    """Mend what a first look finds, then let indexing do its part; what was done.

    Raises:
        LibraryLocked: nothing can be mended while the library is open elsewhere.
    """
    with contextlib.ExitStack() as closing:
        check_up = _begin(folder, closing, is_full=args.full)
        findings = list(check_up.run())
    with contextlib.ExitStack() as closing:
        closing.enter_context(locked(folder))
        done = Mending(folder, check_up.seen).mend(findings)
    for sentence in done:
        say(sentence)
    if {one.repair for one in findings} & _NEEDS_INDEXING:
        with App.open(folder.root) as app:
            if not args.json:
                app.bus.subscribe(ProgressLine())
            app.start_indexing()
            app.wait_until_indexed()
    return done


# ---------------------------------------------------------------------- backup, restore


def _backup(args: argparse.Namespace) -> int:
    target: Path = paths.home_expanded(args.file).absolute()
    made = archives.write_backup(paths.DataDir(args.data_dir), target)
    if args.json:
        print_json({**asdict(made), "path": str(made.path)})
    else:
        show(
            f"{made.documents} documents with {made.chunks} passages are in {made.path} "
            f"({in_units(made.size)}). `desktop-rag restore` puts them back on any computer."
        )
    return 0


def _restore(args: argparse.Namespace) -> int:
    folder = paths.DataDir(args.data_dir)
    source: Path = paths.home_expanded(args.file).absolute()
    if not source.is_file():
        archives.read_manifest(source)  # before a data folder is made for nothing
    with locked(folder):
        done = archives.restore(folder, source, is_forced=args.force)
    if args.json:
        print_json({**asdict(done), "kept": str(done.kept) if done.kept else None})
        return 0
    show(f"{done.documents} documents with {done.chunks} passages are in {folder.root}.")
    if done.kept is not None:
        show(f"The library that was there is kept in {done.kept}.")
    show(
        "Search as usual, also without the files. Where a folder lies on this computer says "
        "`desktop-rag folder PATH --moved-to NEW_PATH`."
    )
    return 0


# ---------------------------------------------------------------------- erase


def _erase(args: argparse.Namespace) -> int:
    folder = paths.DataDir(args.data_dir)
    if not folder.root.is_dir() or not erasing.is_data_folder(folder):
        raise NotFound(f"There is no library in {folder.root}; check --data-dir.")
    if not args.yes:
        raise InvalidInput(
            f"This deletes the library in {folder.root} with all chats, the index, settings, logs "
            "and copies, and cannot be undone. Add --yes if that is what you want."
        )
    erasure = Erasure(folder, paths.models_dir(), paths.shipped("models"))
    with locked(folder):
        erasure.request(with_models=args.models)
        done = erasure.finish()
    erasure.vacate()
    left = [str(path) for path in done.left] if done else []
    if args.json:
        print_json({"erased": str(folder.root), "left": left})
        return 0
    show(f"Everything of Desktop RAG in {folder.root} is deleted.")
    for path in left:
        show(f"Left, because it is not ours or in use: {path}")
    return 0
