"""`audit`: a retrieval plan, or the library as it is, against the quality gates."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sqlite3
import textwrap
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from desktop_rag import paths, settings
from desktop_rag.cli.arguments import Subparsers, add_command, path_argument
from desktop_rag.cli.output import print_json, say, show
from desktop_rag.domain.audit import Audit, Finding, Verdict, audit
from desktop_rag.domain.errors import InvalidInput, LibraryLocked, ProblemsFound, UserError
from desktop_rag.domain.gates.gate import Severity
from desktop_rag.services.auditing import Observation, Observed
from desktop_rag.services.evaluating import Evaluation
from desktop_rag.services.models import ModelLibrary
from desktop_rag.storage.database import SCHEMA_VERSION, Database, named_errors, open_read_only
from desktop_rag.storage.evaluation_records import EvaluationRecord, keep_evaluation
from desktop_rag.storage.library_lock import locked
from desktop_rag.storage.retrieval_plans import as_json, read_plan, schema
from desktop_rag.workers.remote import start_engines

_WORST_FIRST = tuple(Severity)
_WIDEST, _LABEL = 100, 9
_LOCKED = "Not looked at, because Desktop RAG is open; close it and audit again for everything."


def register(subparsers: Subparsers) -> None:
    """Add the commands of this module."""
    command = add_command(
        subparsers,
        "audit",
        "Judge how passages are found, in your library or in a plan, by quality gates.",
        _audit,
    )
    command.add_argument(
        "plan",
        metavar="PLAN.json",
        nargs="?",
        type=path_argument,
        help="a plan to judge; without one the library as it is",
    )
    command.add_argument(
        "--schema", action="store_true", help="print the JSON schema of plans instead"
    )
    command.add_argument(
        "--plan",
        dest="as_plan",
        action="store_true",
        help="print the library as it is as a plan instead, to change and judge",
    )
    command.add_argument("--all", action="store_true", help="also list the gates that are passed")


def _audit(args: argparse.Namespace) -> int:
    if args.schema:
        print_json(schema())
        return 0
    if args.plan is not None and args.as_plan:
        raise InvalidInput("--plan prints the library as it is; leave out the file, or --plan.")
    if args.plan is not None:
        return _report(args, audit(read_plan(args.plan)), f"The plan {args.plan.name}")
    observed = _observed(paths.DataDir(args.data_dir))
    if args.as_plan:
        print_json(as_json(observed.plan))
        return 0
    return _report(args, audit(observed.plan, observed.unknown), f"The library in {args.data_dir}")


def remember_evaluation(data_dir: Path, name: str, run: Evaluation) -> None:
    """Let the next audit know of a run under the program's own rules.

    Nothing depends on it: without a library, or while another process has it open, it is left out.
    """
    folder = paths.DataDir(data_dir)
    if not folder.database.exists():
        return
    measures = {measure: run.interval(measure).mean for measure in run.values}
    asked = len(next(iter(run.values.values()), {}))
    record = EvaluationRecord(name, asked, datetime.now(UTC), measures)
    with (
        contextlib.suppress(UserError),
        locked(folder),
        contextlib.closing(Database(folder.database)) as database,
    ):
        keep_evaluation(database, record)


def _observed(folder: paths.DataDir) -> Observed:
    """A look at the library; without the search index while another process has it open."""
    models = ModelLibrary(paths.models_dir(), paths.shipped("models"), lambda _: None)
    chosen = settings.load(folder.settings)
    with contextlib.ExitStack() as closing:
        index, without_index = None, _LOCKED
        try:
            if folder.root.is_dir():
                closing.enter_context(locked(folder))
            pool = start_engines(
                folder,
                models.embedder_dir(),
                models.choose_llm,
                reranker_dir=models.reranker_dir(),
            )
            closing.callback(pool.close)
            index = pool.index
        except LibraryLocked:
            pass
        except UserError as error:
            without_index = error.message
        db = None
        if folder.database.exists():
            db = closing.enter_context(contextlib.closing(_catalog(folder)))
        with named_errors(folder.database):
            return Observation(folder, chosen, index, without_index).look(db)


def _catalog(folder: paths.DataDir) -> sqlite3.Connection:
    """The catalog, not to be written to.

    Raises:
        UserError: an older version wrote it, and nothing has opened it since.
    """
    db = open_read_only(folder.database)
    if db.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
        db.close()
        raise UserError(
            f"The library in {folder.root} is one of an older version. `desktop-rag status` brings "
            "it up to date; audit it then."
        )
    return db


def _report(args: argparse.Namespace, found: Audit, subject: str) -> int:
    if args.json:
        print_json(_as_json(found))
    else:
        _tell(found, subject, is_full=args.all)
    return ProblemsFound.exit_code if found.has_error else 0


def _as_json(found: Audit) -> dict[str, object]:
    return {
        "ok": not found.has_error,
        "score": found.score,
        "grade": found.grade or None,
        "passed": found.count(Verdict.PASSED),
        "failed": found.count(Verdict.FAILED),
        "unknown": found.count(Verdict.UNKNOWN),
        "findings": [asdict(one) for one in found.findings],
    }


def _tell(found: Audit, subject: str, *, is_full: bool) -> None:
    failed = [one for one in found.findings if one.verdict is Verdict.FAILED]
    for one in sorted(failed, key=lambda finding: _WORST_FIRST.index(finding.severity)):
        _tell_failed(one)
    _list("Cannot be judged", found, Verdict.UNKNOWN)
    if is_full:
        _list("Passed", found, Verdict.PASSED)
    passed = found.count(Verdict.PASSED)
    score = f"Score {found.score} of 100" + (f", grade {found.grade}" if found.grade else "")
    show(f"{score}. {subject} passes {passed} of {passed + len(failed)} gates.")
    if not found.grade:
        say("Too little is known for a grade.")


def _list(heading: str, found: Audit, verdict: Verdict) -> None:
    those = [one for one in found.findings if one.verdict is verdict]
    if those:
        show(f"{heading}:")
        for one in those:
            show(f"  {one.gate:<18} {one.seen}")
        show("")


def _tell_failed(one: Finding) -> None:
    _show_wrapped(one.severity.upper(), f"{one.gate}: {one.seen}")
    _show_wrapped("", f"Asked for: {one.asks} {one.why}")
    _show_wrapped("", f"Do: {one.next_step}")
    show("")


def _show_wrapped(label: str, text: str) -> None:
    width = min(shutil.get_terminal_size().columns, _WIDEST) - _LABEL
    lines = textwrap.wrap(text, max(width, _LABEL), break_on_hyphens=False)
    for number, line in enumerate(lines):
        show(f"{'' if number else label:<{_LABEL}}{line}")
