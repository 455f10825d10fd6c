"""Finds the files text recognition needs; never downloads any.

The detector and the recogniser come with the package rapidocr as data files. Another recogniser can
be added by hand, for scripts the shipped one does not know, as a folder in the models folder:

    ocr/NAME/rec.onnx          a PaddleOCR text recogniser (CTC, 48 pixels high) in ONNX form
    ocr/NAME/characters.txt    its characters, one a line; only if they are not in the file itself
    ocr/NAME/det.onnx          optional: its own text detector

and is used when the setting for the language says NAME.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from desktop_rag import paths
from desktop_rag.domain.errors import InvalidInput, ModelMissing

AUTO = "auto"
FOLDER = "ocr"
"""In the models folder."""
_DETECTOR = "PP-OCRv6_det_small"
_RECOGNISER = "PP-OCRv6_rec_small"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,40}")


@dataclass(frozen=True, slots=True)
class OcrModels:
    """The files of a text recogniser, all of which were there a moment ago."""

    detector: Path
    recogniser: Path
    characters: Path | None
    """`None`: they are in the recogniser's own metadata."""
    name: str
    """Models and language, e.g. `PP-OCRv6_det_small+PP-OCRv6_rec_small/auto`."""


def find_models(language: str, models_dir: Path | None) -> OcrModels:
    """The models for a language: `auto` for the shipped ones, else the name of a folder.

    Raises:
        ModelMissing: a file is not there; the message says which.
        InvalidInput: the language is no name of a folder.
    """
    shipped = paths.recogniser_dir()
    detector = shipped / f"{_DETECTOR}.onnx"
    if language == AUTO:
        recogniser = shipped / f"{_RECOGNISER}.onnx"
        for file in (detector, recogniser):
            _check(file, "install the program again")
        return OcrModels(detector, recogniser, None, f"{_DETECTOR}+{_RECOGNISER}/{AUTO}")
    return _added_models(language, models_dir, detector)


def _added_models(language: str, models_dir: Path | None, detector: Path) -> OcrModels:
    if not _NAME.fullmatch(language) or models_dir is None:
        raise InvalidInput(
            f"“{language}” is no language for text recognition; choose “{AUTO}” or the name of "
            "a folder with a model."
        )
    folder = models_dir / FOLDER / language
    recogniser, own_detector = folder / "rec.onnx", folder / "det.onnx"
    _check(recogniser, f"put the model for “{language}” there, or choose the language “{AUTO}”")
    detector = own_detector if own_detector.is_file() else detector
    _check(detector, "install the program again")
    listed = folder / "characters.txt"
    characters = listed if listed.is_file() else None
    marks = [_mark(file) for file in (detector, recogniser, characters) if file is not None]
    return OcrModels(detector, recogniser, characters, f"{'+'.join(marks)}/{language}")


def _check(file: Path, remedy: str) -> None:
    if not file.is_file():
        raise ModelMissing(
            f"Text recognition needs the file {file.name}, which is missing from {file.parent}; "
            f"{remedy}."
        )


def _mark(file: Path) -> str:
    """Name and beginning of the checksum: another file of the same name is another model."""
    with file.open("rb") as opened:
        return f"{file.stem}-{hashlib.file_digest(opened, 'sha256').hexdigest()[:8]}"
