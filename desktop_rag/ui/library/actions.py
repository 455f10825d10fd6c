"""What a person does to the library: choose, add, remove, retry, sort. Never on the GUI thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.library import FolderRules, Tier
from desktop_rag.ui.translation import _
from desktop_rag.ui.window_words import in_window

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background
    from desktop_rag.ui.dragged import Dragged
    from desktop_rag.ui.library.drop_flow import DropFlow
    from desktop_rag.ui.library.file_filter import Order, Row
    from desktop_rag.ui.theme import Theme


class LibraryActions(QObject):
    """Passes wishes on to the façade and says what came of them.

    Signals:
        told (str, str): a sentence for the person, and its kind (`warning` or `info`).
        left_out (str, str, list[Dropped]): the same, with things that were not added.
        changed: the library may look different.
        named: collections or tags may look different.
        asked_for (list[str]): the person wants these in the library; it may have them already.
        retagged (list[str]): these files have other tags now; of none, nobody knows which.
    """

    told = Signal(str, str)
    left_out = Signal(str, str, object)
    changed = Signal()
    named = Signal()
    asked_for = Signal(object)
    retagged = Signal(object)

    def __init__(self, background: Background, over: QWidget, theme: Theme) -> None:
        super().__init__(over)
        self._background = background
        self._over = over
        self._theme = theme
        self._app: App | None = None
        self._flows: dict[DropFlow, Callable[[], Sequence[str]]] = {}
        """What is being looked at or added, as it was given."""

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    # adding
    def choose_folder(self) -> None:
        """Ask for a folder and add it."""
        dialog = self._file_dialog(_("Add a folder to the library"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.open()

    def choose_files(self) -> None:
        """Ask for files and add them."""
        dialog = self._file_dialog(_("Add files to the library"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.open()

    def add(self, given: Sequence[Path | str]) -> None:
        """Add files and folders; addresses and whatever else was dropped gets an answer."""
        if given:
            self._start(lambda: [str(one) for one in given])

    def add_dragged(self, what: Dragged) -> None:
        """The same for what was dropped on the window, be it much."""
        if what.number:
            self._start(what.all)

    def _start(self, read: Callable[[], Sequence[str]]) -> None:
        if self._app is None:
            return
        from desktop_rag.ui.library.drop_flow import DropFlow

        flow = DropFlow(self._background, self._over, self._theme)
        flow.told.connect(self._on_outcome)
        flow.changed.connect(self.changed)
        flow.asked_for.connect(self.asked_for)
        flow.finished.connect(lambda: self._flows.pop(flow, None))
        self._flows[flow] = read
        flow.start(self._app, read)

    def give_up(self) -> list[Callable[[], Sequence[str]]]:
        """What was dropped and is not added yet, for those of another window to `take_over`."""
        flows, self._flows = self._flows, {}
        return [read for flow, read in flows.items() if flow.give_up()]

    def take_over(self, dropped: Sequence[Callable[[], Sequence[str]]]) -> None:
        """Add what another window had no time to."""
        for read in dropped:
            self._start(read)

    def _on_outcome(self, sentence: str, kind: str, refused: object) -> None:
        if isinstance(refused, list) and len(refused) > 1:
            self.left_out.emit(sentence, kind, refused)
        else:
            self.told.emit(in_window(sentence), kind)

    def _file_dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._over, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.add([Path(name) for name in names]))
        return dialog

    # files and folders
    def remove(self, paths: Sequence[Path], on_failed: Callable[[], None] | None = None) -> None:
        """Forget sources or files; the files themselves stay where they are.

        Carried out also when the window closes in this moment.
        """
        self._run(lambda app: app.remove(paths), self.changed, on_failed=on_failed, is_owed=True)

    def retry(self, documents: Sequence[DocumentId]) -> None:
        """Read failed files again."""
        self._run(lambda app: app.retry(documents), self.changed)

    def recognise(self, documents: Sequence[DocumentId]) -> None:
        """Switch text recognition on and read files again."""

        def switch(app: App) -> None:
            app.change_setting("ocr", "on")
            app.retry(documents)

        self._run(switch, self.changed)

    def pause(self) -> None:
        """Read no more files until `resume`."""
        self._run(lambda app: app.pause_indexing(), self.changed)

    def resume(self) -> None:
        """Go on reading."""
        self._run(lambda app: app.resume_indexing(), self.changed)

    def order(self, paths: Sequence[str]) -> None:
        """List the folders in this order."""
        self._run(lambda app: app.order_folders([Path(one) for one in paths]))

    def change_folder(
        self, place: Path, rules: FolderRules, tier: Tier, on_done: Callable[[], None]
    ) -> None:
        """Choose what of a folder is read and how much it counts."""
        self._run(lambda app: app.change_folder(place, rules, tier), self.changed, on_done=on_done)

    def relocate(self, place: Path, new_place: Path) -> None:
        """A folder lies elsewhere now."""
        told = _("{folder} is looked at in its new place.").format(folder=new_place.name)
        self._run(
            lambda app: app.relocate(place, new_place),
            self.changed,
            on_done=lambda: self.told.emit(told, "info"),
        )

    def choose_new_place(self, place: Path) -> None:
        """Ask where an offline folder lies now."""
        dialog = QFileDialog(self._over, _("Where does {name} lie now?").format(name=place.name))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.filesSelected.connect(lambda names: self.relocate(place, Path(names[0])))
        dialog.open()

    def find_skipped(self, order: Order, show: Callable[[list[Row]], None]) -> None:
        """Look up the files that were left out, in this order."""
        from desktop_rag.ui.models.files import rows_of

        if self._app is not None:
            app = self._app
            self._background.run(lambda: rows_of(app.skipped_files(), order), show)

    # collections and tags
    def create_collection(self, name: str, paths: Sequence[str] = ()) -> None:
        """Make a collection, with these files."""

        def create(app: App) -> None:
            app.organising.create(name)
            if paths:
                app.organising.collect(name, [Path(one) for one in paths])

        self._run(create, self.named)

    def collect(self, name: str, paths: Sequence[str]) -> None:
        """Put files into a collection."""
        self._run(lambda app: app.organising.collect(name, _as_paths(paths)), self.named)

    def leave_out_of(self, name: str, paths: Sequence[str]) -> None:
        """Take members out of a collection."""
        self._run(lambda app: app.organising.leave_out(name, _as_paths(paths)), self.named)

    def rename_collection(self, name: str, new_name: str) -> None:
        """Call a collection otherwise."""
        self._run(lambda app: app.organising.rename(name, new_name), self.named)

    def delete_collection(self, name: str, on_failed: Callable[[], None]) -> None:
        """Forget a collection; its files stay."""
        self._run(
            lambda app: app.organising.delete(name), self.named, on_failed=on_failed, is_owed=True
        )

    def tag(self, tag: str, paths: Sequence[str]) -> None:
        """Tag files."""
        self._retag(lambda app: app.organising.tag(tag, _as_paths(paths)), paths)

    def untag(self, tag: str, paths: Sequence[str]) -> None:
        """Take a tag off files."""
        self._retag(lambda app: app.organising.untag(tag, _as_paths(paths)), paths)

    def rename_tag(self, tag: str, new_tag: str) -> None:
        """Call a tag otherwise."""
        self._retag(lambda app: app.organising.rename_tag(tag, new_tag))

    def delete_tag(self, tag: str, on_failed: Callable[[], None]) -> None:
        """Take a tag off all files."""
        self._retag(lambda app: app.organising.delete_tag(tag), on_failed=on_failed, is_owed=True)

    def _retag(
        self,
        call: Callable[[App], Any],
        paths: Sequence[str] = (),
        on_failed: Callable[[], None] | None = None,
        *,
        is_owed: bool = False,
    ) -> None:
        def tell() -> None:
            self.retagged.emit(list(paths))

        self._run(call, self.named, on_done=tell, on_failed=on_failed, is_owed=is_owed)

    def _run(
        self,
        call: Callable[[App], Any],
        *signals: Any,
        on_done: Callable[[], None] | None = None,
        on_failed: Callable[[], None] | None = None,
        is_owed: bool = False,
    ) -> None:
        """In the background; whatever comes of it, what is shown is read again."""
        if self._app is None:
            return
        app = self._app

        def tell(and_then: Callable[[], None] | None) -> None:
            for signal in signals:
                signal.emit()
            if and_then is not None:
                and_then()

        def fail(error: DesktopRagError) -> None:
            self.told.emit(in_window(error.message), "warning")
            tell(on_failed)

        self._background.run(lambda: call(app), lambda _: tell(on_done), fail, is_owed=is_owed)


def _as_paths(paths: Sequence[str]) -> list[Path]:
    return [Path(one) for one in paths]
