"""Pages of a document below each other, at any zoom: where they lie, and their pictures.

Sizes and boxes are in points (1/72 inch) from a page's top left; `pixels_per_point` turns them
into device-independent pixels. Only pages near the view have pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from desktop_rag.domain.documents import Box, Page
from desktop_rag.ui.viewer.motion import Glide
from desktop_rag.ui.viewer.page_layout import MARGIN, PageLayout
from desktop_rag.ui.viewer.page_pictures import PagePictures

POINT_AT_100 = 96 / 72
"""Device-independent pixels per point at a zoom of 100 %."""
MAX_SCALE = 6.0
"""Device pixels per point: a picture of a page stays below some 60 MB."""
LINE_PX = 40
_STEPS = (0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
_SETTLE_MS = 90


class Fit(Enum):
    """What follows the size of the view."""

    WIDTH = auto()
    PAGE = auto()


class PageCanvas(QAbstractScrollArea):
    """Scrolls and zooms; what is on the pages is painted by `PageView`.

    Signals:
        page_changed (int): another page is the one being read, the first is 1.
        zoom_changed: the zoom or the fitted width is another now.
        wanted (list[int]): these pages are in view or near it.
    """

    page_changed = Signal(int)
    zoom_changed = Signal()
    wanted = Signal(object)

    def __init__(self, pictures: PagePictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pictures = pictures
        self._pages: Sequence[Page] = ()
        self._layout = PageLayout()
        self._page = 1
        self._zoom: float | Fit = Fit.WIDTH
        self._goal: tuple[int, float] | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._glide = Glide(self.verticalScrollBar(), self)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self.ask)
        self.pictures.arrived.connect(self.viewport().update)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.verticalScrollBar().actionTriggered.connect(lambda _: self.let_go())

    def show_pages(self, pages: Sequence[Page]) -> None:
        """Another document, from its first page."""
        self._pages = pages
        self._layout = PageLayout(pages)
        self._page, self._goal = 1, None
        self.verticalScrollBar().setValue(0)
        self._lay_out()
        self.ask()

    def turn_to(self, number: int) -> None:
        """The beginning of a page (the first is 1) at the top of the view."""
        number = max(1, min(number, len(self._layout)))
        self.bring(number, 0.0)

    @property
    def page(self) -> int:
        """Number of the page that is being read."""
        return self._page

    @property
    def has_picture(self) -> bool:
        """Whether the page that is being read is on screen yet."""
        return self.pictures.picture(self._page) is not None

    @property
    def is_sharp(self) -> bool:
        """Whether nothing moves and the pages in view are as sharp as they will be."""
        scale = self._device_scale()
        is_drawn = all(self.pictures.has(page, scale) for page in self.pages_in_view())
        return is_drawn and not self._glide.is_moving and not self._settle.isActive()

    # zoom
    @property
    def fit(self) -> Fit | None:
        """What the zoom follows; `None` for one that was chosen."""
        return self._zoom if isinstance(self._zoom, Fit) else None

    @property
    def percent(self) -> int:
        """The zoom in per cent of the paper's size."""
        return round(self.pixels_per_point / POINT_AT_100 * 100)

    @property
    def pixels_per_point(self) -> float:
        """Device-independent pixels per point now."""
        if isinstance(self._zoom, float):
            return self._zoom * POINT_AT_100
        view = self.viewport()
        if self._zoom is Fit.PAGE and len(self._layout):
            index = min(self._page, len(self._layout)) - 1
            return max(0.1, self._layout.fitting(index, view.width(), view.height()))
        return max(0.1, (view.width() - 2 * MARGIN) / self._layout.widest)

    def fit_to(self, fit: Fit) -> None:
        """Follow the width of the view, or show whole pages."""
        self._set_zoom(fit)

    def zoom_to(self, percent: int) -> None:
        """A zoom in per cent of the paper's size."""
        self._set_zoom(percent / 100)

    def zoom_in(self, around: QPointF | None = None) -> None:
        """The next larger step; what is `around` stays where it is."""
        now = self.percent / 100
        self._set_zoom(next((step for step in _STEPS if step > now + 0.01), _STEPS[-1]), around)

    def zoom_out(self, around: QPointF | None = None) -> None:
        """The next smaller step."""
        now = self.percent / 100
        smaller = (step for step in reversed(_STEPS) if step < now - 0.01)
        self._set_zoom(next(smaller, _STEPS[0]), around)

    def _set_zoom(self, zoom: float | Fit, around: QPointF | None = None) -> None:
        point = around or QPointF(self.viewport().rect().center())
        place = self.place_at(point)
        self._goal = None
        self._zoom = zoom
        self._lay_out()
        if place is not None:
            self._keep_at(place, point)
        self._settle.start()

    # geometry
    def page_rect(self, number: int | None = None) -> QRectF:
        """A page, or the one being read, in coordinates of the viewport."""
        index, scale = (number or self._page) - 1, self.pixels_per_point
        if index >= len(self._layout):
            return QRectF()
        width, height = (side * scale for side in self._layout.sizes[index])
        room = max(self.viewport().width(), self._layout.width(scale))
        left = (room - width) / 2 - self.horizontalScrollBar().value()
        top = self._layout.top(index, scale) - self.verticalScrollBar().value()
        return QRectF(left, top + self._slack(), width, height)

    def _slack(self) -> float:
        """What a document that is lower than the view stands below its upper edge."""
        return max(0.0, (self.viewport().height() - self._layout.height(self.pixels_per_point)) / 2)

    def rect_of(self, box: Box) -> QRectF:
        """A place on a page in coordinates of the viewport."""
        page, scale = self.page_rect(box.page), self.pixels_per_point
        return QRectF(
            page.left() + box.x0 * scale,
            page.top() + box.y0 * scale,
            (box.x1 - box.x0) * scale,
            (box.y1 - box.y0) * scale,
        )

    def pages_in_view(self) -> list[int]:
        """Numbers of the pages of which something can be seen."""
        top = self.verticalScrollBar().value()
        bottom = top + self.viewport().height()
        return [index + 1 for index in self._layout.between(top, bottom, self.pixels_per_point)]

    def place_at(self, point: QPointF) -> tuple[int, QPointF] | None:
        """Page number and point on it (in points) for a point of the viewport."""
        if not len(self._layout):
            return None
        y = point.y() + self.verticalScrollBar().value() - self._slack()
        number = self._layout.index_at(y, self.pixels_per_point) + 1
        return number, (point - self.page_rect(number).topLeft()) / self.pixels_per_point

    def sizeHint(self) -> QSize:
        """A comfortable column."""
        return QSize(460, 640)

    def _lay_out(self) -> None:
        scale, view = self.pixels_per_point, self.viewport()
        for bar, length, room in (
            (self.horizontalScrollBar(), self._layout.width(scale), view.width()),
            (self.verticalScrollBar(), self._layout.height(scale), view.height()),
        ):
            bar.setRange(0, max(0, round(length - room)))
            bar.setPageStep(room)
            bar.setSingleStep(LINE_PX)
        view.update()
        self.zoom_changed.emit()

    # moving
    def bring(self, number: int, y: float) -> None:
        """Bring a place to the upper third of the view, the beginning of a page to its top."""
        if not 1 <= number <= len(self._layout):
            return
        self._goal = (number, y)
        self._read(number)
        self._glide.to(self._value_for(number, y))
        self.ask()

    def _value_for(self, number: int, y: float) -> int:
        top = self._layout.top(number - 1, self.pixels_per_point)
        if not y:
            return round(top - MARGIN)
        return round(top + y * self.pixels_per_point - self.viewport().height() / 3)

    def _keep_at(self, place: tuple[int, QPointF], point: QPointF) -> None:
        number, on_page = place
        shift = self.page_rect(number).topLeft() + on_page * self.pixels_per_point - point
        for bar, by in (
            (self.horizontalScrollBar(), shift.x()),
            (self.verticalScrollBar(), shift.y()),
        ):
            bar.setValue(round(bar.value() + by))

    def ask(self) -> None:
        """Ask for what the view shows, and for the pages beside it."""
        seen = self.pages_in_view()
        if not seen:
            return
        near = [seen[-1] + 1, seen[0] - 1]
        wanted = [*seen, *(one for one in near if 1 <= one <= len(self._layout))]
        self.pictures.want(wanted, self._device_scale())
        self.wanted.emit(wanted)

    def _device_scale(self) -> float:
        return min(self.pixels_per_point * self.devicePixelRatioF(), MAX_SCALE)

    def _on_scrolled(self) -> None:
        if self._goal is None:
            third = self.verticalScrollBar().value() + self.viewport().height() / 3
            self._read(self._layout.index_at(third, self.pixels_per_point) + 1)
        self.ask()

    def _read(self, page: int) -> None:
        if page != self._page:
            self._page = page
            self.page_changed.emit(page)

    def let_go(self) -> None:
        """The person scrolls: nothing is held in view any more."""
        self._goal = None
        self._glide.stop()

    # Qt
    def showEvent(self, event: QShowEvent) -> None:
        """Nothing was asked for while nobody looked."""
        super().showEvent(event)
        self.ask()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A fitted page changes its scale with the view; what is looked for stays in view."""
        place = self.place_at(QPointF(event.oldSize().width() / 2, event.oldSize().height() / 3))
        super().resizeEvent(event)
        self._lay_out()
        if self._goal is not None:
            self._glide.stop()
            self.verticalScrollBar().setValue(self._value_for(*self._goal))
        elif place is not None and self.fit is not None:
            self.verticalScrollBar().setValue(self._value_for(place[0], max(place[1].y(), 0.1)))
        self._settle.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl and wheel zoom."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            zoom = self.zoom_in if event.angleDelta().y() > 0 else self.zoom_out
            zoom(event.position())
            return
        self.let_go()
        super().wheelEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Painted from scratch: a view is a few pictures."""
        del dx, dy
        self.viewport().update()
