"""Which part of the library a chat asks: collections, folders and files a person ticked."""

from __future__ import annotations

from pathlib import PurePath

from desktop_rag.domain.answers import ConversationId
from desktop_rag.domain.choices import Choice, Options, Resolved
from desktop_rag.domain.library import Collection
from desktop_rag.domain.scope import Scope
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.chat_scopes import ChatScopeStore
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.sources import Sources


class ChatScopes:
    """Choices of chats. Usable from any thread."""

    def __init__(
        self,
        store: ChatScopeStore,
        catalog: Catalog,
        collections: Collections,
        sources: Sources,
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._collections = collections
        self._sources = sources

    def of(self, conversation: ConversationId) -> Resolved:
        """What was chosen for a chat, as it is now."""
        return self.resolved(self._store.get(conversation))

    def choose(self, conversation: ConversationId, choice: Choice) -> None:
        """Keep a choice with a chat."""
        self._store.keep(conversation, choice)

    def resolved(self, choice: Choice) -> Resolved:
        """A choice as a scope of what of it is still there; what is added to a folder belongs."""
        if choice.is_everything:
            return Resolved()
        known = {one.name: one for one in self._collections.all()}
        held = [one for one in choice.collections if one in known and known[one].files]
        there = [one for one in choice.paths if self._catalog.documents_under(one)]
        kept = {*held, *there}
        gone = tuple(one for one in (*choice.collections, *choice.paths) if one not in kept)
        return Resolved(choice, _scope([known[one] for one in held], there), gone)

    def options(self) -> Options:
        """All that can be chosen."""
        folders = [one.path for one in self._sources.all() if one.is_folder]
        files = self._catalog.titles()
        inner = {str(parent) for path, _title in files for parent in _below(path, folders)}
        return Options(
            tuple((one.name, one.files) for one in self._collections.all()),
            tuple(sorted({*folders, *inner})),
            tuple(files),
        )


def _scope(collections: list[Collection], paths: list[str]) -> Scope:
    """Kinds of a scope narrow each other, so two kinds are told as one: as paths."""
    if not paths:
        return Scope(collections=tuple(one.name for one in collections))
    members = (member for one in collections for member in one.members)
    return Scope(folders=tuple(dict.fromkeys((*paths, *members))))


def _below(path: str, folders: list[str]) -> list[PurePath]:
    """The folders a file lies in, up to the one that was added."""
    parents = PurePath(path).parents
    roots = {PurePath(folder) for folder in folders}
    place = next((n for n, parent in enumerate(parents) if parent in roots), -1)
    return list(parents[: place + 1])
