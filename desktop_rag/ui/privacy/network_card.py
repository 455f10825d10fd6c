"""The network: how often it was used, by whom and why, and the switch that forbids it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.announce import announce
from desktop_rag.ui.card import Card, Grid, Row, buttons, words
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.preferences.switch import Switch
from desktop_rag.ui.privacy import network_words
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _, counted

if TYPE_CHECKING:
    from desktop_rag.services.connections import Activity

_PICTURE = 36
_SHOWN = 20
"""Newest uses; the rest are counted."""


class NetworkCard(Card):
    """Shows an `Activity`.

    Signals:
        forbidden (bool): the person turned the switch.
        look_requested: the system's table is to be looked at now.
    """

    forbidden = Signal(bool)
    look_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(_("Network"), parent)
        self._theme = theme
        self._count = 0
        self._build()
        theme.changed.connect(self._colour)
        self._colour()

    def _build(self) -> None:
        self.status = Row(_("Counting …"))
        self.status.title.setObjectName("statusTitle")
        self._picture = PlainLabel()
        self.status.lead_with(self._picture)
        self.look = QPushButton(_("Look now"))
        self.look.setToolTip(_("Look into the system's table of connections"))
        self.look.clicked.connect(self.look_requested)
        self.status.add(self.look)
        self.add(self.status)
        self.add(self._build_switch())
        self.protection = Grid()
        self.add(self.protection)
        self.uses = Grid()
        self.add(self.uses)
        self.uses.hide()
        self.add(self._build_explanation())

    def _build_switch(self) -> Row:
        row = Row(
            _("Forbid all use of the network"),
            _(
                "No model can be downloaded and no update looked for while this is on; a download "
                "that runs is stopped. Models can still be added from files."
            ),
        )
        self.switch = Switch(self._theme)
        self.switch.setAccessibleName(row.title.text())
        self.switch.setAccessibleDescription(row.sentence.text())
        self.switch.clicked.connect(self.forbidden)
        row.add(self.switch)
        return row

    def _build_explanation(self) -> Row:
        row = Row()
        self.more = QPushButton(_("What is counted?"))
        self.more.setObjectName("quietButton")
        self.more.setCheckable(True)
        self.more.toggled.connect(self._on_more)
        row.words.addWidget(buttons(self.more))
        self.explanation = words(network_words.explanation(), "smallMuted")
        self.explanation.hide()
        row.words.addWidget(self.explanation)
        return row

    def _on_more(self, is_open: bool) -> None:  # noqa: FBT001 - Qt's way
        self.explanation.setVisible(is_open)
        if is_open:
            announce(self.more, self.explanation.text())

    def show_activity(self, activity: Activity) -> None:
        """What is known now. A count that has changed is announced."""
        headline = network_words.headline(activity)
        if self._count != activity.count:
            announce(self, headline)
        self._count = activity.count
        self.status.say(headline, network_words.since(activity))
        self.switch.setChecked(activity.protection.is_forbidden)
        self.protection.show_lines(network_words.protection(activity.protection))
        lines = [network_words.line(use) for use in activity.uses[:_SHOWN]]
        more = len(activity.uses) - _SHOWN
        if more > 0:
            lines.append(("", counted("and {n} more", "and {n} more", more)))
        places = dict.fromkeys(use.target for use in activity.local if use.target)
        if places:
            lines.append((_("On this computer only"), ", ".join(places)))
        self.uses.show_lines(lines)
        self.uses.setVisible(bool(lines))
        self._colour()

    def _colour(self) -> None:
        colours = self._theme.colours
        name, colour = (
            ("shield", colours.warning) if self._count else ("shield-check", colours.success)
        )
        self._picture.setPixmap(icons.picture(name, colour, _PICTURE))
