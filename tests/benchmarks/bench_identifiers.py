"""Whether exact names are found first: ranks of `tests/helpers/identifier_set.py`.

Run with `python -m tests.benchmarks.bench_identifiers`. Prints, for keywords, vectors and what the
program uses, how many of the names come first, the mean reciprocal rank, and which do not.
"""

from __future__ import annotations

from statistics import fmean

from tests.benchmarks.bench_retrieval import by_keywords, by_vectors, fused, indexed
from tests.helpers.identifier_set import identifier_set


def main() -> None:
    """Print one line a retriever, then the names that are not first."""
    texts, asked = identifier_set()
    with indexed(texts) as index:
        rankings = [index.search(one.question, 50) for one in asked]
    print(f"{len(asked)} names, {len(texts)} texts   first     MRR")
    for name, order in (("keywords", by_keywords), ("vectors", by_vectors), ("fused", fused)):
        ranked = [order(one) for one in rankings]
        ranks = [
            found.index(one.answer) + 1 if one.answer in found else 0
            for found, one in zip(ranked, asked, strict=True)
        ]
        mrr = fmean(1 / rank if rank else 0.0 for rank in ranks)
        print(f"{name:22s} {ranks.count(1):8d} {mrr:7.3f}")
        late = [f"{one.name} ({rank})" for one, rank in zip(asked, ranks, strict=True) if rank != 1]
        if order is not by_vectors:
            print("    " + ", ".join(late))


if __name__ == "__main__":
    main()
