"""What stands behind a row of the page: where its value is read from and goes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.ui.preferences.row import SettingRow

Done = Callable[[], None]
Failed = Callable[[DesktopRagError], None]


@dataclass(frozen=True, slots=True)
class Choice:
    """A row and its value. `write` takes a value, and calls one of the two when that is done."""

    row: SettingRow
    read: Callable[[], str]
    write: Callable[[str, Done, Failed], None]
    default: str
    is_due: Callable[[], bool] = lambda: False
    """Whether the value waits for a restart."""

    def connect(self, changed: Callable[[], None]) -> None:
        """Follow what the person does; `changed` is called when another value was taken."""

        def done() -> None:
            self.show()
            changed()

        def failed(error: DesktopRagError) -> None:
            self.row.show_error(error.message)

        self.row.chosen.connect(lambda value: self.write(value, done, failed))
        self.row.reset_requested.connect(lambda: self.write(self.default, done, failed))

    def show(self) -> None:
        """Bring the row up to date. Cheap."""
        value = self.read()
        self.row.show_value(value, is_default=value == self.default)
        self.row.show_restart(is_due=self.is_due())


def at_once(take: Callable[[str], None]) -> Callable[[str, Done, Failed], None]:
    """A `write` for what is taken at once and cannot fail."""

    def write(value: str, done: Done, _failed: Failed) -> None:
        take(value)
        done()

    return write
