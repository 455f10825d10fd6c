"""The language model: llama.cpp behind the `Generator` port. Lives in the `llm` role.

Compared with llama-cpp-python's own `create_chat_completion`, this stops within milliseconds even
while the prompt is being read, keeps template tokens in documents harmless (`llamacpp_prompt`),
and pays for a grammar only when it has something to say (`llamacpp_sampling`). The key/value cache
of the last prompt is kept: only what follows the common beginning is evaluated again.
"""

from __future__ import annotations

import codecs
import ctypes
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jinja2
import llama_cpp
import psutil
from llama_cpp import Llama

from desktop_rag.domain.answers import Turn
from desktop_rag.domain.errors import InvalidInput, ModelDamaged, ModelMissing, NotEnoughMemory
from desktop_rag.domain.ports import GenerationLimits, GeneratorInfo
from desktop_rag.engines.llamacpp_prompt import PromptWriter
from desktop_rag.engines.llamacpp_sampling import Sampler

_MAX_CONTEXT = 8192
"""Answers use about a thousand tokens; a longer cache would only cost memory."""
_SMALL_CONTEXT = 4096
"""When memory is short."""
_BATCH = 128
"""Measured as fast as 512 on two cores, with a quarter of the compute buffer."""
_OVERHEAD_BYTES = 400 * 2**20
"""Key/value cache, compute buffers and the library itself, for models of this size."""
_CANCEL_INTERVAL_S = 0.02
_PIECE_BYTES = 512


def open_generator(model_file: Path, model_id: str, threads: int) -> LlamaGenerator:
    """Load a GGUF model with `threads` threads; weights are mapped, not copied.

    Raises:
        ModelMissing: there is no such file.
        NotEnoughMemory: it would not fit into the memory that is free now.
        ModelDamaged: it is not a whole GGUF file, or llama.cpp refuses it.
    """
    if not model_file.is_file():
        raise ModelMissing(
            f"The language model file {model_file} is not there; "
            f"install it again with `desktop-rag models install {model_id}`.",
            model=model_id,
        )
    _check_format(model_file, model_id)
    free = _check_memory(model_file, model_id)
    is_roomy = free > model_file.stat().st_size + 4 * _OVERHEAD_BYTES
    model = _load(model_file, model_id, threads, _MAX_CONTEXT if is_roomy else _SMALL_CONTEXT)
    return LlamaGenerator(model, model_id)


