"""Starts the command line or the window. Import-light: every spawned child imports this again."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
from typing import TYPE_CHECKING

from desktop_rag import network, processor
from desktop_rag.domain.errors import ProcessorTooOld

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rag.app import App
    from desktop_rag.domain.wanted import Wanted


_LIBRARY_PATHS = ("LD_LIBRARY_PATH", "LIBPATH")


def main() -> int:
    """Entry point of `desktop-rag` and `python -m desktop_rag`."""
    _forget_how_it_was_started()
    multiprocessing.freeze_support()
    network.install("program")
    _insist_on_utf8()
    try:
        return _start()
    except KeyboardInterrupt:  # before a command was there to word it
        return 130


def _forget_how_it_was_started() -> None:
    """Let what is started from here find the system's libraries instead of the frozen ones.

    PyInstaller tells them by variables that a file manager, LibreOffice or another version of this
    program would inherit. Our own workers are started as the program is, and get theirs anew.
    """
    if not getattr(sys, "frozen", False):
        return
    for name in [one for one in os.environ if one.startswith("_PYI_")]:
        del os.environ[name]
    for name in _LIBRARY_PATHS:
        before = os.environ.pop(f"{name}_ORIG", None)
        os.environ.pop(name, None)
        if before:
            os.environ[name] = before


def _insist_on_utf8() -> None:
    """Begin again in UTF-8 mode where the locale has another encoding.

    File names would be read differently from one start to the next, and a file whose name cannot be
    read now would be taken for a deleted one.
    """
    is_utf8 = sys.getfilesystemencoding().lower() in ("utf-8", "utf8")
    if not is_utf8 and os.environ.get("PYTHONUTF8") != "1":
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _start() -> int:
    from desktop_rag.cli import main as cli
    from desktop_rag.cli.output import speak_any_language

    speak_any_language()
    args = cli.parsed(sys.argv[1:])
    try:
        processor.check()
    except ProcessorTooOld as error:
        return cli.told(error, is_json=getattr(args, "json", False))
    _keep_temporary_files_beside()
    if args.command is not None:
        args.open_window = _open_window
        return cli.run(args)
    from desktop_rag.domain.wanted import Wanted

    wanted = Wanted(added=args.added, is_new_chat=args.new_chat, is_hidden=args.hidden)
    return _open_window(args.data_dir, wanted)


def _keep_temporary_files_beside() -> None:
    """A portable program leaves nothing on the computer that it is used on. Workers inherit it."""
    from desktop_rag import paths

    portable = paths.portable_dir()
    if portable is None:
        return
    with contextlib.suppress(OSError):  # whoever opens the library says what cannot be written
        portable.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = portable / "temporary"
        folder.mkdir(exist_ok=True)
        for name in ("TMPDIR", "TEMP", "TMP"):
            os.environ[name] = str(folder)


def _open_window(data_dir: Path, wanted: Wanted) -> int:
    try:
        from desktop_rag.ui import application
    except ImportError as error:
        return _without_qt(error)

    def open_app() -> App:
        # Imported on the window's background thread, once the window is visible.
        from desktop_rag.app import App

        return App.open(data_dir)

    return application.run(open_app, data_dir, wanted)


def _without_qt(error: ImportError) -> int:
    """Say which system library is missing. Any other reason is a mistake in the program."""
    from desktop_rag.cli.output import say
    from desktop_rag.domain.errors import UserError
    from desktop_rag.ui.missing_libraries import without_qt
    from desktop_rag.ui.screen import NO_SCREEN, has_screen

    sentence = without_qt(error)
    if not sentence:
        raise error
    say(sentence if has_screen() else NO_SCREEN)
    return UserError.exit_code


if __name__ == "__main__":
    sys.exit(main())
