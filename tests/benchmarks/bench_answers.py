"""How good the program's answers are: right, cited, refused when nothing answers, and how quick.

    python -m tests.benchmarks.bench_answers SET [OTHER…] --answerable 200 --unanswerable 100 \\
        --off-topic 100 [--model ID] [--work FOLDER] [--minutes 8] [--baseline]

SET is in BEIR layout with gold answers (`answer_sets`); questions of the OTHERs are off-topic. Its
articles become files, and the program is asked as a person would: files, catalog, retrieval,
answer. Every question is kept as a line in the folder of work: a second run goes on where the first
stopped, also with more questions, and only prints the table when all were asked. Another state of
the program wants another `--name`; `--compare NAME` tells how the questions of both changed.

`--refuse-below ODDS` decides again, from what was kept, which of the answered questions another
level would have refused (`domain.assurance`), and tells where it belongs.

`--baseline` asks the same questions of the model directly: three passages, a usual prompt, no
grammar, no checks.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from desktop_rag import paths
from desktop_rag.services.llm_choosing import LLM_VARIABLE
from desktop_rag.services.models import ModelLibrary
from desktop_rag.workers.roles import default_threads
from tests.benchmarks.answer_levels import decided_at, thresholds
from tests.benchmarks.answer_records import Record, Records
from tests.benchmarks.answer_runs import Asking, PlainAsking, library
from tests.benchmarks.answer_sets import AnswerSet, Asked, Kind, answer_set
from tests.benchmarks.answer_table import as_json, changes, table


def main(argv: Sequence[str] | None = None) -> None:
    """Ask what was not asked yet, and print the table."""
    options = _options(argv)
    if options.model:
        os.environ[LLM_VARIABLE] = options.model
    wanted = {
        Kind.ANSWERABLE: options.answerable,
        Kind.MISLEADING: options.unanswerable,
        Kind.OFF_TOPIC: options.off_topic,
    }
    made = answer_set(options.folders[0], options.folders[1:], wanted, options.seed)
    records = Records(_file(options.work, options.name))
    waiting = [one for one in made.questions if one.id not in records.known]
    if waiting:
        _ask_all(made, waiting, records, options)
    kept = records.of(made.questions)
    if options.refuse_below is not None:
        print("\n".join(thresholds(kept)))
        kept = decided_at(options.refuse_below, kept)
    print("\n".join(table(kept) if kept else ["nothing was asked"]))
    if options.compare:
        other = Records(_file(options.work, options.compare)).of(made.questions)
        print("\n".join(changes(other, kept)))
    if options.json:
        options.json.write_text(json.dumps(as_json(kept), indent=1) + "\n", encoding="utf-8")


def _ask_all(
    made: AnswerSet, waiting: Sequence[Asked], records: Records, options: argparse.Namespace
) -> None:
    end = time.monotonic() + options.minutes * 60
    with _asking(made, options) as ask:
        try:
            for number, one in enumerate(waiting, 1):
                if time.monotonic() > end:
                    print(f"{len(waiting) - number + 1} questions are left for the next run")
                    break
                record = ask(one)
                records.add(record)
                print(_line(f"{number}/{len(waiting)}", record), flush=True)
        except KeyboardInterrupt:
            print("stopped; what was asked is kept")


@contextmanager
def _asking(made: AnswerSet, options: argparse.Namespace) -> Iterator[Callable[[Asked], Record]]:
    with library(made, options.work) as (app, meter):
        if not options.baseline:
            yield Asking(app, meter).ask
            return
        models = ModelLibrary(paths.models_dir(), paths.shipped("models"), lambda _: None)
        model = models.choose_llm().model_file
        yield PlainAsking(app, model, default_threads()).ask


def _line(place: str, one: Record) -> str:
    verdict = "answered" if one.is_answered else one.error or "refused"
    return f"{place} {one.kind} {verdict} {one.seconds:.1f} s: {one.question} -> {one.text[:100]!r}"


def _file(work: Path, name: str) -> Path:
    return work / f"records-{name}.jsonl"


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--answerable", type=int, default=200)
    parser.add_argument("--unanswerable", type=int, default=100)
    parser.add_argument("--off-topic", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", help="id or GGUF file; default: the one in use")
    parser.add_argument("--baseline", action="store_true")
    parser.add_argument(
        "--work",
        type=Path,
        default=Path(tempfile.gettempdir(), "desktop-rag-answers"),
        help="where the library and the records are kept",
    )
    parser.add_argument("--name", help="of the records; default: program or baseline, and model")
    parser.add_argument("--compare", metavar="NAME", help="records of another state")
    parser.add_argument(
        "--refuse-below", type=float, metavar="ODDS", help="decide again what is refused"
    )
    parser.add_argument("--minutes", type=float, default=1e6, help="ask no more after so many")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args(argv)
    kind = "baseline" if options.baseline else "program"
    options.name = options.name or "-".join([kind, *([options.model] if options.model else [])])
    return options


if __name__ == "__main__":
    main()
