"""Chooses the next token of a llama.cpp model, optionally under a GBNF grammar.

llama-cpp-python filters all tokens of the vocabulary through the grammar before it samples, which
costs tens of milliseconds a token with a vocabulary of 150,000. Here the token is sampled first and
shown to the grammar alone; only when it is refused does the whole vocabulary go through the filter
(the method of llama.cpp's own `common_sampler_sample`). The result has the same support and, for
greedy sampling, is identical.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import llama_cpp
import numpy as np

from desktop_rag.domain.errors import InvalidInput

if TYPE_CHECKING:
    from llama_cpp import Llama

_SEED = 42
"""Fixed: the same question over the same passages gives the same answer."""
_TOP_K = 40
_TOP_P = 0.95

_TOKEN_DATA = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)], align=True)


class Sampler:
    """Samples tokens for one generation; `close` frees what llama.cpp allocated.

    Raises:
        InvalidInput: the grammar does not parse.
    """

    def __init__(self, model: Llama, temperature: float, grammar: str, seed: int = 0) -> None:
        self._context: Any = model._ctx.ctx
        self._vocabulary: Any = model._model.vocab
        self._size = model.n_vocab()
        self._grammar: Any = _grammar(self._vocabulary, grammar) if grammar else None
        self._chain: Any = _chain(temperature, seed)

    def next_token(self) -> int:
        """Sample from the logits of the last evaluated token."""
        token = int(llama_cpp.llama_sampler_sample(self._chain, self._context, -1))
        if self._grammar is None:
            return token
        if not self._is_allowed(token):
            token = self._sample_allowed()
        llama_cpp.llama_sampler_accept(self._grammar, token)
        return token

    def close(self) -> None:
        """Free the samplers. Safe to call twice."""
        for sampler in (self._chain, self._grammar):
            if sampler is not None:
                llama_cpp.llama_sampler_free(sampler)
        self._chain = self._grammar = None

    def _is_allowed(self, token: int) -> bool:
        one = np.array([(token, 1.0, 0.0)], dtype=_TOKEN_DATA)
        self._apply(self._grammar, one)
        return bool(np.isfinite(one["logit"][0]))

    def _sample_allowed(self) -> int:
        tokens = np.zeros(self._size, dtype=_TOKEN_DATA)
        tokens["id"] = np.arange(self._size, dtype=np.int32)
        tokens["logit"] = last_logits(self._context, self._size)
        self._apply(self._grammar, tokens)
        selected = self._apply(self._chain, tokens)
        return int(tokens["id"][selected])

    @staticmethod
    def _apply(sampler: Any, tokens: np.ndarray[Any, Any]) -> int:
        """Run one sampler over `tokens` in place; returns the index it selected, or -1."""
        pointer = tokens.ctypes.data_as(ctypes.POINTER(llama_cpp.llama_token_data))
        array = llama_cpp.llama_token_data_array(pointer, len(tokens), -1, False)  # noqa: FBT003
        reference: Any = ctypes.byref(array)
        llama_cpp.llama_sampler_apply(sampler, reference)
        return int(array.selected)


def last_logits(context: Any, size: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Logits after what was evaluated last, in llama.cpp's own memory; shape (vocabulary,)."""
    pointer = llama_cpp.llama_get_logits_ith(context, -1)
    logits: np.ndarray[Any, np.dtype[np.float32]] = np.ctypeslib.as_array(pointer, shape=(size,))
    return logits


def _chain(temperature: float, seed: int) -> Any:
    chain = llama_cpp.llama_sampler_chain_init(llama_cpp.llama_sampler_chain_default_params())
    if temperature <= 0:
        steps = [llama_cpp.llama_sampler_init_greedy()]
    else:
        steps = [
            llama_cpp.llama_sampler_init_top_k(_TOP_K),
            llama_cpp.llama_sampler_init_top_p(_TOP_P, 1),
            llama_cpp.llama_sampler_init_temp(temperature),
            llama_cpp.llama_sampler_init_dist(_SEED + seed),
        ]
    for step in steps:
        llama_cpp.llama_sampler_chain_add(chain, step)
    return chain


def _grammar(vocabulary: Any, text: str) -> Any:
    sampler = llama_cpp.llama_sampler_init_grammar(vocabulary, text.encode(), b"root")
    if not sampler:
        raise InvalidInput("The grammar for the answer does not parse; this is a bug, report it.")
    return sampler
