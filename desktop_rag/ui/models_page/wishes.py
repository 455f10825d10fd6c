"""Carries out what a person wants of a model on the Models page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rag.services.models import ModelRole
from desktop_rag.ui.models_page.bundle_dialogs import ask_where_to_export
from desktop_rag.ui.models_page.failures import failure
from desktop_rag.ui.models_page.licence_dialog import LicenceDialog
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.domain.errors import DesktopRagError
    from desktop_rag.services.models import ModelStatus
    from desktop_rag.ui.models_page.models_page import ModelsPage
    from desktop_rag.ui.models_page.work import ModelWork


class ModelWishes(QObject):
    """Long ones go to `ModelWork`, short ones straight to the façade; never on the GUI thread."""

    def __init__(self, page: ModelsPage, work: ModelWork) -> None:
        super().__init__(page)
        self._page = page
        self._work = work
        self.hidden: set[str] = set()
        """Models that are removed for the eye; for good when the offer to undo it has passed."""

    def add(self, path: Path) -> None:
        """Take in a file or folder."""
        self._work.add(path)

    def export(self, *model_ids: str) -> None:
        """Ask for a file and write models into it; without any named, the usual ones."""
        ask_where_to_export(self._page.window(), lambda path: self._work.export(path, model_ids))

    def carry_out(self, wish: str, model_id: str) -> None:
        """See `ModelCard.wanted`."""
        status = self._page.shown.status(model_id) if self._page.shown is not None else None
        if status is None:
            return
        wishes: dict[str, Callable[[], None]] = {
            "install": lambda: self._work.install(model_id, status.title),
            "verify": lambda: self._work.verify(model_id, status.title),
            "measure": lambda: self._work.measure(model_id, status.title),
            "use": lambda: self._use(status),
            "stop-using": lambda: self._stop_using(status),
            "export": lambda: self.export(model_id),
            "remove": lambda: self._remove(status),
            "discard": lambda: self._remove(status),
            "licence": lambda: self._show_licence(status),
            "add": self._page.add.choose_file
            if status.role is ModelRole.LLM
            else self._page.add.choose_folder,
            "privacy": lambda: self._page.page_requested.emit("privacy"),
        }
        wishes[wish]()

    def _use(self, status: ModelStatus) -> None:
        app = self._page.app
        if app is not None:
            self._page.background.run(
                lambda: app.use_model(status.id), self._on_used, self._on_failed
            )

    def _on_used(self, status: ModelStatus) -> None:
        if status.role is ModelRole.LLM:
            sentence = _("{model} writes the next answer.")
        elif status.role is ModelRole.EMBEDDER:
            sentence = _(
                "{model} is used when Desktop RAG is started again; all texts are looked at anew "
                "then, and keywords answer meanwhile."
            )
        else:
            sentence = _("{model} is used when Desktop RAG is started again.")
        self._page.told.emit(sentence.format(model=status.title), "info")
        self._page.refresh()

    def _on_failed(self, error: DesktopRagError) -> None:
        self._page.told.emit(failure(error), "warning")
        self._page.refresh()

    def _stop_using(self, status: ModelStatus) -> None:
        app = self._page.app
        if app is None:
            return
        sentence = _("{model} is no longer used when Desktop RAG is started again.")
        self._page.background.run(
            lambda: app.models.stop_using(status.role),
            lambda _none: self._after(sentence.format(model=status.title)),
        )

    def _after(self, sentence: str) -> None:
        self._page.told.emit(sentence, "info")
        self._page.refresh()

    def _remove(self, status: ModelStatus) -> None:
        self.hidden.add(status.id)
        self._page.show_again()
        self._page.undo_offered.emit(
            _("Removed {model}.").format(model=status.title),
            lambda: self._bring_back(status.id),
            lambda: self._delete(status.id),
        )

    def _bring_back(self, model_id: str) -> None:
        self.hidden.discard(model_id)
        self._page.refresh()

    def _delete(self, model_id: str) -> None:
        """The offer has passed. What cannot be deleted is shown again, with the reason."""
        app = self._page.app
        if app is None:
            return
        self._page.background.run(
            lambda: app.remove_model(model_id),
            lambda _none: self._bring_back(model_id),
            lambda error: self._on_kept(model_id, failure(error)),
            is_owed=True,
        )

    def _on_kept(self, model_id: str, reason: str) -> None:
        self._bring_back(model_id)
        self._page.told.emit(reason, "warning")

    def _show_licence(self, status: ModelStatus) -> None:
        app = self._page.app
        if app is not None:
            self._page.background.run(
                lambda: app.models.licence_text(status.id),
                lambda text: self._open_licence(status, text),
            )

    def _open_licence(self, status: ModelStatus, text: str) -> None:
        if text:
            LicenceDialog(status.licence, text, self._page).open()
        else:
            self._page.told.emit(
                _("The text of the licence {name} does not come with the program.").format(
                    name=status.licence
                ),
                "info",
            )
