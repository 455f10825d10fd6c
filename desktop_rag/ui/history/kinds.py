"""The kinds of files a chat can be exported as."""

from __future__ import annotations

from desktop_rag.domain.chats import ExportFormat
from desktop_rag.ui.translation import _

PDF = "pdf"


def export_kinds() -> dict[str, str]:
    """Kinds with the names people know them by."""
    return {
        ExportFormat.MARKDOWN: _("Markdown"),
        ExportFormat.HTML: _("Web page (HTML)"),
        PDF: _("PDF"),
        ExportFormat.JSON: _("JSON, for programs"),
    }


def suffix(kind: str) -> str:
    """Of the file's name, with its full stop."""
    return ".pdf" if kind == PDF else ExportFormat(kind).suffix
