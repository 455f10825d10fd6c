"""Gates judge what is known, say what they saw, and leave out what nobody knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace

import pytest

from desktop_rag.domain.audit import GATES, Verdict, audit, value_at
from desktop_rag.domain.gates.gate import Severity
from desktop_rag.domain.retrieval_plan import (
    Answers,
    Chunking,
    Citations,
    Documents,
    Duplicates,
    Embedder,
    Evaluation,
    Freshness,
    Fusion,
    FusionMethod,
    Mode,
    Monitoring,
    Reranker,
    Reranking,
    Retrieval,
    RetrievalPlan,
    Safety,
    Similarity,
    Strategy,
    Unit,
    Weights,
    contradictions,
)

GOOD = RetrievalPlan(
    chunking=Chunking(
        strategy=Strategy.STRUCTURE, size=200, overlap=30, unit=Unit.TOKENS, header=True,
        parents=True,
    ),
    embedder=Embedder("e", 384, 256, ("english", "german")),
    retrieval=Retrieval(
        modes=(Mode.DENSE, Mode.KEYWORD),
        fusion=Fusion(FusionMethod.RRF, 60, Weights(0.5, 0.5)),
        candidates=50,
        reranker=Reranking(Reranker.LATE_INTERACTION, 50, 1.0),
        duplicates=Duplicates(0.92, Similarity.COSINE, keeps_differing_facts=True),
        passages=5,
        context_tokens=1000,
    ),
    documents=Documents(("english",), 0.0),
    evaluation=Evaluation(120, ("Recall@5", "nDCG@10"), gate=True, age_days=3),
    freshness=Freshness(
        watching=True, sweep_minutes=10, index_age_hours=0, waiting=0, unindexed=0
    ),
    monitoring=Monitoring(query_log=True, queries=100, zero_result_rate=0.05, p95_ms=80),
    answers=Answers(Citations.CHECKED, says_not_found=True),
    safety=Safety(telemetry=False, local_only=True, private_folder=True),
)  # fmt: skip

Change = Callable[[RetrievalPlan], RetrievalPlan]


def chunking(**values: object) -> Change:
    return lambda plan: replace(plan, chunking=replace(plan.chunking, **values))  # type: ignore[arg-type]


def retrieval(**values: object) -> Change:
    return lambda plan: replace(plan, retrieval=replace(plan.retrieval, **values))  # type: ignore[arg-type]


def section(name: str, **values: object) -> Change:
    def change(plan: RetrievalPlan) -> RetrievalPlan:
        return replace(plan, **{name: replace(getattr(plan, name), **values)})

    return change


def verdicts(plan: RetrievalPlan) -> dict[str, Verdict]:
    return {one.gate: one.verdict for one in audit(plan).findings}


def test_a_good_plan_passes_every_gate() -> None:
    found = audit(GOOD)
    assert [one.gate for one in found.findings if one.verdict is not Verdict.PASSED] == []
    assert (found.score, found.grade, found.has_error) == (100, "A", False)
    assert all(one.seen and not one.next_step for one in found.findings)


@pytest.mark.parametrize(
    ("gate", "change"),
    [
        ("chunk-limit", chunking(size=300)),
        ("chunk-limit", chunking(measured_longest=300)),
        (
            "chunk-limit",
            chunking(size=1200, overlap=180, unit=Unit.CHARACTERS, measured_longest=1100),
        ),
        ("chunk-size", chunking(size=40, overlap=6)),
        ("chunk-size", chunking(measured_size=600)),
        ("chunk-overlap", chunking(overlap=0)),
        ("chunk-overlap", chunking(overlap=100)),
        ("chunk-overlap", chunking(measured_overlap=0.1, overlapping_cuts=0.2)),
        ("chunk-overlap", chunking(measured_overlap=0.4, overlapping_cuts=0.9)),
        ("chunk-structure", chunking(strategy=Strategy.FIXED)),
        ("chunk-header", chunking(header=False)),
        ("chunk-parents", chunking(parents=False)),
        ("hybrid", retrieval(modes=(Mode.DENSE,))),
        ("hybrid", retrieval(modes=(Mode.KEYWORD, Mode.GRAPH))),
        ("hybrid", retrieval(modes=())),
        ("fusion", retrieval(fusion=Fusion(FusionMethod.SCORES))),
        ("fusion", retrieval(fusion=Fusion(FusionMethod.RRF, 0))),
        ("fusion-weights", retrieval(fusion=Fusion(weights=Weights(0.95, 0.05)))),
        ("candidates", retrieval(candidates=49)),
        ("candidates-room", retrieval(candidates=6)),
        ("reranker", retrieval(reranker=Reranking(Reranker.NONE))),
        ("reranker-coverage", retrieval(reranker=Reranking(Reranker.LATE_INTERACTION, 50, 0.5))),
        ("passages", retrieval(passages=2)),
        ("passages", retrieval(passages=9)),
        ("context", retrieval(context_tokens=500)),
        ("duplicates", retrieval(duplicates=Duplicates(0.92, None, keeps_differing_facts=False))),
        ("duplicates", retrieval(duplicates=Duplicates(0.5, None, keeps_differing_facts=True))),
        ("language", section("documents", languages=("english", "cjk"))),
        ("readable", section("documents", unreadable=0.2)),
        ("evaluation-set", section("evaluation", questions=99)),
        ("evaluation-set", section("evaluation", questions=0)),
        ("evaluation-metrics", section("evaluation", metrics=("nDCG@10",))),
        ("evaluation-metrics", section("evaluation", metrics=("Recall@5", "Precision@5"))),
        ("evaluation-gate", section("evaluation", gate=False)),
        ("evaluation-gate", section("evaluation", thresholds={})),
        ("evaluation-age", section("evaluation", age_days=91)),
        ("fresh-changes", section("freshness", watching=False, sweep_minutes=0)),
        ("fresh-changes", section("freshness", watching=False, sweep_minutes=1441)),
        ("fresh-index", section("freshness", index_age_hours=25)),
        ("fresh-queue", section("freshness", waiting=0.1)),
        ("fresh-passages", section("freshness", unindexed=0.02)),
        ("query-log", section("monitoring", query_log=False)),
        ("zero-results", section("monitoring", zero_result_rate=0.11)),
        ("zero-results", section("monitoring", queries=None, zero_result_rate=0.11)),
        ("speed", section("monitoring", p95_ms=501)),
        ("citations", section("answers", citations=Citations.NONE)),
        ("citations-checked", section("answers", citations=Citations.LISTED)),
        ("not-found", section("answers", says_not_found=False)),
        ("telemetry", section("safety", telemetry=True)),
        ("local", section("safety", local_only=False)),
        ("private-folder", section("safety", private_folder=False)),
    ],
)
def test_each_gate_can_fail(gate: str, change: Change) -> None:
    finding = next(one for one in audit(change(GOOD)).findings if one.gate == gate)
    assert finding.verdict is Verdict.FAILED
    assert finding.seen
    assert finding.next_step


@pytest.mark.parametrize(
    ("gate", "change"),
    [
        ("chunk-limit", chunking(size=900, overlap=100, unit=Unit.CHARACTERS)),
        ("chunk-size", chunking(size=900, overlap=100, unit=Unit.CHARACTERS)),
        ("chunk-size", chunking(strategy=Strategy.SENTENCES, size=30, overlap=0)),
        ("chunk-overlap", chunking(strategy=Strategy.SENTENCES, size=30, overlap=0)),
        ("chunk-overlap", chunking(measured_overlap=0.07, overlapping_cuts=0.6)),
        ("fusion-weights", retrieval(fusion=Fusion(weights=Weights(4, 6)))),
        ("duplicates", retrieval(duplicates=Duplicates(0.8, Similarity.JACCARD, True))),
        ("language", section("embedder", languages=("*",))),
        ("fresh-changes", section("freshness", watching=False)),
        ("evaluation-metrics", section("evaluation", metrics=("recall@10", "mrr"))),
    ],
)
def test_other_good_values_pass(gate: str, change: Change) -> None:
    assert verdicts(change(GOOD))[gate] is Verdict.PASSED


def test_every_gate_is_tested_above() -> None:
    failing = {mark.args[1][n][0] for mark in test_each_gate_can_fail.pytestmark  # type: ignore[attr-defined]
               for n in range(len(mark.args[1]))}  # fmt: skip
    assert failing == {gate.id for gate in GATES}


def test_nothing_known_is_neither_passed_nor_failed() -> None:
    found = audit(RetrievalPlan())
    assert {one.verdict for one in found.findings} == {Verdict.UNKNOWN}
    assert (found.score, found.grade, found.has_error) == (None, "", False)
    assert "chunking.size" in found.findings[0].seen


def test_too_few_searches_make_no_rate() -> None:
    few = section("monitoring", queries=19, zero_result_rate=0.9)(GOOD)
    assert verdicts(few)["zero-results"] is Verdict.UNKNOWN


def test_a_reason_for_not_knowing_is_passed_on() -> None:
    found = audit(RetrievalPlan(), {"retrieval.modes": "The window is open."})
    seen = {one.gate: one.seen for one in found.findings}
    assert seen["hybrid"] == "The window is open."


def test_next_steps_are_for_the_plan_or_for_the_library() -> None:
    bad = retrieval(modes=(Mode.DENSE,))(GOOD)
    on_paper = next(one for one in audit(bad).findings if one.gate == "hybrid")
    here = next(one for one in audit(bad, {}).findings if one.gate == "hybrid")
    assert "retrieval.modes" in on_paper.next_step
    assert "`desktop-rag doctor" in here.next_step


def test_one_error_spoils_the_grade_and_severity_the_score() -> None:
    with_error = audit(retrieval(modes=(Mode.DENSE,))(GOOD))
    with_warning = audit(retrieval(candidates=20)(GOOD))
    with_remark = audit(chunking(header=False)(GOOD))
    assert with_error.has_error
    assert with_error.grade == "D"
    assert not with_warning.has_error
    scores = [with_error.score, with_warning.score, with_remark.score]
    assert all(score is not None for score in scores)
    assert scores == sorted(set(scores), key=lambda score: score or 0), "and all differ"
    assert with_warning.grade == "A"


def test_a_few_known_values_give_a_score_and_no_grade() -> None:
    found = audit(RetrievalPlan(answers=Answers(Citations.CHECKED)))
    assert (found.score, found.grade) == (100, "")


def test_gates_read_values_that_exist() -> None:
    assert len({gate.id for gate in GATES}) == len(GATES)
    for gate in GATES:
        for path in gate.reads:
            value_at(RetrievalPlan(), path)  # raises AttributeError for a path that does not exist
        assert gate.asks.endswith(".")
        assert gate.why.endswith(".")
        assert gate.severity in Severity


def test_every_value_of_a_plan_is_unknown_at_first() -> None:
    def leaves(part: object) -> list[object]:
        if is_dataclass(part):
            return [leaf for one in fields(part) for leaf in leaves(getattr(part, one.name))]
        return [part]

    assert set(map(type, leaves(RetrievalPlan()))) == {type(None)}


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (chunking(overlap=200), "chunking.overlap"),
        (chunking(measured_size=20, measured_longest=10), "chunking.measured_size"),
        (retrieval(fusion=Fusion(weights=Weights(0, 0))), "retrieval.fusion.weights"),
    ],
)
def test_contradictions_name_the_place(change: Change, path: str) -> None:
    assert list(contradictions(GOOD)) == []
    (sentence,) = contradictions(change(GOOD))
    assert path in sentence
