"""Keeps what a llama.cpp model has read, so that a prompt's beginning is read once.

The model itself holds the last prompt. When another one begins differently (a question in another
chat, a search in other words, a passage being described), the state of the one before is copied
into memory, 28 KB a token for the default model, and copied back when its conversation goes on:
milliseconds, where reading takes seconds.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import llama_cpp
import numpy as np

if TYPE_CHECKING:
    from llama_cpp import Llama

MAX_BYTES = 128 * 2**20
_MOST = 4
_WORTHWHILE = 96
"""Tokens that are read as quickly as a state is copied, or nearly."""
_SEQUENCE = 0


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    tokens: np.ndarray[Any, Any]
    data: bytearray


class PromptStates:
    """States of one model; the least recently used ones go first.

    Args:
        model: loaded, with one sequence.
        max_bytes: what copies may take; 0 keeps none.
    """

    def __init__(self, model: Llama, max_bytes: int = MAX_BYTES) -> None:
        self._model = model
        self._max_bytes = max_bytes
        self._states: list[_State] = []
        self._prompt_tokens = 0
        self._is_expendable = False

    def begin(self, prompt: Sequence[int], *, is_expendable: bool = False) -> int:
        """Make the model hold the longest known beginning of `prompt`; returns its tokens.

        The last token is always left to be evaluated: its logits are needed to sample from.

        Args:
            prompt: what is to be read.
            is_expendable: its state is not worth keeping (work that nobody waits for).
        """
        wanted = np.asarray(prompt[:-1], dtype=np.intc)
        same = _common(self._held(), wanted)
        better = self._take_better(wanted, same)
        if min(self._prompt_tokens, self._model.n_tokens) - same >= _WORTHWHILE:
            self._keep_held()
        if better is not None:
            self._restore(better)
            same = _common(self._held(), wanted)
        self._prompt_tokens, self._is_expendable = len(prompt), is_expendable
        return self._cut(same)

    def _take_better(self, wanted: np.ndarray[Any, Any], same: int) -> _State | None:
        """Take out the copy that saves most reading, so that nothing pushes it out meanwhile."""
        best = max(self._states, key=lambda state: _common(state.tokens, wanted), default=None)
        if best is None or _common(best.tokens, wanted) - same < _WORTHWHILE:
            return None
        self._states.remove(best)
        return best

    def _held(self) -> np.ndarray[Any, Any]:
        held: np.ndarray[Any, Any] = self._model._input_ids
        return held

    def _cut(self, same: int) -> int:
        # Models with recurrent state cannot drop single positions and say so.
        if same and self._model._ctx.kv_cache_seq_rm(-1, same, -1):
            self._model.n_tokens = same
            return same
        self._forget_held()
        return 0

    def _forget_held(self) -> None:
        self._model.n_tokens = 0
        llama_cpp.llama_memory_clear(self._model._ctx.memory, True)  # noqa: FBT003 - data as well

    def _keep_held(self) -> None:
        """Copy what the model holds, in place of shorter copies of the same."""
        if self._is_expendable:
            return
        # An evaluation that was stopped may have left something behind the last whole batch.
        if not self._model._ctx.kv_cache_seq_rm(-1, self._model.n_tokens, -1):
            return
        context = self._model._ctx.ctx
        size = int(llama_cpp.llama_state_seq_get_size(context, _SEQUENCE))
        if size > self._max_bytes:
            return
        tokens = self._held().copy()
        self._states = [one for one in self._states if not _is_part(one.tokens, tokens)]
        self._make_room(size)
        data = bytearray(size)
        written = llama_cpp.llama_state_seq_get_data(context, _view(data), size, _SEQUENCE)
        if written:
            self._states.append(_State(tokens, data))

    def _make_room(self, size: int) -> None:
        while self._states and (
            len(self._states) >= _MOST
            or sum(len(one.data) for one in self._states) + size > self._max_bytes
        ):
            self._states.pop(0)

    def _restore(self, state: _State) -> None:
        self._forget_held()
        context, size = self._model._ctx.ctx, len(state.data)
        if llama_cpp.llama_state_seq_set_data(context, _view(state.data), size, _SEQUENCE):
            self._model.input_ids[: len(state.tokens)] = state.tokens
            self._model.n_tokens = len(state.tokens)
        else:
            self._forget_held()


def _common(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> int:
    """How many tokens two prompts begin with alike."""
    shorter = min(len(one), len(other))
    different = np.flatnonzero(one[:shorter] != other[:shorter])
    return int(different[0]) if different.size else shorter


def _is_part(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    return len(one) - _common(one, other) < _WORTHWHILE


def _view(data: bytearray) -> Any:
    return (ctypes.c_uint8 * len(data)).from_buffer(data)
