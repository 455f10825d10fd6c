"""What a person who does not see, or has no mouse, finds in a window."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.ui.elided_label import ElidedLabel

_AROUND = 24
"""A frame around a field may show its focus."""
SPEECHLESS = {QAccessible.Role.NoRole, QAccessible.Role.Client, QAccessible.Role.Pane}
"""Roles that tell nobody what a control is for; scroll areas with content have others."""


def controls(window: QWidget) -> list[QWidget]:
    """What a person can reach with Tab now."""
    return [
        one
        for one in window.findChildren(QWidget)
        if one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and one.isVisible()
        and one.isEnabled()
        and one.focusProxy() is None
        # A scroll area that holds widgets passes the focus on to them.
        and type(one) is not QAbstractScrollArea
    ]


def told(widget: QWidget) -> str:
    spoken = QAccessible.queryAccessibleInterface(widget)
    return spoken.text(QAccessible.Text.Name) if spoken else ""


def described(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()!r}".strip()


def nameless(window: QWidget) -> list[str]:
    """Controls that a screen reader says nothing about."""
    return [described(one) for one in controls(window) if not told(one).strip()]


def without_role(window: QWidget) -> list[str]:
    """Controls whose role tells nobody what they are for."""
    return [
        described(one)
        for one in controls(window)
        if not isinstance(one, QAbstractScrollArea)
        and QAccessible.queryAccessibleInterface(one).role() in SPEECHLESS
    ]


def without_focus_mark(window: QWidget) -> list[str]:
    """Controls that look the same with the focus as without it."""
    found = []
    for one in controls(window):
        if one.visibleRegion().isEmpty():
            continue  # scrolled out of sight
        focused = QApplication.focusWidget()
        if focused is not None:
            focused.clearFocus()
        before = _picture(window, one)
        one.setFocus(Qt.FocusReason.TabFocusReason)
        if one.hasFocus() and _picture(window, one) == before:
            found.append(described(one))
    return found


def _picture(window: QWidget, widget: QWidget) -> QImage:
    """The widget with a little of what is around it."""
    place = QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())
    around = place.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
    return window.grab(around.intersected(window.rect())).toImage()


def cut_off(window: QWidget) -> list[str]:
    """Words that have less room than they need; what is elided with a tool tip may."""
    found = []
    for one in window.findChildren(QWidget):
        if not isinstance(one, QLabel | QAbstractButton) or isinstance(one, ElidedLabel):
            continue
        if not one.isVisible() or not one.text():
            continue
        hint = one.sizeHint()
        if one.hasHeightForWidth():
            hint.setHeight(one.heightForWidth(one.width()))
            hint.setWidth(0)
        if one.height() < hint.height() - 2 or one.width() < hint.width() - 2:
            found.append(f"{described(one)} {one.text()[:30]!r} {one.size()} < {hint}")
    return found


def wait_until_all_fits(window: QWidget, qtbot: QtBot) -> None:
    """What arrives last is laid out a moment later; what is still cut then fails the test."""

    def fits() -> None:
        assert cut_off(window) == []

    qtbot.waitUntil(fits)
