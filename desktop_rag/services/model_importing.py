"""Takes the models of a file that another computer has exported."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_rag import __version__
from desktop_rag.domain.errors import InvalidInput, ModelDamaged, UserError
from desktop_rag.domain.events import ModelProgress
from desktop_rag.domain.models_of_text import Probe
from desktop_rag.paths import BUNDLE_SUFFIX, home_expanded
from desktop_rag.services.known_rerankers import needs_trying, try_reranker
from desktop_rag.services.model_shelf import ModelShelf, ModelState, ModelStatus
from desktop_rag.services.model_workplace import Workplace, shifted
from desktop_rag.storage.flushing import sync_folder
from desktop_rag.storage.model_bundle import BundledFile, BundledModel, damaged
from desktop_rag.storage.model_bundle_reading import Bundle, open_bundle
from desktop_rag.storage.model_catalog import CatalogModel, ModelRole
from desktop_rag.storage.model_files import (
    IsCancelled,
    OnBytes,
    PartialFile,
    disk_errors,
    note_path,
    read_note,
    remove_partial,
)
from desktop_rag.storage.model_gguf import read_gguf_header
from desktop_rag.storage.model_gguf_extent import check_gguf_is_whole
from desktop_rag.storage.onnx_folders import (
    DESCRIPTIONS,
    MODEL,
    TOKENIZER,
    describe,
    kept_hints,
    read_kept,
)


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of a file of models."""

    path: Path
    models: tuple[ModelStatus, ...]
    """Those that were put on the shelf, in the order of the file."""
    skipped: tuple[ModelStatus, ...]
    """Those that were there already, and whole."""
    mended: tuple[str, ...]
    """Identifiers of those that were there and damaged."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A file whose models are not all here; `titles` and `size` (bytes) are of those."""

    path: Path
    titles: tuple[str, ...]
    size: int


@dataclass(frozen=True, slots=True)
class _Coming:
    """A model of the file that is to be taken, and what it is called here."""

    model: BundledModel
    id: str
    known: CatalogModel | None
    is_mended: bool

    @property
    def is_llm(self) -> bool:
        """Whether it is a single file on the shelf, not a folder."""
        return self.model.role == ModelRole.LLM


