"""Starting and ending: errors, the second start, the exit code."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag import __version__
from desktop_rag.domain.errors import LibraryLocked, LibraryTooNew, UserError
from desktop_rag.domain.wanted import Wanted
from desktop_rag.paths import DataDir
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.database import Database
from desktop_rag.ui import single_instance
from desktop_rag.ui.application import Desktop
from desktop_rag.ui.single_instance import HandOver, hand_over
from tests.helpers.fake_app import FakeApp, with_sample_chats, with_sample_library
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.old_library import make_version_1
from tests.helpers.reading import read_document

Starter = Callable[..., Desktop]


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[Starter]:
    made: list[Desktop] = []

    def begin(factory: Callable[[], FakeApp], wanted: Wanted | None = None) -> Desktop:
        desktop = Desktop(
            qapp,
            factory,  # type: ignore[arg-type]
            tmp_path,
            wanted,
            find_tray=lambda _: None,
        )
        made.append(desktop)
        desktop.start()
        return desktop

    yield begin
    for desktop in made:
        end(desktop)


def end(desktop: Desktop) -> None:
    desktop.quit()
    desktop.finish()
    desktop.window.deleteLater()
    desktop.theme.deleteLater()
    desktop.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_the_window_is_there_before_the_library(start: Starter, qtbot: QtBot) -> None:
    gate, app = threading.Event(), with_sample_library()

    def slow() -> FakeApp:
        gate.wait()
        return app

    desktop = start(slow)
    assert desktop.window.isVisible()
    assert not desktop.window.chat.composer.button.isEnabled()
    with qtbot.waitSignal(desktop.opened):
        gate.set()
    qtbot.waitUntil(lambda: {"start_indexing", "start_watching", "warm_up"} <= set(app.calls))


@pytest.mark.parametrize(
    ("error", "heading"),
    [
        (LibraryLocked("Another program has it open; close it."), "open somewhere else"),
        (LibraryTooNew("Install version 9 or newer."), "newer version"),
    ],
)
def test_an_error_fills_the_window_and_becomes_the_exit_code(
    start: Starter, qtbot: QtBot, error: LibraryLocked, heading: str
) -> None:
    def refuse() -> FakeApp:
        raise error

    desktop = start(refuse)
    page = desktop.window.error_page
    qtbot.waitUntil(page.isVisible)
    assert heading in page.heading.text()
    assert page.sentence.text() == error.message
    qtbot.mouseClick(page.quit, Qt.MouseButton.LeftButton)
    assert not desktop.window.isVisible()
    assert desktop.finish() == error.exit_code


def opens_later(refusal: UserError, app: FakeApp) -> Callable[[], FakeApp]:
    """Refused the first time."""
    refusals = [refusal]

    def factory() -> FakeApp:
        if refusals:
            raise refusals.pop()
        return app

    return factory


def test_trying_again_opens_the_library(start: Starter, qtbot: QtBot) -> None:
    app = with_sample_library()
    desktop = start(opens_later(LibraryLocked("Close the other one."), app))
    qtbot.waitUntil(desktop.window.error_page.isVisible)
    with qtbot.waitSignal(desktop.opened):
        qtbot.mouseClick(desktop.window.error_page.retry, Qt.MouseButton.LeftButton)
    assert not desktop.window.error_page.isVisible()
    desktop.window.close()
    assert desktop.finish() == 0
    assert "close" in app.calls


def test_a_bug_while_opening_is_told_and_logged(
    start: Starter, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> FakeApp:
        raise ZeroDivisionError

    desktop = start(broken)
    qtbot.waitUntil(desktop.window.error_page.isVisible)
    assert "log" in desktop.window.error_page.sentence.text()
    desktop.window.close()
    assert desktop.finish() == 1
    caplog.clear()


def test_closing_while_the_library_opens_closes_it_too(start: Starter, qtbot: QtBot) -> None:
    gate, app = threading.Event(), with_sample_library()
    entered = threading.Event()

    def slow() -> FakeApp:
        entered.set()
        gate.wait()
        return app

    desktop = start(slow)
    qtbot.waitUntil(entered.is_set)
    desktop.window.close()
    gate.set()
    desktop.finish()
    assert "close" in app.calls


# A real second process: its library is never opened, and no window of its own appears.
_SECOND_START = """
import sys
from pathlib import Path
from desktop_rag.domain.wanted import Wanted
from desktop_rag.ui.application import run
def never():
    raise AssertionError("the second start opened the library")
