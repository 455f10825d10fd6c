"""The keys of the viewer: stepping from anywhere in the window, the rest inside the viewer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

from desktop_rag.ui.viewer.page_canvas import Fit

if TYPE_CHECKING:
    from desktop_rag.ui.viewer.viewer_panel import ViewerPanel


def connect(panel: ViewerPanel) -> None:
    """Give the panel its keys."""
    view = panel.body.pages.view
    inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
    window = Qt.ShortcutContext.WindowShortcut
    for keys, context, slot in (
        ("Ctrl+PgUp", inside, lambda: panel.body.turn(-1)),
        ("Ctrl+PgDown", inside, lambda: panel.body.turn(1)),
        (QKeySequence.StandardKey.ZoomIn, inside, view.zoom_in),
        ("Ctrl+=", inside, view.zoom_in),
        (QKeySequence.StandardKey.ZoomOut, inside, view.zoom_out),
        ("Ctrl+0", inside, lambda: view.fit_to(Fit.WIDTH)),
        (QKeySequence.StandardKey.Find, inside, panel.body.begin_search),
        ("F3", window, lambda: _step(panel, 1)),
        ("Shift+F3", window, lambda: _step(panel, -1)),
        ("Alt+Down", window, lambda: panel.step(1)),
        ("Alt+Up", window, lambda: panel.step(-1)),
    ):
        _add(panel, QKeySequence(keys), context, slot)


def _add(
    panel: ViewerPanel,
    keys: QKeySequence,
    context: Qt.ShortcutContext,
    slot: Callable[[], object],
) -> None:
    shortcut = QShortcut(keys, panel)
    shortcut.setContext(context)
    shortcut.activated.connect(slot)


def _step(panel: ViewerPanel, by: int) -> None:
    """To the next place that was found while something is searched, else to the next citation."""
    if panel.body.find_bar.isHidden():
        panel.step(by)
    else:
        panel.body.find_bar.step(by)
