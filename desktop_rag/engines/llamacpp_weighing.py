"""How likely a llama.cpp model is to begin its answer with one text or another.

One pass over the prompt says it: the probabilities of the first token. Small models write what
they were asked to more readily than they say no; the probability behind a "Yes" tells more than
the word (Kadavath et al. 2022, "Language Models (Mostly) Know What They Know").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from desktop_rag.engines.llamacpp_sampling import last_logits

if TYPE_CHECKING:
    from llama_cpp import Llama


def opening_log_probs(model: Llama, openings: Sequence[str]) -> tuple[float, ...]:
    """Natural logarithm of the probability of each opening, after what was evaluated last.

    An opening counts in small letters and after a space as well; of one that is several tokens
    long the first one stands for all.
    """
    logits = last_logits(model._ctx.ctx, model.n_vocab()).astype(np.float64)
    total = np.logaddexp.reduce(logits)
    return tuple(
        float(np.logaddexp.reduce(logits[_first_tokens(model, one)]) - total) for one in openings
    )


def forbid_opening(model: Llama, opening: str) -> None:
    """Make the model's next token none that begins `opening`, an empty one forbids nothing."""
    last_logits(model._ctx.ctx, model.n_vocab())[_first_tokens(model, opening)] = -np.inf


def _first_tokens(model: Llama, opening: str) -> list[int]:
    if not opening:
        return []
    texts = {opening, opening.lower(), f" {opening}", f" {opening.lower()}"}
    encoded = (model.tokenize(one.encode(), add_bos=False, special=False) for one in texts)
    return sorted({_telling(model, tokens) for tokens in encoded if tokens})


def _telling(model: Llama, tokens: Sequence[int]) -> int:
    """The first token that is more than the blank some vocabularies put before a text."""
    telling = (one for one in tokens if model.detokenize([one]).strip())
    return next(telling, tokens[0])
