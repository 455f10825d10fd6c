"""Step two: what writes the answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.services.models import ModelState
from desktop_rag.ui.models_page.add_button import AddModelButton
from desktop_rag.ui.models_page.model_card import ModelCard
from desktop_rag.ui.models_page.offer_row import OfferRow
from desktop_rag.ui.models_page.progress_row import ProgressRow
from desktop_rag.ui.models_page.reading import Shown, read_models
from desktop_rag.ui.models_page.work import work_of
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S, Theme
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background


class ModelStep(QWidget):
    """The language model in use, or the one that suits this computer with the ways to get it.

    Signals:
        page_requested (str): the person wants to see more.
        told (str, str): what came of a job.
        changed: there is a language model, or there is none.
    """

    page_requested = Signal(str)
    told = Signal(str, str)
    changed = Signal()

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._background = background
        self._app: App | None = None
        self.shown: Shown | None = None
        self.work = work_of(background)
        self.card: ModelCard | None = None
        self._build()
        self._connect()

    def _build(self) -> None:
        self.sentence = PlainLabel(_("Looking for language models …"))
        self.sentence.setObjectName("lead")
        self.sentence.setWordWrap(True)
        self.place = QVBoxLayout()
        self.adding = ProgressRow()
        self.offer = OfferRow()
        self.add = AddModelButton()
        self.add.setText(_("Pick one from a file …"))
        self.add.setMenu(None)  # type: ignore[arg-type] # None takes the menu away
        self.all_models = QPushButton(_("All models"))
        self.all_models.setObjectName("quietButton")
        self.without = PlainLabel(
            _(
                "Without a language model you can search, and answers are quoted from your "
                "documents word for word. One can be added at any time on the page Models, also "
                "without a network: export it there on another computer (a .ragmodels file) and "
                "pick that file here."
            )
        )
        self.without.setObjectName("smallMuted")
        self.without.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.add)
        row.addWidget(self.all_models)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addWidget(self.offer)
        column.addWidget(self.sentence)
        column.addLayout(self.place)
        column.addWidget(self.adding)
        column.addLayout(row)
        column.addWidget(self.without)
        column.addStretch(1)

    def _connect(self) -> None:
        self.add.clicked.connect(self.add.choose_file)
        self.add.chosen.connect(self._on_chosen)
        self.offer.chosen.connect(self._on_chosen)
        self.all_models.clicked.connect(lambda: self.page_requested.emit("models"))
        self.adding.cancelled.connect(self.work.cancel)
        self.work.changed.connect(self._show_job)
        self.work.ended.connect(self.enter)
        self.work.told.connect(self._on_told)

    # life
    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app
        self.work.attach(app)

    def enter(self) -> None:
        """Look which models there are."""
        if self._app is not None and self.isVisible():
            app = self._app
            self._background.run(lambda: read_models(app), self._show)

    @property
    def has_model(self) -> bool:
        """Whether answers will be written."""
        return self.shown is not None and bool(self.shown.in_use)

    # content
    def _show(self, shown: Shown) -> None:
        self.shown = shown
        model_id = shown.in_use or shown.suggested
        status = shown.status(model_id)
        if status is None:  # a model that is named by the environment
            self.sentence.setText(_("Answers are written by {model}.").format(model=model_id))
        elif shown.in_use:
            self.sentence.setText(
                _("A language model is installed: answers will be written by it.")
            )
        elif status.state is ModelState.PARTIAL:
            self.sentence.setText(_("The download of this model was paused."))
        else:
            self.sentence.setText(_("This language model suits your computer:"))
        self.without.setVisible(not shown.in_use)
        self.offer.show_offers(() if shown.in_use else shown.offers)
        self._show_card(model_id)
        self.changed.emit()

    def _show_card(self, model_id: str) -> None:
        if self.card is not None and self.card.model_id != model_id:
            self.card.hide()
            self.card.deleteLater()
            self.card = None
        if self.card is None:
            self.card = ModelCard(self._theme, model_id)
            self.card.wanted.connect(self._on_wanted)
            self.card.paused.connect(self.work.pause)
            self.card.cancelled.connect(self.work.cancel)
            self.place.addWidget(self.card)
        self._show_job()

    def _show_job(self) -> None:
        job = self.work.job
        is_busy = job is not None
        self.add.setEnabled(not is_busy)
        self.offer.setEnabled(not is_busy)
        is_its = job is not None and self.card is not None and job.model_id == self.card.model_id
        if self.card is not None and self.shown is not None:
            status = self.shown.status(self.card.model_id)
            self.card.setVisible(status is not None)
            if status is not None:
                self.card.show_model(status, self.shown, is_busy=is_busy)
                self.card.show_job(job if is_its else None)
        self.adding.show_job(None if is_its else job)

    # actions
    def _on_wanted(self, wish: str, model_id: str) -> None:
        status = self.shown.status(model_id) if self.shown is not None else None
        if wish == "install" and status is not None:
            self.work.install(model_id, status.title)
        elif wish == "measure" and status is not None:
            self.work.measure(model_id, status.title)
        elif wish == "verify" and status is not None:
            self.work.verify(model_id, status.title)
        elif wish == "add":
            self.add.choose_file()
        elif wish == "privacy":
            self.page_requested.emit("privacy")
        else:
            self.page_requested.emit("models")

    def _on_chosen(self, path: Path) -> None:
        self.work.add(path)

    def _on_told(self, sentence: str, kind: str) -> None:
        if self.isVisible():
            self.told.emit(sentence, kind)
