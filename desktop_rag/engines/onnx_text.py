"""What ONNX models of text have in common, whoever exported them: opening, inputs, pooling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

POOLINGS = ("mean", "cls", "last")
_POOLED = "sentence_embedding"
"""The output of exports that pool by themselves."""
_STATES = ("last_hidden_state", "token_embeddings")


def open_session(model: Path, threads: int = 1) -> onnxruntime.InferenceSession:
    """A session on the processor that keeps little memory and does not spin.

    Args:
        model: may have its weights in a file beside it.
        threads: inside each pass.

    Raises:
        Exception: of any kind, when it is no model that the runtime can load.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The arena only ever grows, to the sum of the largest shapes of all threads; without it
    # memory is bounded by what runs now.
    options.enable_cpu_mem_arena = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def inputs_for(
    session: onnxruntime.InferenceSession, tokens: Ints, mask: Ints, types: Ints | None = None
) -> dict[str, Any]:
    """What the model asks for by name: many have no `token_type_ids`, some want `position_ids`."""
    known = {
        "input_ids": tokens,
        "attention_mask": mask,
        "token_type_ids": np.zeros_like(tokens) if types is None else types,
        "position_ids": np.maximum(mask.cumsum(axis=1) - 1, 0),
    }
    return {one.name: known[one.name] for one in session.get_inputs()}


def text_output(session: onnxruntime.InferenceSession) -> str:
    """Name of the output that holds token states, or whole vectors; the first one in doubt."""
    names = [one.name for one in session.get_outputs()]
    return next((name for name in (_POOLED, *_STATES) if name in names), names[0])


def pooled(states: Floats, mask: Ints, pooling: str, *, is_normalised: bool = True) -> Floats:
    """One vector a text, shape (texts, dimensions).

    Args:
        states: of tokens (texts, tokens, dimensions), padded on the right; vectors that the model
            has pooled already (texts, dimensions) are only normalised.
        mask: 1 for real tokens, shape (texts, tokens).
        pooling: `mean` (Reimers & Gurevych 2019), `cls`: the first token, `last`: the last one.
        is_normalised: whether to make unit vectors.
    """
    if states.ndim == 2:
        vectors = states
    elif pooling == "cls":
        vectors = states[:, 0]
    elif pooling == "last":
        vectors = states[np.arange(len(states)), mask.sum(axis=1) - 1]
    else:
        weights = mask[:, :, None].astype(np.float32)
        vectors = (states * weights).sum(axis=1) / weights.sum(axis=1)
    if is_normalised:
        vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return np.asarray(vectors, np.float32)
