"""What a person does to sort the library: collections and tags."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.library import Collection
from desktop_rag.paths import home_expanded
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.collections import Collections

_MAX_NAME_CHARS = 100


class Organising:
    """Collections and tags by name and path. Usable from any thread."""

    def __init__(self, catalog: Catalog, collections: Collections) -> None:
        self._catalog = catalog
        self._collections = collections

    def collections(self) -> list[Collection]:
        """All collections, by name."""
        return self._collections.all()

    def create(self, name: str) -> None:
        """Make an empty collection. Raises InvalidInput for a name that is taken or unusable."""
        name = _checked(name)
        if any(one.name == name for one in self._collections.all()):
            raise InvalidInput(f"There is a collection “{name}” already; choose another name.")
        self._collections.create(name)

    def collect(self, name: str, paths: Sequence[Path]) -> None:
        """Put files and folders of the library into a collection, new or not.

        Raises:
            InvalidInput: the name is empty or far too long.
            NotFound: a path is not in the library; nothing was changed.
        """
        members = [resolved(path) for path in paths]
        for member in members:
            self._require_known(member)
        self._collections.create(_checked(name), members)

    def leave_out(self, name: str, paths: Sequence[Path]) -> None:
        """Take members out of a collection; see `Collections.leave_out`."""
        self._collections.leave_out(name, [resolved(path) for path in paths])

    def rename(self, name: str, new_name: str) -> None:
        """Give a collection another name; see `Collections.rename`."""
        self._collections.rename(name, _checked(new_name))

    def delete(self, name: str) -> None:
        """Forget a collection; its files stay. Raises NotFound."""
        self._collections.delete(name)

    def tags(self) -> list[tuple[str, int]]:
        """All tags with the number of their files."""
        return self._collections.tags()

    def tag(self, tag: str, paths: Sequence[Path]) -> int:
        """Tag all files that are one of the paths or lie below; returns how many are new to it.

        Raises:
            InvalidInput: the tag is empty or far too long.
            NotFound: a path is not in the library; nothing was changed.
        """
        return self._collections.tag(self._documents(paths), _checked(tag))

    def untag(self, tag: str, paths: Sequence[Path]) -> int:
        """The opposite of `tag`; returns how many files had it. Raises NotFound."""
        return self._collections.untag(self._documents(paths), tag)

    def rename_tag(self, tag: str, new_tag: str) -> None:
        """Call a tag otherwise; joins the files of a tag of that name. Raises InvalidInput."""
        self._collections.rename_tag(tag, _checked(new_tag))

    def delete_tag(self, tag: str) -> None:
        """Take a tag off all files."""
        self._collections.delete_tag(tag)

    def _documents(self, paths: Sequence[Path]) -> list[DocumentId]:
        return [one for path in paths for one in self._require_known(resolved(path))]

    def _require_known(self, path: str) -> list[DocumentId]:
        documents = self._catalog.documents_under(path)
        if not documents:
            raise NotFound(f"{path} is not in the library. `desktop-rag files` lists what is.")
        return documents


def resolved(path: Path) -> str:
    """The spelling under which the library knows a path."""
    return os.path.realpath(home_expanded(path))


def _checked(name: str) -> str:
    name = " ".join(name.split())
    if not 0 < len(name) <= _MAX_NAME_CHARS:
        raise InvalidInput(f"A name needs 1 to {_MAX_NAME_CHARS} characters.")
    return name
