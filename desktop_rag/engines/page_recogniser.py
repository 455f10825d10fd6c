"""Recognises the text of a page of a file; loads what that takes with the first page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.documents import RecognisedPage
from desktop_rag.domain.errors import DesktopRagError, Unsupported
from desktop_rag.domain.ports import Parser
from desktop_rag.engines import images, ocr_models
from desktop_rag.engines.pdf_drawing import grey_page
from desktop_rag.engines.pdf_pymupdf import PdfParser

if TYPE_CHECKING:
    from desktop_rag.engines.ocr_rapidocr import TextRecogniser
    from desktop_rag.engines.page_pictures import PagePicture

VERSION = "ocr-1"
OFF = "off"


@dataclass(frozen=True, slots=True)
class OcrChoice:
    """How text in pictures is recognised."""

    language: str = ocr_models.AUTO
    """`auto`, `off`, or the name of a model the person has added; see `ocr_models`."""
    models_dir: Path | None = None
    threads: int = 1


class PageRecogniser:
    """What `ports.DocumentReader` says about `recognise` and `recogniser`."""

    def __init__(self, choice: OcrChoice) -> None:
        self._choice = choice
        self._engine: TextRecogniser | None = None
        self._name: str | None = None

    @property
    def name(self) -> str:
        """Engine and models; empty when it is off or a model is missing. Loads nothing."""
        if self._name is None:
            self._name = self._found_name()
        return self._name

    def recognise(self, parser: Parser, path: Path, page: int) -> RecognisedPage:
        """Recognise a page of a file that `parser` reads."""
        if self._choice.language == OFF:
            raise Unsupported(f"“{path.name}”: text recognition is switched off in the settings.")
        picture = _picture(parser, path, page)
        if self._engine is None:
            self._engine = self._loaded()
        return self._engine.recognise(picture, page, self.name)

    def _found_name(self) -> str:
        if self._choice.language == OFF:
            return ""
        try:
            models = ocr_models.find_models(self._choice.language, self._choice.models_dir)
        except (DesktopRagError, OSError):
            return ""
        return f"{VERSION}/{models.name}"

    def _loaded(self) -> TextRecogniser:
        from desktop_rag.engines.ocr_rapidocr import TextRecogniser

        models = ocr_models.find_models(self._choice.language, self._choice.models_dir)
        return TextRecogniser(models, self._choice.threads)


def _picture(parser: Parser, path: Path, page: int) -> PagePicture:
    if isinstance(parser, images.ImageParser):
        return images.page_picture(path, page)
    if isinstance(parser, PdfParser):
        return grey_page(path, page)
    raise Unsupported(f"“{path.name}” has no pages with pictures to recognise.")
