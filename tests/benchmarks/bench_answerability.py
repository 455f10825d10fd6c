"""How well off-topic questions are refused: each set's questions asked of every set's texts.

Run with `python -m tests.benchmarks.bench_answerability FOLDER FOLDER…`; folders as in
`bench_retrieval`. The diagonal shows false refusals, everything else should be near 100 %.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop_rag.domain.answerability import judge
from desktop_rag.domain.answers import Candidate, Confidence, Passage
from desktop_rag.domain.documents import DocumentId
from desktop_rag.engines.hybrid_index import HybridIndex
from tests.benchmarks.bench_retrieval import TestSet, indexed, read_set

_OFF_TOPIC_QUESTIONS = 100
_PASSAGES = 8


def passage(candidate: Candidate, text: str) -> Passage:
    """A candidate with its text, as the judge sees it."""
    return Passage(
        chunk=candidate.chunk,
        document=DocumentId(1),
        path="",
        title="",
        section="",
        text=text,
        start=0,
        end=len(text),
        sha256="",
        pages=None,
        page_label="",
        score=candidate.score,
        similarity=candidate.similarity,
        dense_rank=candidate.dense_rank,
        keyword_rank=candidate.keyword_rank,
        word_evidence=candidate.word_evidence,
    )


def refused_share(index: HybridIndex, texts: dict[int, str], questions: list[str]) -> float:
    """Share of the questions that the judge refuses."""
    refused = 0
    for question in questions:
        found = index.search(question, 50).candidates[:_PASSAGES]
        passages = [passage(one, texts[one.chunk]) for one in found]
        refused += judge(question, passages) is Confidence.NONE
    return refused / len(questions)


def main() -> None:
    """Print a table: a row for each set of texts, a column for each set of questions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    sets: list[TestSet] = [read_set(folder) for folder in parser.parse_args().folders]
    print(f"{'refused, %':24s} " + " ".join(f"{one.name[:18]:>18s}" for one in sets))
    for asked in sets:
        with indexed(asked.texts) as index:
            shares = []
            for other in sets:
                limit = None if other is asked else _OFF_TOPIC_QUESTIONS
                questions = list(other.questions.values())[:limit]
                shares.append(refused_share(index, asked.texts, questions))
        print(f"{asked.name:24s} " + " ".join(f"{100 * share:18.1f}" for share in shares))


if __name__ == "__main__":
    main()
