"""Time of parsing and chunking PDFs, stage by stage. Prints figures; nothing is asserted.

    python -m tests.benchmarks.bench_parsing [FOLDER]

Without a folder it writes its own PDFs: prose in one and two columns, and tables. The last line is
what matters for indexing: one core makes so many chunks a second, and an embedder slower than that
decides the speed.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf

from desktop_rag import paths
from desktop_rag.domain.chunking import chunk_document, rules_for
from desktop_rag.domain.errors import PermanentError
from desktop_rag.engines.pdf_pymupdf import PdfParser
from desktop_rag.engines.tokenizing import TokenCounter
from tests.helpers.documents import filler, make_placed_pdf

PAGES = 60
MAX_TOKENS = 256


@contextmanager
def timed(times: dict[str, float], stage: str) -> Iterator[None]:
    """Add the seconds spent inside to a stage."""
    began = time.perf_counter()
    yield
    times[stage] = times.get(stage, 0.0) + time.perf_counter() - began


def write_documents(folder: Path) -> None:
    """Three PDFs of `PAGES` pages each."""
    kinds = {"prose": prose_page, "columns": columns_page, "tables": table_page}
    for name, make_page in kinds.items():
        make_placed_pdf(folder / f"{name}.pdf", [make_page(n) for n in range(PAGES)])


def lines_of(text: str, words: int) -> list[str]:
    """Cut text into lines of so many words."""
    parts = text.split()
    return [" ".join(parts[i : i + words]) for i in range(0, len(parts), words)]


def prose_page(number: int) -> list[tuple[float, float, str]]:
    """A page of 50 lines over the full width."""
    lines = lines_of(filler(600, seed=number), 12)
    return [(60.0, 80 + 14.0 * row, line) for row, line in enumerate(lines)]


def columns_page(number: int) -> list[tuple[float, float, str]]:
    """A page of two columns of 50 lines."""
    lines = lines_of(filler(600, seed=number), 6)
    places = [(60.0, 80 + 14.0 * row) for row in range(50)]
    places += [(320.0, y) for _, y in places]
    return [(x, y, line) for (x, y), line in zip(places, lines, strict=False)]


def table_page(number: int) -> list[tuple[float, float, str]]:
    """A page of 48 rows with a label and four figures each."""
    page = [(60.0, 60.0, f"# Results {number}")]
    for row in range(48):
        y = 90 + 14.0 * row
        page.append((60.0, y, f"Revenue of segment {row}"))
        page += [(240.0 + 80 * n, y, f"{row * 317 + n * 91:,}") for n in range(4)]
    return page


def measure(files: list[Path], counter: TokenCounter) -> tuple[dict[str, float], int, int, int]:
    """Seconds by stage, pages, chunks and tokens of all files that can be read."""
    times: dict[str, float] = {}
    pages = chunks = tokens = 0
    parser, rules, mupdf = PdfParser(), rules_for(MAX_TOKENS), cast_any(pymupdf)
    for path in files:
        try:
            with timed(times, "parse: all"):
                document = replace(parser.parse(path), title=path.stem)
        except PermanentError as exc:
            print(f"skipped: {exc.message}")
            continue
        with timed(times, "parse: of it MuPDF alone"), mupdf.open(path) as opened:
            for page in opened:
                page.get_text("dict")
        with timed(times, "token map"):
            token_map = counter.map(document.text)
        with timed(times, "chunk"):
            found = chunk_document(document, token_map, counter.count, rules)
        pages += len(document.pages)
        chunks += len(found)
        tokens += sum(counter.count(chunk.embedding_text) for chunk in found)
    return times, pages, chunks, tokens


def cast_any(module: object) -> Any:
    """The library carries no annotations."""
    return module


def report(files: list[Path]) -> None:
    """Print the table for a set of files."""
    counter = TokenCounter(paths.shipped("models", "all-minilm-l6-v2-int8", "tokenizer.json"))
    measure(files[:1], counter)  # warm up
    times, pages, chunks, tokens = measure(files, counter)
    times["together"] = times["parse: all"] + times["token map"] + times["chunk"]
    print(f"{len(files)} files, {pages} pages, {chunks} chunks, {tokens / chunks:.0f} tokens each")
    for stage, seconds in times.items():
        a_page, a_chunk = seconds / pages * 1000, seconds / chunks * 1000
        print(f"  {stage:26} {a_page:7.2f} ms/page {a_chunk:7.2f} ms/chunk")
    print(f"  {pages / times['parse: all']:.0f} pages/s parsed, all on one core")
    print(f"  {chunks / times['together']:.0f} chunks/s on one core")


def main() -> None:
    """Measure the folder named, or documents made here."""
    if len(sys.argv) > 1:
        report(sorted(Path(sys.argv[1]).rglob("*.pdf")))
        return
    with tempfile.TemporaryDirectory() as folder:
        write_documents(Path(folder))
        for path in sorted(Path(folder).iterdir()):
            print(path.stem)
            report([path])


if __name__ == "__main__":
    main()
