"""Every format opens at the cited place: real files, the real readers, the real façade.

The readers run in this process; what is asserted is what a person sees: the marked letters are
those of the citation, and they are on screen.
"""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontDatabase, QGuiApplication, QTextTable
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.viewer.viewer_body import ViewerBody
from tests.helpers.documents import (
    filler,
    make_docx,
    make_epub,
    make_opendocument,
    make_pdf,
    make_pptx,
    make_text,
    make_xlsx,
)
from tests.ui.viewing import SCANNED, cite, docs, library, read, reader, viewed

__all__ = ["docs", "library", "reader", "viewed"]

QUOTE = "The gasket must be replaced every 500 hours."


def write(kind: str, folder: Path) -> Path:
    """A file of each kind, long enough that the quote is not on its first screen."""
    path = folder / f"manual.{kind}"
    before = [filler(60, seed=seed) for seed in range(12)]
    if kind == "docx":
        return make_docx(path, ["# Pumps", *before, "## Care", QUOTE, "- one", "- two", *before])
    if kind == "odt":
        body = "".join(f"<text:p>{line}</text:p>" for line in (*before, QUOTE, *before))
        return make_opendocument(path, "text", body)
    if kind == "epub":
        page = "".join(f"<p>{line}</p>" for line in (*before, QUOTE))
        return make_epub(path, {"one.xhtml": "<p>Preface.</p>", "two.xhtml": page})
    if kind == "pptx":
        slides = [[f"Slide about {n}", *before[:4]] for n in range(6)]
        return make_pptx(path, [*slides, ["Care", QUOTE, "Something else."]])
    return make_text(path, text_of(kind, before))


def text_of(kind: str, before: Sequence[str]) -> str:
    flow = "\n\n".join(before)
    if kind == "html":
        rows = "".join(f"<p>{line}</p>" for line in before)
        return f"<h1>Pumps</h1>{rows}<h2>Care</h2><p>{QUOTE}</p>{rows}"
    if kind == "md":
        care = f"## Care\n\n- {QUOTE}\n- Then test it.\n\n```\nrun()\n```"
        return f"# Pumps\n\n{flow}\n\n{care}\n\n{flow}"
    if kind == "py":
        lines = "\n".join(f"value_{n} = {n}" for n in range(200))
        return f"{lines}\n\n# {QUOTE}\nlast = True\n"
    if kind == "rtf":
        body = r"\par ".join((*before, QUOTE, *before))
        return r"{\rtf1\ansi " + body + "}"
    if kind == "eml":
        head = "From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nSubject: Pumps\n"
        return f"{head}Date: Mon, 5 Jan 2026 10:00:00 +0000\n\n{flow}\n\n{QUOTE}\n"
    return f"{flow}\n\n{QUOTE}\n\n{flow}\n"


TEXTS = ("docx", "odt", "epub", "pptx", "html", "md", "py", "rtf", "eml", "txt")


@pytest.mark.parametrize("kind", TEXTS)
def test_a_text_opens_at_the_quote_with_exactly_its_letters_marked(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path, kind: str
) -> None:
    path = write(kind, docs)
    read(library, path)
    citation = cite(library, path, QUOTE)
    viewed.show_place(citation)
    view = viewed.viewer.body.texts.view
    qtbot.waitUntil(lambda: view.marked_text() == QUOTE)
    qtbot.waitUntil(view.is_mark_in_view)
    assert viewed.viewer.body.stack.currentWidget() is viewed.viewer.body.texts
    assert view.verticalScrollBar().value() > 0
    assert is_painted(viewed.viewer.body, viewed._theme)


def is_painted(body: ViewerBody, theme: Theme) -> bool:
    """Whether the ground of a citation is anywhere in the picture."""
    body.texts.view.flash._animation.stop()
    body.texts.view.flash._on_value(0.0)
    picture = body.texts.view.viewport().grab().toImage()
    marker = theme.color("highlight_text").rgb()
    return any(
        picture.pixel(x, y) == marker
        for x in range(0, picture.width(), 3)
        for y in range(0, picture.height(), 3)
    )


def test_markdown_is_drawn_with_headings_lists_tables_and_code(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path
) -> None:
    table = "| Part | Hours |\n|---|---|\n| Gasket | 500 |\n| Valve | 900 |\n"
    path = make_text(
        docs / "a.md", f"# Pumps\n\nText.\n\n- one\n- two\n\n{table}\n```\nx = 1\n```\n"
    )
    read(library, path)
    viewed.show_place(cite(library, path, "Gasket | 500"))
    view = viewed.viewer.body.texts.view
    qtbot.waitUntil(lambda: view.marked_text() == "Gasket | 500")
    document = view.document()
    heading = document.find("Pumps")
    assert heading.blockFormat().headingLevel() == 1
    assert heading.charFormat().font().pixelSize() > document.defaultFont().pixelSize()
    assert document.find("one").block().text() == "• one"
    assert document.find("one").blockFormat().indent() == 1
    code = document.find("x = 1")
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    assert code.charFormat().font().family() == fixed.family()
    assert code.blockFormat().background().color() == viewed._theme.color("raised")
    cell = document.find("Gasket").currentTable()
    assert isinstance(cell, QTextTable)
    assert (cell.rows(), cell.columns()) == (3, 2)


