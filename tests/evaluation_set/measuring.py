"""Asks the program's own pipeline the small set, and compares with the figures on record.

The documents are written by hand: manuals and leases in two editions that differ in numbers only,
reports, a runbook full of identifiers, a table, code, a mail, stories, three other languages, and
pages that become a PDF. A question's id begins with its kind.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pymupdf

from desktop_rag.cli.measured_library import library_of
from desktop_rag.domain.evaluation import Difference, paired
from desktop_rag.domain.retrieval_rules import RetrievalRules
from desktop_rag.services.evaluating import evaluate
from desktop_rag.storage.evaluation_sets import read_set

HERE = Path(__file__).parent
DOCUMENTS = HERE / "documents"
BASELINE = HERE / "baseline.json"
JUDGED_BY = ("nDCG@10", "Recall@5", "MRR")
_PAGES = ".pages.txt"
_LONG_AGO_S = 1_000_000_000

Figures = Mapping[str, Mapping[str, float]]
"""By measure, then by question."""


def measured(scratch: Path, *rules: RetrievalRules) -> list[Figures]:
    """Figures of the set for each of the rules, with real engines in worker processes.

    Args:
        scratch: an empty folder for the documents.
        rules: of retrieval.
    """
    made = read_set(written(scratch))
    with library_of(made) as library:
        runs = [
            evaluate(library.questions, library.app.find, library.name, one, (5, 10))
            for one in rules
        ]
    return [{key: dict(run.values[key]) for key in JUDGED_BY} for run in runs]


def written(folder: Path) -> Path:
    """The documents and questions, put into `folder`; files with pages as PDF."""
    for source in sorted(DOCUMENTS.iterdir()):
        if source.name.endswith(_PAGES):
            _write_pdf(source, folder / source.name.replace(_PAGES, ".pdf"))
        else:
            shutil.copyfile(source, folder / source.name)
    for path in folder.iterdir():
        os.utime(path, (_LONG_AGO_S, _LONG_AGO_S))  # else it is not read at once
    return folder


def recorded() -> Figures:
    """The figures on record."""
    values: Figures = json.loads(BASELINE.read_text(encoding="utf-8"))
    return values


def record(figures: Figures) -> None:
    """Keep figures as those that must be reached from now on."""
    rounded = {key: {q: round(v, 4) for q, v in some.items()} for key, some in figures.items()}
    BASELINE.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")


def changes(before: Figures, after: Figures) -> dict[str, Difference]:
    """How much better each measure became, question by question.

    Raises:
        KeyError: a question on record is not asked any more, or a new one is not on record.
    """
    for measure in before:
        if before[measure].keys() != after[measure].keys():
            raise KeyError(f"the questions changed ({measure}): record the set anew")
    return {
        measure: paired(list(values.values()), [after[measure][q] for q in values])
        for measure, values in before.items()
    }


def described(before: Figures, after: Figures) -> str:
    """A line a measure, then the questions that lost most by the first."""
    lines = []
    for measure, one in changes(before, after).items():
        was, now = (sum(some[measure].values()) / len(some[measure]) for some in (before, after))
        low, high = one.change.low, one.change.high
        lines.append(f"{measure:18s} {was:.3f} -> {now:.3f} ({low:+.3f} to {high:+.3f})")
    first = next(iter(before))
    values = before[first], after[first]
    lost = sorted((values[1][q] - values[0][q], q) for q in values[0])
    lines += [f"  {q}: {change:+.2f}" for change, q in lost[:10] if change < -0.005]
    return "\n".join(lines)


def _write_pdf(source: Path, target: Path) -> None:
    """A page for each part between form feeds."""
    with pymupdf.open() as book:  # type: ignore[no-untyped-call]
        for text in source.read_text(encoding="utf-8").split("\f"):
            title, _, body = text.strip().partition("\n")
            page = book.new_page()
            page.insert_textbox((60, 60, 540, 100), title, fontsize=18)
            page.insert_textbox((60, 110, 540, 800), body, fontsize=11)
        book.save(target)
