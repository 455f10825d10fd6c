"""Composes one answer, step by step: find, judge, select, write, check.

What the model has read last, and what was quoted last, is remembered from one answer to the next,
and nothing else. Called on the answerer thread only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_rag.domain.absent_codes import absent_code, is_of_one_each
from desktop_rag.domain.amendments import amendments
from desktop_rag.domain.answer_forms import PROCEDURE_TOKENS, form_for
from desktop_rag.domain.answers import (
    Answer,
    Citation,
    Confidence,
    Passage,
    Role,
    Turn,
)
from desktop_rag.domain.assurance import doubting, levels_of, trusted
from desktop_rag.domain.budget import Effort
from desktop_rag.domain.citing import Cited, cite
from desktop_rag.domain.counting import wants_all
from desktop_rag.domain.errors import UserError
from desktop_rag.domain.events import AnswerDelta, ExtractFound, SourcesFound
from desktop_rag.domain.fencing import uncited
from desktop_rag.domain.footnotes import footnotes_to
from desktop_rag.domain.ordering import in_known_order
from desktop_rag.domain.ports import GenerationLimits, Generator, GeneratorInfo
from desktop_rag.domain.prompting import (
    REFUSAL,
    PromptTexts,
    build,
    is_refusal,
)
from desktop_rag.domain.question_kinds import QuestionKind
from desktop_rag.domain.revisions import GREEDY, as_written
from desktop_rag.domain.spotting import (
    certainty,
    excerpt_of,
    hinted,
    is_likely_in,
    is_qualified,
    is_stated,
    is_stated_in,
    word_for_word,
    worth_reading,
)
from desktop_rag.domain.withdrawn import withdrawals
from desktop_rag.services.assuring import Prompt, alone, likeliest_first, most_assured
from desktop_rag.services.bus import Bus
from desktop_rag.services.counting import COUNTED, uncounted
from desktop_rag.services.direct_answers import DirectAnswers
from desktop_rag.services.drafts import Draft, IsCancelled, Question
from desktop_rag.services.editions import Editions, Settled
from desktop_rag.services.filling import Budget, filled
from desktop_rag.services.finding import Finding
from desktop_rag.services.finishing import answer_of, not_found, stopped_answer, stopped_early
from desktop_rag.services.locating import Locator
from desktop_rag.services.portioning import Portioning
from desktop_rag.services.quoting import Quoting
from desktop_rag.services.retrieval import Found, Retrieval
from desktop_rag.services.safeguards import Safeguards, without_orders_in
from desktop_rag.services.spotting import Spotting
from desktop_rag.services.stoppable import unless_stopped
from desktop_rag.services.summarising import Summarising
from desktop_rag.services.writing import read_ahead, write
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.prompt_texts import prompt_text

_LONGEST_REQUEST = 300
_MAY_AMEND = 8
"""Of the best passages, those that may change what another says."""
_WRITTEN_AT_ONCE = frozenset({QuestionKind.FACT, QuestionKind.COMPARISON, QuestionKind.HOW_TO})
"""Kinds of questions whose answer begins with a search."""

_ONE_PLACE = frozenset({QuestionKind.FACT, QuestionKind.HOW_TO})
"""Kinds of questions whose answer stands somewhere as asked; a comparison's stands nowhere."""

_PROMPTS = ("answer_system", "answer_user", "answer_check", "answer_hint")

Judge = Callable[[str, Sequence[Passage]], Confidence]
"""Whether passages can hold the answer; NONE: they do not (`domain.answerability`)."""