def test_code_has_the_numbers_of_its_lines(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path
) -> None:
    path = write("py", docs)
    read(library, path)
    viewed.show_place(cite(library, path, QUOTE))
    view = viewed.viewer.body.texts.view
    qtbot.waitUntil(lambda: view.marked_text() == QUOTE)
    assert view.numbers.isVisible()
    assert view.numbers.number_of(view.document().find(QUOTE).block()) == 202
    assert viewed.viewer.head.subtitle.text().startswith("line 202 · ")


def test_mail_has_a_head_and_lists_its_attachments(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path
) -> None:
    boundary = (
        "From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nSubject: Pumps\n"
        "Date: Mon, 5 Jan 2026 10:00:00 +0000\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary="x"\n\n--x\n\nSee the list.\n'
        '--x\nContent-Disposition: attachment; filename="parts.txt"\n\n'
        f"{QUOTE}\n--x--\n"
    )
    path = make_text(docs / "a.eml", boundary)
    read(library, path)
    viewed.show_place(cite(library, path, QUOTE))
    view = viewed.viewer.body.texts.view
    qtbot.waitUntil(lambda: view.marked_text() == QUOTE)
    head = view.document().find("Subject:").currentTable()
    assert head.cellAt(3, 1).firstCursorPosition().block().text() == "Pumps"
    assert view.document().find("Attachment").block().text() == "Attachment"
    assert view.document().find("parts.txt").block().blockFormat().headingLevel() == 1


def test_slides_are_numbered(library: App, viewed: MainWindow, qtbot: QtBot, docs: Path) -> None:
    path = write("pptx", docs)
    read(library, path)
    viewed.show_place(cite(library, path, QUOTE))
    view = viewed.viewer.body.texts.view
    qtbot.waitUntil(lambda: view.marked_text() == QUOTE)
    label = view.document().find("Slide 7").block()
    assert label.text() == "Slide 7"
    assert label.next().text() == "Care"


def test_a_workbook_is_a_grid_at_the_cited_sheet_and_row(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path
) -> None:
    rows: list[list[object]] = [["Part", "Hours"], *([f"Part {n}", n * 10] for n in range(1, 300))]
    path = make_xlsx(docs / "a.xlsx", {"Summary": [["Total", 1]], "Parts": rows})
    read(library, path)
    viewed.show_place(cite(library, path, "Part 250 | 2500"))
    grid = viewed.viewer.body.grid
    qtbot.waitUntil(grid.isVisible)
    assert grid.marked_text() == "Part 250 | 2500"
    assert grid.is_mark_in_view()
    assert [grid.tabs.tabText(n) for n in range(grid.tabs.count())] == ["Summary", "Parts"]
    assert grid.tabs.currentIndex() == 1
    current = grid.table.currentIndex()
    model = grid.model
    assert model is not None
    assert model.headerData(current.row(), Qt.Orientation.Vertical) == "251"
    assert grid.cell.text() == "Part 250"
    assert model.text(model.index(current.row(), 1)) == "2500"


def test_only_the_cited_letters_of_a_cell_are_painted(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path
) -> None:
    path = make_text(docs / "a.csv", "Part,Note\nPump,clean it twice a year\nValve,never\n")
    read(library, path)
    viewed.show_place(cite(library, path, "twice"))
    grid = viewed.viewer.body.grid
    qtbot.waitUntil(lambda: grid.isVisible() and grid.flash.strength == 0, timeout=4000)
    assert grid.marked_text() == "twice"
    grid.table.clearSelection()
    grid.table.setCurrentIndex(grid.table.model().index(2, 0))
    grid.table.clearSelection()
    cell = grid.table.visualRect(grid.table.model().index(1, 1))
    picture = grid.table.viewport().grab().toImage()
    marker = viewed._theme.color("highlight_text").rgb()
    painted = [
        x
        for x in range(cell.left(), cell.right())
        if any(picture.pixel(x, y) == marker for y in range(cell.top(), cell.bottom()))
    ]
    metrics = grid.table.fontMetrics()
    left = cell.left() + 8 + metrics.horizontalAdvance("clean it ")
    assert painted[0] == pytest.approx(left, abs=4)
    assert painted[-1] == pytest.approx(left + metrics.horizontalAdvance("twice"), abs=5)


