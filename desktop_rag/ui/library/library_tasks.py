"""What the library page does when something is asked of it: undo, remedies, dialogs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.domain.tracing import NextStep, Step
from desktop_rag.ui.library.actions import LibraryActions
from desktop_rag.ui.library.file_filter import key_of
from desktop_rag.ui.library.folder_dialog import FolderDialog
from desktop_rag.ui.library.leaving import Leaving
from desktop_rag.ui.library.name_dialog import NameDialog
from desktop_rag.ui.library.remedies import Problem, Remedy
from desktop_rag.ui.library.why_dialog import TraceDialog
from desktop_rag.ui.models.files import FileModel
from desktop_rag.ui.models.places import Place, PlaceKind, PlacesModel
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _, counted
from desktop_rag.ui.viewer import external

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background


class LibraryTasks(QObject):
    """Knows the models, the façade and the dialogs; nothing of how the page is laid out.

    Signals:
        told (str, str), undo_offered (str, Callable, Callable | None), page_requested (str)
        opened (LibraryFile)
        listed (Problem): its files are to be shown.
    """

    told = Signal(str, str)
    undo_offered = Signal(str, object, object)
    page_requested = Signal(str)
    opened = Signal(object)
    listed = Signal(object)

    def __init__(
        self,
        theme: Theme,
        background: Background,
        actions: LibraryActions,
        files: FileModel,
        places: PlacesModel,
        over: QWidget,
    ) -> None:
        super().__init__(over)
        self._theme = theme
        self._background = background
        self._actions = actions
        self._files = files
        self._places = places
        self._over = over
        self._app: App | None = None
        self.collections: tuple[str, ...] = ()
        self.tags: tuple[str, ...] = ()
        self._leaving = Leaving(self.undo_offered.emit)
        actions.asked_for.connect(self._leaving.keep)

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    # files
    def retry(self, files: Sequence[LibraryFile]) -> None:
        """Read files again."""
        known = [file.id for file in files if file.state is not FileState.SKIPPED]
        if known:
            self._actions.retry(known)

    def remove(self, files: Sequence[LibraryFile]) -> None:
        """Out of sight at once, out of the library when nobody took it back."""
        known = [file for file in files if file.state is not FileState.SKIPPED]
        if not known:
            return
        keys = {Path(file.path): key_of(file) for file in known}
        paths = list(keys)
        self._files.hide(list(keys.values()))
        name = paths[0].name
        sentence = (
            _("Removed {name} from the library.").format(name=name)
            if len(paths) == 1
            else counted(
                "Removed {n} file from the library.",
                "Removed {n} files from the library.",
                len(paths),
            )
        )

        def bring_back(some: Sequence[Path]) -> None:
            self._files.unhide([keys[one] for one in some])

        def carry_out(left: Sequence[Path]) -> None:
            if left:
                self._actions.remove(left, lambda: bring_back(left))

        self._leaving.remove(sentence, paths, bring_back, carry_out, bring_back)

    def open_outside(self, file: LibraryFile) -> None:
        """In its own program."""
        path = Path(file.path)
        self._background.run(lambda: external.open_file(path), self._on_handed_over)

    def show_in_folder(self, file: LibraryFile) -> None:
        """In the file manager."""
        path = Path(file.path)
        self._background.run(lambda: external.show_in_folder(path), self._on_handed_over)

    def show_folder(self, path: Path) -> None:
        """A folder in the file manager."""
        self._background.run(lambda: external.open_file(path), self._on_handed_over)

    def _on_handed_over(self, is_done: object) -> None:
        if not is_done:
            self.told.emit(_("It is not where it was, or no program opens it."), "warning")

    def apply_remedy(self, remedy: Remedy, problem: Problem) -> None:
        """What a button of a problem says."""
        files = list(problem.files)
        if remedy is Remedy.RETRY:
            self.retry(files)
        elif remedy is Remedy.RECOGNISE:
            self._actions.recognise([file.id for file in files])
        elif remedy is Remedy.OPEN:
            self.open_outside(files[0])
        elif remedy is Remedy.SHOW:
            self.show_in_folder(files[0])
        elif remedy is Remedy.LIMIT:
            self.page_requested.emit("settings")
        elif remedy is Remedy.REMOVE:
            self.remove(files)
        else:
            self.listed.emit(problem)

    # collections and tags
    def ask_collection(self, files: Sequence[LibraryFile] = ()) -> None:
        """Ask for the name of a collection, new or not, that these files join."""
        paths = [file.path for file in files]

        def named(name: str) -> None:
            if name in self.collections:
                self._actions.collect(name, paths)
            else:
                self._actions.create_collection(name, paths)

        title = _("Add to which collection?") if paths else _("New collection")
        NameDialog(title, named, self._over, self.collections if paths else ()).open()

    def ask_tag(self, files: Sequence[LibraryFile]) -> None:
        """Ask for a tag for these files."""
        paths = [file.path for file in files]
        dialog = NameDialog(
            _("Which tag?"), lambda tag: self._actions.tag(tag, paths), self._over, self.tags
        )
        dialog.open()

    def collect(self, name: str, files: Sequence[LibraryFile]) -> None:
        """Put files into a collection."""
        self._actions.collect(name, [file.path for file in files])

    def leave_out(self, name: str, files: Sequence[LibraryFile]) -> None:
        """Take files out of a collection; one that is in it with its folder stays."""
        self._actions.leave_out_of(name, [file.path for file in files])

    def untag(self, tag: str, files: Sequence[LibraryFile]) -> None:
        """Take a tag off files."""
        tagged = [file.path for file in files if tag in file.tags]
        self._actions.untag(tag, tagged)

    def drop_files(self, place: Place, paths: Sequence[str]) -> None:
        """Files were dragged onto a collection or a tag."""
        if place.kind is PlaceKind.COLLECTION:
            self._actions.collect(place.name, paths)
        else:
            self._actions.tag(place.name, paths)
        text = counted("{n} file is", "{n} files are", len(paths))
        sentence = _("{files} in “{name}” now.").format(files=text, name=place.name)
        self.told.emit(sentence, "info")

    def rename(self, place: Place, name: str) -> None:
        """Call a collection or tag otherwise."""
        if place.kind is PlaceKind.COLLECTION:
            self._actions.rename_collection(place.name, name)
        else:
            self._actions.rename_tag(place.name, name)

    # places
    def remove_places(self, places: Sequence[Place]) -> None:
        """Folders, collections or tags: out of sight at once."""
        named = [one for one in places if one.is_named]
        folders = {Path(one.name): one for one in places if one.kind is PlaceKind.FOLDER}
        self._places.hide(places)
        self._files.hide(self._keys_in(folders.values()))

        def bring_back(some: Sequence[Path]) -> None:
            back = [folders[one] for one in some]
            self._places.unhide(back)
            self._files.unhide(self._keys_in(back))

        def undo(some: Sequence[Path]) -> None:
            self._places.unhide(named)
            bring_back(some)

        def commit(left: Sequence[Path]) -> None:
            self._delete_names(named)
            if left:
                self._actions.remove(left, lambda: bring_back(left))

        self._leaving.remove(_removed(places), list(folders), undo, commit, bring_back)

    def _keys_in(self, folders: Iterable[Place]) -> list[tuple[int, str]]:
        roots = [Path(one.name) for one in folders]
        starts = tuple(f"{str(root).rstrip('/')}{end}" for root in roots for end in ("/", "\\"))
        return [key_of(file) for file in self._files.files() if file.path.startswith(starts)]

    def _delete_names(self, places: Sequence[Place]) -> None:
        for one in places:
            self._delete_name(one)

    def _delete_name(self, place: Place) -> None:
        def bring_back() -> None:
            self._places.unhide([place])

        if place.kind is PlaceKind.COLLECTION:
            self._actions.delete_collection(place.name, bring_back)
        else:
            self._actions.delete_tag(place.name, bring_back)

    def retry_in(self, place: Place) -> None:
        """Read again what failed in a folder."""
        root = tuple(f"{place.name.rstrip('/')}{end}" for end in ("/", "\\"))
        failed = [
            file
            for file in self._files.files()
            if file.state is FileState.FAILED and file.path.startswith(root)
        ]
        if failed:
            self.retry(failed)
        else:
            self.told.emit(_("Nothing in this folder failed."), "info")

    def show_options(self, place: Place) -> None:
        """What of a folder is read, and how much it counts."""
        if self._app is None or place.source is None:
            return
        dialog = FolderDialog(self._theme, self._background, self._app, place.source, self._over)
        path = Path(place.name)
        told = _("The rules of {name} hold now.").format(name=place.title)
        dialog.saved.connect(
            lambda rules, tier: self._actions.change_folder(
                path, rules, tier, lambda: self.told.emit(told, "info")
            )
        )
        dialog.relocate_requested.connect(lambda: self._actions.choose_new_place(path))
        dialog.relocate_requested.connect(dialog.reject)
        dialog.show_requested.connect(lambda: self.show_folder(path))
        dialog.open()

    def relocate(self, place: Place) -> None:
        """Ask where an offline folder lies now."""
        self._actions.choose_new_place(Path(place.name))

    # why
    def ask_why(self, text: str = "", file: str = "") -> None:
        """Open the dialog that follows a file or a phrase."""
        if self._app is None:
            return
        dialog = TraceDialog(self._theme, self._background, self._app, self._over)
        dialog.step_chosen.connect(self._on_step)
        dialog.show()
        dialog.ask(text, file)

    def _on_step(self, step: Step) -> None:
        path = Path(step.path)
        document = next((one for one in self._files.files() if one.path == step.path), None)
        if step.next_step is NextStep.ADD:
            self._actions.add([path])
        elif step.next_step is NextStep.RESUME:
            self._actions.resume()
        elif step.next_step is NextStep.RELOCATE:
            self._actions.choose_new_place(path)
        elif step.next_step is NextStep.LIMIT:
            self.page_requested.emit("settings")
        elif step.next_step is NextStep.RULES:
            self._show_options_of(step.path)
        elif step.next_step is NextStep.OPEN:
            self._background.run(lambda: external.open_file(path), self._on_handed_over)
        elif document is not None:
            self._do_with(step.next_step, document)

    def _do_with(self, step: NextStep, document: LibraryFile) -> None:
        if step is NextStep.RECOGNISE:
            self._actions.recognise([document.id])
        elif step is NextStep.RETRY:
            self.retry([document])
        else:
            self.opened.emit(document)

    def _show_options_of(self, path: str) -> None:
        """Of the folder at, or around, a path."""
        around = [one for one in self._places.folders() if Path(path).is_relative_to(one.name)]
        if around:
            self.show_options(max(around, key=lambda one: len(one.name)))


def _removed(places: Sequence[Place]) -> str:
    if len(places) == 1:
        if places[0].is_named:
            return _("Deleted “{name}”.").format(name=places[0].name)
        return _("Removed {name} from the library.").format(name=places[0].title)
    if any(one.is_named for one in places):
        return counted("Deleted {n} entry.", "Deleted {n} entries.", len(places))
    return counted(
        "Removed {n} folder from the library.", "Removed {n} folders from the library.", len(places)
    )