class ModelImporter:
    """All models of a file are copied, hashed and tried before the first is put on the shelf."""

    def __init__(self, shelf: ModelShelf, place: Workplace, probe: Probe | None) -> None:
        self._shelf = shelf
        self._place = place
        self._probe = probe

    def import_(self, path: Path, is_cancelled: IsCancelled) -> Imported:
        """Take what is not there yet. *May block* for minutes.

        Raises:
            NotFound, InvalidInput, ModelDamaged, DiskFull, FileBusy, Cancelled, UserError: the
                models that are installed are as they were.
        """
        bundle = open_bundle(home_expanded(path), __version__)
        coming, skipped = self._plan(bundle)
        if coming:
            self._take(bundle, coming, is_cancelled)
        return Imported(
            bundle.path,
            tuple(self._shelf.entry(one.id) for one in coming),
            tuple(self._shelf.entry(model_id) for model_id in skipped),
            tuple(one.id for one in coming if one.is_mended),
        )

    def offers(self, folders: Sequence[Path]) -> list[Offer]:
        """Files of models in these folders that hold what is not here. Only headers are read."""
        found = (path for folder in folders for path in sorted(folder.glob(f"*{BUNDLE_SUFFIX}")))
        return [offer for path in dict.fromkeys(found) if (offer := self._offer(path)) is not None]

    def _offer(self, path: Path) -> Offer | None:
        try:
            coming, _ = self._plan(open_bundle(path, __version__))
        except UserError:
            return None  # said when the person imports it
        titles = tuple(one.model.title or one.id for one in coming)
        return Offer(path, titles, sum(one.model.size for one in coming)) if coming else None

    # what it is
    def _plan(self, bundle: Bundle) -> tuple[list[_Coming], list[str]]:
        """What is to be taken, and the identifiers of what is there already."""
        there = {status.id: status for status in self._shelf.entries()}
        coming: list[_Coming] = []
        skipped: list[str] = []
        for model in bundle.manifest.models:
            known = self._known(bundle.path, model)
            model_id = known.id if known else model.id
            if model_id in {*skipped, *(one.id for one in coming)}:
                raise damaged(bundle.path, f"it holds {model_id} twice")
            status = there.get(model_id)
            if status is not None and status.state is ModelState.READY:
                self._check_same(bundle.path, model, known, status)
                skipped.append(model_id)
            else:
                is_mended = status is not None and status.state is ModelState.DAMAGED
                coming.append(_Coming(model, model_id, known, is_mended))
                self._check_free(bundle.path, coming[-1])
        return coming, skipped

    def _known(self, path: Path, model: BundledModel) -> CatalogModel | None:
        """The model of the catalog that has these contents.

        Raises:
            InvalidInput: it has the name of one, but not its contents.
        """
        sums = sorted(file.sha256 for file in model.files)
        for known in self._shelf.catalog:
            if sorted(file.sha256 for file in known.files) == sums and model.role == known.role:
                return known
        if any(known.id == model.id for known in self._shelf.catalog):
            raise InvalidInput(
                f"{path} holds another model under the name of {model.id}, which this Desktop RAG "
                "knows. Nothing was imported."
            )
        return None

    def _check_same(
        self, path: Path, model: BundledModel, known: CatalogModel | None, status: ModelStatus
    ) -> None:
        """What is there under the same name must be the same."""
        if known is None and self._sums_here(status) != sorted(_sums(model).values()):
            raise InvalidInput(
                f"Another model is installed as {status.id} than the one in {path}: remove it "
                "first. Nothing was imported."
            )

    def _check_free(self, path: Path, one: _Coming) -> None:
        """What stands in its place must be a model, not a person's own file or folder."""
        target = self._shelf.folder / _shelf_name(one)
        if target.exists() and not _is_model(target, one):
            raise InvalidInput(
                f"{target} is in the way of a model in {path} and holds something else: move or "
                "rename it. Nothing was imported."
            )

    def _sums_here(self, status: ModelStatus) -> list[str]:
        if status.role is ModelRole.LLM:
            note = read_note(self._shelf.installed_paths(status)[0])
            return [note.sha256] if note else []
        kept = read_kept(status.path) if status.path is not None else None
        return sorted(sha256 for _, sha256 in kept.files.values()) if kept else []

    # taking it
    def _take(self, bundle: Bundle, coming: list[_Coming], is_cancelled: IsCancelled) -> None:
        total = sum(one.model.size for one in coming)
        if self._probe is None and any(map(_is_tried, coming)):
            raise InvalidInput("Search models are imported with `desktop-rag models import`.")
        with self._place.scratch_folder(total) as scratch, self._alone(coming):
            done = 0
            for one in coming:
                report = shifted(self._place.reporter(one.id, total, "importing"), done)
                self._stage(bundle, one, scratch / one.id, report, is_cancelled)
                done += one.model.size
            for one in coming:
                self._put_on_shelf(one, scratch)
        for one in coming:
            self._place.publish(ModelProgress(one.id, one.model.size, one.model.size, "ready"))

    @contextlib.contextmanager
    def _alone(self, coming: list[_Coming]) -> Iterator[None]:
        with contextlib.ExitStack() as held:
            for one in coming:
                held.enter_context(self._place.alone(one.id))
            yield

    def _stage(
        self,
        bundle: Bundle,
        one: _Coming,
        folder: Path,
        report: OnBytes,
        is_cancelled: IsCancelled,
    ) -> None:
        """Copy a model into the scratch folder, and look whether it can be used."""
        done = 0
        for file in one.model.files:
            target = folder / _name_here(one, file)
            with PartialFile(target, shifted(report, done), is_cancelled) as partial:
                for block in bundle.blocks(one.model, file, is_cancelled):
                    partial.append(block)
                if partial.sha256 != file.sha256:
                    raise damaged(bundle.path, f"the checksum of {one.id} is wrong")
                partial.finish(file.size, file.sha256)
            done += file.size
            if one.is_llm:
                _check_gguf(bundle.path, one.id, target)
        if one.known is not None:
            try_reranker(one.known, folder, self._probe)
        elif not one.is_llm:
            self._try(bundle.path, one, folder)

    def _try(self, path: Path, one: _Coming, folder: Path) -> None:
        """Run a search model that nobody knows, and describe what it does on this computer."""
        name = DESCRIPTIONS[one.model.role]
        sums = _sums(one.model)
        if not {MODEL, TOKENIZER} <= sums.keys() or self._probe is None:
            raise damaged(path, f"{one.id} lacks a file")
        hints = kept_hints(folder, one.model.role)
        facts = self._probe(folder, hints)
        if facts.role != one.model.role:
            raise damaged(path, f"{one.id} is no {one.model.role}")
        (folder / name).unlink(missing_ok=True)
        note_path(folder / name).unlink(missing_ok=True)
        describe(folder, hints, facts, sums)

    def _put_on_shelf(self, one: _Coming, scratch: Path) -> None:
        """Two renames at most; a crash between them leaves a model that is checked at first use."""
        folder, name = scratch / one.id, _shelf_name(one)
        target = self._shelf.folder / name
        with disk_errors(self._shelf.folder):
            if not one.is_llm:
                if target.exists():
                    target.replace(scratch / f"{one.id}.old")
                folder.replace(target)
            else:
                note_path(folder / name).replace(note_path(target))
                (folder / name).replace(target)
                remove_partial(target)
        sync_folder(self._shelf.folder)


def _is_tried(one: _Coming) -> bool:
    """Whether it must be run before it can be used."""
    return needs_trying(one.known) if one.known is not None else not one.is_llm


def _sums(model: BundledModel) -> dict[str, str]:
    """Checksums by name; the description of how a search model is used may differ."""
    descriptions = DESCRIPTIONS.values()
    return {one.name: one.sha256 for one in model.files if one.name not in descriptions}


def _name_here(one: _Coming, file: BundledFile) -> str:
    """What a file is called on this shelf."""
    if one.known is not None:
        names = [known.name for known in one.known.files if known.sha256 == file.sha256]
        return file.name if file.name in names else names[0]
    return f"{one.id}.gguf" if one.is_llm else file.name


def _shelf_name(one: _Coming) -> str:
    """Of the file or folder that the model is."""
    return _name_here(one, one.model.files[0]) if one.is_llm else one.id


def _is_model(place: Path, one: _Coming) -> bool:
    """Whether this may be an older copy of the model, or what is left of one."""
    if one.is_llm:
        return place.is_file()
    ours = {_name_here(one, file) for file in one.model.files}
    try:
        names = {entry.name for entry in place.iterdir()}
    except OSError:  # a file, or a folder that may not be read
        return False
    return not names or not ours.isdisjoint(names)


def _check_gguf(path: Path, model_id: str, copy: Path) -> None:
    try:
        read_gguf_header(copy)
        check_gguf_is_whole(copy)
    except ModelDamaged as exc:
        raise damaged(path, f"{model_id} is no whole language model") from exc
