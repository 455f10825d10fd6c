"""Adding, watching, retrying and removing files."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QElapsedTimer, QMimeData, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QDropEvent, QFont, QFontMetrics
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from desktop_rag.domain.documents import Coverage, DocumentId
from desktop_rag.domain.events import (
    EngineState,
    IndexingPaused,
    IndexingProgress,
    WatchingChanged,
)
from desktop_rag.domain.library import DropKind, Dropped, FileState, Intake, LibraryFile
from desktop_rag.ui.library.file_delegate import fitting as _fitting
from desktop_rag.ui.library.file_filter import Order
from desktop_rag.ui.library.file_words import facts as _facts
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.models.files import FILE_ROLE, rows_of
from desktop_rag.ui.models.places import PlaceKind
from tests.helpers.fake_app import FakeApp, drag_enter

Opener = Callable[[FakeApp], MainWindow]


def drop(window: MainWindow, *paths: Path) -> None:
    """What a file manager sends, through the widget under the pointer."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    enter = drag_enter(data)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    assert window.overlay.isVisible()
    assert paths[0].name in window.overlay.heading
    window.overlay.grab()
    QApplication.sendEvent(window, QDropEvent(QPointF(700, 400), action, data, left, none))
    assert not window.overlay.isVisible()


def rows(window: MainWindow) -> list[str]:
    model = window.library.model
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def row_rect(window: MainWindow, name: str) -> QRect:
    model = window.library.model
    index = model.index(rows(window).index(name), 0)
    window.library.list.scrollTo(index)
    return window.library.list.visualRect(index)


def open_library(window: MainWindow, qtbot: QtBot) -> None:
    window.show_library()
    qtbot.waitUntil(lambda: window.library.list.isVisible() and bool(rows(window)))


