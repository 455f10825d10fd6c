"""Describes the running configuration as a retrieval plan: measured where it can be.

Sizes, overlaps, languages and coverage are those of the passages in the library; speed and success
those of real searches; only what no library can show (how rankings are fused) is read off the
rules. What cannot be had now stays unknown, with the reason.
"""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from desktop_rag import paths
from desktop_rag.domain.budget import MIN_TOKENS
from desktop_rag.domain.chunking.rules import Chunking as Way
from desktop_rag.domain.chunking.rules import rules_for
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.gates.finding_gates import ANY_LANGUAGE
from desktop_rag.domain.gates.upkeep_gates import LEAST_QUERIES
from desktop_rag.domain.ports import (
    EmbedderInfo,
    RerankItem,
    SearchIndex,
    TextFacts,
)
from desktop_rag.domain.queries import shares_for
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
)
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.services.upkeep import is_open_to_others
from desktop_rag.settings import Settings
from desktop_rag.storage import audit_figures
from desktop_rag.storage.audit_figures import SampledPassage
from desktop_rag.storage.evaluation_records import last_evaluation
from desktop_rag.storage.folders import device_of
from desktop_rag.storage.querylog import query_figures

_FILES = 5_000
"""Looked at on the disk; some 10 us each."""
_LANGUAGE_SHARE = 0.05
"""Of the passages before a language counts: a quotation does not make a library bilingual."""
_LEAST_CUTS = 10
"""Fewer say nothing about how often neighbours share something."""
_SETTLING_S = 120.0
"""A change younger than this is still on its way."""
_NO_PASSAGES = "There are no passages yet; add a file or a folder with `desktop-rag add PATH`."
_GATE = ("tests", "evaluation_set", "test_gate.py")


@dataclass(slots=True)
class Observed:
    """What is known of the running configuration, and why the rest is not."""

    plan: RetrievalPlan
    unknown: dict[str, str] = field(default_factory=dict)
    """Path in the plan to a sentence."""


