"""What fails unexpectedly is kept, shown once at the next start, and never quotes a document."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_rag import __version__
from desktop_rag.domain.errors import NotFound
from desktop_rag.ui import crash_report
from desktop_rag.ui.crash_bar import CrashBar
from desktop_rag.ui.crash_report import CrashReport, collect, delete, described, put_aside
from desktop_rag.ui.crash_watch import CrashWatch
from desktop_rag.ui.theme import Theme

SECRET = "the patient has a broken heart"


def failing() -> None:
    try:
        dict[str, str]()[SECRET]
    except KeyError as error:
        raise ValueError(SECRET) from error


def caught() -> ValueError:
    try:
        failing()
    except ValueError as error:
        return error
    raise AssertionError


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[CrashWatch]:
    made = CrashWatch(tmp_path / "logs")
    yield made
    made.close()


def left_behind(folder: Path, text: str, name: str = "crash-1.txt") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(crash_report.head() + text)
    return path


def test_a_report_says_where_and_which_kind_but_no_message() -> None:
    text = described(caught())
    assert "in failing" in text
    assert text.index("KeyError") < text.index("ValueError")
    assert SECRET.split()[-1] not in text.replace("SECRET", "")
    assert described(PermissionError(13, "Permission denied", SECRET)).endswith(
        "PermissionError: Permission denied\n"
    )
    assert described(NotFound(SECRET)).endswith("NotFound: not-found\n")


def test_what_failed_is_told_once_and_kept(
    watch: CrashWatch, qtbot: QtBot, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[bool] = []
    watch.happened.connect(lambda: told.append(True))
    watch.note(caught())  # before there is a file
    watch.open_file()
    for _ in range(30):
        watch.note(caught())
    watch.close()
    caplog.clear()
    assert told == [True]
    report = collect(tmp_path / "logs")
    assert report is not None
    assert not report.is_native
    assert report.text.splitlines().count("ValueError") == 20
    assert __version__ in report.text


def test_a_thread_that_fails_is_kept_too(
    watch: CrashWatch, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    watch.install()
    watch.open_file()
    with qtbot.waitSignal(watch.happened):
        thread = threading.Thread(target=failing)
        thread.start()
        thread.join()
    watch.close()
    caplog.clear()
    assert "in failing" in watch.file.read_text()


def test_a_run_without_a_failure_leaves_nothing(watch: CrashWatch, tmp_path: Path) -> None:
    watch.open_file()
    assert collect(tmp_path / "logs", own=watch.file) is None
    assert watch.file.exists(), "the file of this run is still to be written to"
    watch.close()
    assert list((tmp_path / "logs").iterdir()) == []


def test_where_nothing_can_be_written_the_program_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "logs").write_text("a file in its place")
    watch = CrashWatch(tmp_path / "logs")
    watch.open_file()
    watch.note(caught())
    watch.close()
    caplog.clear()
    assert collect(tmp_path / "logs") is None


_CRASH = """
import faulthandler, sys
from pathlib import Path
from desktop_rag.ui.crash_watch import CrashWatch
watch = CrashWatch(Path(sys.argv[1]))
watch.open_file()
faulthandler._sigabrt()
"""


def test_a_native_crash_is_found_at_the_next_start(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", _CRASH, str(tmp_path)], check=False)
    assert done.returncode != 0
    report = collect(tmp_path)
    assert report is not None
    assert report.is_native
    assert "Fatal Python error: Aborted" in report.text


def test_paths_are_shortened(tmp_path: Path) -> None:
    home, program = Path.home(), Path(crash_report.__file__).resolve().parents[2]
    left_behind(
        tmp_path, f'File "{home}/notes.py", line 1\nFile "{program}/desktop_rag/ui/x.py", line 2\n'
    )
    report = collect(tmp_path)
    assert report is not None
    assert '"desktop_rag/ui/x.py"' in report.text
    assert str(home) + "/" not in report.text
    assert '"~/notes.py"' in report.text or str(program).startswith(str(home))


def test_a_long_report_keeps_its_end(tmp_path: Path) -> None:
    left_behind(tmp_path, "x" * 200_000 + "\nthe end")
    report = collect(tmp_path)
    assert report is not None
    assert "the end" in report.text
    assert len(report.text) < 70_000


def test_what_was_shown_is_put_aside_and_only_a_few_are_kept(tmp_path: Path) -> None:
    for number in range(8):
        left_behind(tmp_path, "trace", f"crash-{number}.txt")
        report = collect(tmp_path)
        assert report is not None
        put_aside(report)
        assert collect(tmp_path) is None, "nobody is told twice"
    assert len(list(tmp_path.iterdir())) == 5


def test_the_bar_shows_copies_and_deletes(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    path = left_behind(tmp_path, "Fatal Python error: Aborted\n")
    report = collect(tmp_path)
    assert report is not None
    place = QWidget()
    qtbot.addWidget(place)
    bar = CrashBar(theme, report, place)
    bar.deleted.connect(lambda: delete(report))
    place.show()
    assert "ended unexpectedly" in bar.sentence.text()
    assert not bar.text.isVisible()
    bar.details.setFocus()
    qtbot.keyClick(bar.details, Qt.Key.Key_Space)
    assert bar.text.isVisible()
    assert "Fatal Python error" in bar.text.toPlainText()
    qtbot.mouseClick(bar.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == report.text
    with qtbot.waitSignal(bar.closed):
        qtbot.mouseClick(bar.delete, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
    assert not path.exists()


def test_in_a_narrow_column_the_buttons_go_below(theme: Theme, qtbot: QtBot) -> None:
    place = QWidget()
    qtbot.addWidget(place)
    bar = CrashBar(theme, CrashReport("trace", is_native=True, files=()), place)
    place.show()
    for width, is_below in ((900, False), (460, True)):
        bar.resize(width, 120)
        qtbot.wait(1)
        assert (bar.details.y() > bar.sentence.geometry().bottom()) is is_below


def test_a_failure_that_ended_nothing_says_so(theme: Theme, qtbot: QtBot) -> None:
    bar = CrashBar(theme, CrashReport("trace", is_native=False, files=()))
    qtbot.addWidget(bar)
    assert "the rest went on" in bar.sentence.text()
