"""Small pictures of all pages, drawn when they come into view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QPainter, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rag.domain.documents import Page
from desktop_rag.ui.theme import S, Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer.page_pictures import PagePictures

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_WIDTH_PX = 76
_HEIGHT_PX = 100


class Thumbnails(QListView):
    """A column of pages beside the page view.

    Signals:
        chosen (int): the person wants this page, the first is 1.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, pictures: PagePictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.pictures = pictures
        self._pages: Sequence[Page] = ()
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setObjectName("thumbnails")
        self.setAccessibleName(_("Page thumbnails"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_Delegate(self._theme, self.pictures, self))
        self.setModel(_Model(self))
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(50)
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        self.setFixedWidth(_WIDTH_PX + 4 * S + bar)

    def _connect(self) -> None:
        self._soon.timeout.connect(self._ask)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._soon.start())
        self.pictures.arrived.connect(self.viewport().update)
        self.clicked.connect(lambda index: self.chosen.emit(index.row() + 1))
        self.activated.connect(lambda index: self.chosen.emit(index.row() + 1))

    def show_pages(self, pages: Sequence[Page]) -> None:
        """Another document."""
        self._pages = pages
        model = self.model()
        assert isinstance(model, _Model)
        model.show_pages(pages)
        self._soon.start()

    def mark(self, number: int) -> None:
        """The page that is being read."""
        index = self.model().index(number - 1, 0)
        if index.isValid() and index != self.currentIndex():
            self.setCurrentIndex(index)

    def _ask(self) -> None:
        if not self.isVisible() or not self._pages:
            return
        first = self.indexAt(self.viewport().rect().topLeft()).row()
        first = max(first, 0)
        rows = self.viewport().height() // (_HEIGHT_PX + 1) + 2
        seen = range(first + 1, min(first + rows, len(self._pages)) + 1)
        widest = max((self._pages[number - 1].width for number in seen), default=612.0)
        scale = _WIDTH_PX * self.devicePixelRatioF() / max(widest, 1.0)
        self.pictures.want([*seen], scale)

    def showEvent(self, event: QShowEvent) -> None:
        """Nothing was drawn while nobody looked."""
        super().showEvent(event)
        self._soon.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More of them may be seen."""
        super().resizeEvent(event)
        self._soon.start()


class _Model(QAbstractListModel):
    """One row for each page."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pages: Sequence[Page] = ()

    def show_pages(self, pages: Sequence[Page]) -> None:
        """Another document."""
        self.beginResetModel()
        self._pages = pages
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Pages."""
        return 0 if parent.isValid() else len(self._pages)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Its label, and a name to be read aloud."""
        page = self._pages[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return page.label or str(page.number)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _("Page {n}").format(n=page.label or page.number)
        return None


class _Delegate(QStyledItemDelegate):
    """Picture above label."""

    def __init__(self, theme: Theme, pictures: PagePictures, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pictures = pictures

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The same for all pages."""
        del index
        text = option.fontMetrics.height()
        return QSize(_WIDTH_PX + 2 * S, _HEIGHT_PX + text + 2 * S)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """White paper until its picture is there."""
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_current:
            painter.fillRect(option.rect, self._theme.color("selected"))
        area = option.rect.adjusted(S, S, -S, -S - option.fontMetrics.height())
        picture = self._pictures.picture(index.row() + 1)
        shape = picture.size() if picture else QSize(612, 792)
        size = shape.scaled(area.size(), Qt.AspectRatioMode.KeepAspectRatio)
        paper = QRect(0, 0, size.width(), size.height())
        paper.moveCenter(area.center())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(paper, Qt.GlobalColor.white)
        if picture is not None:
            painter.drawImage(paper, picture)
        edge = "accent" if is_current else "border_strong"
        painter.setPen(QPen(self._theme.color(edge), 1))
        painter.drawRect(paper)
        painter.setPen(self._theme.color("text" if is_current else "muted"))
        below = option.rect.adjusted(0, area.bottom() - option.rect.top(), 0, 0)
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), str(index.data()))
