"""The controls of the Settings page. All of them speak the words of `desktop-rag settings`."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSpinBox, QWidget

from desktop_rag.ui.choice_box import ChoiceBox
from desktop_rag.ui.preferences.switch import Switch
from desktop_rag.ui.theme import S, Theme

_FIELD_WIDTH = 220


class Control(QWidget):
    """One value, as a person would type it.

    Signals:
        chosen (str): the person chose another value.
    """

    chosen = Signal(str)

    def __init__(self, field: QWidget) -> None:
        super().__init__()
        self.field = field
        self.setFocusProxy(field)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(field)

    def show_value(self, value: str) -> None:
        """Show a value without `chosen`."""
        with QSignalBlocker(self.field):
            self._show(value)

    def _show(self, value: str) -> None:
        raise NotImplementedError

    def describe(self, title: str, sentence: str) -> None:
        """What a screen reader says."""
        self.field.setAccessibleName(title)
        self.field.setAccessibleDescription(sentence)


class SwitchControl(Control):
    """`on` or `off`."""

    def __init__(self, theme: Theme) -> None:
        self.switch = Switch(theme)
        super().__init__(self.switch)
        self.switch.toggled.connect(lambda is_on: self.chosen.emit("on" if is_on else "off"))

    def _show(self, value: str) -> None:
        self.switch.setChecked(value == "on")
        self.switch.update()


class ChoiceControl(Control):
    """One of some words, each with a label."""

    def __init__(self, theme: Theme, choices: Sequence[tuple[str, str]]) -> None:
        self.box = ChoiceBox(theme)
        self.box.setMinimumWidth(theme.px(_FIELD_WIDTH))
        super().__init__(self.box)
        _keep_wheel_for_the_page(self.box)
        self.offer(choices)
        self.box.activated.connect(lambda row: self.chosen.emit(str(self.box.itemData(row))))

    def offer(self, choices: Sequence[tuple[str, str]]) -> None:
        """Other choices: words and their labels."""
        self.box.clear()
        for value, label in choices:
            self.box.addItem(label, value)

    def _show(self, value: str) -> None:
        row = self.box.findData(value)
        if row < 0:  # put into the file by hand, or a model that is gone
            self.box.addItem(value, value)
            row = self.box.count() - 1
        self.box.setCurrentIndex(row)


class NumberControl(Control):
    """A whole number in its bounds; `zero` is what 0 means, where it means something else."""

    def __init__(self, theme: Theme, least: int, most: int, suffix: str, zero: str) -> None:
        self.spin = QSpinBox()
        self.spin.setRange(least, most)
        self.spin.setGroupSeparatorShown(True)
        self.spin.setKeyboardTracking(False)
        self.spin.setSpecialValueText(zero)
        self.spin.setSuffix(f" {suffix}" if suffix else "")
        # A style sheet does not reach the margins of the field inside.
        self.spin.lineEdit().setTextMargins(S, 0, S, 0)
        self.spin.setMinimumWidth(self.spin.sizeHint().width() + 2 * S)
        super().__init__(self.spin)
        _keep_wheel_for_the_page(self.spin)
        self.spin.valueChanged.connect(lambda value: self.chosen.emit(str(value)))

    def _show(self, value: str) -> None:
        self.spin.setValue(int(value) if value.isdecimal() else self.spin.minimum())


class TextControl(Control):
    """A short text, taken with Enter or when the field is left."""

    def __init__(self, theme: Theme, hint: str) -> None:
        self.edit = QLineEdit()
        self.edit.setPlaceholderText(hint)
        self.edit.setMinimumWidth(theme.px(_FIELD_WIDTH))
        super().__init__(self.edit)
        self._shown = ""
        self.edit.editingFinished.connect(self._on_finished)

    def _show(self, value: str) -> None:
        self._shown = value
        self.edit.setText(value)

    def _on_finished(self) -> None:
        if self.edit.text() != self._shown:
            self._shown = self.edit.text()
            self.chosen.emit(self._shown)


class _WheelPasses(QObject):
    """Rolling over a field scrolls the page; it must not change what is chosen on the way."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_wheel = event.type() == QEvent.Type.Wheel
        if is_wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def _keep_wheel_for_the_page(field: QWidget) -> None:
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.installEventFilter(_WheelPasses(field))
