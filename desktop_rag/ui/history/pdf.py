"""Makes a PDF of a chat in slices on the GUI thread, so that the window goes on between them.

Qt lays out and paints text on one thread only. Each message is a document of its own that flows
over the pages: adding to a single one takes longer with every message that is in it already.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from PySide6.QtCore import (
    QBuffer,
    QElapsedTimer,
    QIODevice,
    QLocale,
    QMarginsF,
    QObject,
    QRectF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextDocument,
)

_SLICE_MS = 12
_DPI = 144
_MARGINS_MM = QMarginsF(20, 18, 20, 14)
_FOOTER_MM = 9.0
_LEAST_ROOM = 0.9 * _DPI
"""Of a page; with less left, a message begins on the next one."""
_GAP = 0.16 * _DPI
_INK = QColor("#1d1d1b")
_MUTED = QColor("#62615c")
_STYLE = """
h1 { font-size: 17pt; } h3 { font-size: 10pt; }
.small, .path, time { color: #62615c; font-size: 8pt; }
.question { background-color: #f3f2ee; font-weight: 600; }
.path { margin-bottom: 12px; } time { margin-top: 8px; }
a { color: #0b5f58; text-decoration: none; } .doubt { background-color: #fff4d9; }
pre, code { font-family: monospace; font-size: 9pt; }
blockquote { color: #3a3a37; margin: 3px 0px 3px 16px; white-space: pre-wrap; }
"""
_QUESTION = '<div class="question"'
_TABLE = '<table border="1" cellspacing="0" cellpadding="4" style="border-collapse: collapse">'


class PdfMaking(QObject):
    """One PDF on its way.

    Signals:
        done (bytes): the whole file.
    """

    done = Signal(bytes)

    def __init__(self, title: str, pieces: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._buffer = QBuffer(self)
        self._buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        self._steps = self._work(title, list(pieces))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)  # a slice that fails is the last: half a file is no file
        self._timer.timeout.connect(self._on_slice)

    def start(self) -> None:
        """Begin; returns at once."""
        self._timer.start(0)

    def stop(self) -> None:
        """Give up."""
        self._timer.stop()
        self._steps.close()

    def _on_slice(self) -> None:
        since = QElapsedTimer()
        since.start()
        while since.elapsed() < _SLICE_MS:
            if next(self._steps, None) is None:
                self.done.emit(bytes(self._buffer.data().data()))
                return
        self._timer.start(0)

    def _work(self, title: str, pieces: list[str]) -> Generator[str, None, None]:
        writer = self._writer(title)
        sheet = _Sheet(writer)
        try:
            for piece in pieces:
                document = _document(writer, piece, sheet.width)
                yield "laid out"
                # A question stays on the page where its answer begins.
                least = 2 * _LEAST_ROOM if piece.startswith(_QUESTION) else _LEAST_ROOM
                for _page in sheet.flow(document, least):
                    yield "painted"
        finally:
            sheet.end()

    def _writer(self, title: str) -> QPdfWriter:
        writer = QPdfWriter(self._buffer)
        writer.setResolution(_DPI)
        writer.setTitle(title)
        writer.setCreator("Desktop RAG")
        is_letter = QLocale().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
        size = QPageSize.PageSizeId.Letter if is_letter else QPageSize.PageSizeId.A4
        writer.setPageSize(QPageSize(size))
        writer.setPageMargins(_MARGINS_MM, QPageLayout.Unit.Millimeter)
        return writer


class _Sheet:
    """Paints documents below each other and turns the page where the room ends."""

    def __init__(self, writer: QPdfWriter) -> None:
        self._writer = writer
        area = QRectF(writer.pageLayout().paintRectPixels(_DPI))
        self.width = area.width()
        self._height = area.height() - _FOOTER_MM / 25.4 * _DPI
        self._footer = QRectF(0, 0, area.width(), area.height())
        self._painter = QPainter(writer)
        self._page = 1
        self._y = 0.0

    def flow(self, document: QTextDocument, least_room: float) -> Iterator[int]:
        """Paint a document; yields after each page it is on."""
        if self._height - self._y < least_room:
            self._turn()
        height, start = document.size().height(), 0.0
        stops = [*_stops(document), height]
        while start < height:
            room = self._height - self._y
            end = max((one for one in stops if start < one <= start + room), default=start)
            if end == start and self._y > 0:
                self._turn()
                continue
            end = end if end > start else min(start + room, height)  # higher than a page: cut
            self._paint(document, start, end)
            start = end
            yield self._page
        self._y += _GAP

    def end(self) -> None:
        """Nothing more comes."""
        self._paint_number()
        self._painter.end()

    def _turn(self) -> None:
        self._paint_number()
        self._writer.newPage()
        self._page += 1
        self._y = 0.0

    def _paint(self, document: QTextDocument, start: float, end: float) -> None:
        area = QRectF(0, start, self.width, end - start)
        look = QAbstractTextDocumentLayout.PaintContext()
        look.clip = area
        colours = QPalette(look.palette)  # the window's, which may be for a dark ground
        colours.setColor(QPalette.ColorRole.Text, _INK)
        look.palette = colours
        self._painter.save()
        self._painter.translate(0, self._y - start)
        self._painter.setClipRect(area)
        document.documentLayout().draw(self._painter, look)
        self._painter.restore()
        self._y += end - start

    def _paint_number(self) -> None:
        self._painter.setFont(_font(8))
        self._painter.setPen(_MUTED)
        side = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        self._painter.drawText(self._footer, int(side), str(self._page))


def _document(writer: QPdfWriter, piece: str, width: float) -> QTextDocument:
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.documentLayout().setPaintDevice(writer)
    document.setDefaultFont(_font(10))
    document.setDefaultStyleSheet(_STYLE)
    document.setDocumentMargin(0)
    document.setTextWidth(width)
    document.setHtml(_adapted(piece))
    return document


def _stops(document: QTextDocument) -> list[float]:
    """Heights at which no line of text is cut, also not one in the next column of a table."""
    stops: list[float] = []
    reached = 0.0
    for top, bottom in sorted(_lines(document)):
        if top >= reached and reached > 0:
            stops.append((reached + top) / 2)
        reached = max(reached, bottom)
    return stops


def _lines(document: QTextDocument) -> Iterator[tuple[float, float]]:
    """Top and bottom of every line of text."""
    block = document.begin()
    while block.isValid():
        layout = block.layout()
        shift = document.documentLayout().blockBoundingRect(block).top()
        shift -= layout.boundingRect().top()
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            yield shift + line.y(), shift + line.y() + line.height()
        block = block.next()


def _adapted(piece: str) -> str:
    """The piece as Qt's smaller HTML shows it well: it gives room and lines to tables only."""
    if piece.startswith(_QUESTION):
        inner = piece[piece.index(">") + 1 : piece.rindex("</div>")].replace("\n", "<br>")
        cell = f'<td class="question">{inner}</td>'
        return f'<table width="100%" cellpadding="8"><tr>{cell}</tr></table>'
    return piece.replace("<table>", _TABLE)


def _font(points: float) -> QFont:
    """Without alternate letters, which a PDF's reader would copy as other ones."""
    font = QFont()
    font.setPointSizeF(points)
    for feature in ("calt", "case", "ccmp"):
        font.setFeature(QFont.Tag(feature), 0)
    return font
