"""Which part of the library a chat asks."""

from __future__ import annotations

import pytest

from desktop_rag.domain.answers import ConversationId
from desktop_rag.domain.choices import Choice, Resolved
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.scope import Scope
from desktop_rag.services.chat_scopes import ChatScopes
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.chat_scopes import ChatScopeStore
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.database import Database
from desktop_rag.storage.sources import Sources
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

NAMES = ("leases/flat.pdf", "leases/old/barn.pdf", "bills/may.pdf")


@pytest.fixture
def catalog(database: Database) -> Catalog:
    read = [read_document(f"Words of {name}.", title=name.upper()) for name in NAMES]
    return fill_library(database, FakeIndex(), read, NAMES)


@pytest.fixture
def collections(database: Database) -> Collections:
    return Collections(database)


@pytest.fixture
def scopes(database: Database, catalog: Catalog, collections: Collections) -> ChatScopes:
    return ChatScopes(ChatScopeStore(database), catalog, collections, Sources(database))


@pytest.fixture
def chat(database: Database) -> ConversationId:
    return Conversations(database).begin("Chat")


def test_a_choice_is_kept_with_its_chat(scopes: ChatScopes, chat: ConversationId) -> None:
    assert scopes.of(chat) == Resolved()
    choice = Choice(paths=("/documents/leases",))
    scopes.choose(chat, choice)
    assert scopes.of(chat) == Resolved(choice, Scope(folders=("/documents/leases",)))
    scopes.choose(chat, Choice())
    assert scopes.of(chat) == Resolved()
    assert scopes.of(ConversationId(99)) == Resolved(), "a chat that is gone"


def test_what_no_program_of_this_age_wrote_is_no_choice(
    scopes: ChatScopes, chat: ConversationId, database: Database
) -> None:
    with database.write() as db:
        db.execute("UPDATE conversations SET scope = '{broken'")
    assert scopes.of(chat) == Resolved()


def test_collections_and_files_add_up(
    scopes: ChatScopes, collections: Collections, catalog: Catalog
) -> None:
    collections.create("Bills", ["/documents/bills"])
    found = scopes.resolved(Choice(("Bills",), ("/documents/leases/flat.pdf",)))
    assert collections.count_documents(found.scope) == 2
    only = scopes.resolved(Choice(("Bills",)))
    assert only.scope == Scope(collections=("Bills",))
    assert collections.count_documents(only.scope) == 1


def test_what_is_gone_is_named(
    scopes: ChatScopes, collections: Collections, catalog: Catalog
) -> None:
    collections.create("Empty")
    choice = Choice(("Empty", "Never"), ("/documents/bills/may.pdf", "/documents/leases"))
    found = scopes.resolved(choice)
    assert found.gone == ("Empty", "Never")
    assert not found.has_nothing
    catalog.remove([DocumentId(1), DocumentId(2), DocumentId(3)])
    found = scopes.resolved(choice)
    assert found.has_nothing
    assert found.choice == choice, "it is kept: the files may come back"


def test_one_chooses_from_collections_folders_and_files(
    scopes: ChatScopes, collections: Collections
) -> None:
    collections.create("Bills", ["/documents/bills"])
    options = scopes.options()
    assert options.collections == (("Bills", 1),)
    assert options.folders == (
        "/documents",
        "/documents/bills",
        "/documents/leases",
        "/documents/leases/old",
    )
    assert options.files[0] == ("/documents/bills/may.pdf", "BILLS/MAY.PDF")
    assert len(options.files) == 3