class LlamaGenerator:
    """A loaded model. One generation at a time; not for use from several threads."""

    def __init__(self, model: Llama, model_id: str) -> None:
        self._model = model
        self._id = model_id
        self._prompts = PromptWriter(model)
        self._context = min(model.n_ctx(), model._model.n_ctx_train())
        self._vocabulary: Any = model._model.vocab

    def info(self) -> GeneratorInfo:
        """Identifier and context size."""
        return GeneratorInfo(id=self._id, context_tokens=self._context)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without template tokens."""
        return [self._prompts.count(text) for text in texts]

    def stream(
        self, turns: Sequence[Turn], limits: GenerationLimits, is_cancelled: Callable[[], bool]
    ) -> Iterator[str]:
        """Yield the answer's text. `max_tokens` 0 only reads the prompt into the cache.

        Raises:
            InvalidInput: the prompt is longer than the context, or the grammar does not parse.
        """
        prompt = self._prompts.tokens(turns)
        room = self._context - len(prompt)
        if room < min(1, limits.max_tokens):
            raise InvalidInput(
                f"The question and its passages need {len(prompt)} tokens, but the language model "
                f"{self._id} reads only {self._context}; ask a shorter question."
            )
        self._share_threads(limits)
        sampler = Sampler(self._model, limits.temperature, limits.grammar)
        try:
            if self._read_prompt(prompt, is_cancelled):
                pieces = self._pieces(sampler, min(limits.max_tokens, room), is_cancelled)
                yield from _until_stop(_decoded(pieces), limits.stop)
        finally:
            sampler.close()

    def _share_threads(self, limits: GenerationLimits) -> None:
        # llama.cpp's threads wait for each other actively after every layer: when one of them has
        # to share its core, all crawl. One thread of two is five times as fast on a busy computer.
        threads: int = self._model.n_threads
        if limits.is_background:
            threads = max(1, threads // 2)
        llama_cpp.llama_set_n_threads(self._model._ctx.ctx, threads, threads)

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

    def _read_prompt(self, prompt: list[int], is_cancelled: Callable[[], bool]) -> bool:
        """Evaluate what the cache does not hold yet; false when cancelled meanwhile."""
        kept = self._keep_common_prefix(prompt)
        with _Abort(self._model, is_cancelled) as abort:
            for start in range(kept, len(prompt), _BATCH):
                if abort.is_due():
                    return False
                try:
                    self._model.eval(prompt[start : start + _BATCH])
                except RuntimeError:
                    # llama_decode returns 2 when the callback stopped it. The cache then holds part
                    # of the batch; `eval` removes it next time, since `n_tokens` was not moved.
                    if abort.has_fired:
                        return False
                    raise
        return True

    def _keep_common_prefix(self, prompt: list[int]) -> int:
        """Cut the cache to what it shares with `prompt`; returns how many tokens stay.

        The last token is always evaluated again: its logits are needed to sample from.
        """
        cached = self._model._input_ids.tolist()
        same = 0
        for old, new in zip(cached, prompt[:-1], strict=False):
            if old != new:
                break
            same += 1
        # Models with recurrent state cannot drop single positions and say so.
        if same and self._model._ctx.kv_cache_seq_rm(-1, same, -1):
            self._model.n_tokens = same
            return same
        self._model.n_tokens = 0
        llama_cpp.llama_memory_clear(self._model._ctx.memory, True)  # noqa: FBT003 - data as well
        return 0

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


class _Abort:
    """Lets llama.cpp ask between two operations whether to go on, without asking Python.

    llama.cpp asks a thousand times a batch and from all its threads; a Python callback would make
    them wait for the interpreter each time. It therefore asks C's `strlen` for the length of a
    string that is empty until a watching thread writes a character into it. Installed only while a
    prompt is read: between single tokens a plain check is quick enough.
    """

    def __init__(self, model: Llama, is_cancelled: Callable[[], bool]) -> None:
        self._context: Any = model._ctx.ctx
        self._is_cancelled = is_cancelled
        self._flag = ctypes.create_string_buffer(2)
        self._is_over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="llm-stop-watch", daemon=True)

    @property
    def has_fired(self) -> bool:
        return self._flag.value != b""

    def __enter__(self) -> _Abort:
        self._watcher.start()
        ask = ctypes.cast(_c_library().strlen, llama_cpp.ggml_abort_callback)
        llama_cpp.llama_set_abort_callback(self._context, ask, ctypes.addressof(self._flag))
        return self

    def __exit__(self, *_error: object) -> None:
        nothing = llama_cpp.ggml_abort_callback()
        llama_cpp.llama_set_abort_callback(self._context, nothing, None)
        self._is_over.set()
        self._watcher.join()

    def is_due(self) -> bool:
        """Look now."""
        if not self.has_fired and self._is_cancelled():
            self._flag.value = b"x"
        return self.has_fired

    def _watch(self) -> None:
        while not self._is_over.wait(_CANCEL_INTERVAL_S) and not self.is_due():
            pass


def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)


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


def _load(model_file: Path, model_id: str, threads: int, context: int) -> Llama:
    try:
        model = Llama(
            str(model_file),
            n_ctx=context,
            n_batch=_BATCH,
            n_ubatch=_BATCH,
            n_threads=threads,
            n_threads_batch=threads,
            flash_attn=True,
            use_mmap=True,
            verbose=False,
        )
    except (ValueError, RuntimeError, AssertionError, OSError, jinja2.TemplateError) as exc:
        raise _damaged(model_file, model_id) from exc
    return model


def _check_format(model_file: Path, model_id: str) -> None:
    with model_file.open("rb") as stream:
        if stream.read(4) != b"GGUF":
            raise _damaged(model_file, model_id)


def _check_memory(model_file: Path, model_id: str) -> int:
    """Bytes that are free now, when the model fits."""
    needed = model_file.stat().st_size + _OVERHEAD_BYTES
    free = int(psutil.virtual_memory().available)
    if free < needed:
        raise NotEnoughMemory(
            f"The language model {model_id} needs about {needed / 2**30:.1f} GB of memory and only "
            f"{free / 2**30:.1f} GB is free; close other programs or install the small model with "
            "`desktop-rag models install`.",
            model=model_id,
        )
    return free


def _damaged(model_file: Path, model_id: str) -> ModelDamaged:
    return ModelDamaged(
        f"The language model file {model_file} is damaged or not a GGUF model; remove it with "
        f"`desktop-rag models remove {model_id}` and install it again.",
        model=model_id,
    )