class Observation:
    """One look at a data folder.

    Args:
        folder: the data folder.
        chosen: the person's settings.
        index: the search index; `None` leaves out what only it knows.
        without_index: why there is none, in a sentence.
        rules: how passages are found.
    """

    def __init__(
        self,
        folder: paths.DataDir,
        chosen: Settings,
        index: SearchIndex | None,
        without_index: str = "",
        rules: RetrievalRules = DEFAULT_RULES,
    ) -> None:
        self._folder = folder
        self._settings = chosen
        self._index = index
        self._without_index = without_index
        self._rules = rules
        self._unknown: dict[str, str] = {}

    def look(self, db: sqlite3.Connection | None) -> Observed:
        """All that is known. `db` is a connection to the catalog; `None`: there is no library."""
        embedder = self._embedder()
        fingerprint = embedder.fingerprint if embedder else ""
        sample = audit_figures.sampled_passages(db, fingerprint) if db else []
        facts = self._facts(sample)
        plan = RetrievalPlan(
            chunking=self._chunking(db, embedder, sample, facts),
            embedder=self._described(embedder),
            retrieval=self._retrieval(db, fingerprint, sample),
            documents=self._documents(db, facts),
            evaluation=self._evaluation(db),
            freshness=self._freshness(db),
            monitoring=self._monitoring(db),
            answers=Answers(Citations.CHECKED, self._rules.not_found_below > 0),
            safety=self._safety(),
        )
        return Observed(plan, self._unknown)

    # ------------------------------------------------------------------ what the index knows

    def _embedder(self) -> EmbedderInfo | None:
        if self._index is None:
            return None
        try:
            return self._index.embedder()
        except DesktopRagError as error:
            self._index, self._without_index = None, error.message
            return None

    def _facts(self, sample: Sequence[SampledPassage]) -> list[TextFacts]:
        if self._index is None or not sample:
            return []
        return self._index.look_at([one.text for one in sample])

    def _described(self, embedder: EmbedderInfo | None) -> Embedder:
        if embedder is None:
            self._note(self._without_index, "embedder.max_tokens", "embedder.languages")
            return Embedder()
        languages = embedder.languages or (ANY_LANGUAGE,)
        return Embedder(embedder.id, embedder.dimensions, embedder.max_tokens, languages)

    # ------------------------------------------------------------------ passages

    def _chunking(
        self,
        db: sqlite3.Connection | None,
        embedder: EmbedderInfo | None,
        sample: Sequence[SampledPassage],
        facts: Sequence[TextFacts],
    ) -> Chunking:
        way = Way(self._settings.chunking)
        sizes = [one.tokens for one in facts]
        rules = rules_for(embedder.max_tokens, way) if embedder else None
        found = audit_figures.cuts(db) if db else audit_figures.Cuts(0, ())
        is_told = found.count >= _LEAST_CUTS
        headers = sum(one.has_header for one in sample)
        if not sample:
            self._note(_NO_PASSAGES, "chunking.header")
        return Chunking(
            strategy=Strategy(way.value),
            size=rules.target if rules else None,
            overlap=rules.overlap if rules else None,
            unit=Unit.TOKENS,
            measured_size=statistics.median(sizes) if sizes else None,
            measured_longest=max(sizes, default=None),
            measured_overlap=statistics.median(found.shared or [0]) if is_told else None,
            overlapping_cuts=len(found.shared) / found.count if is_told else None,
            parents=self._rules.window_chars > 0,
            header=2 * headers > len(sample) if sample else None,
        )

    def _documents(self, db: sqlite3.Connection | None, facts: Sequence[TextFacts]) -> Documents:
        files = audit_figures.file_counts(db) if db else audit_figures.FileCounts(0, 0, 0)
        spoken = Counter(one.language for one in facts)
        languages = [one for one, n in spoken.most_common() if n >= _LANGUAGE_SHARE * len(facts)]
        if not facts:
            reason = self._without_index if self._index is None else _NO_PASSAGES
            self._note(reason, "documents.languages")
        if not files.total:
            self._note(_NO_PASSAGES, "documents.unreadable")
        return Documents(
            languages=tuple(languages) or None,
            unreadable=files.failed / files.total if files.total else None,
        )

    # ------------------------------------------------------------------ finding

    def _retrieval(
        self, db: sqlite3.Connection | None, fingerprint: str, sample: Sequence[SampledPassage]
    ) -> Retrieval:
        rules = self._rules
        dense = shares_for("").dense if rules.dense_share is None else rules.dense_share
        return Retrieval(
            modes=self._modes(),
            fusion=Fusion(FusionMethod.RRF, rules.rrf_k, Weights(dense, 1 - dense)),
            candidates=rules.candidates,
            reranker=self._reranker(db, fingerprint, sample),
            duplicates=Duplicates(
                rules.duplicate_above, Similarity.COSINE, keeps_differing_facts=True
            ),
            passages=rules.passages,
            context_tokens=MIN_TOKENS,
        )

    def _modes(self) -> tuple[Mode, ...] | None:
        """What the index really holds, not what it is meant to hold."""
        if self._index is None:
            self._note(self._without_index, "retrieval.modes")
            return None
        state = self._index.state()
        if not state.vectors and not state.keywords:
            self._note(_NO_PASSAGES, "retrieval.modes")
            return None
        held = ((Mode.DENSE, state.vectors), (Mode.KEYWORD, state.keywords))
        return tuple(mode for mode, count in held if count)

    def _reranker(
        self, db: sqlite3.Connection | None, fingerprint: str, sample: Sequence[SampledPassage]
    ) -> Reranking:
        """Found by having it look at a passage."""
        path = "retrieval.reranker.kind"
        if self._index is None or not sample or db is None:
            self._note(self._without_index if self._index is None else _NO_PASSAGES, path)
            self._note(self._unknown[path], "retrieval.reranker.covered")
            return Reranking()
        probe = next((one for one in sample if one.tokens), sample[0])
        item = RerankItem(probe.id, probe.text, probe.tokens)
        found = self._index.rerank(probe.text[:100], [item])
        if found.reader and self._rules.looked_at and self._rules.read_again:
            return Reranking(Reranker.CROSS_ENCODER, self._rules.read_again, covered=1.0)
        if not found.reranker or not self._rules.looked_at:
            self._note("There is no re-ranker.", "retrieval.reranker.covered")
            return Reranking(Reranker.NONE)
        return Reranking(
            kind=Reranker.LATE_INTERACTION,
            candidates=self._rules.looked_at,
            covered=audit_figures.reranker_coverage(db, fingerprint),
        )

    # ------------------------------------------------------------------ keeping it good

    def _evaluation(self, db: sqlite3.Connection | None) -> Evaluation:
        gate = paths.shipped(*_GATE).is_file() or None
        if gate is None:
            self._note("An installed program does not carry its own tests.", "evaluation.gate")
        last = last_evaluation(db) if db else None
        if last is None:
            why = "Nothing was measured yet."
            self._note(why, "evaluation.metrics", "evaluation.age_days")
            return Evaluation(questions=0, gate=gate)
        return Evaluation(
            questions=last.questions,
            metrics=tuple(last.measures),
            gate=gate,
            age_days=round(last.age_days, 2),
        )

    def _freshness(self, db: sqlite3.Connection | None) -> Freshness:
        files = audit_figures.file_counts(db) if db else audit_figures.FileCounts(0, 0, 0)
        if not files.total:
            self._note(_NO_PASSAGES, "freshness.index_age_hours", "freshness.waiting")
        missing = self._unindexed(db) if db else None
        if missing is None:
            self._note(_NO_PASSAGES, "freshness.unindexed")
        return Freshness(
            watching=self._settings.watch,
            sweep_minutes=self._settings.sweep_minutes,
            index_age_hours=_oldest_change_hours(db) if db and files.total else None,
            waiting=files.waiting / files.total if files.total else None,
            unindexed=missing,
        )

    def _unindexed(self, db: sqlite3.Connection) -> float | None:
        """As the index itself counts, if it can be asked; `doctor` compares in full."""
        passages, told = audit_figures.passage_counts(db)
        if not passages:
            return None
        if self._index is not None:
            state = self._index.state()
            told = min(told, state.vectors, state.keywords)
        return (passages - told) / passages

    def _monitoring(self, db: sqlite3.Connection | None) -> Monitoring:
        figures = query_figures(db) if db else None
        if figures is None or figures.queries < LEAST_QUERIES:
            asked = figures.queries if figures else 0
            why = f"{asked} searches are too few to tell; {LEAST_QUERIES} are wanted."
            self._note(why, "monitoring.zero_result_rate", "monitoring.p95_ms")
            return Monitoring(self._settings.query_log, asked)
        return Monitoring(
            query_log=self._settings.query_log,
            queries=figures.queries,
            zero_result_rate=figures.without_result / figures.queries,
            p95_ms=figures.search_p95_ms,
        )

    def _safety(self) -> Safety:
        root = self._folder.root
        is_private = not is_open_to_others(root) if root.is_dir() else None
        if is_private is None:
            self._note(f"{root} does not exist yet.", "safety.private_folder")
        return Safety(telemetry=False, local_only=True, private_folder=is_private)

    def _note(self, reason: str, *unknown: str) -> None:
        for path in unknown:
            self._unknown.setdefault(path, reason)


def _oldest_change_hours(db: sqlite3.Connection) -> float:
    """Hours since the oldest change of a file that was not read yet; 0 when there is none.

    Files of drives that are not there now count as unchanged, as they do for the library itself.
    """
    oldest = now = time.time()
    devices: dict[str, int | None] = {}
    for one in audit_figures.read_files(db, _FILES):
        source = str(one.source)
        if source not in devices:
            devices[source] = device_of(one.source)
        if devices[source] != one.device:
            continue
        try:
            seen = one.path.stat()
            if (seen.st_size, seen.st_mtime_ns) == (one.size, one.mtime_ns):
                continue
            changed_at = max(seen.st_mtime, seen.st_ctime)
        except OSError:
            # Deleted: when, its folder may tell.
            folder = one.path.parent
            changed_at = folder.stat().st_mtime if folder.is_dir() else now
        oldest = min(oldest, changed_at)
    waited = now - oldest
    return round(waited / 3600, 2) if waited > _SETTLING_S else 0.0
