"""Makes a PDF of a chat in slices on the GUI thread, so that the window goes on between them.

Qt lays out and paints text on one thread only, and a child process would have to find the same
fonts: a long chat is put together piece by piece and painted page by page instead.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from PySide6.QtCore import (
    QBuffer,
    QElapsedTimer,
    QIODevice,
    QLocale,
    QMarginsF,
    QObject,
    QRectF,
    QSizeF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)

_SLICE_MS = 12
_DPI = 144
_MARGINS_MM = QMarginsF(20, 18, 20, 14)
_FOOTER_MM = 9.0
_INK = QColor("#1d1d1b")
_MUTED = QColor("#62615c")
_STYLE = """
h1 { font-size: 17pt; } h3 { font-size: 10pt; }
.small, .path, time { color: #62615c; font-size: 8pt; }
.question { background-color: #f3f2ee; font-weight: 600; white-space: pre-wrap; }
a { color: #0b5f58; text-decoration: none; } .doubt { background-color: #fff4d9; }
pre, code { font-family: monospace; font-size: 9pt; } .source { margin-top: 6pt; }
blockquote { color: #3a3a37; margin-left: 14pt; margin-right: 0; white-space: pre-wrap; }
td, th { padding: 3pt; }
"""


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
                self._timer.stop()
                self.done.emit(bytes(self._buffer.data().data()))
                return

    def _work(self, title: str, pieces: list[str]) -> Generator[str, None, None]:
        writer = self._writer(title)
        area = QRectF(writer.pageLayout().paintRectPixels(_DPI))
        page = QSizeF(area.width(), area.height() - _FOOTER_MM / 25.4 * _DPI)
        document = _document(writer, page)
        for piece in pieces:
            _append(document, piece)
            yield "laid out"
        painter = QPainter(writer)
        try:
            pages = document.pageCount()
            for number in range(pages):
                if number:
                    writer.newPage()
                _paint_page(painter, document, number, page)
                _paint_footer(painter, f"{number + 1} / {pages}", area)
                yield "painted"
        finally:
            painter.end()

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


def _document(writer: QPdfWriter, page: QSizeF) -> QTextDocument:
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.documentLayout().setPaintDevice(writer)
    font = QFont()
    font.setPointSizeF(10)
    document.setDefaultFont(font)
    document.setDefaultStyleSheet(_STYLE)
    document.setDocumentMargin(0)
    document.setPageSize(page)
    return document


def _append(document: QTextDocument, piece: str) -> None:
    cursor = QTextCursor(document)
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
    cursor.insertHtml(piece)


def _paint_page(painter: QPainter, document: QTextDocument, number: int, page: QSizeF) -> None:
    painter.save()
    painter.setPen(_INK)
    painter.translate(0, -number * page.height())
    document.drawContents(painter, QRectF(0, number * page.height(), page.width(), page.height()))
    painter.restore()


def _paint_footer(painter: QPainter, text: str, area: QRectF) -> None:
    font = QFont()
    font.setPointSizeF(8)
    painter.setFont(font)
    painter.setPen(_MUTED)
    side = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
    painter.drawText(QRectF(0, 0, area.width(), area.height()), int(side), text)
