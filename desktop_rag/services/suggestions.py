"""Folders that people usually keep documents in, for somebody who has just arrived."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import platformdirs

from desktop_rag.storage.folder_size import FolderSize, size_of_folder


class PlaceKind(StrEnum):
    """What a suggested folder is."""

    DOCUMENTS = "documents"
    DESKTOP = "desktop"
    DOWNLOADS = "downloads"
    CLOUD = "cloud"
    """Kept in step with a service of another company by that company's program."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that exists on this computer."""

    kind: PlaceKind
    name: str
    """As its owner knows it."""
    path: Path


_CLOUDS = {
    "OneDrive": ("OneDrive", "OneDrive - *"),
    "Dropbox": ("Dropbox", "Dropbox (*)"),
    "Nextcloud": ("Nextcloud",),
    "Google Drive": ("Google Drive", "GoogleDrive"),
    "iCloud Drive": ("iCloudDrive", "Library/Mobile Documents/com~apple~CloudDocs"),
}
"""Names of folders in the home folder, by service."""


class Suggestions:
    """Looks for such folders. *May block*: a home folder may be on a network."""

    def __init__(
        self,
        suffixes: Callable[[], Collection[str]],
        home: Callable[[], Path] = Path.home,
        usual: Callable[[], dict[PlaceKind, Path]] | None = None,
    ) -> None:
        """`suffixes` are those of files there is a reader for; `usual` the system's own folders."""
        self._suffixes = suffixes
        self._home = home
        self._usual = usual or _usual_folders

    def places(self) -> list[Place]:
        """Those that exist, each once: on some systems the desktop is the home folder itself."""
        home = self._home()
        found = [
            Place(kind, path.name, path) for kind, path in self._usual().items() if path.is_dir()
        ]
        found += [
            Place(PlaceKind.CLOUD, service, path)
            for service, patterns in _CLOUDS.items()
            for pattern in patterns
            for path in sorted(home.glob(pattern))
            if path.is_dir()
        ]
        distinct: dict[Path, Place] = {}
        for place in found:
            if place.path.resolve() != home.resolve():
                distinct.setdefault(place.path.resolve(), place)
        return list(distinct.values())

    def size(self, place: Path, is_cancelled: Callable[[], bool] = lambda: False) -> FolderSize:
        """How many files of a folder could be read; gives up after some seconds."""
        return size_of_folder(place, frozenset(self._suffixes()), is_cancelled)


def _usual_folders() -> dict[PlaceKind, Path]:
    return {
        PlaceKind.DOCUMENTS: platformdirs.user_documents_path(),
        PlaceKind.DESKTOP: platformdirs.user_desktop_path(),
        PlaceKind.DOWNLOADS: platformdirs.user_downloads_path(),
    }
