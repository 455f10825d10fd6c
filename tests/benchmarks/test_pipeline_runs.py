"""What the benchmark takes for right: pages by the answer's figures, and samples."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from desktop_rag.paths import models_dir, shipped
from desktop_rag.services.models import ModelLibrary
from tests.benchmarks.pipeline_runs import (
    ORDERS,
    READ,
    Run,
    page_set,
    reading_table,
    reranker_in_use,
    sample,
)
from tests.helpers.tiny_onnx import write_reranker


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


def test_a_cross_encoder_is_measured_beside_our_order() -> None:
    values = {order: [0.5, 0.7] for order in ORDERS} | {READ: [0.9, 0.7]}
    made = Run("set", 9, 2, {"nDCG@10": values}, [1.0], [2.0])
    _, row = reading_table([made], "nDCG@10")
    assert row.split()[:5] == ["set", "2", "0.600", "0.800", "+0.200"]


def test_a_cross_encoder_is_in_use_only_meanwhile(tmp_path: Path) -> None:
    before = models_dir()
    with reranker_in_use(write_reranker(tmp_path / "ranks")):
        inside = ModelLibrary(models_dir(), shipped("models"), lambda _: None)
        assert inside.reranker_dir() == models_dir() / "ranks"
        assert models_dir() != before
    with reranker_in_use(None):
        assert models_dir() == before
