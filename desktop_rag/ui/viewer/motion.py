"""Movement that explains where something went: a glide to a place, a mark that lights up once."""

from __future__ import annotations

from PySide6.QtCore import QAbstractAnimation, QEasingCurve, QObject, QVariantAnimation, Signal
from PySide6.QtWidgets import QScrollBar, QStyle, QWidget
from shiboken6 import isValid

_GLIDE_MS = 220
_FLASH_MS = 900


def is_welcome(widget: QWidget) -> bool:
    """Whether the desktop lets widgets move; people who asked for stillness get it."""
    hint = QStyle.StyleHint.SH_Widget_Animation_Duration
    return widget.isVisible() and widget.style().styleHint(hint, None, widget) > 0


class Glide(QVariantAnimation):
    """Moves a scroll bar to a value, not further than the eye can follow: else it jumps."""

    def __init__(self, bar: QScrollBar, widget: QWidget) -> None:
        super().__init__(bar)  # and ends with it, in the middle of the way if need be
        self._bar, self._widget = bar, widget
        self.setDuration(_GLIDE_MS)
        self.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.valueChanged.connect(self._on_value)

    def to(self, value: int) -> None:
        """Begin to move, or be there."""
        self.stop()
        value = max(self._bar.minimum(), min(value, self._bar.maximum()))
        is_near = abs(value - self._bar.value()) <= 4 * max(self._bar.pageStep(), 1)
        if not is_near or not is_welcome(self._widget):
            self._bar.setValue(value)
            return
        self.setStartValue(self._bar.value())
        self.setEndValue(value)
        self.start()

    def _on_value(self, value: float) -> None:
        # Children of a window that closes are deleted in no order one could rely on.
        if isValid(self._bar):
            self._bar.setValue(int(value))

    @property
    def is_moving(self) -> bool:
        """Whether it is on its way."""
        return self.state() is QAbstractAnimation.State.Running


class Flash(QObject):
    """Lets a mark light up once: `strength` falls from 1 to 0.

    Signals:
        changed: paint again.
    """

    changed = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self.strength = 0.0
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(_FLASH_MS)
        self._animation.setStartValue(1.0)
        self._animation.setEndValue(0.0)
        self._animation.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._animation.valueChanged.connect(self._on_value)

    def begin(self) -> None:
        """Light up, where movement is welcome."""
        self._animation.stop()
        if is_welcome(self._widget):
            self._animation.start()

    def _on_value(self, value: float) -> None:
        self.strength = value
        self.changed.emit()
