"""The model library as every skin sees it: list, install, check, choose.

Nothing is downloaded unless the person asks for it by name. One folder per user holds installed
models; the program ships some beside its catalog.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.errors import (
    InvalidInput,
    ModelDamaged,
    ModelMissing,
)
from desktop_rag.domain.events import Event
from desktop_rag.domain.models_of_text import Probe
from desktop_rag.domain.tuning import Tuning
from desktop_rag.paths import bundle_folders
from desktop_rag.services.llm_choosing import LlmChoice, LlmChooser, missing
from desktop_rag.services.model_installing import ModelInstaller, never
from desktop_rag.services.model_shelf import (
    ModelShelf,
    ModelState,
    ModelStatus,
    available_memory,
    whole_memory,
)
from desktop_rag.services.model_workplace import Workplace
from desktop_rag.storage.licences import licence_text
from desktop_rag.storage.model_catalog import ModelRole
from desktop_rag.storage.model_files import IsCancelled
from desktop_rag.storage.model_speeds import FILE_NAME, ModelSpeeds

if TYPE_CHECKING:
    from desktop_rag.services.model_exporting import Exported
    from desktop_rag.services.model_importing import Imported, ModelImporter, Offer

__all__ = [
    "Computer",
    "LlmChoice",
    "ModelLibrary",
    "ModelRole",
    "ModelState",
    "ModelStatus",
]

Measure = Callable[[LlmChoice, IsCancelled], Tuning | None]
"""Compares ways to run a model; `None` when the processor was busy or it was cancelled."""


@dataclass(frozen=True, slots=True)
class Computer:
    """What models have to get along with, in bytes."""

    memory: int
    free_memory: int
    free_disk: int
    """Where models are kept."""


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
        measure: Measure | None = None,
    ) -> None:
        self._shelf = ModelShelf(models_dir, shipped_dir, memory)
        self._place = Workplace(models_dir, publish)
        self._probe = probe
        self._installer = ModelInstaller(self._shelf, self._place, probe)
        self._chooser = LlmChooser(self._shelf, lambda model_id: self.verify(model_id)[0])
        self._measure = measure

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

    def measure(self, model_id: str, is_cancelled: IsCancelled = never) -> Tuning | None:
        """Compare ways to run a language model on this computer; takes up to a minute.

        Returns what is best; `None` when other programs kept the processor busy.

        Raises:
            ModelMissing, ModelDamaged, NotEnoughMemory, UserError: it cannot be run or compared.
        """
        choice = self.llm_named(model_id)
        if self._measure is None:
            raise InvalidInput("Models are measured with `desktop-rag models measure`.")
        return self._measure(choice, is_cancelled)

    def computer(self) -> Computer:
        """Memory and room on the disk, as they are now."""
        place = self._shelf.folder
        while not place.exists() and place != place.parent:
            place = place.parent
        disk = shutil.disk_usage(place).free
        return Computer(whole_memory(), self._shelf.memory(), disk)

    def licence_text(self, model_id: str) -> str:
        """The licence of a model in full; empty when its text is not shipped."""
        return licence_text(self.entry(model_id).licence)

    def download_hosts(self, model_id: str) -> tuple[str, ...]:
        """Who is contacted when a model is installed; see `ModelInstaller.download_hosts`."""
        return self._installer.download_hosts(model_id)

    def stop_using(self, role: ModelRole) -> None:
        """Take the choice for a role back: the program's own model is used, or none."""
        self._shelf.choose(role, "")

    def install(
        self, model_id: str, is_cancelled: IsCancelled = never, url: str = ""
    ) -> ModelStatus:
        """Download a model of the catalog; see `ModelInstaller.install`."""
        return self._installer.install(model_id, is_cancelled, url)

    def add(self, path: Path, is_cancelled: IsCancelled = never) -> ModelStatus:
        """Copy a model from a file or folder; see `ModelInstaller.add`."""
        return self._installer.add(path, is_cancelled)

    def export(
        self, path: Path, ids: Sequence[str] = (), is_cancelled: IsCancelled = never
    ) -> Exported:
        """Write models into one file; see `ModelExporter.export`."""
        # Imported here, as below: archives would slow down every start of the window.
        from desktop_rag.services.model_exporting import ModelExporter

        return ModelExporter(self._shelf, self._place).export(path, ids, is_cancelled)

    def import_(self, path: Path, is_cancelled: IsCancelled = never) -> Imported:
        """Take the models of a file that was exported; see `ModelImporter.import_`."""
        return self._importer().import_(path, is_cancelled)

    def offers(self) -> list[Offer]:
        """Files beside the program with models that are not here; nothing is taken by itself."""
        folders = bundle_folders()
        return self._importer().offers(folders) if folders else []

    def _importer(self) -> ModelImporter:
        from desktop_rag.services.model_importing import ModelImporter

        return ModelImporter(self._shelf, self._place, self._probe)

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
                raise missing(model_id)
            if status.state is ModelState.MISSING:
                raise _not_installed(status)
            raise _unusable(status)
        # Without a choice the program's own embedder is used, but not its language model: that is
        # the largest one then.
        is_own = status.is_shipped and status.role is not ModelRole.LLM
        self._shelf.choose(status.role, "" if is_own else model_id)
        return self.entry(model_id)

    def suggested_llm(self) -> str:
        """Which language model of the catalog suits the memory that is free now."""
        return self._chooser.suggested()

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

    def extractor_dir(self) -> Path | None:
        """Folder of the model that marks the words that answer; `None` when it is not there.

        Whether it is whole is seen when it is loaded, and answers do without it if it is not.
        """
        found = (self.entry(m.id) for m in self._shelf.catalog if m.role is ModelRole.EXTRACTOR)
        return next((status.path for status in found), None)

    def llm_named(self, model_id: str) -> LlmChoice:
        """An installed language model by its identifier. Raises as `choose_llm` does."""
        return self._chooser.named(model_id)

    def choose_llm(self) -> LlmChoice:
        """The language model to load now; see `LlmChooser.choose`. *May block* a few seconds."""
        return self._chooser.choose()


def _not_installed(status: ModelStatus) -> ModelMissing:
    return ModelMissing(
        f"{status.id} is not installed: run `desktop-rag models install {status.id}`, or "
        "`desktop-rag models add FOLDER` with its files.",
        model=status.id,
    )


def _unusable(status: ModelStatus) -> ModelDamaged:
    return ModelDamaged(
        f"The model {status.id} is damaged or not complete: run `desktop-rag models remove "
        f"{status.id}`, after which the program's own is used, and add it again.",
        model=status.id,
    )
