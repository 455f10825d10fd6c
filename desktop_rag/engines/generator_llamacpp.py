"""The language model: llama.cpp behind the `Generator` port. Lives in the `llm` role.

Compared with llama-cpp-python's own `create_chat_completion`, this stops within milliseconds even
while the prompt is being read, keeps template tokens in documents harmless (`llamacpp_prompt`),
pays for a grammar only when it has something to say (`llamacpp_sampling`), reads what prompts
begin with once (`llamacpp_states`), and leaves busy cores to those who keep them busy.
"""

from __future__ import annotations

import codecs
import ctypes
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import llama_cpp

from desktop_rag.domain.answers import Turn
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.ports import GenerationLimits, GeneratorInfo
from desktop_rag.domain.tuning import Tuning, usual
from desktop_rag.engines.llamacpp_abort import Abort
from desktop_rag.engines.llamacpp_loading import Loaded, load
from desktop_rag.engines.llamacpp_prompt import PromptWriter
from desktop_rag.engines.llamacpp_sampling import Sampler
from desktop_rag.engines.llamacpp_states import MAX_BYTES, PromptStates
from desktop_rag.engines.llamacpp_tuning import compare
from desktop_rag.engines.llamacpp_weighing import forbid_opening, opening_log_probs
from desktop_rag.engines.processor_load import OthersLoad, free_threads
from desktop_rag.storage.attempts import Attempts

_PIECE_BYTES = 512


def open_generator(
    model_file: Path,
    model_id: str,
    threads: int,
    *,
    tuning: Tuning | None = None,
    on_tuning: Callable[[Tuning], None] = lambda _: None,
    gpu: Attempts | None = None,
    load_of_others: OthersLoad | None = None,
    variant: Path | None = None,
) -> LlamaGenerator:
    """Load a GGUF model.

    Args:
        model_file: where its weights are.
        model_id: its name in sentences.
        threads: used as long as nothing was measured.
        tuning: what was measured on this computer before.
        on_tuning: told what is found out; called within `stream` and `tune`.
        gpu: use a graphics card if there is one (`llamacpp_loading.load`).
        load_of_others: looks how busy the computer is.
        variant: the build of llama.cpp to use (`llamacpp_loading.load`).

    Raises:
        ModelMissing, NotEnoughMemory, ModelDamaged: see `llamacpp_loading.load`.
    """
    tuning = tuning or usual(threads)
    loaded = load(model_file, model_id, tuning, gpu, variant)
    return LlamaGenerator(loaded, model_id, tuning, on_tuning, load_of_others or OthersLoad())


