"""A page as a picture with the cited lines marked, at any zoom.

Sizes and boxes are in points (1/72 inch) from the page's top left; `pixels_per_point` turns them
into device-independent pixels, so picture and marks can never drift apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QImage,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from desktop_rag.domain.documents import Box
from desktop_rag.ui.theme import Theme

POINT_AT_100 = 96 / 72
"""Device-independent pixels per point at a zoom of 100 %."""
_STEPS = (0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
_MARGIN = 16
_PADDING_POINTS = 1.5
_SETTLE_MS = 90


class PageView(QAbstractScrollArea):
    """Shows one page. The last picture is stretched until a sharper one arrives.

    Signals:
        picture_wanted (float): the page should be rendered at this many device pixels per point.
        zoom_changed: the zoom or the fitted width is another now.
    """

    picture_wanted = Signal(float)
    zoom_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._image: QImage | None = None
        self._size = (612.0, 792.0)
        self._boxes: tuple[Box, ...] = ()
        self._zoom: float | None = None
        self._should_reveal = False
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._ask_for_picture)
        self.setObjectName("pageView")
        self.setAccessibleName("Page")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self.viewport().update)

    # content
    def show_page(self, width: float, height: float, boxes: Sequence[Box]) -> None:
        """Turn to a page of this size in points; its picture is asked for at once."""
        self._image = None
        self._size = (width, height)
        self._boxes = tuple(boxes)
        self._should_reveal = True
        self._lay_out()
        self._reveal()
        self._ask_for_picture()

    def set_picture(self, image: QImage) -> None:
        """The rendered page."""
        self._image = image
        self.viewport().update()

    @property
    def has_picture(self) -> bool:
        """Whether the page itself is on screen yet."""
        return self._image is not None

    # zoom
    @property
    def is_fitted(self) -> bool:
        """Whether the page is kept as wide as the view."""
        return self._zoom is None

    @property
    def percent(self) -> int:
        """The zoom in per cent of the paper's size."""
        return round(self.pixels_per_point / POINT_AT_100 * 100)

    @property
    def pixels_per_point(self) -> float:
        """Device-independent pixels per point now."""
        if self._zoom is not None:
            return self._zoom * POINT_AT_100
        return max(0.1, (self.viewport().width() - 2 * _MARGIN) / self._size[0])

    def fit_width(self) -> None:
        """Follow the width of the view again."""
        self._set_zoom(None)

    def zoom_in(self) -> None:
        """The next larger step."""
        now = self.percent / 100
        self._set_zoom(next((step for step in _STEPS if step > now + 0.01), _STEPS[-1]))

    def zoom_out(self) -> None:
        """The next smaller step."""
        now = self.percent / 100
        self._set_zoom(next((step for step in reversed(_STEPS) if step < now - 0.01), _STEPS[0]))

    def _set_zoom(self, zoom: float | None) -> None:
        centre = self._centre_in_points()
        self._zoom = zoom
        self._lay_out()
        self._scroll_to(centre)
        self._settle.start()

    # geometry
    def page_rect(self) -> QRectF:
        """The page in coordinates of the viewport."""
        scale = self.pixels_per_point
        width, height = self._size[0] * scale, self._size[1] * scale
        view = self.viewport()
        left = max(float(_MARGIN), (view.width() - width) / 2) - self.horizontalScrollBar().value()
        top = max(float(_MARGIN), (view.height() - height) / 2) - self.verticalScrollBar().value()
        return QRectF(left, top, width, height)

    def highlight_rects(self) -> list[QRectF]:
        """The cited lines in coordinates of the viewport, without padding."""
        page, scale = self.page_rect(), self.pixels_per_point
        return [
            QRectF(
                page.left() + box.x0 * scale,
                page.top() + box.y0 * scale,
                (box.x1 - box.x0) * scale,
                (box.y1 - box.y0) * scale,
            )
            for box in self._boxes
        ]

    def sizeHint(self) -> QSize:
        """A comfortable column."""
        return QSize(460, 640)

    def _lay_out(self) -> None:
        scale, view = self.pixels_per_point, self.viewport()
        for bar, length, room in (
            (self.horizontalScrollBar(), self._size[0] * scale, view.width()),
            (self.verticalScrollBar(), self._size[1] * scale, view.height()),
        ):
            bar.setRange(0, max(0, round(length + 2 * _MARGIN - room)))
            bar.setPageStep(room)
            bar.setSingleStep(40)
        view.update()
        self.zoom_changed.emit()

    def _reveal(self) -> None:
        """Bring the first mark to the upper third of the view."""
        bar = self.verticalScrollBar()
        rects = self.highlight_rects()
        if not rects:
            bar.setValue(0)
            return
        top = min(rect.top() for rect in rects) + bar.value()
        bar.setValue(round(top - self.viewport().height() / 3))

    def _centre_in_points(self) -> QPointF:
        middle = QPointF(self.viewport().rect().center()) - self.page_rect().topLeft()
        return middle / self.pixels_per_point

    def _scroll_to(self, centre: QPointF) -> None:
        wanted = self.page_rect().topLeft() + centre * self.pixels_per_point
        shift = wanted - QPointF(self.viewport().rect().center())
        for bar, by in (
            (self.horizontalScrollBar(), shift.x()),
            (self.verticalScrollBar(), shift.y()),
        ):
            bar.setValue(round(bar.value() + by))

    def _ask_for_picture(self) -> None:
        self.picture_wanted.emit(self.pixels_per_point * self.devicePixelRatioF())

    # Qt
    def resizeEvent(self, event: QResizeEvent) -> None:
        """A fitted page changes its scale with the view."""
        super().resizeEvent(event)
        self._lay_out()
        if self._should_reveal and event.oldSize().height() != event.size().height():
            self._reveal()
        if self.is_fitted and event.oldSize().width() != event.size().width():
            self._settle.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl and wheel zoom."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            (self.zoom_in if event.angleDelta().y() > 0 else self.zoom_out)()
            return
        self._should_reveal = False
        super().wheelEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Painted from scratch: the page is one picture."""
        del dx, dy
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the paper, the page and the marks."""
        del event
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self._theme.color("canvas"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        page = self.page_rect()
        painter.fillRect(page, Qt.GlobalColor.white)
        if self._image is not None:
            painter.drawImage(page, self._image)
        self._paint_marks(painter)
        painter.setPen(QPen(self._theme.color("border_strong"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(page)
        painter.end()

    def _paint_marks(self, painter: QPainter) -> None:
        pad = _PADDING_POINTS * self.pixels_per_point
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("highlight"))
        # Multiplied like a text marker: the letters under it stay black.
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        for rect in self.highlight_rects():
            painter.drawRoundedRect(rect.adjusted(-pad, 0, pad, 0), 2, 2)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
