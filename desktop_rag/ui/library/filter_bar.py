"""What is looked for among the files: a search field, and menus for state, kind and order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop_rag.ui import icons
from desktop_rag.ui.library.file_filter import FileFilter, Order, Show, SortBy
from desktop_rag.ui.models.places import Place, PlaceKind
from desktop_rag.ui.theme import S, Theme, scaled
from desktop_rag.ui.translation import _, counted, numeral

_TYPING_MS = 60
"""Letters typed in one go are looked for once."""


class FilterBar(QWidget):
    """Holds the filter and the order; what the menus offer is asked for when they open.

    Signals:
        filter_changed (FileFilter), order_changed (Order)
        place_chosen (Place): from the menu that a narrow window has instead of the list.
    """

    filter_changed = Signal(object)
    order_changed = Signal(object)
    place_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.filter = FileFilter()
        self.order = Order()
        self.kinds: Callable[[], list[tuple[str, int]]] = list
        """Kinds of files with their numbers."""
        self.places: Callable[[], Sequence[Place]] = list
        self._build()
        self._connect()
        self._colour_icons()

    # building
    def _build(self) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Find a file"))
        self.search.setAccessibleName(_("Find a file"))
        self.search.setAcceptDrops(False)
        self.search.setMinimumWidth(scaled(90))
        self.place = self._menu_button(_("Where"), "folder")
        self.state = self._menu_button(_("State"), "filter")
        self.kind = self._menu_button(_("Type"), "file")
        self.sort = self._menu_button(_("Order"), "sort")
        self.problems = self._chip("filterChip")
        self.left_out = self._chip("quietChip")
        tip = _("Files of your folders that were not read, each with its reason")
        self.left_out.setToolTip(tip)
        self.clear = QPushButton(_("Clear filters"))
        self.clear.setObjectName("quietButton")
        self.clear.hide()
        tools = QHBoxLayout()
        tools.setSpacing(S)
        for menu in (self.place, self.state, self.kind, self.sort):
            tools.addWidget(menu)
        for one in (self.left_out, self.problems, self.clear):
            tools.addWidget(one)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(S)
        self._line.addWidget(self.search, 1)
        self._line.addLayout(tools)
        self._tools = tools
        self._counts = (0, 0)
        self._is_narrow = False
        self.place.hide()

    def _menu_button(self, name: str, icon: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName("menuButton")
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.setProperty("icon_name", icon)
        button.setIconSize(QSize(scaled(18), scaled(18)))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(QMenu(button))
        return button

    @staticmethod
    def _chip(name: str) -> QPushButton:
        chip = QPushButton()
        chip.setCheckable(True)
        chip.setObjectName(name)
        chip.hide()
        return chip

    def _connect(self) -> None:
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._on_text)
        self.search.textChanged.connect(lambda: self._typing.start())
        self.search.returnPressed.connect(self._on_text)
        self.problems.toggled.connect(lambda is_on: self._on_chip(Show.FAILED, is_on=is_on))
        self.left_out.toggled.connect(lambda is_on: self._on_chip(Show.SKIPPED, is_on=is_on))
        self.clear.clicked.connect(self.reset)
        self.state.menu().aboutToShow.connect(self._fill_states)
        self.kind.menu().aboutToShow.connect(self._fill_kinds)
        self.sort.menu().aboutToShow.connect(self._fill_orders)
        self.place.menu().aboutToShow.connect(self._fill_places)
        self._theme.changed.connect(self._colour_icons)

    # content
    def show_counts(self, failed: int, skipped: int) -> None:
        """How many files have problems, and how many were left out."""
        self.problems.setText(counted("{n} problem", "{n} problems", failed))
        self.left_out.setText(counted("{n} left out", "{n} left out", skipped))
        self._counts = (failed, skipped)
        self._fit()
        gone = (self.filter.show is Show.FAILED and not failed) or (
            self.filter.show is Show.SKIPPED and not skipped
        )
        if gone:
            self.show_states(Show.ALL)

    def minimumSizeHint(self) -> QSize:
        """Of two lines without chips."""
        return QSize(self._width_of(self._menus), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """One line where it has room, else two."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        chips = [chip for chip, number in self._chips() if number]
        clear = [self.clear] if self.filter.is_narrow else []
        tools = [*self._menus, *chips, *clear]
        is_narrow = self.width() < self._width_of([self.search, *tools])
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            way = QBoxLayout.Direction
            self._line.setDirection(way.TopToBottom if is_narrow else way.LeftToRight)
            if is_narrow:
                self._tools.addStretch(1)
            else:
                self._tools.takeAt(self._tools.count() - 1)
        has_room = self.width() >= self._width_of(tools)
        for chip, number in self._chips():
            chip.setVisible(bool(number) and has_room)

    def _chips(self) -> tuple[tuple[QPushButton, int], ...]:
        """The menu of states says what they say, where there is no room."""
        failed, skipped = self._counts
        return (self.problems, failed), (self.left_out, skipped)

    @property
    def _menus(self) -> list[QWidget]:
        menus = [self.state, self.kind, self.sort]
        return [self.place, *menus] if self.place.isVisibleTo(self) else [*menus]

    @staticmethod
    def _width_of(widgets: Sequence[QWidget]) -> int:
        wide = [max(one.sizeHint().width(), one.minimumWidth()) for one in widgets]
        return sum(wide) + S * (len(wide) - 1)

    def show_states(self, show: Show, code: str = "") -> None:
        """Keep files in these states, and of this reason."""
        self._set(replace(self.filter, show=show, code=code))

    def narrow_to(self, places: Sequence[Place]) -> None:
        """Keep files of folders, collections and tags; of none, all."""
        chosen = [one for one in places if one.can_be_chosen and one.kind is not PlaceKind.ALL]
        paths = tuple(path for one in chosen for path in one.paths)
        tags = tuple(one.name for one in chosen if one.kind is PlaceKind.TAG)
        is_placed = bool(chosen) and not tags
        self._set(replace(self.filter, places=paths, tags=tags, is_placed=is_placed))

    def reset(self) -> None:
        """Show everything, wherever it is: the places are not this bar's, they are asked to."""
        self.search.clear()
        self._set(FileFilter())
        self.place_chosen.emit(Place(PlaceKind.ALL, ""))

    def _set(self, wanted: FileFilter) -> None:
        if wanted == self.filter:
            return
        self.filter = wanted
        for chip, show in ((self.problems, Show.FAILED), (self.left_out, Show.SKIPPED)):
            with QSignalBlocker(chip):
                chip.setChecked(wanted.show is show)
        self.clear.setVisible(wanted.is_narrow)
        self._fit()
        self._mark(self.state, is_used=wanted.show is not Show.ALL)
        self._mark(self.kind, is_used=bool(wanted.kind))
        self._mark(self.place, is_used=wanted.is_placed or bool(wanted.tags))
        self.filter_changed.emit(wanted)

    @staticmethod
    def _mark(button: QToolButton, *, is_used: bool) -> None:
        if button.property("used") != is_used:
            button.setProperty("used", is_used)
            button.style().unpolish(button)
            button.style().polish(button)

    def _on_text(self) -> None:
        self._typing.stop()
        self._set(replace(self.filter, text=self.search.text().strip()))

    def _on_chip(self, show: Show, *, is_on: bool) -> None:
        self.show_states(show if is_on else Show.ALL)

    # menus
    def _fill_states(self) -> None:
        named = (
            (Show.ALL, _("All files")),
            (Show.READY, _("Searchable")),
            (Show.WAITING, _("Waiting")),
            (Show.FAILED, _("With problems")),
            (Show.NOTED, _("With notes")),
            (Show.SKIPPED, _("Left out")),
        )
        choices = [(text, show, self.filter.show is show) for show, text in named]
        self._fill(self.state.menu(), choices, self.show_states)

    def _fill_kinds(self) -> None:
        choices: list[tuple[str, str, bool]] = [(_("All types"), "", not self.filter.kind)]
        for kind, number in self.kinds():
            text = _("{kind}  ({n})").format(kind=kind.upper(), n=numeral(number))
            choices.append((text, kind, self.filter.kind == kind))

        def choose(kind: str) -> None:
            self._set(replace(self.filter, kind=kind))

        self._fill(self.kind.menu(), choices, choose)

    def _fill_orders(self) -> None:
        named = (
            (SortBy.FOLDER, _("By folder")),
            (SortBy.NAME, _("By name")),
            (SortBy.STATE, _("Problems first")),
            (SortBy.READ, _("Read last first")),
            (SortBy.SIZE, _("Largest first")),
            (SortBy.PASSAGES, _("Most passages first")),
            (SortBy.TYPE, _("By type")),
        )
        choices = [(text, by, self.order.by is by) for by, text in named]
        menu = self.sort.menu()
        self._fill(menu, choices, lambda by: self._set_order(replace(self.order, by=by)))
        menu.addSeparator()
        turned = menu.addAction(_("The other way round"))
        turned.setCheckable(True)
        turned.setChecked(self.order.is_reversed)
        turned.triggered.connect(
            lambda is_on: self._set_order(replace(self.order, is_reversed=is_on))
        )

    def _set_order(self, order: Order) -> None:
        if order != self.order:
            self.order = order
            self.order_changed.emit(order)

    def _fill_places(self) -> None:
        choices = [(place.title, place, False) for place in self.places() if place.can_be_chosen]
        self._fill(self.place.menu(), choices, self.place_chosen.emit)

    @staticmethod
    def _fill(
        menu: QMenu,
        choices: Sequence[tuple[str, object, bool]],
        choose: Callable[..., None],
    ) -> None:
        menu.clear()
        group = QActionGroup(menu)
        for text, value, is_chosen in choices:
            action = menu.addAction(text.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(is_chosen)
            group.addAction(action)
            action.triggered.connect(lambda _on=False, value=value: choose(value))

    def _colour_icons(self) -> None:
        colours = self._theme.colours
        for action in self.search.actions():
            self.search.removeAction(action)
        glass = icons.icon("search", colours.faint)
        self.search.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
        for button in (self.place, self.state, self.kind, self.sort):
            button.setIcon(icons.icon(button.property("icon_name"), colours.muted))
