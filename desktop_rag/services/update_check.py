"""Asks whether there is a newer version. Off by default, and there is no address by default.

It only tells: nothing is downloaded or installed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from desktop_rag import __version__, network
from desktop_rag.domain.errors import DesktopRagError, InvalidInput
from desktop_rag.settings import Settings
from desktop_rag.storage.meta import Meta
from desktop_rag.storage.version_document import VersionDocument, fetch_version_document

_EVERY = dt.timedelta(days=7)
_ASKED = "update_asked"
PURPOSE = "update_check"
"""In the record of what the network was used for."""


@dataclass(frozen=True, slots=True)
class UpdateFound:
    """What the address says. `page` tells more of the newest version, if the address names one."""

    newest: str
    current: str
    page: str

    @property
    def is_newer(self) -> bool:
        """Whether there is something to install."""
        return _numbers(self.newest) > _numbers(self.current)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


class UpdateCheck:
    """Usable from any thread; both methods *may block* for seconds."""

    def __init__(
        self,
        meta: Meta,
        settings: Callable[[], Settings],
        fetch: Callable[[str], VersionDocument] = fetch_version_document,
        now: Callable[[], dt.datetime] = _now,
        refuse: Callable[[], None] = lambda: None,
    ) -> None:
        """`refuse` raises while the person forbids all use of the network."""
        self._meta = meta
        self._settings = settings
        self._fetch = fetch
        self._now = now
        self._refuse = refuse

    def check(self) -> UpdateFound:
        """Ask now, because the person wants to know.

        Raises:
            InvalidInput: there is no address, or no version at it.
            DownloadFailed: nobody answers there.
            UserError: the network is forbidden.
        """
        address = self._settings().update_address
        if not address:
            raise InvalidInput(
                "There is no address to ask. Put one into the settings first; Desktop RAG has none "
                "of its own."
            )
        self._refuse()
        self._meta.set(_ASKED, self._now().isoformat())
        with network.because(PURPOSE):
            found = self._fetch(address)
        return UpdateFound(found.version, __version__, found.page)

    def check_when_due(self) -> UpdateFound | None:
        """Ask if that is switched on and a week has passed; `None` when there is nothing to tell.

        Failures are not told: nobody asked for it now.
        """
        chosen = self._settings()
        if not (chosen.update_check and chosen.update_address and self._is_due()):
            return None
        try:
            found = self.check()
        except DesktopRagError:
            return None
        return found if found.is_newer else None

    def _is_due(self) -> bool:
        try:
            asked = dt.datetime.fromisoformat(self._meta.get(_ASKED))
            return not dt.timedelta() <= self._now() - asked < _EVERY
        except (ValueError, TypeError):  # never, or written by who knows whom
            return True


def _numbers(version: str) -> tuple[int, ...]:
    parts = [int(part) for part in version.split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)
