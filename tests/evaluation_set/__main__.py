"""Measures the small set and compares with the record; `--record` makes the result the record.

Run with `python -m tests.evaluation_set [--record]`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from tests.evaluation_set.measuring import (
    BASELINE,
    JUDGED_BY,
    described,
    measured,
    record,
    recorded,
)


def main() -> None:
    """Print what changed, and keep it if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="from now on this must be reached")
    wants_record = parser.parse_args().record
    with tempfile.TemporaryDirectory() as scratch:
        (now,) = measured(Path(scratch), DEFAULT_RULES)
    before = recorded() if BASELINE.exists() else now
    if before[JUDGED_BY[0]].keys() == now[JUDGED_BY[0]].keys():
        print(described(before, now))
    else:
        print("The questions are others than those on record.")
    if wants_record:
        record(now)
        print(f"Recorded in {BASELINE}.")


if __name__ == "__main__":
    main()