class LlamaGenerator:
    """A loaded model. One generation at a time; not for use from several threads."""

    def __init__(
        self,
        loaded: Loaded,
        model_id: str,
        tuning: Tuning,
        on_tuning: Callable[[Tuning], None],
        load_of_others: OthersLoad,
    ) -> None:
        self._model = loaded.model
        self._is_on_gpu = loaded.is_on_gpu
        self._id = model_id
        self._tuning = tuning
        self._on_tuning = on_tuning
        self._others = load_of_others
        self._prompts = PromptWriter(self._model)
        self._states = PromptStates(self._model, MAX_BYTES if loaded.is_roomy else 0)
        self._context = min(self._model.n_ctx(), self._model._model.n_ctx_train())
        self._vocabulary: Any = self._model._model.vocab

    def info(self) -> GeneratorInfo:
        """Identifier, context size and speed."""
        self._others.look()
        return GeneratorInfo(
            id=self._id,
            context_tokens=self._context,
            prompt_tokens_per_s=self._tuning.reads_per_s,
            is_tuned=self._tuning.is_measured or self._is_on_gpu,
            is_on_gpu=self._is_on_gpu,
        )

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without template tokens."""
        self._others.look()
        return [self._prompts.count(text) for text in texts]

    def stream(
        self, turns: Sequence[Turn], limits: GenerationLimits, is_cancelled: Callable[[], bool]
    ) -> Iterator[str]:
        """Yield the answer's text. `max_tokens` 0 only reads the prompt into the cache.

        Raises:
            InvalidInput: the prompt is longer than the context, or the grammar does not parse.
        """
        prompt = self._prompt(turns, limits)
        room = self._context - len(prompt)
        self._share_threads(limits)
        sampler = Sampler(self._model, limits.temperature, limits.grammar, limits.seed)
        try:
            if self._read_prompt(prompt, limits, is_cancelled):
                forbid_opening(self._model, limits.never_first)
                pieces = self._pieces(sampler, min(limits.max_tokens, room), is_cancelled)
                yield from _until_stop(_decoded(pieces), limits.stop)
        finally:
            sampler.close()

    def weigh(
        self, turns: Sequence[Turn], openings: Sequence[str], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[float, ...]]:
        """See `Generator`. The prompt stays in the cache.

        Raises:
            InvalidInput: the prompt is longer than the context.
        """
        limits = GenerationLimits(max_tokens=1)
        prompt = self._prompt(turns, limits)
        self._share_threads(limits)
        if self._read_prompt(prompt, limits, is_cancelled):
            yield opening_log_probs(self._model, openings)

    def tune(self, is_cancelled: Callable[[], bool]) -> Iterator[Tuning]:
        """See `Generator`. Threads count at once, the batch when the model is loaded again."""
        if self._is_on_gpu:
            return
        found = compare(self._model, self._tuning, is_cancelled, self._others.cores)
        if found is not None:
            self._learn(found)
            yield found

    def _prompt(self, turns: Sequence[Turn], limits: GenerationLimits) -> list[int]:
        prompt = self._prompts.tokens(turns, limits.begun)
        if self._context - len(prompt) < min(1, limits.max_tokens):
            raise InvalidInput(
                f"The question and its passages need {len(prompt)} tokens, but the language model "
                f"{self._id} reads only {self._context}; ask a shorter question."
            )
        return prompt

    def _learn(self, tuning: Tuning) -> None:
        if tuning != self._tuning:
            self._tuning = tuning
            self._on_tuning(tuning)

    def _share_threads(self, limits: GenerationLimits) -> None:
        """As many threads as have a core for themselves; half of them for work nobody waits for."""
        others = self._others.cores()
        counts = (self._tuning.writing_threads, self._tuning.reading_threads)
        writing, reading = (free_threads(count, others) for count in counts)
        if limits.is_background:
            writing, reading = max(1, writing // 2), max(1, reading // 2)
        llama_cpp.llama_set_n_threads(self._model._ctx.ctx, writing, reading)

    def close(self) -> None:
        """Unload the model."""
        self._model.close()

    def _pieces(
        self, sampler: Sampler, max_tokens: int, is_cancelled: Callable[[], bool]
    ) -> Iterator[bytes]:
        """Bytes of one token after the other; each is evaluated before the next is sampled."""
        for produced in range(max_tokens):
            if is_cancelled():
                return
            token = sampler.next_token()
            if llama_cpp.llama_vocab_is_eog(self._vocabulary, token):
                return
            yield self._bytes_of(token)
            if produced + 1 < max_tokens:
                self._model.eval([token])

    def _read_prompt(
        self, prompt: list[int], limits: GenerationLimits, is_cancelled: Callable[[], bool]
    ) -> bool:
        """Evaluate what the cache does not hold yet; false when cancelled meanwhile."""
        kept = self._states.begin(prompt, is_expendable=limits.is_background)
        begin = time.perf_counter()
        if not self._evaluate(prompt[kept:], is_cancelled):
            return False
        if not limits.is_background:
            elapsed = time.perf_counter() - begin
            self._learn(self._tuning.after_reading(len(prompt) - kept, elapsed))
        return True

    def _evaluate(self, tokens: list[int], is_cancelled: Callable[[], bool]) -> bool:
        batch = self._model.n_batch
        with Abort(self._model._ctx.ctx, is_cancelled) as abort:
            for start in range(0, len(tokens), batch):
                if abort.is_due():
                    return False
                try:
                    self._model.eval(tokens[start : start + batch])
                except RuntimeError:
                    # llama_decode returns 2 when the callback stopped it. The cache then holds part
                    # of the batch; `eval` removes it next time, since `n_tokens` was not moved.
                    if abort.has_fired:
                        return False
                    raise
        return True

    def _bytes_of(self, token: int) -> bytes:
        buffer = ctypes.create_string_buffer(_PIECE_BYTES)
        length = llama_cpp.llama_token_to_piece(
            self._vocabulary,
            llama_cpp.llama_token(token),
            buffer,
            _PIECE_BYTES,
            0,
            False,  # noqa: FBT003 - control tokens have no text
        )
        return buffer.raw[: max(0, length)]


def _decoded(pieces: Iterator[bytes]) -> Iterator[str]:
    """Text of UTF-8 bytes that may be split anywhere; what never becomes a character is dropped."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
    for piece in pieces:
        text = decoder.decode(piece)
        if text:
            yield text


def _until_stop(texts: Iterator[str], stops: Sequence[str]) -> Iterator[str]:
    """Cut at the first stop string; holds back what may be the beginning of one."""
    pending = ""
    for text in texts:
        pending += text
        found = [position for stop in stops if (position := pending.find(stop)) >= 0]
        if found:
            pending = pending[: min(found)]
            break
        held = _held_back(pending, stops)
        if len(pending) > held:
            yield pending[: len(pending) - held]
            pending = pending[len(pending) - held :]
    if pending:
        yield pending


def _held_back(text: str, stops: Sequence[str]) -> int:
    """Length of the longest end of `text` that begins a stop string."""
    longest = 0
    for stop in stops:
        for length in range(min(len(stop) - 1, len(text)), longest, -1):
            if stop.startswith(text[-length:]):
                longest = length
                break
    return longest
