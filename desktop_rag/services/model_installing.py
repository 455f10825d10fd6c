"""Puts models on the shelf, checks them and takes them off again."""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from desktop_rag import network
from desktop_rag.domain.errors import (
    InvalidInput,
    ModelDamaged,
    NotFound,
)
from desktop_rag.domain.events import ModelProgress
from desktop_rag.domain.models_of_text import Probe
from desktop_rag.paths import home_expanded
from desktop_rag.services.known_rerankers import is_folder_of, require_probe, try_reranker
from desktop_rag.services.model_fetching import ModelFetcher
from desktop_rag.services.model_shelf import ModelShelf, ModelState, ModelStatus
from desktop_rag.services.model_workplace import Workplace, shifted, tidy
from desktop_rag.storage.model_catalog import (
    CatalogModel,
    ModelRole,
    UrlSource,
    WheelSource,
)
from desktop_rag.storage.model_files import (
    IsCancelled,
    PartialFile,
    check_room,
    hash_file,
    is_unchanged,
    mark_damaged,
    read_blocks,
    read_note,
    remove_file,
    write_note,
)
from desktop_rag.storage.model_gguf import read_gguf_header
from desktop_rag.storage.model_gguf_extent import check_gguf_is_whole
from desktop_rag.storage.model_wheels import has_pip
from desktop_rag.storage.onnx_folders import OnnxFolder, describe, read_kept, read_onnx_folder

PACKAGE_INDEX = "package index"
"""Whatever pip on this computer is set up to ask."""


def never() -> bool:
    """For callers that cannot be cancelled."""
    return False


