"""The Models page: installed and available models, and everything that can be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.services.models import ModelRole
from desktop_rag.ui.announce import announce
from desktop_rag.ui.byte_size import size
from desktop_rag.ui.models_page.add_button import AddModelButton, dropped_model
from desktop_rag.ui.models_page.engine_strip import EngineStrip
from desktop_rag.ui.models_page.in_force import ChoicesInForce
from desktop_rag.ui.models_page.model_card import ModelCard, can_be_exported
from desktop_rag.ui.models_page.offer_row import OfferRow
from desktop_rag.ui.models_page.progress_row import ProgressRow
from desktop_rag.ui.models_page.reading import Shown, read_models
from desktop_rag.ui.models_page.section import ModelSection
from desktop_rag.ui.models_page.wishes import ModelWishes
from desktop_rag.ui.models_page.work import work_of
from desktop_rag.ui.page import Page
from desktop_rag.ui.page_column import in_the_middle, scrolled
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import COLUMN_WIDTH, XL, L, M, S, Theme, scaled
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.domain.events import EngineState
    from desktop_rag.services.models import ModelStatus
    from desktop_rag.ui.background import Background
    from desktop_rag.ui.bridge import Bridge

_OTHER_ENGINES = ("index", "parse", "ocr")
_ROLES = (
    ModelRole.LLM,
    ModelRole.EMBEDDER,
    ModelRole.RERANKER,
    ModelRole.EXTRACTOR,
    ModelRole.OCR,
)


class ModelsPage(Page):
    """Reads everything anew when it comes into view and when a job on a model ends."""

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(theme, background, parent)
        self.shown: Shown | None = None
        self.work = work_of(background)
        self.wishes = ModelWishes(self, self.work)
        self.setAcceptDrops(True)
        self._build()
        self._connect()

    # building
    def _build(self) -> None:
        self.sections = [ModelSection(role, self._make_card) for role in _ROLES]
        content = QWidget()
        content.setObjectName("pageContent")
        content.setMaximumWidth(scaled(COLUMN_WIDTH) + 2 * XL)
        column = QVBoxLayout(content)
        column.setContentsMargins(XL, L, XL, XL)
        column.setSpacing(M)
        column.addLayout(self._build_head())
        column.addWidget(self.problem)
        column.addWidget(self.offer)
        for strip in self.engines:
            column.addWidget(strip)
        column.addWidget(self.in_force)
        column.addWidget(self.adding)
        for section in self.sections:
            column.addWidget(section)
        column.addStretch(1)
        self.area = scrolled(in_the_middle(content))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.area)

    def _build_head(self) -> QVBoxLayout:
        title = PlainLabel(_("Models"))
        title.setObjectName("pageTitle")
        self.add = AddModelButton()
        self.export = QPushButton(_("Export to a file …"))
        self.export.setToolTip(_("For a computer without a network"))
        self.export.hide()
        self.computer = PlainLabel(_("Looking at this computer …"))
        self.computer.setObjectName("muted")
        self.computer.setWordWrap(True)
        self.problem = PlainLabel()
        self.problem.setObjectName("problemLine")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.engine = EngineStrip(self.theme, "llm")
        others = [EngineStrip(self.theme, role, is_quiet=True) for role in _OTHER_ENGINES]
        self.engines = [self.engine, *others]
        self.in_force = ChoicesInForce()
        self.adding = ProgressRow()
        self.offer = OfferRow()
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(title, 1)
        row.addWidget(self.export)
        row.addWidget(self.add)
        column = QVBoxLayout()
        column.setSpacing(S)
        column.addLayout(row)
        column.addWidget(self.computer)
        return column

    def _make_card(self, model_id: str) -> ModelCard:
        card = ModelCard(self.theme, model_id)
        card.wanted.connect(self.wishes.carry_out)
        card.paused.connect(self.work.pause)
        card.cancelled.connect(self.work.cancel)
        return card

    def _connect(self) -> None:
        self.add.chosen.connect(self.wishes.add)
        self.export.clicked.connect(lambda: self.wishes.export())
        self.offer.chosen.connect(self.wishes.add)
        self.adding.cancelled.connect(self.work.cancel)
        for strip in self.engines:
            strip.restart_requested.connect(self._on_restart)
        self.in_force.settings_requested.connect(lambda: self.page_requested.emit("settings"))
        self.work.changed.connect(self._show_job)
        self.work.ended.connect(self.refresh)
        self.work.told.connect(self._on_told)

    # life
    def attach(self, app: App) -> None:
        """The library is open."""
        super().attach(app)
        self.work.attach(app)
        for strip in self.engines:
            strip.attach(app.engine_states)

    def listen(self, bridge: Bridge) -> None:
        """Follow what engines do."""
        bridge.engine_state.connect(self._on_engine_state)

    def activate(self) -> None:
        """Read everything again."""
        self._show_engines()
        self.refresh()

    def _show_engines(self) -> None:
        for strip in self.engines:
            strip.refresh()

    def refresh(self) -> None:
        """Read everything again, when somebody looks."""
        if self.app is not None and self.isVisible():
            app = self.app
            self.background.run(lambda: read_models(app), self._show)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: the seconds need not be counted."""
        super().hideEvent(event)
        self._show_engines()

    # content
    def card(self, model_id: str) -> ModelCard | None:
        """The card of a model that is shown."""
        return next((one.cards[model_id] for one in self.sections if model_id in one.cards), None)

    def show_again(self) -> None:
        """Show what is known already; what is being removed is left out."""
        if self.shown is not None:
            self._show(self.shown)

    def _show(self, shown: Shown) -> None:
        self.shown = shown
        computer = shown.computer
        self.computer.setText(
            _(
                "This computer has {all} of memory, {free} of it free, and room for {disk} on the "
                "disk with the models."
            ).format(
                all=size(computer.memory),
                free=size(computer.free_memory),
                disk=size(computer.free_disk),
            )
        )
        self.problem.setText(_problem(shown.problem))
        self.problem.setVisible(bool(shown.problem))
        self.engine.is_needed = bool(shown.in_use or shown.problem)
        self._show_engines()
        self.offer.show_offers(shown.offers)
        self._show_export()
        self.in_force.show_settings(shown.settings)
        for section in self.sections:
            section.arrange(self._models_of(section.role, shown))
        self._show_cards()

    def _models_of(self, role: ModelRole, shown: Shown) -> list[ModelStatus]:
        hidden = self.wishes.hidden
        return [one for one in shown.models if one.role is role and one.id not in hidden]

    def _show_cards(self) -> None:
        if self.shown is None:
            return
        is_busy = self.work.job is not None
        for section in self.sections:
            for model_id, card in section.cards.items():
                status = self.shown.status(model_id)
                if status is not None:
                    card.show_model(status, self.shown, is_busy=is_busy)
        self._show_job()

    def _show_job(self) -> None:
        job = self.work.job
        self.add.setEnabled(job is None)
        self._show_export()
        self.offer.setEnabled(job is None)
        for section in self.sections:
            for model_id, card in section.cards.items():
                is_its = job is not None and job.model_id == model_id
                had_one = not card.progress.isHidden()
                card.show_job(job if is_its else None)
                if (had_one and not is_its) or card.is_busy != (job is not None):
                    self._show_card(card, is_busy=job is not None)
        is_new = job is not None and self.card(job.model_id) is None
        self.adding.show_job(job if is_new else None)

    def _show_export(self) -> None:
        """There may be nothing to take to another computer."""
        models = self.shown.models if self.shown is not None else ()
        self.export.setVisible(any(map(can_be_exported, models)))
        self.export.setEnabled(self.work.job is None)

    def _show_card(self, card: ModelCard, *, is_busy: bool) -> None:
        status = self.shown.status(card.model_id) if self.shown is not None else None
        if status is not None and self.shown is not None:
            card.show_model(status, self.shown, is_busy=is_busy)
            job = self.work.job
            card.show_job(job if job is not None and job.model_id == card.model_id else None)

    # events
    def _on_told(self, sentence: str, kind: str) -> None:
        if self.isVisible():
            self.told.emit(sentence, kind)
            announce(self, sentence, is_urgent=kind == "warning")

    def _on_engine_state(self, _state: EngineState) -> None:
        if self.isVisible():
            self._show_engines()

    def _on_restart(self, role: str) -> None:
        if self.app is not None:
            app = self.app
            self.background.run(
                lambda: app.restart_engine(role),
                lambda _none: self._show_engines(),
                self._on_restart_failed,
            )

    def _on_restart_failed(self, error: Exception) -> None:
        self._show_engines()
        self.told.emit(str(error), "warning")

    # drag and drop
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A language model is welcome here; all else is for the library."""
        if dropped_model(event) is not None and self.work.job is None:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """The same."""
        if dropped_model(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add the model."""
        path = dropped_model(event)
        if path is not None:
            event.acceptProposedAction()
            self.wishes.add(path)


def _problem(code: str) -> str:
    """Why the language model that was chosen cannot be used now, and what to do."""
    return {
        "": "",
        "not-enough-memory": _(
            "There is not enough free memory for the language model now: close other programs, or "
            "use a smaller one. Until then answers are quoted word for word."
        ),
        "model-damaged": _(
            "The language model is damaged. Download or add it again; until then answers are "
            "quoted word for word."
        ),
    }.get(code, _("The language model cannot be used now. Choose another one below."))
