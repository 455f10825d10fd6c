"""What the page About asks of the façade, from memory."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.shipped_parts import Build, Part

_QT = "You may exchange it: the Qt libraries are files of their own in the program's folder."


class FakeAbout:
    """An installed program of a few parts."""

    def __init__(self) -> None:
        self.built = Build("0.1.0", is_frozen=True, commit="017be5f0c2aa", date="2030-03-04")
        self.error: DesktopRagError | None = None
        self.bill: Path | None = Path("/opt/desktop-rag/_internal/desktop-rag-0.1.0.cdx.json")
        self.texts: list[str] = []
        """Names of parts whose text was read."""

    def build(self) -> Build:
        return self.built

    def parts(self) -> list[Part]:
        if self.error is not None:
            raise self.error
        return [
            Part("Desktop RAG", "0.1.0", "AGPL-3.0-or-later", "program"),
            Part("all-MiniLM-L6-v2, int8", "", "Apache-2.0", "model"),
            Part("chromadb", "1.5.9", "Apache-2.0", summary="Chroma."),
            Part("CPython", "3.11.7", "PSF-2.0", "runtime", home="https://www.python.org"),
            Part("libxcb1", "1.15-1", "MIT", "system library"),
            Part("llama.cpp", "0.3.36", "MIT"),
            Part("MuPDF", "1.28.5", "AGPL-3.0-or-later"),
            Part("numpy", "2.4.6", "BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0"),
            Part("onnxruntime", "1.32.0", "MIT"),
            Part("Qt", "6.11.3", "LGPL-3.0-only OR GPL-3.0-only", note=_QT),
            Part("strange", "1", ""),
        ]

    def text(self, part: Part) -> str:
        self.texts.append(part.name)
        if not part.licence:
            return ""
        paragraph = f"Permission is granted to everybody to use {part.name} as they like. " * 5
        return "\n\n".join([paragraph] * 8)

    def bill_of_materials(self) -> Path | None:
        return self.bill
