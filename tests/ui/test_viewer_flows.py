"""Around the cited place: on to the next, searching, zooming, and what can go wrong with a file."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import os
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QAbstractSlider, QFileDialog, QLineEdit, QTabBar, QToolButton
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.errors import RoleUnavailable
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.viewer import external, motion
from desktop_rag.ui.viewer.page_canvas import Fit
from desktop_rag.ui.viewer.text_view import TextView
from desktop_rag.ui.viewer.viewer_panel import ViewerPanel
from tests.helpers.documents import filler, make_pdf, make_text
from tests.ui.viewing import cite, docs, library, read, reader, viewed

__all__ = ["docs", "library", "reader", "viewed"]

PAGES = [f"Page {number} speaks of pumps.\nA valve is on page {number}." for number in range(1, 9)]
TEXT = "\n\n".join([filler(80, seed=1), "The first quote stands here.", *(
    filler(80, seed=seed) for seed in range(2, 14)
), "The second quote stands there.", filler(40, seed=3)])  # fmt: skip


@pytest.fixture
def pdf(library: App, docs: Path) -> Path:
    path = make_pdf(docs / "pumps.pdf", PAGES)
    read(library, path)
    return path


@pytest.fixture
def note(library: App, docs: Path) -> Path:
    path = make_text(docs / "note.txt", TEXT)
    read(library, path)
    return path


def on_page(window: MainWindow, qtbot: QtBot, page: int) -> None:
    view = window.viewer.body.pages.view
    qtbot.waitUntil(
        lambda: view.isVisible() and view.page == page and view.is_at_rest, timeout=9000
    )


def open_first(window: MainWindow, app: App) -> None:
    """As a click in the library does."""
    file = app.files()[0]
    window.show_document(file)


# ------------------------------------------------------------------ citations


def test_citations_of_an_answer_are_walked_through(
    library: App, viewed: MainWindow, qtbot: QtBot, pdf: Path, note: Path
) -> None:
    places = (
        cite(library, pdf, "A valve is on page 2.", 1),
        cite(library, note, "The first quote stands here.", 2),
        cite(library, note, "The second quote stands there.", 3),
    )
    viewer, bar = viewed.viewer, viewed.viewer.place_bar
    viewed.columns.open_viewer()
    viewer.open_place(places[0], places)
    on_page(viewed, qtbot, 2)
    assert bar.count.text() == "Citation 1 of 3"
    assert not bar.previous.isEnabled()
    qtbot.mouseClick(bar.next, Qt.MouseButton.LeftButton)
    text = viewer.body.texts.view
    qtbot.waitUntil(lambda: text.marked_text() == "The first quote stands here.")
    top = text.verticalScrollBar().value()
    qtbot.keyClick(viewed, Qt.Key.Key_F3)
    qtbot.waitUntil(lambda: text.marked_text() == "The second quote stands there.")
    qtbot.waitUntil(text.is_mark_in_view)
    assert text.verticalScrollBar().value() > top
    assert (bar.count.text(), bar.next.isEnabled()) == ("Citation 3 of 3", False)
    qtbot.keyClick(viewed, Qt.Key.Key_F3)
    assert bar.count.text() == "Citation 3 of 3"
    qtbot.keyClick(viewed, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(viewed, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    on_page(viewed, qtbot, 2)


def test_the_quote_is_copied_and_asked_about(
    library: App, viewed: MainWindow, qtbot: QtBot, note: Path
) -> None:
    viewed.show_place(cite(library, note, "The first quote stands here."))
    bar = viewed.viewer.place_bar
    qtbot.waitUntil(viewed.viewer.head.open_button.isEnabled)
    assert (bar.count.text(), bar.next.isVisible()) == ("Cited passage", False)
    bar.copy.click()
    assert QGuiApplication.clipboard().text() == "The first quote stands here."
    with qtbot.waitSignal(viewed.viewer.ask_requested) as asked:
        bar.ask.click()
    assert asked.args == ["The first quote stands here.", str(note)]
    composer = viewed.chat.composer
    assert composer.edit.toPlainText() == "“The first quote stands here.”\n"
    assert composer.edit.hasFocus()
    qtbot.waitUntil(lambda: viewed.session.scope.choice.paths == (str(note),))


def test_a_mark_lights_up_once_unless_the_desktop_stands_still(
    library: App, viewed: MainWindow, qtbot: QtBot, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    citation = cite(library, note, "The second quote stands there.")
    flash = viewed.viewer.body.texts.view.flash
    with qtbot.waitSignal(flash.changed):
        viewed.show_place(citation)
    qtbot.waitUntil(lambda: flash.strength == 0, timeout=3000)

    monkeypatch.setattr(motion, "is_welcome", lambda _: False)
    flash.begin()
    qtbot.wait(30)
    assert flash.strength == 0


def test_a_place_near_by_is_glided_to_unless_the_desktop_stands_still(
    library: App, viewed: MainWindow, qtbot: QtBot, pdf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewed.show_place(cite(library, pdf, "A valve is on page 1."))
    on_page(viewed, qtbot, 1)
    bar = viewed.viewer.body.pages.view.verticalScrollBar()
    assert motion.is_welcome(viewed.viewer.body.pages.view)
    viewed.viewer.body.turn(1)
    assert bar.value() == 0
    on_page(viewed, qtbot, 2)
    there = bar.value()
    assert there > 0
    monkeypatch.setattr(motion, "is_welcome", lambda _: False)
    viewed.viewer.body.turn(-1)
    assert bar.value() == 0


# ------------------------------------------------------------------ searching


def test_searching_pages_marks_all_places_and_steps(
    library: App, viewed: MainWindow, qtbot: QtBot, pdf: Path
) -> None:
    viewed.show_place(cite(library, pdf, "A valve is on page 3."))
    on_page(viewed, qtbot, 3)
    body = viewed.viewer.body
    body.pages.view.setFocus()
    qtbot.keyClick(body.pages.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert body.find_bar.edit.hasFocus()
    qtbot.keyClicks(body.find_bar.edit, "VALVE is")
    qtbot.waitUntil(lambda: body.find_bar.count.text() == "3 of 8")
    qtbot.waitUntil(lambda: bool(body.pages.view.hit_rects()))
    mark, hit = body.pages.view.highlight_rects()[0], body.pages.view.hit_rects()
    assert any(rect.center().y() == pytest.approx(mark.center().y(), abs=2) for rect in hit)
    qtbot.keyClick(body.find_bar.edit, Qt.Key.Key_Return)
    on_page(viewed, qtbot, 4)
    qtbot.keyClick(viewed, Qt.Key.Key_F3)
    qtbot.waitUntil(lambda: body.find_bar.count.text() == "5 of 8")
    qtbot.keyClick(body.find_bar.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert body.find_bar.count.text() == "4 of 8"
    body.find_bar.edit.clear()
    qtbot.keyClicks(body.find_bar.edit, "absent")
    qtbot.waitUntil(lambda: body.find_bar.count.text() == "Not found")
    assert not body.find_bar.next.isEnabled()
    qtbot.keyClick(body.find_bar.edit, Qt.Key.Key_Escape)
    assert not body.find_bar.isVisible()
    assert viewed.viewer.isVisible()
    assert body.pages.view.hit_rects() == []


def test_where_there_is_no_document_nothing_is_said_to_be_missing_in_it(
    library: App, viewed: MainWindow, qtbot: QtBot, note: Path
) -> None:
    gone = cite(library, note, library._catalog.text(library.files()[0].id)[:12])
    viewed.show_document(library.files()[0])
    body = viewed.viewer.body
    qtbot.waitUntil(lambda: not body.is_state_shown)
    body.find_bar.begin("absent")
    qtbot.waitUntil(lambda: body.find_bar.count.text() == "Not found")
    library.remove([note])
    viewed.show_place(gone)
    qtbot.waitUntil(lambda: body.is_state_shown)
    assert body.find_bar.count.text() == ""


def test_searching_a_text_and_what_is_selected(
    library: App, viewed: MainWindow, qtbot: QtBot, note: Path
) -> None:
    viewed.show_place(cite(library, note, "The first quote stands here."))
    view = viewed.viewer.body.texts.view
    qtbot.waitUntil(lambda: view.marked_text() != "")
    view.setTextCursor(view.document().find("quote stands"))
    assert viewed.viewer.body.selection_bar.isVisible()
    viewed.viewer.head.find_button.click()
    bar = viewed.viewer.body.find_bar
    assert bar.edit.text() == "quote stands"
    qtbot.waitUntil(lambda: bar.count.text() == "1 of 2")
    bar.next.click()
    qtbot.waitUntil(lambda: bar.count.text() == "2 of 2")
    second = view.document().find("second quote stands")
    qtbot.waitUntil(lambda: view.viewport().rect().intersects(view.cursorRect(second)))
    marked = [one.cursor.selectedText() for one in view.extraSelections()]
    assert marked.count("quote stands") == 3  # two places, and the one that was stepped to


# ------------------------------------------------------------------ pages


def test_pages_are_chosen_zoomed_and_seen_small(
    library: App, viewed: MainWindow, qtbot: QtBot, pdf: Path
) -> None:
    viewed.show_place(cite(library, pdf, "A valve is on page 1."))
    on_page(viewed, qtbot, 1)
    body, bar, view = viewed.viewer.body, viewed.viewer.body.page_bar, viewed.viewer.body.pages.view
    bar.number.setFocus()
    bar.number.selectAll()
    qtbot.keyClicks(bar.number, "6")
    qtbot.keyClick(bar.number, Qt.Key.Key_Return)
    on_page(viewed, qtbot, 6)
    bar.fits["page"].trigger()
    assert bar.fits["page"].isChecked()
    page = view.page_rect(6)
    assert page.height() <= view.viewport().height()
    bar.percent_requested.emit(200)
    assert bar.zoom.text() == "200 %"
    before = view.place_at(QPointF(100, 300))
    turn_wheel(view, QPoint(100, 300))
    after = view.place_at(QPointF(100, 300))
    assert view.percent == 250
    assert before is not None
    assert after is not None
    assert after[0] == before[0]
    assert after[1].x() == pytest.approx(before[1].x(), abs=1)
    assert after[1].y() == pytest.approx(before[1].y(), abs=1)
    qtbot.keyClick(view, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert view.fit is Fit.WIDTH
    bar.buttons["thumbnails"].click()
    small = body.pages.thumbnails
    qtbot.waitUntil(lambda: small.pictures.picture(6) is not None, timeout=9000)
    rect = small.visualRect(small.model().index(4, 0))
    qtbot.mouseClick(small.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    on_page(viewed, qtbot, 5)
    assert small.currentIndex().row() == 4


def turn_wheel(view: object, at: QPoint) -> None:
    event = QWheelEvent(
        QPointF(at), QPointF(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    view.wheelEvent(event)  # type: ignore[attr-defined]


def test_keys_scroll_pages_and_the_text_of_a_page_is_read_aloud(
    library: App, viewed: MainWindow, qtbot: QtBot, pdf: Path
) -> None:
    viewed.show_place(cite(library, pdf, "A valve is on page 1."))
    on_page(viewed, qtbot, 1)
    view = viewed.viewer.body.pages.view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_End)
    on_page(viewed, qtbot, 8)
    described = QAccessible.queryAccessibleInterface(view).text(QAccessible.Text.Description)
    assert "page 8" in described
    qtbot.keyClick(view, Qt.Key.Key_Home)
    on_page(viewed, qtbot, 1)
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert view.verticalScrollBar().value() > 0


def test_pictures_stay_within_their_bound(
    library: App, viewed: MainWindow, qtbot: QtBot, pdf: Path
) -> None:
    viewed.show_place(cite(library, pdf, "A valve is on page 1."))
    on_page(viewed, qtbot, 1)
    view = viewed.viewer.body.pages.view
    one = view.pictures.picture(1)
    assert one is not None
    view.pictures._max_bytes = 3 * one.sizeInBytes()
    for page in range(1, 9):
        view.turn_to(page)
        on_page(viewed, qtbot, page)
        assert view.pictures.held_bytes <= 3 * one.sizeInBytes()


# ------------------------------------------------------------------ files


def test_a_file_that_is_gone_is_shown_as_text_and_found_again(
    library: App,
    viewed: MainWindow,
    qtbot: QtBot,
    pdf: Path,
    docs: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quote = "A valve is on page 5."
    citation = cite(library, pdf, quote)
    elsewhere = docs.parent / "elsewhere"
    elsewhere.mkdir()
    moved = pdf.rename(elsewhere / "moved.pdf")
    viewed.show_place(citation)
    body, notes = viewed.viewer.body, viewed.viewer.notes
    qtbot.waitUntil(notes.isVisible)
    assert "not at its place" in notes.notice.sentence.text()
    assert body.stack.currentWidget() is body.texts
    assert body.texts.view.marked_text() == quote
    library.remove([pdf])
    viewed.show_place(citation)
    qtbot.waitUntil(lambda: body.is_state_shown and body.state.quote.text() == f"“{quote}”")
    assert not notes.isVisible()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(moved), ""))
    (find,) = body.state.buttons
    assert find.text() == "Find it…"
    qtbot.mouseClick(find, Qt.MouseButton.LeftButton)
    on_page(viewed, qtbot, 5)
    assert viewed.viewer.head.subtitle.text() == str(moved)
    assert body.pages.view.highlight_rects()


def test_a_file_that_is_still_read_opens_when_it_is_there(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path
) -> None:
    library.pause_indexing()
    path = make_text(docs / "late.txt", TEXT)
    library.add([path])
    qtbot.waitUntil(lambda: bool(library.files()))
    open_first(viewed, library)
    body = viewed.viewer.body
    qtbot.waitUntil(lambda: "still being read" in body.state.sentence.text())
    assert body.is_state_shown
    library.resume_indexing()
    library.start_indexing()
    qtbot.waitUntil(lambda: body.stack.currentWidget() is body.texts, timeout=9000)


def test_a_file_that_needs_a_password_says_so(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path
) -> None:
    library.add([make_pdf(docs / "secret.pdf", ["Secret."], password="x")])
    library.start_indexing()
    assert library.wait_until_indexed(20)
    open_first(viewed, library)
    body = viewed.viewer.body
    qtbot.waitUntil(lambda: "password" in body.state.sentence.text())
    assert [button.text() for button in body.state.buttons] == ["Retry", "Open in its own program"]
    body.state.buttons[0].click()
    qtbot.waitUntil(lambda: library.wait_until_indexed(0.01), timeout=9000)
    qtbot.waitUntil(lambda: "password" in body.state.sentence.text())


def test_a_reader_that_breaks_is_started_again(
    library: App,
    viewed: MainWindow,
    qtbot: QtBot,
    pdf: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw = library.render_page
    restarted: list[str] = []

    def fail(*_: object) -> None:
        raise RoleUnavailable("The page viewer crashed repeatedly. Try again then.")

    monkeypatch.setattr(library, "render_page", fail)
    monkeypatch.setattr(library, "restart_engine", restarted.append)
    quote = "A valve is on page 2."
    viewed.show_place(cite(library, pdf, quote))
    body = viewed.viewer.body
    qtbot.waitUntil(lambda: "crashed repeatedly" in body.state.sentence.text())
    retry, as_text = body.state.buttons
    as_text.click()
    assert body.texts.view.marked_text() == quote
    body.page_bar.buttons["text"].click()
    qtbot.waitUntil(lambda: body.is_state_shown or body.stack.currentWidget() is body.pages)
    monkeypatch.setattr(library, "render_page", draw)
    body._draw_again(RoleUnavailable("Try again then."))
    on_page(viewed, qtbot, 2)
    assert restarted == ["view"]
    assert retry is not None


def test_a_reader_that_is_back_late_leaves_another_document_alone(
    library: App,
    viewed: MainWindow,
    qtbot: QtBot,
    pdf: Path,
    note: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = threading.Event()
    monkeypatch.setattr(library, "restart_engine", lambda _role: gate.wait(5))
    body = viewed.viewer.body
    viewed.show_place(cite(library, pdf, "A valve is on page 2."))
    on_page(viewed, qtbot, 2)
    body._draw_again(RoleUnavailable("Try again then."))
    read(library, note)
    viewed.show_document(next(one for one in library.files() if one.path == str(note)))
    qtbot.waitUntil(lambda: body.stack.currentWidget() is body.texts)
    gate.set()
    qtbot.wait(50)  # what is not to come
    assert body.stack.currentWidget() is body.texts


def test_the_folder_and_the_program_are_opened_outside(
    library: App,
    viewed: MainWindow,
    qtbot: QtBot,
    note: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[tuple[str, Path]] = []

    def note_down(name: str, path: Path) -> bool:
        opened.append((name, path))
        return True

    for name in ("open_file", "show_in_folder"):
        monkeypatch.setattr(external, name, partial(note_down, name))
    viewed.show_place(cite(library, note, "The first quote stands here."))
    head = viewed.viewer.head
    qtbot.waitUntil(head.open_button.isEnabled)
    head.open_button.click()
    head.folder_button.click()
    qtbot.waitUntil(lambda: len(opened) == 2)
    assert sorted(opened) == [("open_file", note), ("show_in_folder", note)]
    head.copy_path.trigger()
    assert QGuiApplication.clipboard().text() == str(note)


def test_a_document_that_is_read_again_keeps_its_mark(
    library: App, viewed: MainWindow, qtbot: QtBot, note: Path
) -> None:
    quote = "The second quote stands there."
    viewed.show_place(cite(library, note, quote))
    view = viewed.viewer.body.texts.view
    qtbot.waitUntil(lambda: view.marked_text() == quote)
    make_text(note, f"A new beginning of the note.\n\n{TEXT}")
    os.utime(note, ns=(1, 1))
    library.start_indexing()
    assert library.wait_until_swept(9)
    assert library.wait_until_indexed(20)
    qtbot.waitUntil(lambda: view.length > len(TEXT), timeout=9000)
    assert view.marked_text() == quote
    assert "still stands" in viewed.viewer.notes.notice.sentence.text()


# ------------------------------------------------------------------ large and far


def test_a_long_text_is_laid_out_where_it_is_read(qtbot: QtBot, theme: Theme) -> None:
    paragraph = filler(60)
    text = "\n\n".join(f"{number}. {paragraph}" for number in range(20_000))
    view = TextView(theme)
    qtbot.addWidget(view)
    view.resize(500, 700)
    view.show()
    start = text.index("15000. ")
    view.show_text(text, (), (start, start + 6))
    assert view.marked_text() == "15000."
    assert view.document().characterCount() < 60_000
    first, last = view.window_span
    assert first < start < last
    bar = view.verticalScrollBar()
    qtbot.waitUntil(view.is_mark_in_view)

    def is_beyond() -> bool:
        """Qt may still be laying out what is below: the end is where it ends by then."""
        bar.triggerAction(QAbstractSlider.SliderAction.SliderToMaximum)
        return view.window_span[0] > last

    qtbot.waitUntil(is_beyond)
    assert view.document().characterCount() < 60_000
    bar.triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
    qtbot.waitUntil(lambda: bar.value() > 0)
    view.scroll_to_offset(len(text) - 10)
    assert view.window_span[1] == len(text)


def test_right_to_left_text_runs_from_the_right(qtbot: QtBot, theme: Theme) -> None:
    text = "مرحبا بالعالم، هذه فقرة عربية.\n\nAn English paragraph."
    view = TextView(theme)
    qtbot.addWidget(view)
    view.resize(500, 300)
    view.show()
    view.show_text(text, (), (0, 5))
    arabic, english = view.document().find("مرحبا"), view.document().find("English")
    assert arabic.block().textDirection() is Qt.LayoutDirection.RightToLeft
    assert english.block().textDirection() is Qt.LayoutDirection.LeftToRight
    assert view.cursorRect(arabic).x() > view.width() / 2
    assert view.marked_text() == "مرحبا"


def test_every_control_of_the_viewer_has_a_name(viewed: MainWindow) -> None:
    panel: ViewerPanel = viewed.viewer
    buttons = panel.findChildren(QToolButton)
    of_qt = (QLineEdit, QTabBar)
    own = [one for one in buttons if not isinstance(one.parent(), of_qt)]
    assert len(own) > 15
    assert [one.toolTip() for one in own if not one.accessibleName()] == []


def test_another_place_of_one_document_only_moves(
    library: App, viewed: MainWindow, qtbot: QtBot, pdf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    citation = cite(library, pdf, "A valve is on page 2.")
    viewed.show_place(citation)
    on_page(viewed, qtbot, 2)
    view = viewed.viewer.body.pages.view
    picture = view.pictures.picture(2)
    viewed.show_place(replace(cite(library, pdf, "Page 2 speaks of pumps."), number=2))
    qtbot.waitUntil(lambda: len(view.highlight_rects()) == 1 and view.is_at_rest)
    assert view.pictures.picture(2) is picture
