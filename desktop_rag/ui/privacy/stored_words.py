"""What each kind of stored data is called, what is in it, and what deleting it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rag.services.stored import Kind
from desktop_rag.ui.byte_size import size
from desktop_rag.ui.translation import _, counted

if TYPE_CHECKING:
    from desktop_rag.services.stored import Stored


def amount(stored: Stored) -> str:
    """How much of it there is."""
    if not (stored.size or stored.count):
        return _("Nothing")
    if not stored.is_in_library:
        return size(stored.size)
    about = _("{entries}, about {size}")
    return about.format(entries=_entries(stored), size=size(stored.size))


def _entries(stored: Stored) -> str:
    if stored.kind is Kind.RECOGNISED:
        return counted("{n} page", "{n} pages", stored.count)
    if stored.kind is Kind.CHATS:
        return counted("{n} chat", "{n} chats", stored.count)
    return counted("{n} search", "{n} searches", stored.count)


def title(kind: Kind) -> str:
    """What it is called."""
    return {
        Kind.LIBRARY: _("Library"),
        Kind.INDEX: _("Search index"),
        Kind.MODELS: _("Models"),
        Kind.RECOGNISED: _("Recognised pages"),
        Kind.CHATS: _("Chats"),
        Kind.ANSWERS: _("Kept answers"),
        Kind.QUERY_LOG: _("Log of searches"),
        Kind.LOGS: _("Log files"),
        Kind.BACKUPS: _("Copies of the library"),
        Kind.SETTINGS: _("Settings"),
        Kind.WINDOW: _("Window"),
    }[kind]


def contents(kind: Kind) -> str:
    """What is in it, in a plain sentence."""
    return {
        Kind.LIBRARY: _(
            "The text of your documents, where they lie, and all that is named “in the library” "
            "below. Your files themselves stay where they are and are never changed."
        ),
        Kind.INDEX: _("Made from the library so that searching is quick; it can be made again."),
        Kind.MODELS: _(
            "Language models you downloaded or added. All libraries of yours share them; nothing "
            "of yours is in them."
        ),
        Kind.RECOGNISED: _("Text that was recognised in scans and pictures. In the library."),
        Kind.CHATS: _(
            "Your questions, the answers with their quotations, and your thumbs. In the library."
        ),
        Kind.ANSWERS: _("Questions and answers that are given again while nothing has changed."),
        Kind.QUERY_LOG: _(
            "When you searched, how long it took and whether something was found; never what you "
            "asked. In the library."
        ),
        Kind.LOGS: _("What the program did and what failed; names of files, never their text."),
        Kind.BACKUPS: _("Made before an upgrade or a restore: all that is in the library."),
        Kind.SETTINGS: _("Your choices on the Settings page."),
        Kind.WINDOW: _("Where the window was, how it looks and what it showed last."),
    }[kind]


def consequence(kind: Kind) -> str:
    """What deleting it by itself means."""
    return {
        Kind.RECOGNISED: _(
            "Scans stay searchable. When one of them is read again, its pages are recognised "
            "again, which takes some seconds a page."
        ),
        Kind.ANSWERS: _("Questions that you ask again are answered anew. Chats stay."),
        Kind.QUERY_LOG: _("The Quality page begins anew with speed and empty results."),
        Kind.LOGS: _("If something went wrong, nobody can look up any more what it was."),
    }.get(kind, "")


def done(kind: Kind) -> str:
    """What is said afterwards."""
    return _("Deleted: {kind}.").format(kind=title(kind))
