"""Pictures of pages for the window, with nothing of the readers that a picture does not need.

A person waits for the first page: of the two readers that have pages only the right one is loaded.
"""

from __future__ import annotations

from pathlib import Path

from desktop_rag.domain.documents import PageImage
from desktop_rag.domain.errors import NotFound, Unreadable, Unsupported
from desktop_rag.engines.sniffing import sniff

_PICTURES = frozenset({"png", "jpg", "tif", "bmp", "gif", "webp"})


def render_page(path: Path, page: int, scale: float) -> PageImage:
    """Picture of a page of a PDF or an image; see `ports.DocumentReader.render_page`."""
    kind = _kind(path)
    if kind == "pdf":
        from desktop_rag.engines import pdf_drawing

        return pdf_drawing.render_page(path, page, scale)
    if kind in _PICTURES:
        from desktop_rag.engines.images import ImageParser

        return ImageParser().render_page(path, page, scale)
    raise Unsupported(f"“{path.name}” has no pages to show; its text can be shown instead.")


def _kind(path: Path) -> str:
    try:
        return sniff(path).kind
    except FileNotFoundError as exc:
        raise NotFound(f"“{path.name}” is no longer where it was.") from exc
    except OSError as exc:
        raise Unreadable(
            f"“{path.name}” cannot be opened: allow your account to read it and retry."
        ) from exc
