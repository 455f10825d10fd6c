"""What the worker processes are doing, in plain words, and a button that starts one again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.announce import announce
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S, Theme
from desktop_rag.ui.translation import _, numeral

if TYPE_CHECKING:
    from desktop_rag.services.engine_states import EngineStates, RoleState

_TICK_MS = 1000


class EngineStrip(QFrame):
    """One role. Looks at what was told in memory, once a second while the engine starts.

    Signals:
        restart_requested (str): the role.
    """

    restart_requested = Signal(str)

    def __init__(
        self, theme: Theme, role: str, *, is_quiet: bool = False, parent: QWidget | None = None
    ) -> None:
        """One that is quiet is seen only while its role does not work."""
        super().__init__(parent)
        self._is_quiet = is_quiet
        self.is_needed = True
        """Without a model there is nothing to load, and nothing to be told about it."""
        self.setObjectName("engineStrip")
        self._theme = theme
        self._role = role
        self._states: EngineStates | None = None
        self._icon, self._last = "info", ""
        self.picture = PlainLabel()
        self.sentence = PlainLabel()
        self.sentence.setWordWrap(True)
        self.restart = QPushButton(_("Restart"))
        self.restart.setAccessibleName(_("Restart: {name}").format(name=name_of(role)))
        self.restart.clicked.connect(self._on_restart)
        if is_quiet:
            self.hide()
        row = QHBoxLayout(self)
        set_margins(row, M, S, S, S)
        row.setSpacing(S)
        row.addWidget(self.picture)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.restart)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.refresh)
        theme.changed.connect(self._colour_icons)

    def attach(self, states: EngineStates) -> None:
        """The library is open."""
        self._states = states

    def refresh(self) -> None:
        """Show how the role stands now."""
        found = self._states.of(self._role) if self._states is not None else None
        self._show(found)
        if found is not None and found.state == "starting" and self.isVisible():
            self._timer.start()
        else:
            self._timer.stop()

    def _show(self, found: RoleState | None) -> None:
        state = found.state if found is not None else "resting"
        self._icon = {"ready": "check", "unavailable": "warning"}.get(state, "clock")
        if self.property("state") != state:
            self.setProperty("state", state)
            self.style().unpolish(self)
            self.style().polish(self)
        self.sentence.setText(sentence_of(self._role, found))
        self.restart.setEnabled(True)
        self.setVisible(self.is_needed and (not self._is_quiet or state == "unavailable"))
        self.restart.setVisible(state in {"unavailable", "stopped"})
        self._colour_icons()
        if self._last and self._last != state:
            announce(self, self.sentence.text(), is_urgent=state == "unavailable")
        self._last = state

    def _on_restart(self) -> None:
        self.restart.setEnabled(False)
        self.sentence.setText(
            _("{name}: is being started again …").format(name=name_of(self._role))
        )
        self.restart_requested.emit(self._role)

    def _colour_icons(self) -> None:
        colours = self._theme.colours
        colour = {"check": colours.success, "warning": colours.danger}.get(
            self._icon, colours.muted
        )
        self.picture.setPixmap(icons.picture(self._icon, colour))


def name_of(role: str) -> str:
    """What people call a worker."""
    return {
        "llm": _("Language model"),
        "index": _("Search"),
        "parse": _("Reading of documents"),
        "ocr": _("Text recognition"),
    }[role]


def sentence_of(role: str, found: RoleState | None) -> str:
    """How a worker stands."""
    name = name_of(role)
    if found is None:
        return _("{name}: starts when it is needed.").format(name=name)
    if found.state == "starting":
        seconds = numeral(int(found.since_s))
        return _("{name}: is being loaded, {seconds} s so far …").format(name=name, seconds=seconds)
    if found.state == "ready":
        return _("{name}: ready.").format(name=name)
    if found.state == "stopped" and not found.detail:
        return _("{name}: rests until it is needed.").format(name=name)
    return _("{name}: does not work. {reason}").format(name=name, reason=found.detail)
