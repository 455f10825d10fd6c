"""The model library as every skin sees it: list, install, check, choose.

Nothing is downloaded unless the person asks for it by name. One folder per user holds installed
models; the program ships some beside its catalog.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.errors import (
    ModelDamaged,
    ModelMissing,
    NotEnoughMemory,
)
from desktop_rag.domain.events import Event
from desktop_rag.domain.models_of_text import Probe
from desktop_rag.domain.tuning import Tuning
from desktop_rag.paths import home_expanded
from desktop_rag.services.model_installing import ModelInstaller, never
from desktop_rag.services.model_shelf import (
    ModelShelf,
    ModelState,
    ModelStatus,
    available_memory,
    needs_memory,
)
from desktop_rag.storage.model_catalog import ModelRole
from desktop_rag.storage.model_files import IsCancelled, in_words
from desktop_rag.storage.model_gguf import read_gguf_header
from desktop_rag.storage.model_speeds import FILE_NAME, ModelSpeeds

__all__ = ["LlmChoice", "ModelLibrary", "ModelRole", "ModelState", "ModelStatus"]

LLM_VARIABLE = "DESKTOP_RAG_LLM"
"""Environment variable naming the language model to use: an identifier or a .gguf file."""


@dataclass(frozen=True, slots=True)
class LlmChoice:
    """The language model to load. `context_tokens` is what it was trained for; 0 when unknown."""

    model_id: str
    model_file: Path
    context_tokens: int = 0
    needs_memory: int = 0


class ModelLibrary:
    """Models on this computer. All state is on disk; methods may be called from any thread.

    Installing, adding and verifying *may block* for minutes and publish `ModelProgress`.
    """

    def __init__(
        self,
        models_dir: Path,
        shipped_dir: Path,
        publish: Callable[[Event], None],
        memory: Callable[[], int] = available_memory,
        probe: Probe | None = None,
    ) -> None:
        self._shelf = ModelShelf(models_dir, shipped_dir, memory)
        self._installer = ModelInstaller(self._shelf, publish, probe)

    def entries(self) -> list[ModelStatus]:
        """Everything in the catalog and everything the person added. Cheap: nothing is hashed."""
        return self._shelf.entries()

    def entry(self, model_id: str) -> ModelStatus:
        """One model by identifier. Raises NotFound, naming the identifiers there are."""
        return self._shelf.entry(model_id)

    def speed(self, model_id: str) -> Tuning | None:
        """What is known of a language model on this computer; `None` before it was used."""
        status = self.entry(model_id)
        if status.role is not ModelRole.LLM or status.path is None:
            return None
        return ModelSpeeds(self._shelf.folder / FILE_NAME).get(status.path)

    def install(
        self, model_id: str, is_cancelled: IsCancelled = never, url: str = ""
    ) -> ModelStatus:
        """Download a model of the catalog; see `ModelInstaller.install`."""
        return self._installer.install(model_id, is_cancelled, url)

    def add(self, path: Path, is_cancelled: IsCancelled = never) -> ModelStatus:
        """Copy a model from a file or folder; see `ModelInstaller.add`."""
        return self._installer.add(path, is_cancelled)

    def verify(
        self, model_id: str | None = None, is_cancelled: IsCancelled = never
    ) -> list[ModelStatus]:
        """Hash one model or all of them; see `ModelInstaller.verify`."""
        return self._installer.verify(model_id, is_cancelled)

    def remove(self, model_id: str) -> None:
        """Delete an installed model; see `ModelInstaller.remove`."""
        self._installer.remove(model_id)

    def set_default(self, model_id: str) -> ModelStatus:
        """Use this model for its role: a language model from its next start on, others from the
        program's next start on. Another embedder re-embeds stored text; keywords answer meanwhile.

        Raises:
            NotFound, ModelMissing, ModelDamaged: the choice is unchanged.
        """
        status = self.entry(model_id)
        if status.state is not ModelState.READY:
            if status.role is ModelRole.LLM:
                raise _missing(model_id)
            raise _unusable(status)
        self._shelf.choose(status.role, "" if status.is_shipped else model_id)
        return self.entry(model_id)

    def suggested_llm(self) -> str:
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

    def embedder_dir(self) -> Path:
        """Folder of the embedder's files.

        Raises:
            ModelMissing, ModelDamaged: the installation is incomplete.
        """
        shipped = next(m.id for m in self._shelf.catalog if m.role is ModelRole.EMBEDDER)
        model_id = self._shelf.chosen(ModelRole.EMBEDDER) or shipped
        status = self.entry(model_id)
        if status.state is ModelState.READY and status.path is not None:
            return status.path
        if model_id != shipped:
            raise _unusable(status)
        if status.state is ModelState.MISSING:
            raise ModelMissing(
                f"The search model {shipped} is missing: install Desktop RAG again, or run "
                "`desktop-rag models add FOLDER` with a copy of it."
            )
        raise ModelDamaged(
            f"The search model {shipped} is damaged: install Desktop RAG again, or run "
            "`desktop-rag models add FOLDER` with a whole copy of it."
        )

    def reranker_dir(self) -> Path | None:
        """Folder of the re-ranker the person chose; `None` without one or when it is damaged."""
        chosen = self._shelf.chosen(ModelRole.RERANKER)
        status = self.entry(chosen) if chosen else None
        return status.path if status and status.state is ModelState.READY else None

    def llm_named(self, model_id: str) -> LlmChoice:
        """An installed language model by its identifier. Raises as `choose_llm` does."""
        return self._checked(self._choice_of(self._usable(self.entry(model_id))))

    def choose_llm(self) -> LlmChoice:
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
            return self.llm_named(wanted)
        return self._best_choice()

    def _best_choice(self) -> LlmChoice:
        llms = [status for status in self.entries() if status.role is ModelRole.LLM]
        ready = [status for status in llms if status.state is ModelState.READY]
        if not ready:
            ready = [self._usable(s) for s in llms if s.state is ModelState.DAMAGED]
        if not ready:
            raise _missing(self.suggested_llm())
        ready.sort(key=lambda status: (not status.is_default, -status.size))
        fitting = [status for status in ready if status.fits_memory]
        return self._checked(self._choice_of((fitting or ready)[0]))

    def _usable(self, status: ModelStatus) -> ModelStatus:
        """A model that is ready, after a second look at one whose file was touched."""
        if status.state is ModelState.DAMAGED and status.path is not None:
            status = self.verify(status.id)[0]
        if status.state is ModelState.DAMAGED:
            raise ModelDamaged(
                f"The language model {status.id} is damaged: run `desktop-rag models remove "
                f"{status.id}` and `desktop-rag models install {status.id}`."
            )
        if status.state is not ModelState.READY or status.path is None:
            raise _missing(status.id)
        return status

    def _choice_of(self, status: ModelStatus) -> LlmChoice:
        if status.path is None:
            raise _missing(status.id)
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
            else f"close other programs, or run `desktop-rag models install {smallest.id}` and "
            f"`desktop-rag models default {smallest.id}`"
        )
        raise NotEnoughMemory(
            f"The language model {choice.model_id} needs {in_words(choice.needs_memory)} of memory "
            f"and {in_words(free)} are free: {other}."
        )


def _unusable(status: ModelStatus) -> ModelDamaged:
    return ModelDamaged(
        f"The model {status.id} is damaged or not complete: run `desktop-rag models remove "
        f"{status.id}`, after which the program's own is used, and add it again.",
        model=status.id,
    )


def _missing(model_id: str) -> ModelMissing:
    return ModelMissing(
        f"The language model {model_id} is not installed: run `desktop-rag models install "
        f"{model_id}` in a terminal. Search works without it.",
        model=model_id,
    )
