"""The Quality page: runs on the person's own questions, speed, empty results, age, thumbs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QPushButton

from desktop_rag.domain.errors import Cancelled, DesktopRagError
from desktop_rag.services.quality import QUESTIONS
from desktop_rag.ui.announce import announce
from desktop_rag.ui.card import Card, Row
from desktop_rag.ui.privacy import health_words
from desktop_rag.ui.quality import cards, plot, words
from desktop_rag.ui.quality.measuring import Measuring
from desktop_rag.ui.quality.plot_card import PlotCard
from desktop_rag.ui.scrolling_page import ScrollingPage
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.services.quality import Origin, QualityFigures
    from desktop_rag.storage.evaluations import StoredEvaluation
    from desktop_rag.ui.background import Background


_UNKNOWN = "…"


class QualityPage(ScrollingPage):
    """Read afresh whenever it comes into view; a run goes on while it is out of view."""

    _progressed = Signal(int, int)

    def __init__(self, theme: Theme, background: Background) -> None:
        super().__init__(
            theme,
            background,
            _("Quality"),
            _("How well this library answers you. All of it is measured and kept here only."),
        )
        self._stopping = threading.Event()
        self._steps: list[Callable[[], None]] = []
        self._build()
        self._connect()

    def _build(self) -> None:
        self.measuring = Measuring(self.theme)
        self.runs = PlotCard(
            self.theme,
            _("Right places found"),
            [_("among the first five"), _("in first place"), _("half of the searches, at most")],
            _("Nothing was measured yet."),
        )
        self.runs.add(self.measuring)
        self.runs.add(self._build_forgetting())
        self.log_off = self._build_log_off()
        self.speed = PlotCard(
            self.theme,
            _("Speed"),
            [
                _("half of the searches, at most"),
                _("19 of 20, at most"),
                _("first word, half at most"),
            ],
            _("No search is in the log yet."),
        )
        self.empty_results = PlotCard(
            self.theme,
            _("Searches without a result"),
            [_("found nothing"), _("searches in the log")],
            _("No search is in the log yet."),
        )
        self.age = Card(_("Age of the index"))
        self.age_row = Row(_UNKNOWN)
        self.age.add(self.age_row)
        self.feedback = PlotCard(
            self.theme,
            _("Your thumbs"),
            [_("good"), _("thumbs up"), _("thumbs down")],
            _("You have not rated an answer yet; the thumbs are below each answer in a chat."),
        )
        for card in (
            self.runs,
            self.log_off,
            self.speed,
            self.empty_results,
            self.age,
            self.feedback,
        ):
            self.add(card)

    def _build_forgetting(self) -> Row:
        row = Row("", _("Runs are kept to be compared: the newest two hundred."))
        self.forget = QPushButton(_("Forget all runs"))
        row.add(self.forget)
        self._forgetting = row
        row.hide()
        return row

    def _build_log_off(self) -> Card:
        card = Card(_("Log of searches"))
        row = Row(
            _("The log of searches is off"),
            _(
                "So nothing is known of speed and empty results. It keeps how long searches took "
                "and whether they found something, never what you asked."
            ),
        )
        self.turn_on = QPushButton(_("Turn it on"))
        row.add(self.turn_on)
        card.add(row)
        card.hide()
        return card

    def _connect(self) -> None:
        self.measuring.wanted.connect(self._on_wanted)
        self.measuring.stop_wanted.connect(self._stopping.set)
        self.turn_on.clicked.connect(self._on_turn_on)
        self.forget.clicked.connect(self._on_forget)
        self._progressed.connect(self.measuring.show_progress, Qt.ConnectionType.QueuedConnection)
        self.destroyed.connect(self._stopping.set)

    # life
    def activate(self) -> None:
        """As it is now. What draws is imported with the first figures, off the GUI thread."""
        if self.app is None:
            return
        quality = self.app.quality

        def read() -> QualityFigures:
            plot.load()
            return quality.figures()

        self.background.run(read, self._on_figures)

    def hideEvent(self, event: QHideEvent) -> None:
        """A window that closes waits for nobody."""
        if not self.window().isVisible():
            self._stopping.set()
        super().hideEvent(event)

    def _on_figures(self, figures: QualityFigures) -> None:
        self.age_row.say(health_words.index(figures.age), _oldest(figures))
        self._forgetting.setVisible(bool(figures.runs))
        self.log_off.setVisible(not figures.is_log_on)
        for card in (self.speed, self.empty_results):
            card.setVisible(figures.is_log_on)
        self._steps = [
            lambda: cards.show_runs(self.runs, figures),
            lambda: cards.show_speed(self.speed, figures),
            lambda: cards.show_empty_results(self.empty_results, figures),
            lambda: cards.show_feedback(self.feedback, figures),
        ]
        self._draw_next()

    def _draw_next(self) -> None:
        """One card at a time, with a look at what else the window has to do between two."""
        if self._steps:
            self._steps.pop(0)()
            QTimer.singleShot(0, self, self._draw_next)

    @property
    def is_drawn(self) -> bool:
        """Whether everything that was read is shown."""
        return self.age_row.title.text() != _UNKNOWN and not self._steps

    # a run
    def _on_wanted(self, origin: Origin, file: Path | None) -> None:
        if self.app is None:
            return
        quality, stopping = self.app.quality, self._stopping
        stopping.clear()
        self.measuring.show_busy(is_busy=True)
        self.background.run(
            lambda: quality.measure(
                origin, QUESTIONS, file, self._progressed.emit, stopping.is_set
            ),
            self._on_measured,
            self._on_not_measured,
        )

    def _on_measured(self, run: StoredEvaluation) -> None:
        self.measuring.show_busy(is_busy=False)
        announce(self, words.run(run))
        self.activate()

    def _on_not_measured(self, error: DesktopRagError) -> None:
        self.measuring.show_busy(is_busy=False)
        kind = "info" if isinstance(error, Cancelled) else "warning"
        self.told.emit(error.message, kind)

    # the rest
    def _on_turn_on(self) -> None:
        if self.app is not None:
            app = self.app
            self.background.run(
                lambda: app.change_setting("query_log", "on"), lambda _none: self.activate()
            )

    def _on_forget(self) -> None:
        if self.app is not None:
            self.background.run(self.app.quality.forget_runs, lambda _none: self.activate())


def _oldest(figures: QualityFigures) -> str:
    if not figures.age.oldest:
        return ""
    said = _("The file that was read longest ago was read {time}.")
    return said.format(time=health_words.moment(figures.age.oldest))
