"""Reads JSON, JSON lines and notebooks: values with their names, cells as text and code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from desktop_rag.domain.documents import BlockKind, Coverage, ParsedDocument, Part, PartKind
from desktop_rag.domain.text_cleaning import clean_block
from desktop_rag.engines.decoding import ONLY_BEGINNING, read_beginning
from desktop_rag.engines.part_assembly import PartAssembler
from desktop_rag.engines.plaintext import add_text

MAX_BYTES = 5_000_000
_LONG_LINE = 400
"""Average from which a file is written anew with a value a line: nobody looks at such lines."""


class JsonParser:
    """`ports.Parser` for JSON in its usual forms. What is no valid JSON is read by lines."""

    name = "json-1"
    suffixes = frozenset({".json", ".jsonl", ".ndjson", ".geojson", ".ipynb"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read the file; see `ports.Parser`."""
        text, is_cut = read_beginning(path, MAX_BYTES)
        text = text.lstrip("\ufeff").rstrip()
        suffix = path.suffix.lower()
        if suffix == ".ipynb":
            notebook = _notebook(text)
            if notebook is not None:
                return notebook
        if suffix in (".jsonl", ".ndjson"):
            text = "\n".join(_spaced(line) for line in text.split("\n"))
        elif len(text) > _LONG_LINE * (text.count("\n") + 1):
            return _document(_written_anew(text), path, has_lines=False, is_cut=is_cut)
        return _document(text, path, has_lines=True, is_cut=is_cut)


def _document(text: str, path: Path, *, has_lines: bool, is_cut: bool) -> ParsedDocument:
    assembler = PartAssembler()
    assembler.add(BlockKind.CODE, text)
    return ParsedDocument(
        format="json",
        text=assembler.text,
        blocks=assembler.blocks,
        title=path.name,
        parts=(Part(PartKind.LINES, 0, len(text)),) if has_lines else (),
        notes=ONLY_BEGINNING if is_cut else (),
    )


def _loaded(text: str) -> Any | None:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _spaced(line: str) -> str:
    """A record with spaces between its values: words are told apart by them."""
    record = _loaded(line) if len(line) > _LONG_LINE else None
    return line if record is None else json.dumps(record, ensure_ascii=False)


def _written_anew(text: str) -> str:
    value = _loaded(text)
    try:
        return text if value is None else json.dumps(value, ensure_ascii=False, indent=1)
    except RecursionError:
        return text


def _notebook(text: str) -> ParsedDocument | None:
    """The cells of a Jupyter notebook; `None` when it is none."""
    value = _loaded(text)
    cells = value.get("cells") if isinstance(value, dict) else None
    if not isinstance(cells, list):
        return None
    writer = PartAssembler()
    for cell in cells:
        if isinstance(cell, dict):
            _add_cell(writer, cell)
    return ParsedDocument(
        format="ipynb",
        text=writer.text,
        blocks=writer.blocks,
        coverage=Coverage(),
        notes=("Results of the cells were not read.",)
        if any(_has_output(c) for c in cells)
        else (),
    )


def _has_output(cell: object) -> bool:
    return isinstance(cell, dict) and bool(cell.get("outputs"))


def _add_cell(writer: PartAssembler, cell: dict[str, Any]) -> None:
    source = cell.get("source") or ""
    text = "".join(map(str, source)) if isinstance(source, list) else str(source)
    if cell.get("cell_type") != "markdown":
        writer.add(BlockKind.CODE, text.rstrip())
        return
    for paragraph in clean_block(text).split("\n\n"):
        marks = len(paragraph) - len(paragraph.lstrip("#"))
        if 0 < marks <= 6 and "\n" not in paragraph:
            writer.add(BlockKind.HEADING, paragraph.strip("# "), marks)
        else:
            add_text(writer, paragraph)
