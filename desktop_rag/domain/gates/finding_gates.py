"""Gates of how passages are found and chosen."""

from __future__ import annotations

from desktop_rag.domain.gates.gate import Gate, Judgement, Severity, number
from desktop_rag.domain.retrieval_plan import (
    FusionMethod,
    Mode,
    Reranker,
    RetrievalPlan,
    Similarity,
)

LEAST_CANDIDATES = 50
_RRF_K = (10, 100)
_LEAST_WEIGHT = 0.2
_PASSAGES = (3, 8)
_REPEATS_ABOVE = {Similarity.COSINE: (0.90, 0.98), Similarity.JACCARD: (0.70, 0.95)}
ANY_LANGUAGE = "*"


def _hybrid(plan: RetrievalPlan) -> Judgement:
    if (modes := plan.retrieval.modes) is None:
        return None
    seen = f"Candidates are found by: {', '.join(modes) or 'nothing'}."
    return {Mode.DENSE, Mode.KEYWORD} <= set(modes), seen


def _fusion(plan: RetrievalPlan) -> Judgement:
    fusion = plan.retrieval.fusion
    if fusion.method is None or (fusion.method is FusionMethod.RRF and fusion.k is None):
        return None
    if fusion.method is not FusionMethod.RRF:
        return False, f"Rankings are joined like this: {fusion.method}."
    k = fusion.k or 0
    return _RRF_K[0] <= k <= _RRF_K[1], f"Reciprocal rank fusion with k = {k:g}."


def _weights(plan: RetrievalPlan) -> Judgement:
    weights = plan.retrieval.fusion.weights
    if weights.dense is None or weights.keyword is None:
        return None
    share = weights.dense / (weights.dense + weights.keyword)
    seen = f"Vectors count {share:.0%}, keywords {1 - share:.0%}."
    return _LEAST_WEIGHT <= share <= 1 - _LEAST_WEIGHT, seen


def _room(plan: RetrievalPlan) -> Judgement:
    found = plan.retrieval
    if found.candidates is None or found.passages is None:
        return None
    seen = f"{found.passages} passages are chosen from {found.candidates} candidates a retriever."
    return found.candidates >= 2 * found.passages, seen


def _reranker(plan: RetrievalPlan) -> Judgement:
    if (kind := plan.retrieval.reranker.kind) is None:
        return None
    if kind is Reranker.NONE:
        return False, "Nothing looks at the candidates a second time."
    return True, f"Candidates are looked at a second time: {kind}."


def _duplicates(plan: RetrievalPlan) -> Judgement:
    rule = plan.retrieval.duplicates
    if rule.above is None or rule.keeps_differing_facts is None:
        return None
    measure = rule.similarity or Similarity.COSINE
    low, high = _REPEATS_ABOVE[measure]
    kept = "stay" if rule.keeps_differing_facts else "may go, too"
    return (
        low <= rule.above <= high and rule.keeps_differing_facts,
        f"Left out from a similarity ({measure}) of {rule.above:g}; passages that differ in a "
        f"number, date or name {kept}.",
    )


def _context(plan: RetrievalPlan) -> Judgement:
    budget, size = plan.retrieval.context_tokens, plan.chunking.typical_tokens
    if budget is None or size is None:
        return None
    seen = f"{budget} tokens of the prompt hold {budget / size:.1f} passages."
    return budget >= _PASSAGES[0] * size, seen


def _languages(plan: RetrievalPlan) -> Judgement:
    known, spoken = plan.embedder.languages, plan.documents.languages
    if known is None or spoken is None:
        return None
    strange = [one for one in spoken if one not in known]
    if not strange or ANY_LANGUAGE in known:
        return True, "The embedder knows the languages of the documents."
    return False, f"Documents are in {', '.join(strange)}; the embedder knows {', '.join(known)}."


