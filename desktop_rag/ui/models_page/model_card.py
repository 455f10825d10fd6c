"""One model: what it is, how it stands, how it runs here, and what can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.services.models import ModelRole, ModelState
from desktop_rag.ui import icons
from desktop_rag.ui.byte_size import size
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.models_page import words
from desktop_rag.ui.models_page.chip import Chip
from desktop_rag.ui.models_page.progress_row import ProgressRow
from desktop_rag.ui.models_page.reading import Shown
from desktop_rag.ui.models_page.work import Job
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, L, M, S, Theme
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.services.models import ModelStatus


class ModelCard(QFrame):
    """Signals:
    wanted (str, str): what the person wants (`install`, `use`, `measure`, `verify`, `remove`,
        `export`, `discard`, `stop-using`, `licence`, `add`, `privacy`) and the model's identifier.
    paused, cancelled: of the job that runs on this model.
    """

    wanted = Signal(str, str)
    paused = Signal()
    cancelled = Signal()

    def __init__(self, theme: Theme, model_id: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model_id = model_id
        self.status: ModelStatus | None = None
        self.is_busy = False
        self.setObjectName("modelCard")
        self._build()
        self._colour_icons()
        theme.changed.connect(self._colour_icons)

    # building
    def _build(self) -> None:
        column = QVBoxLayout(self)
        set_margins(column, L, M, M, M)
        column.setSpacing(XS)
        column.addLayout(self._build_head())
        self.purpose = _line("muted")
        self.memory = _line("stateLine")
        self.speed = _line("smallMuted")
        self.origin = _line("finePrint")
        column.addWidget(self.purpose)
        column.addLayout(self._build_facts())
        column.addWidget(self.memory)
        column.addWidget(self.speed)
        column.addWidget(self.origin)
        self.progress = ProgressRow()
        self.progress.paused.connect(self.paused)
        self.progress.cancelled.connect(self.cancelled)
        column.addWidget(self.progress)
        column.addLayout(self._build_actions())

    def _build_head(self) -> QHBoxLayout:
        self.title = _line("panelTitle")
        self.state_chip, self.use_chip = Chip(), Chip()
        self.more = QToolButton()
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.title, 1)
        row.addWidget(self.use_chip)
        row.addWidget(self.state_chip)
        row.addWidget(self.more)
        return row

    def _build_facts(self) -> QHBoxLayout:
        self.size_label = _line("smallMuted")
        self.size_label.setWordWrap(False)
        self.licence = QPushButton()
        self.licence.setObjectName("linkButton")
        self.licence.clicked.connect(lambda: self._want("licence"))
        self.licence_unknown = _line("smallMuted")
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.size_label)
        row.addWidget(self.licence)
        row.addWidget(self.licence_unknown, 1)
        row.addStretch(1)
        return row

    def _build_actions(self) -> QHBoxLayout:
        self.main_action, self.second_action = QPushButton(), QPushButton()
        self._wishes = {self.main_action: "", self.second_action: ""}
        row = QHBoxLayout()
        row.setContentsMargins(0, S, 0, 0)
        row.setSpacing(S)
        for button in self._wishes:
            button.clicked.connect(lambda _checked=False, one=button: self._want(self._wishes[one]))
            row.addWidget(button)
        row.addStretch(1)
        return row

    # content
    def show_model(self, status: ModelStatus, shown: Shown, *, is_busy: bool) -> None:
        """Bring the card up to date. `is_busy`: a job runs on some model."""
        self.status, self.is_busy = status, is_busy
        self.title.setText(status.title)
        self.setAccessibleName(status.title)
        self._show_text(self.purpose, words.purpose(status))
        self._show_facts(status)
        text, level = words.memory(status, shown.computer)
        self._show_memory(text if status.role is ModelRole.LLM else "", level)
        is_ready_llm = status.role is ModelRole.LLM and status.state is ModelState.READY
        pace = shown.paces.get(status.id)
        self._show_text(self.speed, words.speed(pace) if is_ready_llm else "")
        self._show_chips(status, shown)
        self._show_origin(status, shown)
        self._show_actions(status, shown)
        self._fill_menu(status)

    def show_job(self, job: Job | None) -> None:
        """The job that runs on this model."""
        self.progress.show_job(job)
        if job is not None:
            self.main_action.hide()
            self.second_action.hide()
            self.origin.hide()
            self.state_chip.say(words.stage(job.stage), "accent")

    def _show_facts(self, status: ModelStatus) -> None:
        self.size_label.setText(size(status.size))
        has_text = bool(status.licence)
        self.licence.setVisible(has_text)
        self.licence.setText(status.licence)
        self.licence.setAccessibleName(_("Licence {name}").format(name=status.licence))
        self._show_text(self.licence_unknown, "" if has_text else words.licence(status))

    def _show_memory(self, text: str, level: str) -> None:
        self._show_text(self.memory, text)
        if self.memory.property("level") != level:
            self.memory.setProperty("level", level)
            self.memory.style().unpolish(self.memory)
            self.memory.style().polish(self.memory)

    def _show_chips(self, status: ModelStatus, shown: Shown) -> None:
        word, kind = _state(status, shown)
        self.state_chip.say(word, kind)
        self.use_chip.say(_("In use") if is_used(status, shown) else "", "accent")

    def _show_origin(self, status: ModelStatus, shown: Shown) -> None:
        hosts = shown.hosts.get(status.id, ())
        left = status.to_download
        is_wanted = status.state in {ModelState.MISSING, ModelState.PARTIAL}
        text = words.origin(hosts, left) if is_wanted else ""
        if is_wanted and hosts and shown.is_forbidden:
            text = _(
                "All use of the network is forbidden on the page Privacy. Allow it there to "
                "download, or add the model from a file."
            )
        elif is_wanted and hosts and left > shown.computer.free_disk:
            text = _("{size} are needed on the disk and {free} are free: make room first.").format(
                size=size(left), free=size(shown.computer.free_disk)
            )
        self._show_text(self.origin, text)

    # actions
    def _show_actions(self, status: ModelStatus, shown: Shown) -> None:
        main, second = self._actions_for(status, shown)
        self._offer(self.main_action, *main)
        self._offer(self.second_action, *second)
        is_download = main[1] == "install"
        has_room = status.to_download <= shown.computer.free_disk
        self.main_action.setEnabled(not self.is_busy and (has_room or not is_download))
        self.second_action.setEnabled(not self.is_busy)
        name = "primaryButton" if main[1] == "install" and status.id == shown.suggested else ""
        if self.main_action.objectName() != name:
            self.main_action.setObjectName(name)
            self.main_action.style().unpolish(self.main_action)
            self.main_action.style().polish(self.main_action)

    def _actions_for(
        self, status: ModelStatus, shown: Shown
    ) -> tuple[tuple[str, str], tuple[str, str]]:
        """Words and wish of the two buttons; empty words hide one."""
        none = ("", "")
        if status.state is ModelState.READY:
            return self._ready_actions(status, shown)
        can_download = bool(shown.hosts.get(status.id))
        if not can_download:
            return (_("Add from a file …"), "add"), none
        if shown.is_forbidden:
            return (_("Network use is forbidden …"), "privacy"), none
        if status.state is ModelState.PARTIAL:
            return (_("Resume download"), "install"), (_("Delete what arrived"), "discard")
        if status.state is ModelState.DAMAGED:
            return (_("Download again"), "install"), (_("Check again"), "verify")
        return (_("Download {size}").format(size=size(status.download)), "install"), none

    def _ready_actions(
        self, status: ModelStatus, shown: Shown
    ) -> tuple[tuple[str, str], tuple[str, str]]:
        use = ("", "") if is_used(status, shown) else (_("Use this model"), "use")
        if status.role is ModelRole.LLM:
            return use, (_("Measure speed"), "measure")
        if status.role is ModelRole.RERANKER and is_used(status, shown):
            return (_("Stop using it"), "stop-using"), ("", "")
        return use, ("", "")

    def _offer(self, button: QPushButton, text: str, wish: str) -> None:
        button.setText(text)
        named = _("{action}, {model}").format(action=text, model=self.title.text())
        button.setAccessibleName(named if text else "")
        button.setVisible(bool(text))
        self._wishes[button] = wish

    def _fill_menu(self, status: ModelStatus) -> None:
        menu = QMenu(self.more)
        if status.path is not None:
            check = menu.addAction(_("Check files by checksum"))
            check.triggered.connect(lambda: self._want("verify"))
            check.setEnabled(not self.is_busy)
        if can_be_exported(status):
            export = menu.addAction(_("Export to a file …"))
            export.triggered.connect(lambda: self._want("export"))
            export.setEnabled(not self.is_busy)
        if status.path is not None and (status.spare or not status.is_shipped):
            word = _("Remove your own copy ({size})").format(size=size(status.spare))
            remove = menu.addAction(word if status.spare else _("Remove"))
            remove.triggered.connect(lambda: self._want("remove"))
            remove.setEnabled(not self.is_busy)
        old = self.more.menu()
        self.more.setMenu(menu)
        self.more.setVisible(not menu.isEmpty())
        self.more.setAccessibleName(_("More for {model}").format(model=status.title))
        if old is not None:
            old.deleteLater()

    def _want(self, wish: str) -> None:
        self.wanted.emit(wish, self.model_id)

    @staticmethod
    def _show_text(label: PlainLabel, text: str) -> None:
        label.setText(text)
        label.setVisible(bool(text))

    def _colour_icons(self) -> None:
        self.more.setIcon(icons.icon("more", self._theme.colours.muted))


def is_used(status: ModelStatus, shown: Shown) -> bool:
    """Whether a model is the one that works for its role."""
    if status.state is not ModelState.READY:
        return False
    if status.role is ModelRole.LLM:
        return status.id == shown.in_use
    return status.is_default


def can_be_exported(status: ModelStatus) -> bool:
    """Whether another computer may lack a model that is whole here."""
    if status.role is ModelRole.EXTRACTOR:  # every copy of the program brings it
        return False
    is_llm = status.role is ModelRole.LLM
    return status.state is ModelState.READY and (is_llm or not status.is_shipped)


def _state(status: ModelStatus, shown: Shown) -> tuple[str, str]:
    if status.state is ModelState.DAMAGED:
        return _("Damaged"), "danger"
    if status.state is ModelState.PARTIAL:
        return _("Paused"), "warning"
    if status.role is ModelRole.LLM and words.is_too_large(status, shown.computer):
        return _("Too large"), "danger"
    if status.state is ModelState.MISSING:
        return _("Available") if shown.hosts.get(status.id) else _("Missing"), "plain"
    return (_("Part of the program") if status.is_shipped else _("Installed")), "plain"


def _line(name: str) -> PlainLabel:
    label = PlainLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    return label
