"""Measures the small set and compares with the record; `--record` makes the result the record.

Run with `python -m tests.evaluation_set [--record]`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path

from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from tests.evaluation_set import answering, measuring

Figures = Mapping[str, Mapping[str, float]]


def main() -> None:
    """Print what changed, and keep it if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="from now on this must be reached")
    wants_record = parser.parse_args().record
    with tempfile.TemporaryDirectory() as scratch:
        (found,) = measuring.measured(Path(scratch), DEFAULT_RULES)
    with tempfile.TemporaryDirectory() as scratch:
        answers = answering.figures(answering.quoted(Path(scratch)))
    _tell(measuring.recorded() if measuring.BASELINE.exists() else found, found)
    _tell(answering.recorded() if answering.BASELINE.exists() else answers, answers)
    if wants_record:
        measuring.record(found)
        answering.record(answers)
        print(f"Recorded in {measuring.BASELINE} and {answering.BASELINE}.")


def _tell(before: Figures, now: Figures) -> None:
    if all(before[key].keys() == now[key].keys() for key in before):
        print(measuring.described(before, now))
    else:
        print("The questions are others than those on record.")


if __name__ == "__main__":
    main()
