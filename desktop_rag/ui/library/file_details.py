"""Everything about one file: state and remedy, where it is, how it was read, tags, collections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import PurePath

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.library import FileDetails, FileState, LibraryFile, Tier
from desktop_rag.ui import icons, words
from desktop_rag.ui.byte_size import size
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.library.file_filter import kind_of
from desktop_rag.ui.library.file_words import coverage_words, missing_pages, state_word
from desktop_rag.ui.library.remedies import Problem, Remedy, failure_of, label, reason_of
from desktop_rag.ui.library.tag_editor import TagEditor
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel, tip
from desktop_rag.ui.theme import XS, L, M, S, Theme, scaled
from desktop_rag.ui.translation import _, counted, numeral
from desktop_rag.ui.window_words import in_window


class FileDetailsPanel(QFrame):
    """Beside the list. What is in the list already shows at once, the rest when it was read.

    Signals:
        closed
        opened (LibraryFile), why_requested (LibraryFile), remove_requested (LibraryFile)
        remedy_chosen (Remedy, Problem)
        tag_added (LibraryFile, str), tag_removed (LibraryFile, str)
    """

    closed = Signal()
    opened = Signal(object)
    why_requested = Signal(object)
    remove_requested = Signal(object)
    remedy_chosen = Signal(object, object)
    tag_added = Signal(object, str)
    tag_removed = Signal(object, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.file: LibraryFile | None = None
        self.setObjectName("detailsPanel")
        self.setAccessibleName(_("Details of the file"))
        self._build()
        theme.changed.connect(self._colour_icons)
        self._colour_icons()

    # building
    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._build_head())
        page = QWidget()
        page.setObjectName("detailsPage")
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(L, 0, L, L)
        self._column.setSpacing(M)
        self._build_state()
        self.show_text = self._button(_("Show text"), self.opened)
        self._column.addWidget(self.show_text)
        self._build_names()
        self._build_facts()
        self._build_buttons()
        self._column.addStretch(1)
        area = QScrollArea()
        area.setObjectName("detailsArea")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(page)
        column.addWidget(area, 1)

    def _build_head(self) -> QHBoxLayout:
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.name.setObjectName("panelTitle")
        self.close_button = QToolButton()
        self.close_button.setAccessibleName(_("Close details"))
        self.close_button.setToolTip(_("Close details"))
        self.close_button.clicked.connect(self.closed)
        row = QHBoxLayout()
        set_margins(row, L, M, S, S)
        row.addWidget(self.name, 1)
        row.addWidget(self.close_button)
        return row

    def _build_state(self) -> None:
        self.state = PlainLabel()
        self.state.setObjectName("badge")
        self.reason = self._text("smallMuted")
        self.advice = self._text("smallText")
        self._remedies = QWidget()
        self._remedy_row = QVBoxLayout(self._remedies)
        self._remedy_row.setContentsMargins(0, 0, 0, 0)
        self._remedy_row.setSpacing(XS)
        line = QHBoxLayout()
        line.addWidget(self.state)
        line.addStretch(1)
        self._column.addLayout(line)
        self._column.addWidget(self.reason)
        self._column.addWidget(self.advice)
        self._column.addWidget(self._remedies)

    @staticmethod
    def _text(name: str) -> PlainLabel:
        made = PlainLabel()
        made.setObjectName(name)
        made.setWordWrap(True)
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return made

    def _build_facts(self) -> None:
        self._facts = QVBoxLayout()
        self._facts.setSpacing(S)
        self._column.addLayout(self._facts)
        self._values: dict[str, PlainLabel] = {}

    def _build_names(self) -> None:
        self.tags = TagEditor()
        self.tags.added.connect(lambda tag: self.tag_added.emit(self.file, tag))
        self.tags.removed.connect(lambda tag: self.tag_removed.emit(self.file, tag))
        self._tags_label = PlainLabel(_("Tags"))
        self._tags_label.setObjectName("smallMuted")
        self._column.addWidget(self._tags_label)
        self._column.addWidget(self.tags)

    def _build_buttons(self) -> None:
        self.open = self._button(_("Open"), None)
        self.open.clicked.connect(lambda: self._choose(Remedy.OPEN))
        self.folder = self._button(_("Show in folder"), None)
        self.folder.clicked.connect(lambda: self._choose(Remedy.SHOW))
        self.again = self._button(_("Read again"), None)
        self.again.clicked.connect(lambda: self._choose(Remedy.RETRY))
        self.why = self._button(_("Why can’t I find it?"), self.why_requested)
        self.remove = self._button(_("Remove from library"), self.remove_requested)
        for one in (self.open, self.folder, self.again, self.why, self.remove):
            self._column.addWidget(one)

    def _button(self, text: str, signal: object) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName("smallButton")
        if signal is not None:
            button.clicked.connect(lambda: self.file and signal.emit(self.file))  # type: ignore[attr-defined]
        return button

    # content
    def show_file(self, file: LibraryFile) -> None:
        """What the list knows."""
        is_other = self.file is None or self.file.path != file.path
        self.file = file
        self.name.setText(words.file_name(file.path))
        self._show_state(file)
        if is_other:
            self._clear_facts()
        self._show_facts(_known(file))
        self.tags.show_tags(file.tags)
        is_known = file.state is not FileState.SKIPPED
        for one in (self._tags_label, self.tags, self.again, self.remove):
            one.setVisible(is_known)
        self.show_text.setVisible(bool(file.chunks))

    def show_details(self, details: FileDetails, known_tags: Sequence[str]) -> None:
        """The rest; passed over when another file is shown by now."""
        if self.file is None or details.file.path != self.file.path:
            return
        self.show_file(details.file)
        self._show_facts(_further(details))
        self.tags.show_tags(details.file.tags, known_tags)

    def _show_state(self, file: LibraryFile) -> None:
        self.state.setText(state_word(file))
        level = {FileState.READY: "high", FileState.FAILED: "low"}.get(file.state, "medium")
        self.state.setProperty("level", level)
        self.state.style().unpolish(self.state)
        self.state.style().polish(self.state)
        remarks = [one for one in (failure_of(file), *map(in_window, file.notes)) if one]
        self.reason.setText("\n".join(remarks))
        self.reason.setVisible(bool(remarks))
        reason = reason_of(file.failure_code) if file.state is FileState.FAILED else None
        self.advice.setText(reason.advice if reason else "")
        self.advice.setVisible(reason is not None)
        self._show_remedies(reason.remedies if reason else ())

    def _show_remedies(self, remedies: Sequence[Remedy]) -> None:
        while (item := self._remedy_row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        shown = [one for one in remedies if one in (Remedy.RECOGNISE, Remedy.LIMIT)]
        for remedy in shown:
            button = QPushButton(label(remedy))
            button.setObjectName("smallButton")
            button.clicked.connect(self._chooser(remedy))
            self._remedy_row.addWidget(button)
        self._remedies.setVisible(bool(shown))

    def _chooser(self, remedy: Remedy) -> Callable[[], None]:
        return lambda: self._choose(remedy)

    def _choose(self, remedy: Remedy) -> None:
        if self.file is not None:
            code = self.file.failure_code
            self.remedy_chosen.emit(remedy, Problem(code, reason_of(code), (self.file,)))

    def _clear_facts(self) -> None:
        self._values.clear()
        while (item := self._facts.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def _show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        for name, value in facts:
            if name in self._values:
                self._values[name].setText(value)
            elif value:
                self._facts.addWidget(self._fact(name, value))

    def _fact(self, name: str, value: str) -> QWidget:
        heading = PlainLabel(name)
        heading.setObjectName("smallMuted")
        shown = self._text("smallText")
        shown.setText(value)
        shown.setToolTip(tip(value))
        heading.setBuddy(shown)
        self._values[name] = shown
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        column.addWidget(heading)
        column.addWidget(shown)
        return box

    def value(self, name: str) -> str:
        """What is shown for a fact; empty when it is not."""
        return self._values[name].text() if name in self._values else ""

    def _colour_icons(self) -> None:
        self.close_button.setIcon(icons.icon("close", self._theme.colours.muted, 16))
        self.setMinimumWidth(scaled(220))


def _breakable(path: str) -> str:
    """A path that may be wrapped after each separator: zero-width spaces are not shown."""
    return path.replace("/", "/\u200b").replace("\\", "\\\u200b")


def _known(file: LibraryFile) -> list[tuple[str, str]]:
    pages = coverage_words(file.coverage) or (
        counted("{n} page", "{n} pages", file.pages) if file.pages else ""
    )
    return [
        (_("Title"), file.title),
        (_("Place"), _breakable(str(PurePath(file.path).parent))),
        (_("Type"), kind_of(file).upper()),
        (_("Size"), size(file.size)),
        (_("Pages"), pages),
        (_("Of these"), missing_pages(file.coverage)),
        (_("Passages"), numeral(file.chunks) if file.chunks else ""),
        (_("Read"), moment(file.indexed_at)),
    ]


def _further(details: FileDetails) -> list[tuple[str, str]]:
    tier = {
        Tier.PRIMARY: _("Counts more than other folders"),
        Tier.NORMAL: _("Counts as others do"),
        Tier.BACKGROUND: _("Counts less than other folders"),
    }[details.tier]
    return [
        (_("Saved"), moment(details.modified_at)),
        (_("Reader"), details.reader),
        (_("Added folder"), _breakable(details.source)),
        (_("Weight"), tier),
        (_("Collections"), ", ".join(details.collections) or _("None")),
    ]


def moment(iso: str) -> str:
    """A UTC moment in the person's own time and notation; empty for none."""
    try:
        seconds = datetime.fromisoformat(iso).timestamp()
    except ValueError:
        return ""
    local = QDateTime.fromSecsSinceEpoch(int(seconds))
    return QLocale().toString(local, QLocale.FormatType.ShortFormat)