FINDING_GATES = (
    Gate(
        "hybrid",
        "Candidates are found both by meaning and by words.",
        "Vectors miss part numbers and names; keywords miss other words for the same thing.",
        Severity.ERROR,
        ("retrieval.modes",),
        _hybrid,
        "Have both `dense` and `keyword` in `retrieval.modes`.",
        "Run `desktop-rag doctor --repair`, which makes the missing part of the index.",
    ),
    Gate(
        "fusion",
        "Rankings are joined by reciprocal rank fusion, with k near 60.",
        "Scores of different retrievers do not compare; ranks do.",
        Severity.WARNING,
        ("retrieval.fusion.method", "retrieval.fusion.k"),
        _fusion,
        "Set `retrieval.fusion` to `rrf` with `k` 60.",
        "Take the choice of other rules back.",
    ),
    Gate(
        "fusion-weights",
        "Neither vectors nor keywords count less than a fifth.",
        "A retriever that hardly counts might as well be missing.",
        Severity.WARNING,
        ("retrieval.fusion.weights.dense", "retrieval.fusion.weights.keyword"),
        _weights,
        "Begin with equal `retrieval.fusion.weights`, and change them by what a test set says.",
        "Take the choice of other rules back.",
    ),
    Gate(
        "candidates",
        f"Each retriever is asked for {LEAST_CANDIDATES} candidates or more.",
        "What is not among the candidates cannot be put first afterwards.",
        Severity.WARNING,
        ("retrieval.candidates",),
        number(
            lambda plan: plan.retrieval.candidates,
            "{:g} candidates of each retriever.",
            LEAST_CANDIDATES,
        ),
        f"Set `retrieval.candidates` to {LEAST_CANDIDATES}.",
        "Take the choice of other rules back.",
    ),
    Gate(
        "candidates-room",
        "There are at least twice as many candidates as passages are used.",
        "Else there is nothing to choose from, and every duplicate costs a passage.",
        Severity.ERROR,
        ("retrieval.candidates", "retrieval.passages"),
        _room,
        "Raise `retrieval.candidates`, or use fewer `retrieval.passages`.",
        "Take the choice of other rules back.",
    ),
    Gate(
        "reranker",
        "A re-ranker looks at the candidates a second time.",
        "The first look compares whole passages; only the second one compares word by word.",
        Severity.ERROR,
        ("retrieval.reranker.kind",),
        _reranker,
        "Set `retrieval.reranker.kind`: `late-interaction` needs no second model.",
        "Leave the window open until nothing is waiting: passages are prepared for it in the "
        "background. Another search model than the one that came with the program may have none.",
    ),
    Gate(
        "reranker-coverage",
        "The re-ranker knows nearly all passages.",
        "Passages it does not know keep their first, rougher place.",
        Severity.WARNING,
        ("retrieval.reranker.covered",),
        number(
            lambda plan: plan.retrieval.reranker.covered,
            "It knows {:.0%} of the passages.",
            0.95,
            none="It knows no passage.",
        ),
        "Have all passages prepared for the re-ranker.",
        "Leave the window open until nothing is waiting; they are prepared in the background.",
    ),
    Gate(
        "passages",
        "An answer is written from 3 to 8 passages.",
        "Fewer miss half of a comparison; in more, small models get lost.",
        Severity.WARNING,
        ("retrieval.passages",),
        number(lambda plan: plan.retrieval.passages, "Up to {:g} passages.", *_PASSAGES),
        "Set `retrieval.passages` to between 3 and 8.",
        "Take the choice of other rules back.",
    ),
    Gate(
        "context",
        "The prompt has room for three passages of the usual size.",
        "Otherwise they are cut, and perhaps the sentence that matters with them.",
        Severity.WARNING,
        ("retrieval.context_tokens", "chunking.size"),
        _context,
        "Raise `retrieval.context_tokens`, or make passages smaller.",
        "Choose a language model with a larger context: `desktop-rag models list`.",
    ),
    Gate(
        "duplicates",
        "Repetitions are left out, and never two versions that differ in a fact.",
        "Copies take the room of other passages; the newer price must not vanish as a copy.",
        Severity.WARNING,
        ("retrieval.duplicates.above", "retrieval.duplicates.keeps_differing_facts"),
        _duplicates,
        "Leave out from a cosine of about 0.92, unless numbers, dates or names differ.",
        "Take the choice of other rules back.",
    ),
    Gate(
        "language",
        "The embedder knows the languages of the documents.",
        "In other languages its vectors say little, and only keywords find something.",
        Severity.WARNING,
        ("embedder.languages", "documents.languages"),
        _languages,
        "Take a multilingual embedder.",
        "Search those documents by words that stand in them, or add a search model that knows "
        "their language.",
    ),
)
