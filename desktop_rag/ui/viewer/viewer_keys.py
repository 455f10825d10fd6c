"""The keys of the viewer: stepping from anywhere in the window, the rest inside the viewer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from desktop_rag.ui.shortcuts import shortcut
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer.page_canvas import Fit

if TYPE_CHECKING:
    from desktop_rag.ui.viewer.viewer_panel import ViewerPanel

_Key = tuple[str | QKeySequence.StandardKey, str, Callable[[], object]]


def connect(panel: ViewerPanel) -> None:
    """Give the panel its keys."""
    for keys, label, slot in _inside(panel):
        shortcut(keys, label, slot, panel, is_local=True)
    for keys, label, slot in (
        ("F3", _("Next place found, else next citation"), lambda: _step(panel, 1)),
        ("Shift+F3", _("Place found before, else citation before"), lambda: _step(panel, -1)),
        ("Alt+Down", _("Next citation"), lambda: panel.step(1)),
        ("Alt+Up", _("Citation before"), lambda: panel.step(-1)),
    ):
        shortcut(keys, label, slot, panel)


def _inside(panel: ViewerPanel) -> tuple[_Key, ...]:
    """What means something else, or nothing, while the focus is elsewhere."""
    body, view, standard = panel.body, panel.body.pages.view, QKeySequence.StandardKey
    return (
        ("Ctrl+PgUp", _("Document: page before"), lambda: body.turn(-1)),
        ("Ctrl+PgDown", _("Document: next page"), lambda: body.turn(1)),
        (standard.ZoomIn, _("Document: zoom in"), view.zoom_in),
        ("Ctrl+=", _("Document: zoom in"), view.zoom_in),
        (standard.ZoomOut, _("Document: zoom out"), view.zoom_out),
        ("Ctrl+0", _("Document: fit width"), lambda: view.fit_to(Fit.WIDTH)),
        (standard.Find, _("Document: find in it"), body.begin_search),
    )


def _step(panel: ViewerPanel, by: int) -> None:
    """To the next place that was found while something is searched, else to the next citation."""
    if panel.body.find_bar.isHidden():
        panel.step(by)
    else:
        panel.body.find_bar.step(by)
