"""The Privacy page: cards over what the façade tells, and what its buttons do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QHideEvent

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.ui.autostart import autostart
from desktop_rag.ui.privacy import health_words, stored_words
from desktop_rag.ui.privacy.check_card import CheckCard
from desktop_rag.ui.privacy.erase_card import EraseCard
from desktop_rag.ui.privacy.health_card import HealthCard
from desktop_rag.ui.privacy.log_card import LogCard
from desktop_rag.ui.privacy.network_card import NetworkCard
from desktop_rag.ui.privacy.stored_card import StoredCard
from desktop_rag.ui.scrolling_page import ScrollingPage
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.connections import Activity
    from desktop_rag.services.health import HealthReport
    from desktop_rag.services.stored import Kind, Stored
    from desktop_rag.services.upkeep import Finding
    from desktop_rag.ui.background import Background

_REFRESH_MS = 3000
"""While the page is in view: workers come and go."""


class PrivacyPage(ScrollingPage):
    """Everything is read in the background, and read again while the page is in view."""

    def __init__(self, theme: Theme, background: Background) -> None:
        super().__init__(
            theme,
            background,
            _("Privacy and health"),
            _("What you ask and what your documents hold stays on this computer."),
        )
        self._stored: Sequence[Stored] = ()
        self._build()
        self._connect()

    def _build(self) -> None:
        self.network = NetworkCard(self.theme)
        self.stored = StoredCard(self.theme)
        self.erase = EraseCard(self.theme)
        self.health = HealthCard()
        self.check = CheckCard()
        self.log = LogCard(self.theme)
        for card in (
            self.network,
            self.stored,
            self.erase,
            self.health,
            self.check,
            self.log,
        ):
            self.add(card)
        self._timer = QTimer(self)
        self._timer.setInterval(_REFRESH_MS)
        self._timer.timeout.connect(self._refresh)

    def _connect(self) -> None:
        self.network.forbidden.connect(self._on_forbidden)
        self.network.look_requested.connect(self._on_look)
        self.stored.opened.connect(self._on_opened)
        self.stored.clear_confirmed.connect(self._on_clear)
        self.erase.confirmed.connect(self._on_erase)
        self.health.copy_requested.connect(self._on_copy)
        self.check.check_requested.connect(self._on_check)
        self.check.repair_requested.connect(self._on_repair)
        self.log.wanted.connect(self._on_log)

    # life
    def attach(self, app: App) -> None:
        """The library is open."""
        super().attach(app)
        self._refresh()

    def activate(self) -> None:
        """In view: as it is now, and from now on."""
        self._refresh()
        self._measure()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Out of view nobody needs to look."""
        self._timer.stop()
        super().hideEvent(event)

    def _refresh(self) -> None:
        if self.app is not None:
            app = self.app
            self.background.run(
                lambda: (app.connections.activity(), app.health.report()), self._on_refreshed
            )

    def _on_refreshed(self, found: tuple[Activity, HealthReport]) -> None:
        activity, report = found
        self.network.show_activity(activity)
        self.health.show_report(report)

    def _measure(self) -> None:
        if self.app is not None:
            self.background.run(self.app.stored.all, self._on_measured)

    def _on_measured(self, stored: Sequence[Stored]) -> None:
        self._stored = stored
        self.stored.show_stored(stored)

    # the network
    def _on_forbidden(self, is_forbidden: bool) -> None:  # noqa: FBT001 - a signal's value
        if self.app is not None:
            app = self.app
            self.background.run(
                lambda: app.connections.forbid(is_forbidden),
                lambda _none: self._refresh(),
                self._on_not_forbidden,
            )

    def _on_not_forbidden(self, error: DesktopRagError) -> None:
        self.told.emit(error.message, "warning")
        self._refresh()

    def _on_look(self) -> None:
        if self.app is not None:
            self.background.run(self.app.connections.look, lambda _none: self._refresh())

    # what is kept
    def _on_opened(self, path: Path) -> None:
        self.background.run(lambda: _nearest_folder(path), self._open)

    def _open(self, folder: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self.told.emit(_("{folder} cannot be opened here.").format(folder=folder), "warning")

    def _on_clear(self, kind: Kind) -> None:
        if self.app is not None:
            app = self.app
            self.background.run(
                lambda: app.stored.clear(kind), lambda _none: self._on_cleared(kind)
            )

    def _on_cleared(self, kind: Kind) -> None:
        self.told.emit(stored_words.done(kind), "info")
        self._measure()

    def _on_erase(self, with_models: bool) -> None:  # noqa: FBT001 - a signal's value
        if self.app is not None:
            app = self.app
            self.background.run(
                lambda: _erase(app, with_models=with_models),
                lambda _none: self.quit_requested.emit(),
                self._on_not_erased,
            )

    def _on_not_erased(self, error: DesktopRagError) -> None:
        self.erase.show_failure()
        self.told.emit(error.message, "warning")

    # health
    def _on_check(self) -> None:
        if self.app is not None:
            self.check.show_busy(_("Checking …"))
            self.background.run(self.app.health.check, self.check.show_findings, self._on_unchecked)

    def _on_repair(self) -> None:
        if self.app is not None:
            self.check.show_busy(_("Repairing …"))
            self.background.run(self.app.health.repair, self._on_repaired, self._on_unchecked)

    def _on_repaired(self, done: Sequence[str]) -> None:
        self.told.emit(" ".join(done) or _("There was nothing to repair."), "info")
        self._on_check()

    def _on_unchecked(self, error: DesktopRagError) -> None:
        self.check.show_failure(error.message)

    def _on_copy(self) -> None:
        if self.app is not None:
            app, findings = self.app, self.check.findings
            self.background.run(lambda: _report(app, findings), self._on_report)

    def _on_report(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.told.emit(_("The report was copied."), "info")

    def _on_log(self) -> None:
        if self.app is not None:
            self.background.run(self.app.health.log_tail, self.log.show_log)


def _erase(app: App, *, with_models: bool) -> None:
    """Have everything deleted when the library is closed, and nothing start at log-in any more."""
    starter = autostart(app.stored.folder)
    if starter.is_on():
        starter.switch(is_on=False)
    app.stored.delete_everything(with_models=with_models)


def _report(app: App, findings: Sequence[Finding]) -> str:
    return app.health.shortened(health_words.as_text(app.health.report(), findings))


def _nearest_folder(path: Path) -> Path:
    """The folder itself, that of a file, or what is there of it."""
    place = path if path.is_dir() else path.parent
    while not place.is_dir() and place != place.parent:
        place = place.parent
    return place