def test_first_run_invites_and_a_dropped_folder_becomes_searchable(
    open_window: Opener, empty_app: FakeApp, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(empty_app)
    assert window.chat.first_run.isVisible()
    folder = tmp_path / "papers"
    folder.mkdir()
    for name in ("a.txt", "b.md"):
        (folder / name).write_text("words")
    drop(window, folder)
    qtbot.waitUntil(lambda: "2 files" in window.sidebar.counts.text(), timeout=3000)
    qtbot.waitUntil(lambda: all(f.state is FileState.READY for f in empty_app.library))
    assert window.chat.empty_chat.isVisible()
    assert [one.name for one in window.library.places_model.folders()] == [str(folder)]


def test_nothing_can_be_asked_before_a_file_is_there(
    open_window: Opener, empty_app: FakeApp, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(empty_app)
    composer = window.chat.composer
    composer.edit.setPlainText("What is the deposit?")
    composer.send()
    assert composer.edit.toPlainText() == "What is the deposit?"
    assert not composer.button.isEnabled()
    assert "Add documents" in composer.edit.placeholderText()
    (tmp_path / "lease.md").write_text("words")
    window.add_paths([tmp_path])
    qtbot.waitUntil(composer.button.isEnabled)


def test_text_widgets_leave_dropped_files_to_the_window(window: MainWindow, tmp_path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    enter = drag_enter(data)
    window.chat.composer.edit.dragEnterEvent(enter)
    assert not enter.isAccepted()
    assert not window.library.search.acceptDrops()
    assert not window.viewer.body.texts.view.acceptDrops()


def test_a_path_that_cannot_be_added_is_named(window: MainWindow, qtbot: QtBot) -> None:
    window.add_paths([Path("/nowhere/gone.pdf")])
    qtbot.waitUntil(window.notice.isVisible)
    assert "gone.pdf" in window.notice.sentence.text()
    qtbot.mouseClick(window.notice.close_button, Qt.MouseButton.LeftButton)
    assert not window.notice.isVisible()


@pytest.mark.qt_log_ignore("does not support propagateSizeHints")
def test_the_dialogs_add_what_is_chosen(
    window: MainWindow, app: FakeApp, qtbot: QtBot, tmp_path: Path
) -> None:
    chosen = tmp_path / "one.txt"
    chosen.write_text("words")
    qtbot.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.filesSelected.emit([str(chosen)])
    dialog.close()
    qtbot.waitUntil(lambda: "add one.txt" in app.calls)


def test_progress_names_the_file_and_the_counts(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    open_library(window, qtbot)
    app.bus.publish(IndexingProgress(4, 9, 1, "/home/ada/policy.pdf", 75.0))
    strip = window.library.progress
    qtbot.waitUntil(lambda: strip.name.text() == "Reading policy.pdf")
    assert strip.counts.text() == "4 of 9 · 1 failed · about 1 minute left"
    assert (strip.bar.value(), strip.bar.maximum()) == (5, 9)
    assert window.sidebar.progress.isVisible()
    app.bus.publish(IndexingProgress(8, 9, 1, ""))
    qtbot.waitUntil(lambda: not strip.isVisible())


def test_the_line_stays_while_a_question_is_answered(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    open_library(window, qtbot)
    path = "/home/ada/policy.pdf"
    speeds = IndexingProgress(4, 9, 0, path, 75.0, files_per_minute=84.4, pages_per_second=3.26)
    app.bus.publish(speeds)
    strip = window.library.progress
    qtbot.waitUntil(lambda: "files/min" in strip.counts.text())
    assert strip.counts.text() == "4 of 9 · 84 files/min · 3.3 pages/s · about 1 minute left"
    app.bus.publish(replace(speeds, is_yielding=True))
    card = window.sidebar.progress
    qtbot.waitUntil(lambda: strip.name.text() == "Paused while answering")
    qtbot.waitUntil(lambda: card.name.text() == "Paused while answering")
    assert strip.isVisible()
    assert card.isVisible()
    assert strip.counts.text() == "4 of 9"
    window.refresh_library()
    qtbot.wait(200)
    assert strip.isVisible()
    app.bus.publish(speeds)
    qtbot.waitUntil(lambda: strip.name.text() == "Reading policy.pdf")


def test_a_pause_says_what_to_do(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    app.bus.publish(IndexingPaused("The disk is full; free some space to go on."))
    qtbot.waitUntil(window.notice.isVisible)
    assert "disk is full" in window.notice.sentence.text()


def test_a_limit_of_watching_is_told_in_the_window(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.bus.publish(WatchingChanged("Changes in /share are seen every 10 minutes only."))
    qtbot.waitUntil(window.notice.isVisible)
    assert "every 10 minutes" in window.notice.sentence.text()


def test_recognition_names_the_page_and_moves_the_bar(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    open_library(window, qtbot)
    strip = window.library.progress
    app.bus.publish(IndexingProgress(4, 5, 0, "/home/ada/scan.pdf", 90.0, 3, 40, 38))
    qtbot.waitUntil(lambda: strip.name.text() == "Recognising page 3 of 40 of scan.pdf")
    assert (strip.bar.value(), strip.bar.maximum()) == (4 * 40 + 2, 5 * 40)
    app.bus.publish(IndexingProgress(4, 5, 0, "/home/ada/photo.jpg", 2.0, 1, 1, 1))
    qtbot.waitUntil(lambda: strip.name.text() == "Recognising text in photo.jpg")


def test_indexing_is_paused_and_resumed(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    open_library(window, qtbot)
    strip = window.library.progress
    app.bus.publish(IndexingProgress(4, 9, 0, "/home/ada/policy.pdf"))
    qtbot.waitUntil(strip.pause.isVisible)
    assert not window.sidebar.progress.pause.isVisible()
    qtbot.mouseClick(strip.pause, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: strip.pause.text() == "Resume")
    assert strip.name.text() == "Indexing is paused."
    assert not window.notice.isVisible(), "who pressed the button knows"
    qtbot.mouseClick(strip.pause, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: strip.pause.text() == "Pause")
    assert [call for call in app.calls if call in ("pause", "resume")] == ["pause", "resume"]


def test_pages_that_wait_are_counted(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    coverage = Coverage(pages=40, read=28, waiting=tuple(range(1, 13)))
    app.library[0] = replace(app.library[0], coverage=coverage)
    window.refresh_library()
    open_library(window, qtbot)
    qtbot.waitUntil(
        lambda: window.library.head.summary.text().endswith("12 pages waiting for text recognition")
    )
    assert _facts(app.library[0])[0] == "12 of 40 pages wait for text recognition"
    name = Path(app.library[0].path).name
    index = window.library.list.indexAt(row_rect(window, name).center())
    assert "12 of 40 pages wait" in index.data(Qt.ItemDataRole.ToolTipRole)
    queued = replace(app.library[0], state=FileState.QUEUED, coverage=Coverage(1, waiting=(1,)))
    assert _facts(queued) == ["Waits for text recognition"]


def test_what_was_left_out_is_shown_on_request(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    left_out = replace(
        app.library[0],
        id=DocumentId(-1),
        path="/home/ada/film.mp4",
        state=FileState.SKIPPED,
        failure="There is no reader for this kind of file.",
    )
    app.skipped.append(left_out)
    window.refresh_library()
    open_library(window, qtbot)
    qtbot.waitUntil(window.library.filters.left_out.isVisible)
    assert window.library.filters.left_out.text() == "1 left out"
    assert "film.mp4" not in rows(window)
    window.library.filters.left_out.click()
    qtbot.waitUntil(lambda: rows(window) == ["film.mp4"])
    window.grab()
    index = window.library.list.indexAt(row_rect(window, "film.mp4").center())
    assert "no reader" in index.data(Qt.ItemDataRole.ToolTipRole)
    texts = [action.text() for action in window.library.list.menu_for([left_out]).actions()]
    assert "Remove from library" not in texts
    window.library.filters.left_out.click()
    assert "film.mp4" not in rows(window)


def test_a_worker_that_gave_up_is_named(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    app.bus.publish(EngineState("index", "unavailable", "Search is off for some minutes."))
    qtbot.waitUntil(window.notice.isVisible)
    assert window.notice.sentence.text() == "Search is off for some minutes."


def test_a_failed_file_shows_its_reason_and_can_be_tried_again(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    open_library(window, qtbot)
    rect = row_rect(window, "statement-march.pdf")
    tip = window.library.list.indexAt(rect.center()).data(Qt.ItemDataRole.ToolTipRole)
    assert "needs a password" in tip
    button = window.library.delegate.retry_rect(rect)
    qtbot.mouseClick(window.library.list.viewport(), Qt.MouseButton.LeftButton, pos=button.center())
    qtbot.waitUntil(lambda: "retry 7" in app.calls)
    qtbot.waitUntil(
        lambda: window.library.list.indexAt(rect.center()).data(FILE_ROLE).state is FileState.READY,
        timeout=3000,
    )


def test_a_failed_file_can_be_removed(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    open_library(window, qtbot)
    button = window.library.delegate.remove_rect(row_rect(window, "scan-0007.pdf"))
    qtbot.mouseClick(window.library.list.viewport(), Qt.MouseButton.LeftButton, pos=button.center())
    assert "scan-0007.pdf" not in rows(window)
    assert window.undo_bar.sentence.text() == "Removed scan-0007.pdf from the library."
    assert not any(call.startswith("remove") for call in app.calls), "it can be taken back"
    window.undo_bar.button.click()
    assert "scan-0007.pdf" in rows(window)


def test_all_failures_are_retried_at_once(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    open_library(window, qtbot)
    assert window.library.filters.problems.text() == "3 problems"
    window.library.filters.problems.click()
    qtbot.mouseClick(window.library.problems_panel.retry_all, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: any(call.startswith("retry") for call in app.calls))
    retried = next(call for call in app.calls if call.startswith("retry"))
    assert set(retried.split()[1:]) == {"7", "8", "9"}


def test_files_are_found_and_problems_filtered(window: MainWindow, qtbot: QtBot) -> None:
    open_library(window, qtbot)
    window.library.search.setText("LEASE 20")
    qtbot.waitUntil(lambda: rows(window) == ["Lease 2024.docx"])
    window.library.search.clear()
    window.library.filters.problems.click()
    qtbot.waitUntil(lambda: len(rows(window)) == 3)


def test_delete_removes_the_marked_file(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    open_library(window, qtbot)
    view = window.library.list
    view.setCurrentIndex(window.library.model.index(rows(window).index("Lease 2024.docx"), 0))
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert "Lease 2024.docx" not in rows(window)
    window.undo_bar.settle()
    qtbot.waitUntil(lambda: "remove Lease 2024.docx" in app.calls)


def test_a_folder_is_removed_with_its_files(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    open_library(window, qtbot)
    places = window.library.places
    places.choose(PlaceKind.FOLDER, "/home/ada/Contracts")
    qtbot.keyClick(places, Qt.Key.Key_Delete)
    window.library.places.choose(PlaceKind.ALL)
    assert "Lease 2024.docx" not in rows(window)
    assert len(window.library.places_model.folders()) == 2
    window.undo_bar.settle()
    qtbot.waitUntil(lambda: "remove Contracts" in app.calls)
    qtbot.waitUntil(lambda: len(app.sources) == 2)


def test_a_ready_file_opens_in_the_viewer(window: MainWindow, qtbot: QtBot) -> None:
    open_library(window, qtbot)
    name = "Coffee machine guide.pdf"
    window.library.list.activated.emit(window.library.model.index(rows(window).index(name), 0))
    qtbot.waitUntil(lambda: window.viewer.body.page_bar.number.text() == "i")
    assert window.viewer.body.pages.view.highlight_rects() == []


def test_what_is_there_already_is_said_quietly(
    window: MainWindow, app: FakeApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Dropped("/home/ada/Manuals", DropKind.ALREADY, sentence="That is there already.")
    monkeypatch.setattr(app.receiving, "look_at", lambda *_: Intake((there,)))
    window.add_paths([Path("/home/ada/Manuals")])
    qtbot.waitUntil(window.notice.isVisible)
    assert "already" in window.notice.sentence.text()
    assert window.notice.property("kind") == "info"
    window.notices.timer.setInterval(0)
    window.notices.timer.start()
    qtbot.waitUntil(lambda: not window.notice.isVisible())


def menu_texts(window: MainWindow, *files: LibraryFile) -> list[str]:
    actions = window.library.list.menu_for(files).actions()
    return [action.text() for action in actions if not action.isSeparator()]


def test_the_menu_offers_what_fits_the_file(window: MainWindow, app: FakeApp) -> None:
    ready, failed = app.library[0], app.library[6]
    for_one = ["Details", "Open in its own program", "Show in folder", "Why can’t I find it?"]
    names = ["Add to collection", "Tag …"]
    assert menu_texts(window, ready) == [
        "Show text", *for_one, *names, "Read again", "Remove from library",
    ]  # fmt: skip
    assert menu_texts(window, failed) == [*for_one, *names, "Retry", "Remove from library"]
    assert menu_texts(window, ready, failed) == [*names, "Retry", "Remove from library"]


def test_rows_become_narrower_with_the_window(window: MainWindow, qtbot: QtBot) -> None:
    window.show_library()
    rows = window.library.list
    qtbot.waitUntil(lambda: rows.visualRect(window.library.model.index(0, 0)).width() > 600)
    window.resize(window.minimumSize())
    qtbot.waitUntil(
        lambda: rows.visualRect(window.library.model.index(0, 0)).width() <= rows.viewport().width()
    )


def test_facts_give_way_to_the_name_of_a_file(qtbot: QtBot) -> None:
    metrics = QFontMetrics(QFont())
    facts = ["28 pages", "111 passages", "266 KB"]
    assert _fitting(facts, metrics, 1000) == "28 pages · 111 passages · 266 KB"
    assert _fitting(facts, metrics, metrics.horizontalAdvance("28 pages · 111 passages")) == (
        "28 pages · 111 passages"
    )
    assert _fitting(facts, metrics, 10) == "28 pages"


def test_rows_on_screen_stay_where_they_are_while_files_come_and_go(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    sample = app.library[0]
    many = [
        replace(sample, id=DocumentId(1000 + n), path=f"/many/file {n:04}.pdf") for n in range(500)
    ]
    open_library(window, qtbot)
    window.library.model.replace_files(many)
    view, model = window.library.list, window.library.model
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() > 10_000)
    chosen = model.index(203)
    view.setCurrentIndex(chosen)
    view.scrollTo(chosen, view.ScrollHint.PositionAtCenter)
    top = view.visualRect(chosen).top()

    renamed = replace(many[203], path="/many/file 0203 renamed.pdf")
    above = [replace(sample, id=DocumentId(2000 + n), path=f"/a/{n}.pdf") for n in range(40)]
    window.library.model.replace_files([*above, *many[:100], *many[120:203], renamed, *many[204:]])

    assert [file.path for file in window.library.list.chosen()] == [renamed.path]
    assert view.currentIndex().data(FILE_ROLE) == renamed
    assert view.visualRect(view.currentIndex()).top() == top
    qtbot.wait(50)
    assert view.visualRect(view.currentIndex()).top() == top


def test_a_file_that_went_is_no_longer_marked(window: MainWindow, app: FakeApp) -> None:
    window.show_library()
    window.library.model.replace_files(app.files())
    view = window.library.list
    view.selectAll()
    gone = window.library.list.chosen()[2]
    window.library.model.replace_files([file for file in app.files() if file.id != gone.id])
    marked = {file.id for file in window.library.list.chosen()}
    assert marked == {file.id for file in app.library} - {gone.id}


def test_many_left_out_files_do_not_hold_up_the_window(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    sample = replace(app.library[0], id=DocumentId(0), state=FileState.SKIPPED, failure="Too big.")
    app.skipped = [replace(sample, path=f"/big/{n:05}.iso") for n in range(20_000)]
    open_library(window, qtbot)
    window.refresh_library()
    qtbot.waitUntil(window.library.filters.left_out.isVisible)
    window.library.filters.left_out.click()
    qtbot.waitUntil(lambda: window.library.model.matching == 20_000, timeout=5000)
    assert len(rows(window)) == 10_000, "the rest when somebody scrolls to it"
    found = rows_of(app.skipped, Order())  # in the background, usually
    clock = QElapsedTimer()
    clock.start()
    window.library.model.replace_skipped(found)
    window.library.search.setText("01999")
    window.library.search.returnPressed.emit()
    assert clock.elapsed() < 500
    assert rows(window) == ["01999.iso"]


def test_what_is_read_again_and_not_watched_is_said_on_the_page(
    window: MainWindow, app: FakeApp
) -> None:
    library = window.library
    library.show_status(app.status())
    assert library.head.remark.isHidden()
    library.show_status(replace(app.status(), watching="“/net” is looked at every minute."))
    assert library.head.remark.text() == "“/net” is looked at every minute."
    assert not library.head.remark.isHidden()


def test_a_screen_reader_hears_what_waits_and_what_was_noted(
    window: MainWindow, app: FakeApp
) -> None:
    waiting = replace(
        app.library[0], coverage=Coverage(pages=4, waiting=(2, 3)), notes=("No bookmarks.",)
    )
    window.library.model.replace_files([waiting])
    spoken = window.library.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("Coffee machine guide.pdf, Searchable. 2 of 4 pages wait for text")
    assert spoken.endswith("recognition. No bookmarks.")
