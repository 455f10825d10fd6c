"""Ranking measures, context, refusals and latency, against cases worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from desktop_rag.domain.answers import Passage, RetrievalFigures
from desktop_rag.domain.errors import InvalidInput, NothingIndexed
from desktop_rag.domain.evaluation import EvaluationSet, Place, Question
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.services.evaluating import (
    Evaluation,
    compare,
    evaluate,
    losses,
    sampled,
)
from desktop_rag.services.retrieval import Found
from tests.helpers.passages import make_passage

WORDS = "pump valve seal motor gear belt"


def passages(files: str) -> list[Passage]:
    """One passage for each letter, from a document of that name."""
    return [
        make_passage(f"{WORDS} {letter}", chunk=n, document=ord(letter), path=letter, start=100 * n)
        for n, letter in enumerate(files, 1)
    ]


def asked(
    questions: Sequence[Question],
    found: dict[str, list[Passage]],
    rules: RetrievalRules = DEFAULT_RULES,
    cutoffs: Sequence[int] = (1, 3),
) -> Evaluation:
    def find(question: str, limit: int, _rules: RetrievalRules) -> Found:
        some = tuple(found[question][:limit])
        figures = RetrievalFigures(1, 1, 1, 1, 1, {"fuse": 2.0})
        return Found(question, some, figures, (), (question,))

    return evaluate(questions, find, lambda one: one.path, rules, cutoffs)


def test_ranking_measures_of_graded_texts() -> None:
    question = Question("q", WORDS, grades={"b": 1, "d": 1})
    values = asked([question], {WORDS: passages("abcd")}).values
    # Relevant at ranks 2 and 4; only the first three ranks are looked at.
    assert {key: one["q"] for key, one in values.items() if "@" in key} == pytest.approx(
        {
            "Recall@1": 0,
            "Recall@3": 1 / 2,
            "Precision@1": 0,
            "Precision@3": 1 / 3,
            "nDCG@1": 0,
            "nDCG@3": (1 / math.log2(3)) / (1 + 1 / math.log2(3)),
        }
    )
    assert values["MRR"]["q"] == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("candidates", "cutoffs", "depth"), [(50, (1, 3), 50), (5, (1, 10), 5), (50, (1, 100), 100)]
)
def test_as_far_down_is_looked_as_is_measured(
    candidates: int, cutoffs: tuple[int, ...], depth: int
) -> None:
    limits: list[int] = []

    def find(question: str, limit: int, _rules: RetrievalRules) -> Found:
        limits.append(limit)
        return Found(question, (), RetrievalFigures(1, 1, 1, 0, 0), (), (question,))

    rules = RetrievalRules(candidates=candidates)
    evaluate([Question("q", WORDS, grades={"a": 1})], find, lambda one: one.path, rules, cutoffs)
    assert limits == [depth]


def test_a_text_counts_once_at_its_best_rank() -> None:
    question = Question("q", WORDS, grades={"b": 1})
    values = asked([question], {WORDS: passages("aabb")}).values
    late = asked([Question("q", WORDS, grades={"d": 1})], {WORDS: passages("abcd")}).values
    assert late["MRR"]["q"] == 0, "below all the ranks that are looked at"
    assert values["MRR"]["q"] == pytest.approx(1 / 2)
    assert values["Precision@3"]["q"] == pytest.approx(1 / 3)


def test_nothing_found_is_nought_and_not_left_out() -> None:
    found, none = Question("q1", WORDS, grades={"a": 1}), Question("q2", "why", grades={"a": 1})
    run = asked([found, none], {WORDS: passages("a"), "why": []})
    assert run.values["Recall@1"] == {"q1": 1.0, "q2": 0.0}
    assert run.interval("Recall@1").mean == 0.5
    assert run.zero_result_rate == 0.5


def test_a_question_that_cannot_be_searched_found_nothing() -> None:
    def find(question: str, _limit: int, _rules: RetrievalRules) -> Found:
        if question.startswith("file:"):
            raise NothingIndexed("Nothing is searchable there.")
        if question == "?":
            raise InvalidInput("The question holds no word.")
        figures = RetrievalFigures(1, 1, 1, 1, 1, {})
        return Found(question, tuple(passages("a")), figures, (), (question,))

    texts = (WORDS, "file:x why", "?")
    questions = [Question(f"q{n}", text, grades={"a": 1}) for n, text in enumerate(texts)]
    run = evaluate(questions, find, lambda one: one.path, DEFAULT_RULES)
    assert run.values["Recall@1"] == {"q0": 1.0, "q1": 0.0, "q2": 0.0}
    assert run.zero_result_rate == pytest.approx(2 / 3)


def test_context_precision_and_recall_look_at_what_an_answer_is_written_from() -> None:
    rules = RetrievalRules(passages=4)
    question = Question("q", WORDS, grades={"a": 1, "e": 1})
    values = asked([question], {WORDS: passages("abacde")}, rules).values
    assert values["context precision"]["q"] == pytest.approx(2 / 4)
    assert values["context recall"]["q"] == pytest.approx(1 / 2)


def test_unanswerable_questions_are_asked_and_only_counted_as_refused_or_not() -> None:
    known = Question("q1", WORDS, grades={"a": 1})
    off, on = Question("off", "xyzzy"), Question("on", WORDS + " b")
    found = {WORDS: passages("a"), "xyzzy": [], WORDS + " b": passages("b")}
    run = asked([known, off, on], found)
    assert set(run.values["MRR"]) == {"q1"}
    assert run.refused_unanswerable == 0.5
    assert run.zero_result_rate == 0


def test_pages_of_files_are_truth_too() -> None:
    book = [
        make_passage(f"text {n}", chunk=n, path="book", pages=(n, n + 1), start=1000 * n)
        for n in (1, 5, 9)
    ]
    on_page = Question("q", WORDS, places=(Place("book", pages=(3, 6)),))
    elsewhere = Question("r", WORDS + " ?", places=(Place("book", pages=(8,)),))
    run = asked([on_page, elsewhere], {WORDS: book, WORDS + " ?": book})
    assert run.values["MRR"] == pytest.approx({"q": 1 / 2, "r": 0})


def test_tokens_are_scored_where_spans_say_what_is_relevant() -> None:
    text = "x" * 100
    found = [make_passage(text, chunk=n, path="a", start=start) for n, start in ((1, 0), (2, 100))]
    question = Question("q", WORDS, places=(Place("a", span=(80, 120)),))
    values = asked([question], {WORDS: found}, cutoffs=(1, 2)).values
    assert values["token recall@1"]["q"] == pytest.approx(20 / 40)
    assert values["token recall@2"]["q"] == pytest.approx(1)
    assert values["token precision@2"]["q"] == pytest.approx(40 / 200)
    assert values["token iou@1"]["q"] == pytest.approx(20 / 120)
    graded = asked([Question("q", WORDS, grades={"a": 1})], {WORDS: found}).values
    assert not [key for key in graded if "token" in key]


def test_latency_by_stage_and_in_all() -> None:
    run = asked([Question("q", WORDS, grades={"a": 1})], {WORDS: passages("a")})
    assert run.latency_ms()["fuse"] == (2.0, 2.0)
    assert run.latency_ms()["total"][0] > 0


def test_two_runs_are_compared_question_by_question() -> None:
    texts = [f"{WORDS} {n}" for n in range(30)]
    questions = [Question(f"q{n}", text, grades={"b": 1}) for n, text in enumerate(texts)]
    good = asked(questions, dict.fromkeys(texts, passages("ba")))
    bad = asked(questions, {text: passages("ab" if n else "a") for n, text in enumerate(texts)})
    change = compare(good, bad)["MRR"]
    assert change.is_drop
    assert change.change.mean == pytest.approx(-(29 / 2 + 1) / 30)
    worst = losses(good, bad, "nDCG@3", limit=2)
    assert (worst[0].question, worst[0].text, worst[0].after) == ("q0", texts[0], 0)
    assert worst[1].after == pytest.approx(1 / math.log2(3))
    assert losses(bad, good, "nDCG@3") == []
    assert not compare(good, good)["MRR"].is_drop


@pytest.mark.parametrize("cutoffs", [(), (0, 3)])
def test_ranks_to_measure_at_start_at_one(cutoffs: tuple[int, ...]) -> None:
    with pytest.raises(InvalidInput, match="from 1"):
        asked([Question("q", WORDS, grades={"a": 1})], {WORDS: []}, cutoffs=cutoffs)


def test_a_sample_is_the_same_every_time() -> None:
    made = EvaluationSet("s", tuple(Question(f"q{n}", "?", grades={"a": 1}) for n in range(50)))
    assert sampled(made, 5) == sampled(made, 5)
    assert len(sampled(made, 5).questions) == 5
    assert sampled(made, None) is sampled(made, 500) is made
    with pytest.raises(InvalidInput, match="not 0"):
        sampled(made, 0)
    unanswerable = EvaluationSet("s", tuple(Question(f"q{n}", "?") for n in range(50)))
    with pytest.raises(InvalidInput, match="Too few"):
        sampled(unanswerable, 5)


def test_what_touches_is_one_passage_of_the_context() -> None:
    first, second = (
        make_passage("x" * 50, chunk=n, document=1, path="a", start=start)
        for n, start in ((1, 0), (2, 40))
    )
    other = make_passage("motor", chunk=3, document=2, path="b")
    question = Question("q", WORDS, grades={"b": 1})
    rules = RetrievalRules(passages=2)
    values = asked([question], {WORDS: [first, second, other]}, rules).values
    assert values["context recall"]["q"] == 1
    assert values["context precision"]["q"] == pytest.approx(1 / 2)


def test_the_rules_say_what_counts_as_nothing_found() -> None:
    question = Question("q", WORDS, grades={"a": 1})
    for below, rate in ((0.0, 0), (5.0, 1)):
        rules = RetrievalRules(not_found_below=below)
        assert asked([question], {WORDS: passages("a")}, rules).zero_result_rate == rate


def test_what_the_program_shows_as_likely_is_not_counted_as_nothing() -> None:
    question = Question("q", "an eel", grades={"a": 1})
    unlike = [replace(one, similarity=0.1) for one in passages("a")]
    assert asked([question], {"an eel": unlike}).zero_result_rate == 1
    likely = [replace(one, relevance=0.3) for one in unlike]
    assert asked([question], {"an eel": likely}).zero_result_rate == 0


def test_the_largest_loss_comes_first() -> None:
    one, other = Question("one", "1", grades={"a": 1}), Question("other", "2", grades={"a": 1})
    before = asked([one, other], {"1": passages("ba"), "2": passages("a")})
    after = asked([one, other], {"1": passages("b"), "2": passages("bba")}, cutoffs=(1, 3))
    assert [loss.question for loss in losses(before, after, "MRR")] == ["one", "other"]
    worse = asked([one, other], {"1": passages("bca"), "2": passages("ba")})
    assert [loss.question for loss in losses(before, worse, "MRR")] == ["other", "one"]
