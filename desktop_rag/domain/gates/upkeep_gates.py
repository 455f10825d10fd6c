"""Gates of how it stays good: measured, fresh, watched."""

from __future__ import annotations

from desktop_rag.domain.gates.gate import Gate, Judgement, Severity, fact, number
from desktop_rag.domain.retrieval_plan import RetrievalPlan

LEAST_QUESTIONS = 100
LEAST_QUERIES = 20
"""Fewer queries make no rate."""
_MOST_ZERO_RESULTS = 0.10
_MOST_MS = 500
_MOST_AGE_HOURS = 24
_MOST_EVALUATION_DAYS = 90
_MOST_SWEEP_MINUTES = 24 * 60
_RANK_METRICS = ("ndcg", "mrr", "rr", "map")


def _metrics(plan: RetrievalPlan) -> Judgement:
    if (metrics := plan.evaluation.metrics) is None:
        return None
    names = [one.casefold() for one in metrics]
    has_recall = any(one.startswith("recall") for one in names)
    has_rank = any(one.startswith(_RANK_METRICS) for one in names)
    kinds = dict.fromkeys(one.partition("@")[0] for one in metrics)
    return has_recall and has_rank, f"Measured: {', '.join(kinds) or 'nothing'}."


def _gate(plan: RetrievalPlan) -> Judgement:
    if (gate := plan.evaluation.gate) is None:
        return None
    if not gate:
        return False, "Changes are not measured before they are taken in."
    if plan.evaluation.thresholds == {}:
        return False, "Changes are measured, and no value stops them."
    return True, "A change that finds less is stopped."


def _changes(plan: RetrievalPlan) -> Judgement:
    watching, minutes = plan.freshness.watching, plan.freshness.sweep_minutes
    if watching:
        return True, "Changed files are noticed at once."
    if minutes is None:
        return None
    if 0 < minutes <= _MOST_SWEEP_MINUTES:
        return True, f"Changed files are noticed within {minutes:g} minutes."
    return False, "Changed files are not noticed within a day."


def _zero_results(plan: RetrievalPlan) -> Judgement:
    rate, queries = plan.monitoring.zero_result_rate, plan.monitoring.queries
    if rate is None or (queries is not None and queries < LEAST_QUERIES):
        return None
    of = f" of {queries}" if queries is not None else ""
    return rate <= _MOST_ZERO_RESULTS, f"{rate:.0%}{of} searches found nothing that matches well."


