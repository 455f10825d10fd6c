"""What the benchmark takes for right: pages by the answer's figures, and samples."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.pipeline_runs import page_set, sample


def lines(path: Path, objects: Sequence[Mapping[str, object]]) -> None:
    path.write_text("".join(json.dumps(one) + "\n" for one in objects), encoding="utf-8")


def test_right_is_any_page_with_the_most_figures_of_the_answer(tmp_path: Path) -> None:
    texts = ["Sales 1,234", "Sales 1,234 and costs 5.6", "Costs 5.6 and sales 1,234", "In 2023"]
    lines(
        tmp_path / "pages.jsonl",
        [{"id": f"a.pdf#p{n}", "text": text} for n, text in enumerate(texts, 1)]
        + [{"id": "b.pdf#p1", "text": "Sales 9,876"}, {"id": "b.pdf#p2", "text": "Sales 1,234"}],
    )
    both = "1,234 and 5.6 (a.pdf)\n9,876 (b.pdf)"
    asked = [
        {"id": "q1", "text": "Sales?", "answer": both, "docs": ["a.pdf", "b.pdf"]},
        {"id": "q2", "text": "Sales?", "answer": "They fell in 2023.", "docs": ["a.pdf"]},
        {"id": "q3", "text": "What is 1,234?", "answer": "1,234 is sales", "docs": ["a.pdf"]},
    ]
    lines(tmp_path / "queries.jsonl", asked)
    (question,) = page_set(tmp_path).questions
    assert question.id == "q1"
    assert [(Path(one.file).name, one.pages) for one in question.places] == [
        ("a.pdf", (2, 3)),
        ("b.pdf", (1,)),
    ]


def test_a_sample_keeps_questions_whose_texts_were_all_drawn(tmp_path: Path) -> None:
    lines(tmp_path / "corpus.jsonl", [{"id": f"t{n}", "text": f"text {n}"} for n in range(20)])
    lines(tmp_path / "queries.jsonl", [{"id": f"q{n}", "text": "?"} for n in range(20)])
    (tmp_path / "qrels.tsv").write_text("".join(f"q{n}\tt{n}\t1\n" for n in range(20)))
    drawn = sample(tmp_path, 10, 5)
    assert drawn == sample(tmp_path, 10, 5)
    names = {one.id for one in drawn.texts}
    assert (len(names), len(drawn.questions)) == (10, 5)
    assert all(one.grades.keys() <= names for one in drawn.questions)
