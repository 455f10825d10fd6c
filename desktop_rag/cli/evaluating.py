"""`eval run` and `eval make`: how good retrieval is, on test sets and on one's own files."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from desktop_rag.app import App
from desktop_rag.cli.arguments import Subparsers, add_command, path_argument
from desktop_rag.cli.output import ProgressLine, print_json, print_table, say
from desktop_rag.domain.answers import Passage
from desktop_rag.domain.errors import InvalidInput, NotFound, Paused, UserError
from desktop_rag.domain.evaluation import Difference, EvaluationSet, Question, Text
from desktop_rag.domain.library import FileState, FolderRules
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from desktop_rag.services.evaluating import (
    CUTOFFS,
    Evaluation,
    compare,
    evaluate,
    losses,
    make_questions,
    require_measures,
    sampled,
)
from desktop_rag.storage.evaluation_sets import QUESTIONS, read_rules, read_set

_JUDGED_BY = "nDCG@{}"


def register(subparsers: Subparsers) -> None:
    """Add the commands of this module."""
    description = "Measure how well passages are found."
    parser = subparsers.add_parser("eval", help=description, description=description)
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    run = add_command(commands, "run", "Ask a test set and report ranking measures.", _run)
    run.add_argument("set", metavar="SET", type=path_argument)
    run.add_argument(
        "--files", type=path_argument, metavar="FOLDER", help="where the files of the set are"
    )
    run.add_argument("--config", type=path_argument, metavar="A.toml", help="rules of retrieval")
    run.add_argument(
        "--compare",
        type=path_argument,
        metavar="B.toml",
        help="other rules, compared with the first",
    )
    run.add_argument("-k", default=CUTOFFS, type=_cutoffs, metavar="N,N", help="ranks to look at")
    run.add_argument("--questions", type=int, metavar="N", help="ask only some of them")
    run.add_argument(
        "--library",
        action="store_true",
        help="search your own library as it is, instead of indexing the set's files apart",
    )
    make = add_command(commands, "make", "Make a test set from your own documents.", _make)
    make.add_argument("place", metavar="FILE|FOLDER", type=path_argument)
    make.add_argument("--questions", type=int, default=100, metavar="N", help="default: 100")
    make.add_argument(
        "--out", type=path_argument, default=Path(QUESTIONS), metavar="FILE", help=QUESTIONS
    )


def _cutoffs(text: str) -> tuple[int, ...]:
    try:
        found = tuple(sorted({int(one) for one in text.split(",")}))
    except ValueError:
        found = ()
    if not found or found[0] < 1 or found[-1] > 1000:
        raise argparse.ArgumentTypeError("give whole numbers from 1 to 1000, as in 1,3,5,10")
    return found


def _run(args: argparse.Namespace) -> int:
    first = read_rules(args.config) if args.config else DEFAULT_RULES
    second = read_rules(args.compare) if args.compare else None
    made = read_set(args.set, args.files)
    questions = sampled(made, args.questions)
    if args.library and made.texts:
        raise InvalidInput("--library needs a set of questions about files, not one with texts.")
    require_measures()
    with tempfile.TemporaryDirectory(prefix="desktop-rag-eval-") as scratch:
        folder = Path(scratch)
        ids = _write_texts(made.texts, folder / "texts")
        data_dir = args.data_dir if args.library else folder / "data"
        with App.open(data_dir) as app:
            if not args.library:
                _index(app, Path(made.files) if made.files else folder / "texts")
            _check_searchable(app, made)

            def name(passage: Passage) -> str:
                return ids[Path(passage.path).name] if ids else passage.path

            runs = [
                evaluate(questions, app.find, name, rules, args.k)
                for rules in (first, second)
                if rules is not None
            ]
    _report(args, made, questions, runs)
    return 0


def _write_texts(texts: Sequence[Text], folder: Path) -> dict[str, str]:
    """A file for each text, as somebody would keep it; returns ids by file name."""
    if texts:
        folder.mkdir()
    ids: dict[str, str] = {}
    for number, one in enumerate(texts, 1):
        heading = f"{one.title}\n\n" if one.title else ""
        path = folder / f"{number:06d}.txt"
        path.write_text(heading + one.text, encoding="utf-8")
        ids[path.name] = one.id
    return ids


def _index(app: App, place: Path) -> None:
    stop_listening = app.bus.subscribe(ProgressLine())
    say(f"Indexing {place} …")
    app.add([place], FolderRules(exclude=(QUESTIONS,)) if place.is_dir() else FolderRules())
    app.start_indexing()
    if not app.wait_until_indexed() or app.is_paused():
        raise Paused("Indexing did not finish, so there is nothing to measure; try again.")
    stop_listening()


def _check_searchable(app: App, made: EvaluationSet) -> None:
    """A file that could not be read must not pass for one that was not found."""
    searchable = {one.path for one in app.files() if one.state is FileState.READY}
    wanted = {place.file for one in made.questions for place in one.places}
    missing = sorted(wanted - searchable)
    if missing:
        raise UserError(
            f"{len(missing)} files that answer questions are not searchable, the first is "
            f"{missing[0]}; mend or leave out these questions."
        )


def _report(
    args: argparse.Namespace,
    made: EvaluationSet,
    questions: Sequence[Question],
    runs: Sequence[Evaluation],
) -> None:
    changes = compare(runs[0], runs[1]) if len(runs) > 1 else {}
    if args.json:
        found: dict[str, object] = {"set": made.name, "runs": [_as_json(one) for one in runs]}
        if changes:
            judged_by = _JUDGED_BY.format(max(args.k))
            found["comparison"] = {key: _change_as_json(one) for key, one in changes.items()}
            found["losses"] = [
                {"question": q, "before": before, "after": after}
                for q, before, after in losses(runs[0].values, runs[1].values, judged_by)
            ]
        print_json(found)
        return
    answerable = sum(one.is_answerable for one in questions)
    say(f"{made.name}: {len(questions)} questions, {answerable} with an answer in the set.")
    print_table([_row(key, runs, changes) for key in runs[0].values], _headings(runs))
    for number, one in enumerate(runs, 1):
        _say_rates(f"Rules {number}: " if len(runs) > 1 else "", one)
    print_table(
        [(stage, f"{p50:.1f}", f"{p95:.1f}") for stage, (p50, p95) in runs[0].latency_ms().items()],
        ("ms", "p50", "p95"),
    )


def _headings(runs: Sequence[Evaluation]) -> list[str]:
    return ["measure", "mean", "95 %"] + (["other", "change", "p"] if len(runs) > 1 else [])


def _row(key: str, runs: Sequence[Evaluation], changes: dict[str, Difference]) -> list[str]:
    own = runs[0].interval(key)
    row = [key, f"{own.mean:.3f}", f"{own.low:.3f} to {own.high:.3f}"]
    if key in changes:
        change, p = changes[key].change, changes[key].p
        span = f"{change.mean:+.3f} ({change.low:+.3f} to {change.high:+.3f})"
        row += [f"{runs[1].interval(key).mean:.3f}", span, f"{p:.3f}"]
    return row


def _say_rates(whose: str, one: Evaluation) -> None:
    say(f"{whose}Nothing found for {one.zero_result_rate:.1%} of the answerable questions.")
    if one.refused_unanswerable is not None:
        say(f"{whose}It said so for {one.refused_unanswerable:.1%} of the unanswerable ones.")


def _as_json(one: Evaluation) -> dict[str, object]:
    return {
        "rules": asdict(one.rules),
        "questions": len(one.outcomes),
        "measures": {key: asdict(one.interval(key)) for key in one.values},
        "zero_result_rate": one.zero_result_rate,
        "refused_unanswerable": one.refused_unanswerable,
        "latency_ms": {k: {"p50": a, "p95": b} for k, (a, b) in one.latency_ms().items()},
        "per_question": one.values,
    }


def _change_as_json(one: Difference) -> dict[str, object]:
    return {**asdict(one.change), "p": one.p, "is_drop": one.is_drop, "is_gain": one.is_gain}


def _make(args: argparse.Namespace) -> int:
    if not args.place.exists():
        raise NotFound(f"There is no file or folder {args.place}; check the path.")
    if args.out.exists():
        raise InvalidInput(f"{args.out} exists; name another file with --out.")
    if args.questions < 1:
        raise InvalidInput(f"--questions takes a number from 1, not {args.questions}.")
    with _temporary_library(args.place) as app:
        texts = {
            one.path: app.document(one.id).text
            for one in app.files()
            if one.state is FileState.READY
        }
    made = make_questions(texts, args.questions)
    lines = [json.dumps(_question_as_json(one), ensure_ascii=False) for one in made]
    try:
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{args.out} cannot be written ({error.strerror}).") from error
    if args.json:
        print_json({"file": str(args.out), "questions": len(made), "files": len(texts)})
    say(
        f"{len(made)} questions on {len(texts)} files are in {args.out}. They use the documents' "
        "own words: they tell whether the right place is found and which settings lose it, and "
        "flatter keyword search; add questions in your own words for the rest."
    )
    return 0


@contextmanager
def _temporary_library(place: Path) -> Iterator[App]:
    with (
        tempfile.TemporaryDirectory(prefix="desktop-rag-eval-") as scratch,
        App.open(Path(scratch)) as app,
    ):
        _index(app, place)
        yield app


def _question_as_json(one: Question) -> dict[str, object]:
    place = one.places[0]
    return {
        "id": one.id,
        "question": one.text,
        "answer": place.quote,
        "file": place.file,
        "quote": place.quote,
        "span": list(place.span or ()),
    }
