"""The `view` role: pictures of pages for the window, and nothing else."""

from __future__ import annotations

import msgspec

from desktop_rag.workers import methods
from desktop_rag.workers.methods import Host


class ViewOptions(msgspec.Struct, frozen=True):
    """Nothing to choose."""


def open_host(options: ViewOptions) -> Host:
    """Ready for a PDF, as most pages are; the reader of images is loaded with the first one."""
    del options
    import desktop_rag.engines.pdf_drawing  # noqa: F401 - loaded before a page is asked for
    from desktop_rag.engines.page_rendering import render_page

    return Host({methods.RENDER_PAGE: render_page}, close=lambda: None)
