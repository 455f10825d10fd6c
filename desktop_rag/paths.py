"""Where things are on disk: shipped resources, the data folder, the models.

Nothing here creates a folder; whoever writes does.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP_NAME = "desktop-rag"
DATA_DIR_VARIABLE = "DESKTOP_RAG_DATA_DIR"
MODELS_DIR_VARIABLE = "DESKTOP_RAG_MODELS_DIR"
BUNDLE_SUFFIX = ".ragmodels"
"""Of a file that carries models from one computer to another."""
PORTABLE_MARK = "portable.txt"
"""A file beside the frozen program's executable that makes it portable; it may be empty."""


def is_frozen() -> bool:
    """Whether this is a program that was built, not a checkout."""
    return bool(getattr(sys, "frozen", False))


def shipped(*parts: str) -> Path:
    """A file or folder shipped with the program (`resources/…`, `models/…`)."""
    frozen_root = getattr(sys, "_MEIPASS", None)
    root = Path(frozen_root) if frozen_root else Path(__file__).resolve().parents[1]
    return root.joinpath(*parts)


def home_expanded(path: Path) -> Path:
    """The path with `~` made the home folder; as it is when it names nobody's: `~nobody/x`."""
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def recogniser_dir() -> Path:
    """Models of text recognition, which come with the package rapidocr; it is not imported."""
    if not is_frozen():
        spec = importlib.util.find_spec("rapidocr")
        if spec is not None and spec.submodule_search_locations:
            return Path(spec.submodule_search_locations[0]) / "models"
    return shipped("rapidocr", "models")


def bundle_folders() -> list[Path]:
    """Where a file of models may have come with a frozen program, and with no other.

    Beside it, beside its folder (on a stick), and where it was installed from: an installer may
    write that folder into `installed-from.txt` beside the executable.
    """
    if not is_frozen():
        return []
    program = Path(sys.executable).resolve().parent
    folders = [program, *program.parents[: 3 if sys.platform == "darwin" else 1]]
    try:
        named = (program / "installed-from.txt").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        named = ""
    return [*folders, Path(named)] if Path(named).is_absolute() else folders


def portable_dir() -> Path | None:
    """`data` beside the frozen program where that is portable; there everything is kept then."""
    if not is_frozen():
        return None
    folder = Path(sys.executable).resolve().parent
    return folder / "data" if (folder / PORTABLE_MARK).is_file() else None


def _usual_dir() -> Path:
    """Beside a portable program, else where the operating system has programs keep their data."""
    return portable_dir() or platformdirs.user_data_path(APP_NAME, appauthor=False)


def default_data_dir() -> Path:
    """`DESKTOP_RAG_DATA_DIR`, or the usual place."""
    named = os.environ.get(DATA_DIR_VARIABLE)
    return home_expanded(Path(named)) if named else _usual_dir()


def is_default_data_dir(folder: Path) -> bool:
    """Whether a command reaches this data folder without naming it."""
    return folder.absolute() == default_data_dir().absolute()


def make_private(folder: Path) -> None:
    """Make a folder for data, and what is missing above it, none of it open to other people.

    Python's own `parents` would leave the data folder open to them, whenever the first that is made
    in it is a folder further down, as when models are imported before the window was ever open.

    Raises:
        OSError: it cannot be made.
    """
    for missing in [each for each in folder.parents if not each.exists()][::-1]:
        missing.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def models_dir() -> Path:
    """Where installed models live: one folder per user, shared by all data folders.

    A language model is over a gigabyte; a second library must not cost a second copy.
    """
    named = os.environ.get(MODELS_DIR_VARIABLE)
    return home_expanded(Path(named)) if named else _usual_dir() / "models"


@dataclass(frozen=True, slots=True)
class DataDir:
    """The layout of one data folder."""

    root: Path

    @property
    def database(self) -> Path:
        """The catalog: the truth."""
        return self.root / "library.sqlite3"

    @property
    def index(self) -> Path:
        """Vector and keyword stores: a cache, owned by the `index` role alone."""
        return self.root / "index"

    @property
    def logs(self) -> Path:
        """Log files of the program and its workers."""
        return self.root / "logs"

    @property
    def lock(self) -> Path:
        """Held while a process has this library open."""
        return self.root / "library.lock"

    @property
    def kept_answers(self) -> Path:
        """Answers to be given again (`storage.kept_answers`); can be deleted at any time."""
        return self.root / "answers.kept"

    @property
    def offer(self) -> Path:
        """Beside the lock while its holder would let go (`storage.handing_over`)."""
        return self.root / "library.offer"

    @property
    def holder(self) -> Path:
        """Beside the lock: who holds it (`storage.lock_holder`)."""
        return self.root / "library.holder"

    @property
    def settings(self) -> Path:
        """The person's choices."""
        return self.root / "settings.toml"

    @property
    def backups(self) -> Path:
        """Copies of the catalog that the program keeps by itself (`storage.backups`)."""
        return self.root / "backups"

    @property
    def window(self) -> Path:
        """What the window remembers of itself: place, size, look."""
        return self.root / "window.ini"

    @property
    def erasure(self) -> Path:
        """There while everything is to be deleted (`storage.erasing`)."""
        return self.root / "erase.pending"