path, new = Path(sys.argv[2]), Path("/new")
wanted = Wanted((path,), 3, "two words", added=(new,), is_new_chat=True)
sys.exit(run(never, Path(sys.argv[1]), wanted))
"""


@pytest.mark.qt_log_ignore("does not support raise")
def test_a_second_start_hands_what_it_wants_to_the_first(
    start: Starter, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, path = with_sample_library(), tmp_path / "b.txt"
    path.write_text("words")
    desktop = start(lambda: app)
    qtbot.waitUntil(lambda: "warm_up" in app.calls)
    shown: list[Wanted] = []
    monkeypatch.setattr(desktop, "_fulfil", shown.append)
    desktop.window.showMinimized()
    second = subprocess.Popen([sys.executable, "-c", _SECOND_START, str(tmp_path), str(path)])
    qtbot.waitUntil(lambda: second.poll() is not None, timeout=20_000)
    assert second.returncode == 0
    wanted = Wanted((path,), 3, "two words", added=(Path("/new"),), is_new_chat=True)
    qtbot.waitUntil(lambda: shown == [wanted])
    assert not desktop.window.isMinimized()
    assert not [call for call in app.calls if call.startswith("add")]


@pytest.mark.qt_log_ignore("does not support raise")
def test_what_later_starts_want_waits_for_the_library(
    start: Starter, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, app = threading.Event(), with_sample_library()

    def slow() -> FakeApp:
        gate.wait()
        return app

    desktop = start(slow, Wanted((tmp_path / "a.txt",)))
    shown: list[Wanted] = []
    monkeypatch.setattr(desktop, "_fulfil", shown.append)
    desktop._on_called(Wanted((tmp_path / "b.txt",), 2))
    with qtbot.waitSignal(desktop.opened):
        gate.set()
    assert shown == [Wanted((tmp_path / "a.txt", tmp_path / "b.txt"), 2)]


def handed_over(qtbot: QtBot, data_dir: Path, wanted: str = "") -> str:
    """In another process, as it is: this one is busy with its window."""
    code = (
        "import sys; from pathlib import Path; from desktop_rag.domain.wanted import Wanted;"
        "from desktop_rag.ui.single_instance import hand_over;"
        f"print(hand_over(Path(sys.argv[1]), Wanted({wanted})).value)"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(data_dir)], stdout=subprocess.PIPE, text=True
    )
    qtbot.waitUntil(lambda: other.poll() is not None, timeout=20_000)
    return other.communicate()[0].strip()


def test_a_start_at_login_does_not_disturb_an_open_window(
    start: Starter, qtbot: QtBot, tmp_path: Path
) -> None:
    app = with_sample_library()
    desktop = start(lambda: app)
    qtbot.waitUntil(lambda: "warm_up" in app.calls)
    desktop.window.showMinimized()
    assert handed_over(qtbot, tmp_path, "is_hidden=True") == "taken"
    assert desktop.window.isMinimized()


@pytest.mark.qt_log_ignore("does not support raise")
@pytest.mark.parametrize(
    ("version", "is_told"), [("9.1.0", True), (__version__, False), ("a lie\n", False)]
)
def test_a_start_of_another_version_is_told(
    start: Starter, qtbot: QtBot, tmp_path: Path, version: str, is_told: bool
) -> None:
    app = with_sample_library()
    desktop = start(lambda: app)
    qtbot.waitUntil(lambda: "warm_up" in app.calls)
    answer = sent(qtbot, tmp_path, {"paths": [], "version": version, "of a later one": [1]})
    assert answer == b"ok\n", "what another version adds to a message is passed over"
    sentence = desktop.window.notice.sentence.text()
    assert (f"Version {version} was started" in sentence) == is_told


@pytest.mark.qt_log_ignore("does not support raise")
def test_a_start_of_a_version_that_does_not_tell_comes_to_the_front_only(
    start: Starter, qtbot: QtBot, tmp_path: Path
) -> None:
    app = with_sample_library()
    desktop = start(lambda: app)
    qtbot.waitUntil(lambda: "warm_up" in app.calls)
    desktop.window.showMinimized()
    assert sent(qtbot, tmp_path, {"paths": []}) == b"ok\n"
    assert not desktop.window.isMinimized()
    assert "was started" not in desktop.window.notice.sentence.text()


def test_a_window_that_is_too_old_is_not_in_the_way_of_the_newer_program(
    start: Starter, qtbot: QtBot, tmp_path: Path
) -> None:
    app = with_sample_library()
    desktop = start(opens_later(LibraryTooNew("Install version 9."), app))
    qtbot.waitUntil(desktop.window.error_page.isVisible)
    assert hand_over(tmp_path, Wanted()) is HandOver.NOBODY
    desktop._on_retry()  # the library was put back
    qtbot.waitUntil(lambda: "warm_up" in app.calls)
    assert handed_over(qtbot, tmp_path, "is_hidden=True") == "taken"


def sent(qtbot: QtBot, data_dir: Path, message: dict[str, object]) -> bytes:
    """What a window answers to another process."""
    socket = QLocalSocket()
    socket.connectToServer(single_instance.server_name(data_dir))
    with qtbot.waitSignal(socket.readyRead):
        socket.write(json.dumps(message).encode() + b"\n")
        socket.flush()
    answer = bytes(socket.readAll().data())
    socket.disconnectFromServer()
    return answer


def test_an_outdated_library_says_why_it_takes_longer(
    start: Starter, qtbot: QtBot, tmp_path: Path
) -> None:
    make_version_1(tmp_path / "library.sqlite3")
    gate, app = threading.Event(), with_sample_library()

    def slow() -> FakeApp:
        gate.wait()
        return app

    desktop = start(slow)
    notices = desktop.window.notices
    qtbot.waitUntil(lambda: "being brought up to date" in notices.notice.sentence.text())
    assert not notices.timer.isActive(), "it stays as long as it takes"
    gate.set()
    qtbot.waitUntil(lambda: "is up to date for this version" in notices.notice.sentence.text())
    assert notices.timer.isActive()


def test_an_outdated_library_that_is_refused_leaves_no_promise(
    start: Starter, qtbot: QtBot, tmp_path: Path
) -> None:
    make_version_1(tmp_path / "library.sqlite3")

    def refuse() -> FakeApp:
        raise LibraryLocked("Close the other one.")

    desktop = start(refuse)
    qtbot.waitUntil(desktop.window.error_page.isVisible)
    assert desktop.window.notice.isHidden()


def test_a_window_that_hangs_is_not_waited_for_long(tmp_path: Path, qtbot: QtBot) -> None:
    server = QLocalServer()
    assert server.listen(single_instance.server_name(tmp_path))
    assert hand_over(tmp_path, Wanted(), reply_ms=200) is HandOver.SILENT
    server.close()


@pytest.mark.qt_log_ignore("does not support raise")
def test_a_socket_that_was_left_behind_is_taken_over(
    start: Starter, qtbot: QtBot, tmp_path: Path
) -> None:
    code = (
        "import os, sys; from pathlib import Path; from PySide6.QtCore import QCoreApplication;"
        "from desktop_rag.ui.single_instance import InstanceServer;"
        "app = QCoreApplication([]); server = InstanceServer(Path(sys.argv[1])); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert hand_over(tmp_path, Wanted()) is HandOver.NOBODY
    app = with_sample_library()
    start(lambda: app)
    qtbot.waitUntil(lambda: "warm_up" in app.calls)
    assert handed_over(qtbot, tmp_path) == "taken"


def test_other_data_folders_have_windows_of_their_own(
    start: Starter, qtbot: QtBot, tmp_path: Path
) -> None:
    app = with_sample_library()
    start(lambda: app)
    qtbot.waitUntil(lambda: "warm_up" in app.calls)
    assert hand_over(tmp_path / "other", Wanted()) is HandOver.NOBODY


_FIRST_START = """
import sys
from pathlib import Path
from desktop_rag.ui.application import run
from tests.helpers.fake_app import with_sample_library
app = with_sample_library()
def factory():
    print("opening", flush=True)
    return app