def test_the_grid_is_walked_and_copied_by_keyboard(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path
) -> None:
    path = make_text(docs / "a.csv", "Part,Note\nPump,clean\nValve,never\n")
    read(library, path)
    viewed.show_place(cite(library, path, "Pump"))
    grid = viewed.viewer.body.grid
    qtbot.waitUntil(grid.isVisible)
    grid.table.setFocus()
    grid.table.setCurrentIndex(grid.table.model().index(1, 0))
    qtbot.keyClick(grid.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(grid.table, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(grid.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Pump\tclean\nValve\tnever"
    assert viewed.viewer.body.selection_bar.isVisible()
    with qtbot.waitSignal(viewed.viewer.ask_requested) as asked:
        viewed.viewer.body.selection_bar.ask.click()
    assert asked.args[0] == "Pump | clean\nValve | never"


def test_a_pdf_opens_at_the_line_with_a_box_around_its_ink(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path
) -> None:
    lines = [f"Line {n} of the manual." for n in range(30)]
    page = "\n".join([*lines[:20], QUOTE, *lines[20:]])
    path = make_pdf(docs / "a.pdf", ["First.", "Second.", page, "Last."])
    read(library, path)
    viewed.show_place(cite(library, path, QUOTE))
    view = viewed.viewer.body.pages.view
    qtbot.waitUntil(lambda: view.isVisible() and view.page == 3 and view.is_at_rest, timeout=8000)
    (mark,) = view.highlight_rects()
    assert view.viewport().rect().toRectF().contains(mark)
    page_rect, scale = view.page_rect(3), view.pixels_per_point
    assert mark.left() == pytest.approx(page_rect.left() + 72 * scale, abs=2 * scale)
    assert has_ink(view.viewport().grab().toImage(), mark, QColor("#ffd84d"))


def has_ink(picture: object, mark: QRectF, marker: QColor) -> bool:
    """The mark has the marker's colour and dark letters in it."""
    area = mark.toAlignedRect()
    seen = [
        QColor(picture.pixel(x, y))  # type: ignore[attr-defined]
        for x in range(area.left() + 1, area.right() - 1)
        for y in range(area.top() + 1, area.bottom() - 1)
    ]
    return marker in seen and any(colour.lightness() < 90 for colour in seen)


def test_text_on_a_page_is_selected_with_the_mouse(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path
) -> None:
    path = make_pdf(docs / "a.pdf", [f"First line here.\n{QUOTE}\nThird line here."])
    read(library, path)
    viewed.show_place(cite(library, path, QUOTE))
    view = viewed.viewer.body.pages.view
    qtbot.waitUntil(lambda: view.isVisible() and bool(view.text.lines(1)))
    qtbot.waitUntil(lambda: view.is_at_rest, timeout=8000)
    (mark,) = view.highlight_rects()
    begin = QPointF(mark.left() + 1, mark.center().y()).toPoint()
    end = QPointF(mark.right() + 20, mark.center().y()).toPoint()
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=begin)
    qtbot.mouseMove(view.viewport(), end)
    drag(view, end)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=end)
    assert viewed.viewer.body.selected_text == QUOTE
    assert viewed.viewer.body.selection_bar.isVisible()
    assert viewed.viewer.body.selection_bar.words.text() == "8 words selected"
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == QUOTE
    with qtbot.waitSignal(viewed.viewer.ask_requested) as asked:
        viewed.viewer.body.selection_bar.ask.click()
    assert asked.args == [QUOTE, str(path)]
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=begin)
    assert viewed.viewer.body.selected_text == "The"
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert viewed.viewer.body.selected_text.startswith("First line here.")
    assert viewed.viewer.body.selected_text.endswith("Third line here.")


def drag(view: object, point: object) -> None:
    """Offscreen, a synthetic move carries no button; this is what a real one does."""
    view.selection.extend(QPointF(point))  # type: ignore[attr-defined, call-overload]


def test_a_scanned_picture_shows_what_was_recognised_where_it_stands(
    library: App, viewed: MainWindow, qtbot: QtBot, docs: Path
) -> None:
    path = docs / "scan.png"
    Image.new("RGB", (800, 1000), "white").save(path, dpi=(96, 96))
    read(library, path)
    viewed.show_place(cite(library, path, SCANNED))
    view = viewed.viewer.body.pages.view
    qtbot.waitUntil(lambda: view.isVisible() and view.is_at_rest, timeout=8000)
    (mark,) = view.highlight_rects()
    page, scale = view.page_rect(1), view.pixels_per_point
    assert mark == QRectF(
        page.left() + 60 * scale, page.top() + 100 * scale, 340 * scale, 18 * scale
    )
    qtbot.waitUntil(lambda: bool(view.text.lines(1)))
    qtbot.mouseDClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=(mark.topLeft() + QPointF(8, 5)).toPoint()
    )
    assert viewed.viewer.body.selected_text == "Invoice"
    viewed.viewer.body.page_bar.buttons["text"].click()
    assert viewed.viewer.body.texts.view.marked_text() == SCANNED
    viewed.viewer.body.page_bar.buttons["text"].click()
    assert view.isVisible()
