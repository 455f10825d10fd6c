"""Folders with an ONNX model of text: as people download them, and as the program keeps them.

As downloaded: `model.onnx` (or `onnx/model.onnx`, perhaps with its weights in a file beside it),
`tokenizer.json`, and files that say how it is used. As kept: those three in one folder, with a
description that records their checksums (`embedder.json` or `reranker.json`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.models_of_text import ModelFacts, ModelHints
from desktop_rag.storage.model_files import read_json, write_json

MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"
DESCRIPTIONS = {"embedder": "embedder.json", "reranker": "reranker.json"}
"""By role."""
_WEIGHTS = ("model.onnx_data", "model.onnx.data")
_POOLINGS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_lasttoken": "last",
}


@dataclass(frozen=True, slots=True)
class OnnxFolder:
    """A model as it was downloaded. `files` maps the names it is kept under to where they are."""

    files: dict[str, Path]
    hints: ModelHints

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(path.stat().st_size for path in self.files.values())


@dataclass(frozen=True, slots=True)
class KeptModel:
    """A model that was added, by its description. `files` maps names to (size, sha256)."""

    role: str
    files: dict[str, tuple[int, str]]
    elapsed_ms: float


def read_onnx_folder(folder: Path) -> OnnxFolder:
    """Find a model's files and what they say.

    Raises:
        InvalidInput: what is missing; or how the model is pooled is not known here.
    """
    model = next((p for p in (folder / MODEL, folder / "onnx" / MODEL) if p.is_file()), None)
    tokenizer = folder / TOKENIZER
    if model is None or not tokenizer.is_file():
        missing = MODEL if model is None else TOKENIZER
        raise InvalidInput(
            f"{folder} holds no model this program can use, because {missing} is missing: name a "
            "folder with one .gguf file, or with model.onnx and tokenizer.json."
        )
    weights = {name: model.parent / name for name in _WEIGHTS if (model.parent / name).is_file()}
    return OnnxFolder({MODEL: model, TOKENIZER: tokenizer, **weights}, _hints(folder))


def describe(folder: Path, hints: ModelHints, facts: ModelFacts, sums: Mapping[str, str]) -> None:
    """Write the description of a model into the folder that holds its files.

    Args:
        folder: with the files that `sums` names.
        hints, facts: what was told and found out.
        sums: SHA-256 by file name.
    """
    described: dict[str, Any] = {
        "id": folder.name,
        "max_tokens": facts.max_tokens,
        "elapsed_ms": round(facts.elapsed_ms, 1),
        "files": {
            name: {"size": (folder / name).stat().st_size, "sha256": sha256}
            for name, sha256 in sums.items()
        },
    }
    if facts.role == "embedder":
        described |= {
            "dimensions": facts.dimensions,
            "pooling": facts.pooling,
            "normalise": True,
            "query_prefix": hints.query_prefix,
            "passage_prefix": hints.passage_prefix,
            "languages": list(facts.languages),
        }
    write_json(folder / DESCRIPTIONS[facts.role], described)


def read_kept(folder: Path) -> KeptModel | None:
    """The description of a model that was added; `None` when there is none that makes sense."""
    for role, name in DESCRIPTIONS.items():
        told = _json(folder / name)
        try:
            files = {
                str(file): (int(one["size"]), str(one["sha256"]))
                for file, one in told["files"].items()
            }
            return KeptModel(role, files, float(told.get("elapsed_ms", 0)))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            continue
    return None


def kept_hints(folder: Path, role: str) -> ModelHints:
    """How a model is used, as the description says that another computer has kept with it."""
    told = _json(folder / DESCRIPTIONS[role])
    max_tokens, pooling = told.get("max_tokens"), told.get("pooling")
    return ModelHints(
        name=folder.name,
        is_reranker=role == "reranker",
        max_tokens=max_tokens if isinstance(max_tokens, int) and max_tokens > 0 else 0,
        pooling=pooling if isinstance(pooling, str) and pooling in _POOLINGS.values() else "mean",
        query_prefix=str(told.get("query_prefix") or ""),
        passage_prefix=str(told.get("passage_prefix") or ""),
    )


def _hints(folder: Path) -> ModelHints:
    config, ours = _json(folder / "config.json"), _json(folder / "embedder.json")
    prompts = _json(folder / "config_sentence_transformers.json").get("prompts")
    prompts = prompts if isinstance(prompts, dict) else {}
    name = folder.resolve().name
    # E5 models are trained with these and say so in prose only.
    named = f"{name} {config.get('_name_or_path', '')}".lower()
    e5 = "e5" in re.split(r"[^a-z0-9]+", named)
    query = ours.get("query_prefix", prompts.get("query", "query: " if e5 else ""))
    passage = ours.get(
        "passage_prefix",
        prompts.get("passage", prompts.get("document", "passage: " if e5 else "")),
    )
    return ModelHints(
        name=name,
        is_reranker="SequenceClassification" in str(config.get("architectures", "")),
        max_tokens=_max_tokens(folder, config, ours),
        pooling=str(ours["pooling"]) if "pooling" in ours else _pooling(folder),
        query_prefix=str(query or ""),
        passage_prefix=str(passage or ""),
    )


def _pooling(folder: Path) -> str:
    told = _json(folder / "1_Pooling" / "config.json")
    chosen = [
        key for key, is_on in told.items() if key.startswith("pooling_mode") and is_on is True
    ]
    unknown = [key for key in chosen if key not in _POOLINGS]
    if unknown or len(chosen) > 1:
        raise InvalidInput(
            f"{folder} asks for a pooling that this program does not know "
            f"({', '.join(chosen)}): use a model with mean, first-token or last-token pooling."
        )
    return _POOLINGS[chosen[0]] if chosen else "mean"


def _max_tokens(folder: Path, config: Mapping[str, Any], ours: Mapping[str, Any]) -> int:
    """The least that a file says, 0 when none does."""
    told = (
        ours.get("max_tokens"),
        _json(folder / "sentence_bert_config.json").get("max_seq_length"),
        config.get("max_position_embeddings"),
    )
    return min((one for one in told if isinstance(one, int) and one > 0), default=0)


def _json(path: Path) -> dict[str, Any]:
    """A JSON object; an empty one when there is none to read."""
    found = read_json(path)
    return found if isinstance(found, dict) else {}