code = run(factory, Path(sys.argv[1]))
print("closed" if "close" in app.calls else "left open")
sys.exit(code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no polite kill")
def test_a_signal_closes_window_and_library(tmp_path: Path) -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", _FIRST_START, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert first.stdout is not None
        assert first.stdout.readline() == "opening\n"
        first.send_signal(signal.SIGTERM)
        output, _ = first.communicate(timeout=20)
    finally:
        first.kill()
    assert (output, first.returncode) == ("closed\n", 0)


def test_the_window_process_loads_no_engine() -> None:
    """Page pictures come as bytes; a hostile file or a failed assertion never hurts the window."""
    code = "import sys, desktop_rag.ui.application, desktop_rag.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    engines = {
        "numpy", "pymupdf", "chromadb", "onnxruntime", "llama_cpp", "tokenizers", "bm25s", "lxml",
        "docx", "Stemmer",
    }  # fmt: skip
    lists = {"importlib.metadata"}  # a checkout reads them when the page About is opened
    assert not (engines | lists) & set(done.stdout.split())


def test_a_stranger_talking_nonsense_does_no_harm(
    start: Starter, qtbot: QtBot, tmp_path: Path
) -> None:
    app = with_sample_library()
    desktop = start(lambda: app)
    qtbot.waitUntil(lambda: "warm_up" in app.calls)
    for message in (
        b"hello\n",
        b"[]\n",
        b"[" * 100_000 + b"\n",
        json.dumps({"paths": 3}).encode() + b"\n",
        json.dumps({"paths": [], "page": "x"}).encode() + b"\n",
    ):
        socket = QLocalSocket()
        socket.connectToServer(single_instance.server_name(tmp_path))
        assert socket.waitForConnected(1000)
        socket.write(message)
        socket.flush()
        qtbot.waitSignal(socket.disconnected).wait()
    assert desktop.window.isVisible()
    assert not [call for call in app.calls if call.startswith("add")]


