"""The row for the re-ranker: a model that looks at what was found once more, if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop_rag.services.models import ModelRole, ModelState
from desktop_rag.ui.preferences.choices import Choice, Done, Failed
from desktop_rag.ui.preferences.controls import ChoiceControl
from desktop_rag.ui.preferences.row import SettingRow
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.models import ModelStatus
    from desktop_rag.ui.background import Background


class RerankerChoice:
    """Which one is used is settled when the engines start."""

    def __init__(self, theme: Theme, background: Background, app: App) -> None:
        self._background = background
        self._app = app
        self._chosen = ""
        self._at_start: str | None = None
        self._control = ChoiceControl(theme, [("", _("None"))])
        self._control.setEnabled(False)
        sentence = _(
            "A further model can look at what was found once more: better order, slower searches. "
            "Get one on the Models page."
        )
        row = SettingRow(theme, _("Re-ranker"), sentence, self._control)
        self.choice = Choice(
            row,
            read=lambda: self._chosen,
            write=self._write,
            default="",
            is_due=lambda: self._at_start not in (None, self._chosen),
        )

    def look(self) -> None:
        """See which there are."""
        self._background.run(self._app.models.entries, self._on_entries)

    def _on_entries(self, entries: Sequence[ModelStatus]) -> None:
        ready = [
            one
            for one in entries
            if one.role is ModelRole.RERANKER and one.state is ModelState.READY
        ]
        self._chosen = next((one.id for one in ready if one.is_default), "")
        if self._at_start is None:
            self._at_start = self._chosen
        self._control.offer([("", _("None")), *((one.id, one.title) for one in ready)])
        self._control.setEnabled(bool(ready))
        self.choice.show()

    def _write(self, value: str, done: Done, failed: Failed) -> None:
        models = self._app.models

        def written() -> None:
            self._chosen = value
            done()

        self._background.run(
            lambda: models.set_default(value) if value else models.stop_using(ModelRole.RERANKER),
            lambda _: written(),
            failed,
        )
