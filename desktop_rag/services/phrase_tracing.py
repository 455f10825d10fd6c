"""Follows a phrase from the stored text through every stage of the search, and says where its
passage got lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from desktop_rag.domain.answers import SearchResult
from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.errors import NothingIndexed
from desktop_rag.domain.explanation import Decision, Fate
from desktop_rag.domain.tracing import Mark, NextStep, Step, Way
from desktop_rag.storage.text_search import Occurrence, TextFinds, TextSearch

TEXT, PASSAGE, KEYWORDS, MEANING = "Text", "Passage", "Keywords", "Meaning"
FUSION, CLOSER_LOOK, RELEVANCE, REPEATS, SHOWN = (
    "Both rankings together",
    "Closer look",
    "Relevance",
    "Repetition",
    "Shown",
)
_NAMED = 3
_FAR_DOWN = 20


@dataclass(frozen=True, slots=True)
class PhraseTracing:
    """Looks for a phrase. Usable from any thread; *may block* for seconds."""

    texts: TextSearch
    search: Callable[[str], SearchResult]
    """Explained."""

    def trace(
        self,
        phrase: str,
        document: DocumentId | None = None,
        on_step: Callable[[], None] = lambda: None,
    ) -> Way:
        """The way of a phrase; with a document, of the passage of that one."""
        documents = None if document is None else [document]
        finds = self.texts.find(phrase, documents, on_step)
        wanted = self._wanted(finds, document)
        return Way(phrase, (_text(finds, document), *self._searched(phrase, finds, wanted)))

    def _wanted(self, finds: TextFinds, document: DocumentId | None) -> list[ChunkId]:
        """The passages that ought to be found."""
        if finds.phrase_in:
            return [
                chunk
                for one in finds.phrase_in
                for chunk in self.texts.chunks_at(one.document, one.start, one.end)
            ]
        return self.texts.chunks_of(document) if document is not None else []

    def _searched(self, phrase: str, finds: TextFinds, wanted: Sequence[ChunkId]) -> Iterator[Step]:
        if finds.phrase_in:
            yield self._passage(finds.phrase_in[0], wanted)
        try:
            result = self.search(phrase)
        except NothingIndexed as error:
            yield Step(KEYWORDS, Mark.STOPPED, error.message)
            return
        decisions = result.explanation.decisions
        mine = [one for one in decisions if one.chunk in set(wanted)]
        if mine:
            yield from _ranked(min(mine, key=_place), result)
        elif wanted:
            yield _not_met(len(decisions), result)
        else:
            yield _nearest(result)

    def _passage(self, found: Occurrence, wanted: Sequence[ChunkId]) -> Step:
        here = self.texts.chunks_at(found.document, found.start, found.end)
        if len(here) > 1:
            sentence = f"It is divided between {len(here)} passages, so each holds a part only."
            return Step(PASSAGE, Mark.NOTE, sentence, "Ask with the words of one of them.")
        if not here:
            return Step(PASSAGE, Mark.STOPPED, "No passage holds this part of the text.")
        noun = "passage holds" if len(wanted) == 1 else "passages hold"
        return Step(PASSAGE, Mark.PASSED, f"{len(wanted)} {noun} it as a whole.")


def _place(decision: Decision) -> tuple[int, int]:
    return decision.shown_as or 10**6, decision.rank


def _text(finds: TextFinds, document: DocumentId | None) -> Step:
    where = "the file" if document is not None else "any file"
    if finds.phrase_in:
        names = [PurePath(one.path).name for one in finds.phrase_in]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        noun = "file" if len(names) == 1 else "files"
        sentence = f"It stands in {len(names)} {noun}: {', '.join(names[:_NAMED])}{more}."
        path = finds.phrase_in[0].path
        return Step(TEXT, Mark.PASSED, sentence, "", NextStep.SHOW, path)
    if finds.missing:
        words = ", ".join(f"“{word}”" for word in finds.missing)
        return Step(
            TEXT, Mark.STOPPED, f"{words} does not occur in the text of {where}.",
            "Check the spelling; on scanned pages a word may have been misread.",
        )  # fmt: skip
    if finds.words_in:
        holding = ", ".join(PurePath(path).name for path in finds.words_in[:_NAMED])
        sentence = f"The words stand in {holding}, but not next to each other."
        return Step(TEXT, Mark.NOTE, sentence, "Ask for them in other words or one by one.")
    sentence = f"Its words do not stand together in the text of {where}."
    return Step(TEXT, Mark.NOTE, sentence, "Ask for a part of it.")


def _ranked(best: Decision, result: SearchResult) -> Iterator[Step]:
    yield _list_step(KEYWORDS, best.keyword_rank, "It shares no word with what was asked.")
    yield _list_step(MEANING, best.dense_rank, "Other passages are nearer in meaning.")
    yield _fusion(best, len(result.explanation.decisions))
    if best.late_rank is not None:
        sentence = f"Compared word by word with what was asked, it comes at place {best.late_rank}."
        yield Step(CLOSER_LOOK, Mark.PASSED, sentence)
    if best.read_rank is not None:
        sentence = f"Read again together with what was asked, it comes at place {best.read_rank}."
        yield Step(CLOSER_LOOK, Mark.PASSED, sentence)
    yield _relevance(best)
    if (repeated := _repeats(best, result)) is not None:
        yield repeated
    yield _shown(best, result)


def _list_step(name: str, rank: int | None, absent: str) -> Step:
    if rank is None:
        return Step(name, Mark.NOTE, absent)
    mark = Mark.PASSED if rank <= _FAR_DOWN else Mark.NOTE
    return Step(name, mark, f"This ranking has it at place {rank}.")


def _fusion(best: Decision, candidates: int) -> Step:
    sentence = f"Place {best.rank} of {candidates} candidates."
    if best.tier_weight < 1:
        return Step(
            FUSION, Mark.NOTE, f"{sentence} Its folder counts less than others.",
            "Let the folder count more.", NextStep.RULES, best.path,
        )  # fmt: skip
    return Step(FUSION, Mark.PASSED, sentence)


def _relevance(best: Decision) -> Step:
    share = "" if best.relevance is None else f" ({round(100 * best.relevance)} %)"
    if best.verdict.fate is Fate.WEAK:
        return Step(
            RELEVANCE, Mark.STOPPED, f"It is judged to be hardly about the question{share}.",
            "Ask with words that stand in the passage.",
        )  # fmt: skip
    return Step(RELEVANCE, Mark.PASSED, f"It is about what was asked{share}.")


def _repeats(best: Decision, result: SearchResult) -> Step | None:
    if best.verdict.fate not in {Fate.DUPLICATE, Fate.SIMILAR}:
        return None
    number = result.explanation.number_of(best.verdict.because_of)
    other = f"result {number}" if number else "a better one"
    is_copy = best.verdict.fate is Fate.DUPLICATE
    reason = "says the same as" if is_copy else "is too much like"
    return Step(REPEATS, Mark.STOPPED, f"It {reason} {other}, which is shown instead.")


def _shown(best: Decision, result: SearchResult) -> Step:
    if best.shown_as is not None:
        sentence = f"It is result {best.shown_as} of {len(result.passages)}."
        return Step(SHOWN, Mark.PASSED, sentence, "", NextStep.SHOW, best.path)
    reasons = {
        Fate.OVER_LIMIT: "Better passages fill the list.",
        Fate.NOT_WORTH_READING: "It is far below the best passage.",
        Fate.REMOVED: "It is no longer in the library.",
    }
    sentence = reasons.get(best.verdict.fate, "It is not among the results.")
    return Step(SHOWN, Mark.STOPPED, sentence, "Ask more precisely, or narrow what is searched.")


def _not_met(candidates: int, result: SearchResult) -> Step:
    sentence = f"It is none of the {candidates} passages that were looked at closely."
    if result.understood.corrections:
        words = ", ".join(f"“{one[1]}”" for one in result.understood.corrections)
        sentence += f" Searched was {words}."
    remedy = "Put the phrase in quotation marks, or name the file."
    return Step(FUSION, Mark.STOPPED, sentence, remedy)


def _nearest(result: SearchResult) -> Step:
    if not result.passages:
        return Step(SHOWN, Mark.STOPPED, "The search finds nothing like it.")
    best = result.passages[0]
    name = PurePath(best.path).name
    mark = Mark.STOPPED if result.is_weak else Mark.PASSED
    sentence = f"The nearest that the search finds stands in {name}."
    return Step(SHOWN, mark, sentence, "", NextStep.SHOW, best.path)