class Composer:
    """Writes answers."""

    def __init__(
        self,
        retrieval: Retrieval,
        generator: Generator,
        catalog: Catalog,
        bus: Bus,
        judge: Judge,
        prompts: PromptTexts | None = None,
        effort: Callable[[], Effort] = lambda: Effort.BALANCED,
        safeguards: Safeguards | None = None,
        direct: DirectAnswers | None = None,
    ) -> None:
        self._direct = direct
        self._safeguards = safeguards or Safeguards()
        self._quoting = Quoting(retrieval)
        self._spotting = Spotting(retrieval)
        self._editions = Editions(catalog)
        self._finding = Finding(retrieval, generator, catalog, self._editions, self._safeguards)
        self._summarising = Summarising(retrieval, generator, catalog, bus, effort=effort)
        self._generator = generator
        self._catalog = catalog
        self._bus = bus
        self._judge = judge
        self._prompts = prompts or load_prompts()
        self._forms = load_forms()
        self._effort = effort
        self._portioning = Portioning(generator, effort)
        self._last_passages: tuple[Passage, ...] = ()
        self._quoted_last: tuple[int, Citation | None] = (0, None)
        """The request that was last shown a quotation, and which."""

    def opening(self) -> list[Turn]:
        """The part all prompts begin with; reading it ahead makes the first answer quicker."""
        before_passages = self._prompts.user.partition("{passages}")[0]
        return [Turn(Role.SYSTEM, self._prompts.system), Turn(Role.USER, before_passages)]

    def compose(
        self, question: Question, is_cancelled: IsCancelled, found: Found | None = None
    ) -> Answer:
        """The whole way from a question to an answer.

        Publishes ExtractFound, SourcesFound and AnswerDelta, in this order.

        Args:
            question: what is asked.
            is_cancelled: Stop; works in every step.
            found: by `prepare` for this very question.

        Raises:
            NothingIndexed: there is nothing to search.
            WorkerCrashed, WorkerTimedOut: the index or the language model ended in the middle.
        """
        begin = time.perf_counter()
        if (direct := self._answered_directly(question, is_cancelled)) is not None:
            return direct
        if (summary := self._summary(question, is_cancelled)) is not None:
            return summary
        found = found or self._finding.find(question, is_cancelled)
        if found is None:
            return stopped_answer(question.text)
        find_ms = (time.perf_counter() - begin) * 1000
        settled = self._finding.settled(question, found)
        draft = self._draft(question, settled.found)
        answer = self._finish(draft, is_cancelled)
        total_ms = (time.perf_counter() - begin) * 1000
        draft.timings_ms |= {"find": find_ms, "total": total_ms}
        return self._with_remarks(answer, question, draft, settled)

    def _with_remarks(
        self, answer: Answer, question: Question, draft: Draft, settled: Settled
    ) -> Answer:
        """The answer with what a person is told beside it, masked as the person wants it."""
        is_uncounted, found = question.kind in COUNTED, settled.found
        is_partial = is_uncounted or wants_all(question.text[:_LONGEST_REQUEST])
        near = found.passages[:_MAY_AMEND]
        amended = amendments(draft.question.queries[-1], answer.citations, near)
        amended += withdrawals(answer.citations)
        read = [one.text for one in draft.read or draft.passages]
        said = [question.text, *(turn.content for turn in question.history)]
        timings = {**answer.figures.timings_ms, **draft.timings_ms}
        return replace(
            self._safeguards.finished(answer, [*said, *read]),
            question=found.question,
            figures=replace(answer.figures, timings_ms=timings),
            understood=uncounted(found.understood) if is_partial else found.understood,
            kind=QuestionKind.FACT if is_uncounted else question.kind,
            conflicts=(
                *footnotes_to(answer.citations, self._catalog.text),
                *amended,
                *self._editions.told(answer, settled),
            ),
            confidence=Confidence.LOW if amended and answer.found else answer.confidence,
        )

    def _answered_directly(self, question: Question, is_cancelled: IsCancelled) -> Answer | None:
        def is_held() -> bool:
            try:
                found = self._finding.find(question, is_cancelled)
            except UserError:
                return False
            return found is not None and self._draft(question, found).judged is Confidence.HIGH

        text, scope, request = question.text, question.scope, question.request
        if self._direct is None:
            return None
        return self._direct.answer(text, scope, request, is_cancelled, is_held)

    def _summary(self, question: Question, is_cancelled: IsCancelled) -> Answer | None:
        """A summary; `None` when none was asked for, or one of a topic and not of documents."""
        if question.kind is not QuestionKind.SUMMARY:
            return None
        locate = Locator(self._catalog).locate
        answer = self._summarising.compose(
            question.request, question.text, question.scope, locate, is_cancelled
        )
        if answer is None:
            return None
        answer = replace(answer, kind=QuestionKind.SUMMARY)
        return self._safeguards.finished(answer, [one.quote for one in answer.citations])

    def prepare(
        self,
        question: Question,
        is_cancelled: IsCancelled,
        on_found: Callable[[Found], None],
        asked_as: Callable[[], int] = lambda: 0,
    ) -> None:
        """Do ahead what `compose` begins with: search, and let the model read the prompt.

        Publishes nothing unless it is asked meanwhile, and does nothing for kinds of questions that
        are answered in another way. Reading that is cancelled is not lost: the model keeps what it
        has read.

        Args:
            question: what is being typed.
            is_cancelled: it has changed.
            on_found: told what was found, for `compose`, before the model begins to read.
            asked_as: the request it has become; the quotation is shown then, and reading goes on.

        Raises:
            DesktopRagError: whatever `compose` would raise.
        """
        if question.kind not in _WRITTEN_AT_ONCE:
            return
        found = self._finding.find(question, is_cancelled)
        if found is None or is_cancelled():
            return
        on_found(found)
        draft = self._draft(question, self._finding.settled(question, found).found)
        if _is_unlikely(draft) or _only_others(draft, found.passages) is not None:
            return
        if is_stated(draft.spots) and self._may_quote(draft):
            return
        is_over = self._quoting_once_asked(draft, asked_as, is_cancelled)
        model = unless_stopped(self._generator.info, is_over)
        if model is not None:
            prompt = self._select(draft, model)
            read_ahead(self._generator, prompt(draft.portions[0]), is_over)

    def _quoting_once_asked(
        self, draft: Draft, asked_as: Callable[[], int], is_cancelled: IsCancelled
    ) -> IsCancelled:
        """`is_cancelled`, asked all the time by what takes long, with an eye on who asks."""

        def is_over() -> bool:
            if "extract" not in draft.timings_ms and (request := asked_as()):
                draft.question = replace(draft.question, request=request)
                self._quote_at_once(draft)
            return is_cancelled()

        return is_over

    def _draft(self, question: Question, found: Found) -> Draft:
        question = _as_searched(question, found)
        judged = self._judge(question.queries[-1], found.passages)
        form = form_for(question.kind, found.texts[0], found.passages, self._forms)
        locate = Locator(self._catalog).locate
        draft = Draft(question, found, judged, found.figures, locate, form)
        if judged is not Confidence.NONE:
            with draft.measure("spot"):
                draft.spots = self._spotting.spots(found, question.kind)
            draft.judged = min(judged, certainty(draft.spots), key=_STRENGTH.index)
        return draft

    def _finish(self, draft: Draft, is_cancelled: IsCancelled) -> Answer:
        if _is_unlikely(draft):
            return not_found(draft)
        if (others := _only_others(draft, draft.found.passages)) is not None:
            return others
        if is_cancelled():
            return stopped_early(draft)
        self._quote_at_once(draft)
        if (stated := self._word_for_word(draft)) is not None:
            return stated
        try:
            with draft.measure("load_model"):
                model = unless_stopped(self._generator.info, is_cancelled)
            if model is None:
                return stopped_early(draft)
            prompt = self._select(draft, model)
        except UserError as error:
            if draft.question.begun is not None:  # a quotation is no way to go on
                raise
            return self._extract(draft, error)  # missing, damaged, too large or too small
        self._show(draft)
        turns = self._stated(draft, prompt, is_cancelled)
        if turns is None:
            return stopped_early(draft) if is_cancelled() else not_found(draft)
        is_other = absent_code(draft.question.queries[-1], draft.passages)
        if self._may_quote(draft) and is_likely_in(draft.passages, draft.spots) and not is_other:
            return self._quotation(draft)
        self._write(draft, turns, is_cancelled)
        return self._checked(draft)

    # ------------------------------------------------------------------ steps

    def _select(self, draft: Draft, model: GeneratorInfo) -> Prompt:
        """Fill the budget with passages; returns how a prompt is made of some of them.

        Raises:
            UserError: the model reads too little at once.
        """
        question, system = draft.question, self._prompts.system
        least = PROCEDURE_TOKENS if draft.form.has_steps else 0
        portion = self._portioning.portion(model, system, question.text, question.history, least)
        draft.model, draft.answer_tokens = model.id, portion.answer_tokens
        self._fill(draft, portion.budget, is_follow_up=bool(portion.history))
        return lambda some: build(self._prompts, portion.question, some, portion.history)

    def _fill(self, draft: Draft, budget: Budget, *, is_follow_up: bool) -> None:
        selected = filled(draft.found, budget, self._catalog.neighbours, draft.question.rules)
        arranged = draft.form.arranged(selected.passages)
        passages = without_orders_in(arranged, draft.found.question)
        if is_follow_up:  # what the model has read for the question before comes first again
            passages = tuple(in_known_order(passages, self._last_passages))
        draft.passages, draft.figures = passages, selected.figures
        draft.portions = self._portions(draft, budget)
        self._last_passages = passages

    def _portions(self, draft: Draft, budget: Budget) -> list[tuple[Passage, ...]]:
        """What the model reads at a time when it looks for a single fact."""
        kind = draft.question.kind
        if kind is not QuestionKind.FACT or self._effort() is Effort.THOROUGH:
            return [draft.passages]
        likely = likeliest_first(draft.passages, draft.found.passages, draft.spots)
        is_sure = is_stated_in(likely[:1], draft.spots)
        read = likely[:1] if is_sure else worth_reading(likely, draft.spots)
        portions = alone(read, draft.question.text, budget)
        if not is_sure:
            return portions
        [(best,)] = portions
        return [(replace(best, excerpt=excerpt_of(draft.spots[0], best)),)]

    def _show(self, draft: Draft) -> None:
        self._bus.publish(SourcesFound(draft.question.request, draft.passages))

    def _show_first(self, passages: tuple[Passage, ...], draft: Draft) -> None:
        """Tell the order again when the model will number the sources in another one."""
        order = list({one.chunk: one for one in (*passages, *draft.passages)}.values())
        if [one.chunk for one in order] != [one.chunk for one in draft.passages]:
            self._bus.publish(SourcesFound(draft.question.request, tuple(order)))

    def _stated(self, draft: Draft, prompt: Prompt, is_cancelled: IsCancelled) -> list[Turn] | None:
        """The prompt with the passages that state the answer; `None` when none does."""
        kind = draft.question.kind
        if kind not in _ONE_PLACE or draft.question.begun is not None:
            return prompt(draft.passages)
        if is_stated_in(draft.portions[0], draft.spots):
            self._take_alone(draft, draft.portions[0])
            return prompt(draft.passages)
        with draft.measure("weigh"):
            levels = doubting(levels_of(draft.model), draft.spots)
            assured = most_assured(
                self._generator, self._prompts, draft.portions, prompt, levels, is_cancelled
            )
        if assured is None:
            return None
        draft.judged = trusted(draft.judged, assured.log_odds, levels)
        self._show_first(assured.passages, draft)
        draft.passages, draft.read = assured.passages, assured.read
        self._last_passages = assured.passages
        draft.figures = draft.figures.with_passages(assured.read)
        return None if draft.judged is Confidence.NONE else assured.turns

    def _take_alone(self, draft: Draft, passages: tuple[Passage, ...]) -> None:
        """Write from what states the answer for sure; nobody is asked whether it does."""
        self._show_first(passages, draft)
        draft.passages = draft.read = self._last_passages = passages
        draft.figures = draft.figures.with_passages(passages)

    def _write(self, draft: Draft, turns: Sequence[Turn], is_cancelled: IsCancelled) -> None:
        """Stream the model's text into the draft."""
        question = draft.question
        begun = as_written(question.begun, draft.passages) if question.begun else ""
        limits = GenerationLimits(
            max_tokens=draft.form.tokens(draft.answer_tokens),
            temperature=question.sampling.temperature,
            seed=question.sampling.seed,
            grammar=draft.form.grammar(len(draft.passages)),
            # Whether the passages state the answer was decided before, by better means.
            never_first="" if begun else REFUSAL,
            begun=begun,
        )
        request, bus = question.request, self._bus
        spots = [one for one in draft.spots if any(map(one.is_in, draft.passages))]
        written = write(
            self._generator,
            hinted(draft.form.told(turns), self._prompts.hint, spots),
            limits,
            is_cancelled,
            lambda piece: bus.publish(AnswerDelta(request, piece)),
        )
        draft.text = begun + written.text
        draft.note, draft.is_stopped = written.note, written.is_stopped
        if written.first_ms is not None:
            weighed_ms = draft.timings_ms.get("weigh", 0.0)
            draft.timings_ms["first_token"] = weighed_ms + written.first_ms
        draft.timings_ms["generate"] = written.total_ms - (written.first_ms or written.total_ms)

    def _checked(self, draft: Draft) -> Answer:
        """The draft with its citations checked."""
        if not draft.text.strip():
            return stopped_early(draft) if draft.is_stopped else not_found(draft)
        if is_refusal(draft.text) and not draft.is_stopped:
            return not_found(draft)
        with draft.measure("cite"):
            cited = cite(draft.text, draft.question.text, draft.passages, draft.locate)
        if (others := self._on_others(draft, cited)) is not None:
            return others
        return draft.form.completed(answer_of(draft, cited))

    def _on_others(self, draft: Draft, cited: Cited) -> Answer | None:
        """No answer when all of it rests on what stands about another model only."""
        borne_out = sum(end - start for start, end in cited.unsupported) < len(cited.text.strip())
        chunks = {citation.chunk for citation in cited.citations}
        passages = [passage for passage in draft.passages if passage.chunk in chunks]
        is_open = not borne_out or is_of_one_each(draft.question.queries[-1])
        return _only_others(draft, passages) if is_open and not draft.is_stopped else None

    def _quote_at_once(self, draft: Draft) -> None:
        """Show the sentence that answers best; whatever is written comes seconds later."""
        request, (shown_for, extract) = draft.question.request, self._quoted_last
        if shown_for == request and extract is not None:  # while the model read ahead
            draft.extract = extract
            return
        with draft.measure("extract"):
            draft.extract = self._quoting.best(draft.found, draft.locate, draft.spots)
        if draft.extract is not None:
            self._quoted_last = (request, draft.extract)
            self._bus.publish(ExtractFound(request, draft.extract))

    def _word_for_word(self, draft: Draft) -> Answer | None:
        """The sentence that states the answer for sure; `None`: none does, or it shall be written.

        It holds the answer more often than what a small model makes of it, and at once.
        """
        if not (is_stated(draft.spots) and self._may_quote(draft)):
            return None
        self._fill(draft, self._portioning.without_model(), is_follow_up=False)
        best = draft.portions[0]
        if not is_stated_in(best, draft.spots) or absent_code(draft.question.queries[-1], best):
            return None
        self._show(draft)
        self._take_alone(draft, best)
        return self._quotation(draft)

    def _may_quote(self, draft: Draft) -> bool:
        """Whether the person is content with a sentence, where one answers."""
        question, is_thorough = draft.question, self._effort() is Effort.THOROUGH
        return question.begun is None and question.sampling == GREEDY and not is_thorough

    def _quotation(self, draft: Draft) -> Answer:
        """The words that answer, and their sentence."""
        assert draft.extract is not None  # the words, where there are any, are what is quoted
        best = draft.spots[0]
        # A number by itself is not known for a telephone's; in its sentence it is masked.
        told = word_for_word(best, is_led=not self._safeguards.is_masking())
        text = f"{told} [{draft.extract.number}]"
        if is_qualified(best):
            draft.judged = Confidence.LOW
        self._bus.publish(AnswerDelta(draft.question.request, text))
        draft.model = ""
        return answer_of(draft, Cited(text, (draft.extract,), (), 1.0))

    def _extract(self, draft: Draft, error: UserError) -> Answer:
        """An answer without a language model: the sentence that was shown at once."""
        self._fill(draft, self._portioning.without_model(), is_follow_up=False)
        self._show(draft)
        assert draft.extract is not None  # there are passages, and one of them is the best
        cited = self._quoted(draft) or Cited(
            f"{uncited(draft.extract.quote)} [1]", (draft.extract,), (), 1.0
        )
        self._bus.publish(AnswerDelta(draft.question.request, cited.text))
        # Nobody checked that the sentence answers the question, only that it is about it.
        draft.judged = min(draft.judged, Confidence.LOW, key=_STRENGTH.index)
        note = f"Quoted word for word, without a language model. {error.message}"
        return replace(draft.form.completed(answer_of(draft, cited)), note=note)

    def _quoted(self, draft: Draft) -> Cited | None:
        text = draft.form.quoted(draft.passages)
        return cite(text, draft.question.text, draft.passages, draft.locate) if text else None


def load_prompts() -> PromptTexts:
    """The prompts shipped with the program."""
    return PromptTexts(*map(prompt_text, _PROMPTS))


def load_forms() -> dict[str, str]:
    """What ends a prompt for some kinds of questions (`domain.answer_forms`)."""
    return {name: prompt_text(f"form_{name}") for name in ("steps", "comparison", "one_side")}


_STRENGTH = (Confidence.NONE, Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


def _as_searched(question: Question, found: Found) -> Question:
    """The question in the words that were searched; filters are nothing to look for or to say."""
    text = found.texts[0] if found.understood.filters else question.text
    return replace(question, text=text, queries=found.texts)


def _is_unlikely(draft: Draft) -> bool:
    return draft.judged is Confidence.NONE or not draft.found.passages


def _only_others(draft: Draft, passages: Sequence[Passage]) -> Answer | None:
    """The answer when the passages are about other models than the one asked about."""
    if draft.question.kind not in _ONE_PLACE or draft.question.begun is not None:
        return None
    sentence = absent_code(draft.question.queries[-1], passages)
    return replace(not_found(draft), note=sentence) if sentence else None