def test_chats_and_counts_are_there_before_the_library_is_open(
    start: Starter, qtbot: QtBot, tmp_path: Path
) -> None:
    app = with_sample_chats(with_sample_library())
    database = Database(DataDir(tmp_path).database)
    chats = Conversations(database)
    for title in ("Leases", "Invoices"):
        chats.begin(title)
    fill_library(database, FakeIndex(), [read_document("Words of a file.")])
    database.close()
    gate = threading.Event()
    desktop = start(lambda: (gate.wait(10), app)[1])
    sidebar = desktop.window.sidebar
    qtbot.waitUntil(lambda: sidebar.history.model.rowCount() == 2)
    assert sidebar.counts.text().startswith("1 file")
    wanted = next(iter(app.chats))
    desktop.window.session.open(wanted)
    gate.set()
    qtbot.waitUntil(lambda: desktop.window.session.conversation == wanted)
    qtbot.waitUntil(lambda: bool(desktop.window.chat.messages.count))
    qtbot.waitUntil(lambda: not sidebar.counts.text().startswith("1 file"))


def test_the_window_is_on_screen_before_what_it_is_for_is_imported() -> None:
    """Every module of storage and services that the window imports delays its first frame."""
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, desktop_rag.ui.application\nprint(*sys.modules)",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    kinds = ("desktop_rag.app", "desktop_rag.services.", "desktop_rag.storage.")
    found = {name for name in told if name.startswith(kinds)}
    assert found <= {"desktop_rag.services.bus"}
    late = ("desktop_rag.ui.library.library_page", "desktop_rag.ui.viewer.viewer_panel")
    later = ("desktop_rag.ui.preferences.page", "PySide6.QtNetwork", "pyqtgraph", "sqlite3")
    assert not {*late, *later} & set(told)
