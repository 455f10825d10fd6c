"""Where Tab goes on the chat page: composer, last answer, what can be done about it, and out.

Messages are made and dropped while one scrolls, so the order in which widgets came into being says
nothing. Shift+Tab goes the same way back; before the composer come the earlier messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget


def stops(root: QWidget) -> list[QWidget]:
    """All of `root` that Tab stops at, in the order in which it was built."""
    found: list[QWidget] = []
    widget = _neighbour(root, is_forward=True)
    while widget is not None and widget is not root:
        if root.isAncestorOf(widget) and _is_stop(widget):
            found.append(widget)
        widget = _neighbour(widget, is_forward=True)
    return [root, *found] if _is_stop(root) else found


def in_order(widgets: Iterable[QWidget], roots: Sequence[QWidget]) -> list[QWidget]:
    """Those that lie in one of the roots: root by root."""
    all_of_them = list(widgets)
    return [one for root in roots for one in all_of_them if one is root or root.isAncestorOf(one)]


def step(order: Sequence[QWidget], current: QWidget | None, *, is_forward: bool) -> QWidget | None:
    """The next stop, or `None` when the way leads out."""
    if current not in order:
        return None
    place = order.index(current) + (1 if is_forward else -1)
    return order[place] if 0 <= place < len(order) else None


def leave(root: QWidget, *, is_forward: bool) -> bool:
    """To the next stop of the window that is not in `root`; false when there is none."""
    widget: QWidget | None = root
    while widget is not None:
        widget = _neighbour(widget, is_forward=is_forward)
        if widget is root or widget is None:
            return False
        if not root.isAncestorOf(widget) and _is_stop(widget):
            go(widget, is_forward=is_forward)
            return True
    return False


def go(widget: QWidget, *, is_forward: bool) -> None:
    """Give it the focus as Tab does."""
    reason = Qt.FocusReason.TabFocusReason if is_forward else Qt.FocusReason.BacktabFocusReason
    widget.setFocus(reason)


def _neighbour(widget: QWidget, *, is_forward: bool) -> QWidget | None:
    """The widget that was built after this one, or before it."""
    found: QWidget | None = (
        widget.nextInFocusChain() if is_forward else widget.previousInFocusChain()
    )
    if found is not None:
        # WORKAROUND: PySide now takes `found` for a child of `widget`. Deleting `widget` would make
        # it believe that what Qt made within `found` (scroll bars, actions) is deleted, too. Qt
        # does nothing here: the parent is the one it has; a window has none.
        QObject.setParent(found, found.parentWidget())
    return found


def _is_stop(widget: QWidget) -> bool:
    has_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return has_tab and widget.isEnabled() and widget.isVisible() and widget.focusProxy() is None
