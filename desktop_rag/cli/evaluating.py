"""`eval` and `eval make`: how good retrieval and answers are, on sets and on one's own files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from desktop_rag.app import App
from desktop_rag.cli.answer_evaluating import measure_answers
from desktop_rag.cli.arguments import Subparsers, add_command, path_argument
from desktop_rag.cli.auditing import remember_evaluation
from desktop_rag.cli.evaluation_report import Report, as_json, print_report
from desktop_rag.cli.measured_library import library_of, readable, temporary_library
from desktop_rag.cli.output import print_json, say
from desktop_rag.domain.errors import InvalidInput, NotFound, UserError
from desktop_rag.domain.evaluation import Question
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from desktop_rag.services.evaluating import CUTOFFS, evaluate, require_measures, sampled
from desktop_rag.services.question_making import make_questions
from desktop_rag.services.question_writing import write_questions
from desktop_rag.storage.evaluation_sets import QUESTIONS, read_rules, read_set


def register(subparsers: Subparsers) -> None:
    """Add the commands of this module."""
    run = add_command(
        subparsers, "eval", "Measure how well passages are found, or answers given.", _run
    )
    run.add_argument(
        "set",
        metavar="SET",
        type=path_argument,
        help=f"a folder with corpus.jsonl, queries.jsonl and qrels.tsv, or with files and "
        f"{QUESTIONS}, or such a file; `eval make` writes one",
    )
    run.add_argument(
        "--files", type=path_argument, metavar="FOLDER", help="where the files of the set are"
    )
    run.add_argument("--config", type=path_argument, metavar="A.toml", help="rules of retrieval")
    run.add_argument(
        "--compare",
        type=path_argument,
        metavar="B.toml",
        help="other rules, compared with the first question by question",
    )
    run.add_argument(
        "-k", default=CUTOFFS, type=_cutoffs, metavar="N,N", help="ranks to look at: 1,3,5,10"
    )
    run.add_argument("--questions", "--limit", type=int, metavar="N", help="ask only some of them")
    run.add_argument(
        "--answers",
        action="store_true",
        help="measure answers instead of passages: right, cited, honest; some 5 to 20 s a question",
    )
    run.add_argument(
        "--model", metavar="ID", help="with --answers: the language model that writes and judges"
    )
    run.add_argument(
        "--library",
        action="store_true",
        help="search your own library as it is, instead of indexing the set's files apart",
    )
    make = add_command(subparsers, "eval make", "Make a test set from your own documents.", _make)
    make.add_argument("place", metavar="PATH", type=path_argument, help="a file or a folder")
    make.add_argument("--questions", type=int, default=100, metavar="N", help="default: 100")
    make.add_argument(
        "--llm",
        action="store_true",
        help="have the language model write them in its own words; some 5 to 20 s a question",
    )
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
    rules = [first, read_rules(args.compare)] if args.compare else [first]
    made = sampled(read_set(args.set, args.files), args.questions)
    if args.answers:
        return measure_answers(made, rules, args)
    if args.model:
        raise InvalidInput("--model is for --answers: passages are found without one.")
    require_measures()
    with library_of(made, args.data_dir if args.library else None) as library:
        runs = tuple(
            evaluate(library.questions, library.app.find, library.name, one, args.k)
            for one in rules
        )
    for run in runs:
        if run.rules == DEFAULT_RULES:
            remember_evaluation(args.data_dir, made.name, run)
    report = Report(made.name, runs, max(args.k))
    if args.json:
        print_json(as_json(report))
    else:
        print_report(report)
    return 0


def _make(args: argparse.Namespace) -> int:
    if not args.place.exists():
        raise NotFound(f"There is no file or folder {args.place}; check the path.")
    if args.out.exists():
        raise InvalidInput(f"{args.out} exists; name another file with --out.")
    if not args.out.absolute().parent.is_dir():
        raise NotFound(f"There is no folder {args.out.absolute().parent}; make it first.")
    if args.questions < 1:
        raise InvalidInput(f"--questions takes a number from 1, not {args.questions}.")
    root = (args.place if args.place.is_dir() else args.place.parent).resolve()
    with temporary_library(args.place, needs_llm=args.llm) as app:
        texts = {_relative(path, root): text for path, text in readable(app).items()}
        made = _written(app, texts, args.questions) if args.llm else _cut(texts, args.questions)
    _write(made, args.out)
    if args.json:
        print_json({"file": str(args.out), "questions": len(made), "files": len(texts)})
    say(f"{len(made)} questions on {len(texts)} files are in {args.out}.")
    say(f"Measure with: desktop-rag eval {args.out} --files {root}")
    return 0


def _cut(texts: dict[str, str], count: int) -> list[Question]:
    made = make_questions(texts, count)
    say(
        "They use the documents' own words: they tell whether the right place is found and which "
        "settings lose it, and flatter keyword search. With --llm they are written freely."
    )
    return made


def _written(app: App, texts: dict[str, str], count: int) -> list[Question]:
    def tell(number: int) -> None:
        say(f"Question {number} of {count} is written.")

    written = write_questions(texts, count, app.complete, tell)
    for reason, times in written.rejected.most_common():
        say(f"Thrown away, {reason}: {times}.")
    return written.questions


def _relative(path: str, root: Path) -> str:
    """Also what lies in an archive or a mail, by the way to it."""
    return str(Path(path).relative_to(root)) if Path(path).is_relative_to(root) else path


def _write(made: Sequence[Question], out: Path) -> None:
    lines = [json.dumps(_as_line(one), ensure_ascii=False) + "\n" for one in made]
    try:
        out.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{out} cannot be written ({error.strerror}).") from error


def _as_line(one: Question) -> dict[str, object]:
    place = one.places[0]
    return {
        "id": one.id,
        "question": one.text,
        "answer": one.answers[0] if one.answers else place.quote,
        "file": place.file,
        "quote": place.quote,
        "span": list(place.span or ()),
    }