UPKEEP_GATES = (
    Gate(
        "readable",
        "At least nine of ten files could be read.",
        "Nobody finds what was never read.",
        Severity.WARNING,
        ("documents.unreadable",),
        number(
            lambda plan: plan.documents.unreadable,
            "{:.0%} of the files could not be read.",
            0,
            0.1,
            none="Every file could be read.",
        ),
        "Find out why files cannot be read, and convert or unlock them.",
        "`desktop-rag files` says for each what is wrong: most need a password or are damaged.",
    ),
    Gate(
        "evaluation-set",
        f"There is a test set of {LEAST_QUESTIONS} questions or more with known answers.",
        "With fewer, chance decides what looks better.",
        Severity.WARNING,
        ("evaluation.questions",),
        number(
            lambda plan: plan.evaluation.questions,
            "A test set of {:g} questions.",
            LEAST_QUESTIONS,
            none="No test set was asked yet.",
        ),
        f"Collect {LEAST_QUESTIONS} questions with the file and page of their answer.",
        "Make one from your own documents and ask it: `desktop-rag eval make FOLDER`, then "
        "`desktop-rag eval questions.jsonl --files FOLDER --library`. Each line is a question; "
        "when there are too few, name a larger folder or add some of your own.",
    ),
    Gate(
        "evaluation-metrics",
        "Both how much is found and how far up are measured.",
        "Recall alone does not see the right passage sink; nDCG or MRR alone do not see it lost.",
        Severity.INFO,
        ("evaluation.metrics",),
        _metrics,
        "Measure Recall@k, and nDCG@k or MRR.",
        "Run `desktop-rag eval` on a test set; it measures both.",
    ),
    Gate(
        "evaluation-gate",
        "No change is taken in that makes the test set worse.",
        "Retrieval gets worse one small change at a time.",
        Severity.WARNING,
        ("evaluation.gate",),
        _gate,
        "Run the test set with every change, and stop at a drop beyond its interval.",
        "Run `desktop-rag eval` before and after you change something, and compare.",
    ),
    Gate(
        "evaluation-age",
        f"It was measured in the last {_MOST_EVALUATION_DAYS} days.",
        "Documents change, and with them what is hard to find.",
        Severity.INFO,
        ("evaluation.age_days",),
        number(
            lambda plan: plan.evaluation.age_days,
            "Last measured {:.0f} days ago.",
            0,
            _MOST_EVALUATION_DAYS,
        ),
        "Measure regularly.",
        "Run `desktop-rag eval` again.",
    ),
    Gate(
        "fresh-changes",
        "Changed files are noticed within a day.",
        "Answers from an old version are wrong with confidence.",
        Severity.ERROR,
        ("freshness.watching", "freshness.sweep_minutes"),
        _changes,
        "Watch the folders, or compare them with the index at least every day.",
        "`desktop-rag settings watch on`",
    ),
    Gate(
        "fresh-index",
        "No change of a file has waited for more than a day.",
        "Answers from an old version are wrong with confidence.",
        Severity.WARNING,
        ("freshness.index_age_hours",),
        number(
            lambda plan: plan.freshness.index_age_hours,
            "The oldest change that is not in the index is {:.0f} hours old.",
            0,
            _MOST_AGE_HOURS,
            none="Every change of a file is in the index.",
        ),
        "Bring changes into the index at least every day.",
        "Open the window until nothing is waiting, or run `desktop-rag add` with your folders.",
    ),
    Gate(
        "fresh-queue",
        "Hardly a file is still to be read.",
        "What waits is not found.",
        Severity.WARNING,
        ("freshness.waiting",),
        number(
            lambda plan: plan.freshness.waiting,
            "{:.0%} of the files are still to be read.",
            0,
            0.05,
            none="No file is waiting to be read.",
        ),
        "Read what waits before asking.",
        "Leave the window open until nothing is waiting; `desktop-rag status` shows how far it is.",
    ),
    Gate(
        "fresh-passages",
        "The index holds the passages that were read.",
        "What is not in it is not found.",
        Severity.WARNING,
        ("freshness.unindexed",),
        number(
            lambda plan: plan.freshness.unindexed,
            "{:.1%} of the passages are missing.",
            0,
            0.01,
            none="The index holds every passage.",
        ),
        "Bring the index up to date before asking.",
        "Run `desktop-rag doctor --repair`.",
    ),
    Gate(
        "query-log",
        "It is kept how searches went.",
        "Otherwise nobody notices that less is found than before.",
        Severity.INFO,
        ("monitoring.query_log",),
        fact(
            lambda plan: plan.monitoring.query_log,
            "How searches went is kept.",
            "How searches went is not kept.",
        ),
        "Log for every query how much was found and how long it took.",
        "`desktop-rag settings query_log on`; it keeps no words of yours.",
    ),
    Gate(
        "zero-results",
        "At most one search in ten finds nothing.",
        "More mean that documents are missing, or asked for in words they do not use.",
        Severity.WARNING,
        ("monitoring.queries", "monitoring.zero_result_rate"),
        _zero_results,
        "Look at what was asked in vain: is the document there, and is it read?",
        "Look with `desktop-rag files` whether the documents you asked about are there and read; "
        "if they are, ask with words that stand in them.",
    ),
    Gate(
        "speed",
        f"Nearly all searches take less than {_MOST_MS} ms.",
        "People ask less of what makes them wait.",
        Severity.WARNING,
        ("monitoring.p95_ms",),
        number(
            lambda plan: plan.monitoring.p95_ms,
            "95 % of the searches took at most {:.0f} ms.",
            0,
            _MOST_MS,
        ),
        "Ask for fewer candidates, or take a smaller re-ranker.",
        "Let indexing take less of the processor: `desktop-rag settings cpu low`.",
    ),
)