class ModelInstaller:
    """Everything that writes to the models folder. *May block* for minutes, tells its progress."""

    def __init__(self, shelf: ModelShelf, place: Workplace, probe: Probe | None = None) -> None:
        self._shelf = shelf
        self._place = place
        self._probe = probe
        self._fetcher = ModelFetcher(shelf, place, probe)

    def install(
        self, model_id: str, is_cancelled: IsCancelled = never, url: str = ""
    ) -> ModelStatus:
        """Download a model of the catalog, or go on with it; one that is ready is left alone.

        Args:
            model_id: identifier in the catalog.
            is_cancelled: asked between blocks.
            url: use this address instead of the sources of the catalog.

        Raises:
            NotFound, DownloadFailed, DiskFull, Cancelled, ModelDamaged, FileBusy,
                NetworkForbidden: nothing half done is ever listed as ready.
        """
        model = self._catalog_model(model_id)
        with self._place.alone(model_id):
            if self._shelf.entry(model_id).state is not ModelState.READY:
                network.require_allowed()
                require_probe(model, self._probe)
                sources = (UrlSource(url),) if url else model.sources
                with network.because(model_id):
                    self._fetcher.fetch(
                        model, sources, lambda: is_cancelled() or network.is_forbidden()
                    )
        return self._shelf.entry(model_id)

    def download_hosts(self, model_id: str) -> tuple[str, ...]:
        """Who is contacted when a model is downloaded, in the order they are tried.

        Host names, or `PACKAGE_INDEX`; empty for what cannot be downloaded on this computer.
        """
        model = next((one for one in self._shelf.catalog if one.id == model_id), None)
        if model is None:
            return ()
        return tuple(
            PACKAGE_INDEX if isinstance(source, WheelSource) else urlsplit(source.url).netloc
            for source in model.sources
            if isinstance(source, UrlSource) or has_pip()
        )

    def add(self, path: Path, is_cancelled: IsCancelled = never) -> ModelStatus:
        """Copy a model from a file or folder. A known checksum makes it that model of the catalog.

        Raises:
            NotFound, InvalidInput, ModelDamaged, DiskFull, Cancelled: the library is unchanged.
        """
        path = home_expanded(path)
        if not path.exists():
            raise NotFound(f"{path} does not exist.")
        if path.is_dir():
            ggufs = sorted(path.glob("*.gguf"))
            if len(ggufs) != 1:
                return self._add_folder(path, is_cancelled)
            path = ggufs[0]
        if path.suffix.lower() != ".gguf":
            raise InvalidInput(
                f"{path.name} is not a model: name a .gguf file or a model's folder."
            )
        read_gguf_header(path)
        check_gguf_is_whole(path)
        return self._add_gguf(path, is_cancelled)

    def verify(
        self, model_id: str | None = None, is_cancelled: IsCancelled = never
    ) -> list[ModelStatus]:
        """Hash the files of one model, or of all that are there, and say what is true now.

        A damaged one is listed as damaged from then on; one whose content is right is ready again.
        """
        chosen = [self._shelf.entry(model_id)] if model_id else self._shelf.entries()
        return [self._verify(status, is_cancelled) if status.path else status for status in chosen]

    def remove(self, model_id: str) -> None:
        """Delete an installed model and what is left of a download; of a shipped one, a copy.

        Raises:
            NotFound: unknown or not installed.
            InvalidInput: it is part of the program.
        """
        status = self._shelf.entry(model_id)
        if status.is_shipped and not status.spare:
            raise InvalidInput(
                f"{model_id} is part of Desktop RAG and cannot be removed: it goes when the "
                "program goes."
            )
        with self._place.alone(model_id):
            if not any([remove_file(target) for target in self._shelf.installed_paths(status)]):  # noqa: C419
                raise NotFound(f"{model_id} is not installed, so there is nothing to remove.")
            if status.role is not ModelRole.LLM:
                shutil.rmtree(self._shelf.folder / model_id, ignore_errors=True)

    def _catalog_model(self, model_id: str) -> CatalogModel:
        for model in self._shelf.catalog:
            if model.id == model_id:
                return model
        self._shelf.entry(model_id)  # raises NotFound unless the person added it
        raise InvalidInput(
            f"{model_id} was added from a file and cannot be downloaded: "
            "run `desktop-rag models add FILE` again."
        )

    def _add_gguf(self, path: Path, is_cancelled: IsCancelled) -> ModelStatus:
        size = path.stat().st_size
        if path.parent.resolve() == self._shelf.folder.resolve():
            return self._adopt(path, is_cancelled)
        report = self._place.reporter(path.stem, size, "copying")
        # The checksum, and with it the name, is only known when the last byte has passed.
        with self._place.scratch_folder(size) as folder:
            copy = folder / path.name
            with PartialFile(copy, report, is_cancelled) as partial:
                for block in read_blocks(path, is_cancelled):
                    partial.append(block)
                note = partial.finish(size, "")
            target = self._shelf.folder / self._name_for(path, note.sha256)
            if (shipped := self._shipped(target.stem)) is not None:
                return shipped
            with self._place.alone(target.stem):
                self._refuse_collision(path, target, note.sha256)
                copy.replace(target)
                write_note(target, note.sha256)
        return self._shelf.entry(target.stem)

    def _shipped(self, model_id: str) -> ModelStatus | None:
        """A whole model that the program has brought: another copy would be of no use."""
        for status in self._shelf.entries():
            if status.id == model_id and status.is_shipped and status.state is ModelState.READY:
                return status
        return None

    def _adopt(self, path: Path, is_cancelled: IsCancelled) -> ModelStatus:
        """A file the person put into the models folder by hand."""
        report = self._place.reporter(path.stem, path.stat().st_size, "checking")
        sha256 = hash_file(path, report, is_cancelled)
        target = self._shelf.folder / self._name_for(path, sha256)
        self._refuse_collision(path, target, sha256)
        path.replace(target)
        write_note(target, sha256)
        return self._shelf.entry(target.stem)

    def _name_for(self, path: Path, sha256: str) -> str:
        """The catalog's file name for a known checksum, else a tidy form of the file's own."""
        for model in self._shelf.catalog:
            for file in model.files:
                if file.sha256 == sha256 and model.role is ModelRole.LLM:
                    return file.name
        return f"{tidy(path.stem)}.gguf"

    def _refuse_collision(self, path: Path, target: Path, sha256: str) -> None:
        expected = {file.name: file.sha256 for m in self._shelf.catalog for file in m.files}
        if expected.get(target.name, sha256) != sha256:
            raise ModelDamaged(
                f"{path} carries the name of a known model but another checksum: it is damaged or "
                "a different model; download it again, or rename it first."
            )
        note = read_note(target)
        if note and is_unchanged(target, note) and note.sha256 != sha256:
            raise InvalidInput(
                f"Another model is installed as {target.stem}: rename {path.name}, or run "
                f"`desktop-rag models remove {target.stem}` first."
            )

    def _add_folder(self, folder: Path, is_cancelled: IsCancelled) -> ModelStatus:
        """A folder that holds all files of a model of text of the catalog."""
        for model in self._shelf.catalog:
            if _is_named_as(model, folder) or (
                model.role is ModelRole.RERANKER and is_folder_of(model, folder, is_cancelled)
            ):
                require_probe(model, self._probe)
                with self._place.alone(model.id):
                    self._copy_files(model, folder, is_cancelled)
                    try_reranker(model, self._shelf.folder / model.id, self._probe)
                return self._shelf.entry(model.id)
        return self._add_onnx(read_onnx_folder(folder), is_cancelled)

    def _add_onnx(self, model: OnnxFolder, is_cancelled: IsCancelled) -> ModelStatus:
        """An embedder or re-ranker that nobody knows: copy it, run it, keep it if it works."""
        if self._probe is None:
            raise InvalidInput("Models of this kind are added with `desktop-rag models add`.")
        model_id = tidy(model.hints.name)
        target = self._shelf.folder / model_id
        if target.exists():
            raise InvalidInput(
                f"A model is installed as {model_id}: rename the folder, or run `desktop-rag "
                f"models remove {model_id}` first."
            )
        with self._place.alone(model_id), self._place.scratch_folder(model.size) as scratch:
            copy = scratch / model_id
            sums = self._copied(model, copy, is_cancelled)
            facts = self._probe(copy, model.hints)
            describe(copy, model.hints, facts, sums)
            copy.replace(target)
        self._place.publish(ModelProgress(model_id, model.size, model.size, "ready"))
        return self._shelf.entry(model_id)

    def _copied(self, model: OnnxFolder, folder: Path, is_cancelled: IsCancelled) -> dict[str, str]:
        """Copy a model's files; their checksums by name."""
        report, done = self._place.reporter(folder.name, model.size, "copying"), 0
        sums: dict[str, str] = {}
        for name, path in model.files.items():
            with PartialFile(folder / name, shifted(report, done), is_cancelled) as partial:
                for block in read_blocks(path, is_cancelled):
                    partial.append(block)
                sums[name] = partial.finish(partial.position, "").sha256
            done += path.stat().st_size
        return sums

    def _copy_files(self, model: CatalogModel, folder: Path, is_cancelled: IsCancelled) -> None:
        check_room(self._shelf.folder, model.size)
        report, done = self._place.reporter(model.id, model.size, "copying"), 0
        for file, target in zip(model.files, self._shelf.targets(model), strict=True):
            if (folder / file.name).resolve() == target.resolve():
                continue
            with PartialFile(target, shifted(report, done), is_cancelled) as partial:
                partial.restart()
                for block in read_blocks(folder / file.name, is_cancelled):
                    partial.append(block)
                partial.finish(file.size, file.sha256)
            done += file.size

    def _verify(self, status: ModelStatus, is_cancelled: IsCancelled) -> ModelStatus:
        """Hash all files of a model and correct their notes."""
        report, done, is_whole = self._place.reporter(status.id, status.size, "checking"), 0, True
        # The program's own folder may not be ours to write, and nobody else writes there.
        alone = contextlib.nullcontext() if status.is_shipped else self._place.alone(status.id)
        with alone:
            for path, expected in self._expected(status):
                sha256 = hash_file(path, shifted(report, done), is_cancelled)
                done += path.stat().st_size
                is_right = sha256 == expected if expected else _is_gguf(path)
                is_whole = is_whole and is_right
                if not status.is_shipped:
                    write_note(path, sha256) if is_right else mark_damaged(path, expected)
        if not is_whole:
            return replace(status, state=ModelState.DAMAGED)
        return self._shelf.entry(status.id)

    def _expected(self, status: ModelStatus) -> list[tuple[Path, str]]:
        """The files of a model with their checksums; an empty one when nobody knows it yet."""
        for model in self._shelf.catalog:
            if model.id == status.id:
                paths = (
                    self._shelf.shipped_paths(model)
                    if status.is_shipped
                    else self._shelf.targets(model)
                )
                pairs = zip(paths, model.files, strict=True)
                return [(path, file.sha256) for path, file in pairs if path.is_file()]
        if status.role is not ModelRole.LLM and status.path and (kept := read_kept(status.path)):
            return [(status.path / name, sha256) for name, (_, sha256) in kept.files.items()]
        path = self._shelf.folder / f"{status.id}.gguf"
        note = read_note(path)
        return [(path, note.sha256 if note else "")]


def _is_named_as(model: CatalogModel, folder: Path) -> bool:
    """Whether a folder holds what such a shipped model consists of, damaged or not."""
    return model.role in {ModelRole.EMBEDDER, ModelRole.EXTRACTOR} and all(
        (folder / file.name).is_file() for file in model.files
    )


def _is_gguf(path: Path) -> bool:
    try:
        read_gguf_header(path)
        check_gguf_is_whole(path)
    except ModelDamaged:
        return False
    return True
