"""Opens PDF files with PyMuPDF and draws their pages.

Apart from the reader, which needs ten times as much code: a page that a person waits for is drawn
by a process that loads this only. Not thread-safe, as PyMuPDF is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pymupdf

from desktop_rag.domain.documents import PageImage
from desktop_rag.domain.errors import Damaged, Encrypted, NotFound
from desktop_rag.engines.pdf_damage import ERRORS, complaints

if TYPE_CHECKING:
    from desktop_rag.engines.page_pictures import PagePicture

_mupdf: Any = pymupdf
"""The library carries no annotations."""

MAX_PIXELS = 24_000_000


def render_page(path: Path, page: int, scale: float) -> PageImage:
    """Picture of a page as displayed, at `scale` pixels per point or as much as fits in memory.

    Raises:
        NotFound: there is no such page.
        Damaged, Encrypted: the file cannot be opened.
    """
    with drawable(path, page) as shown:
        area = max(shown.rect.width * shown.rect.height, 1.0)
        fitting = min(max(scale, 0.05), math.sqrt(MAX_PIXELS / area))
        pixmap = shown.get_pixmap(matrix=_mupdf.Matrix(fitting, fitting), alpha=False)
        return PageImage(pixmap.tobytes("png"), shown.rect.width, shown.rect.height)


def grey_page(path: Path, page: int) -> PagePicture:
    """Grey pixels of a page as displayed, fine enough for text recognition. Raises: as above."""
    import numpy as np

    from desktop_rag.engines.page_pictures import PagePicture, density

    with drawable(path, page) as shown:
        scale = density(shown.rect.width, shown.rect.height)
        matrix = _mupdf.Matrix(scale, scale)
        pixmap = shown.get_pixmap(matrix=matrix, colorspace=_mupdf.csGRAY, alpha=False)
        rows = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)
        return PagePicture(rows[:, : pixmap.width], shown.rect.width, shown.rect.height)


@contextmanager
def drawable(path: Path, page: int) -> Iterator[Any]:
    """A page to draw from. Raises: as `render_page`."""
    with opened(path) as document:
        if not 1 <= page <= document.page_count:
            raise NotFound(f"“{path.name}” has {document.page_count} pages, so no page {page}.")
        try:
            yield document[page - 1]
        except ERRORS as exc:
            raise Damaged(
                f"Page {page} of “{path.name}” cannot be drawn; other pages may still work."
            ) from exc


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Open a PDF; MuPDF's messages go to the log at debug level instead of the terminal."""
    _mupdf.TOOLS.mupdf_display_errors(on=False)
    _mupdf.TOOLS.mupdf_display_warnings(on=False)
    _mupdf.TOOLS.reset_mupdf_warnings()
    try:
        document = _mupdf.open(path, filetype="pdf")
    except (*ERRORS, OSError) as exc:
        raise damaged(path) from exc
    try:
        # Broken page trees and catalogs show only when something asks for them.
        if document.needs_pass and not document.authenticate(""):
            raise Encrypted(
                f"“{path.name}” needs a password; save a copy without one and add that."
            )
        if not document.page_count:
            raise damaged(path)
        yield document
    except (RuntimeError, _mupdf.mupdf.FzErrorBase) as exc:
        raise damaged(path) from exc
    finally:
        document.close()
        complaints()


def damaged(path: Path) -> Damaged:
    """The error for a PDF that MuPDF makes nothing of."""
    return Damaged(
        f"“{path.name}” is not a readable PDF; open it in a PDF viewer and save it again."
    )
