"""Looks for words in the stored text itself, without any index, and for files by their names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.storage.database import Database

_WORD = re.compile(r"\w+")
_BETWEEN = r"[\W_]+"
_MOST_NAMES = 200


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Where a phrase stands first in a document."""

    document: DocumentId
    path: str
    start: int
    end: int
    times: int


@dataclass(frozen=True, slots=True)
class TextFinds:
    """What a look through all stored text found."""

    searched: int
    """Documents that were looked through."""
    phrase_in: tuple[Occurrence, ...]
    words_in: tuple[str, ...]
    """Paths of documents that hold all words, wherever they stand."""
    missing: tuple[str, ...]
    """Words that stand in none of them."""


class TextSearch:
    """Reads whole texts. Usable from any thread; takes a second for some hundred megabytes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(
        self,
        phrase: str,
        documents: Sequence[DocumentId] | None = None,
        on_step: Callable[[], None] = lambda: None,
    ) -> TextFinds:
        """Where the words of `phrase` stand one after the other, whatever is between them.

        Args:
            phrase: any text; without a letter or digit nothing is found.
            documents: only these; `None` for all.
            on_step: called for every document; may raise to stop.
        """
        words = [word.casefold() for word in _WORD.findall(phrase)]
        pattern = re.compile(_BETWEEN.join(map(re.escape, words)), re.IGNORECASE)
        found: list[Occurrence] = []
        holding: list[str] = []
        wanted, unseen = set(words), set(words)
        searched = 0
        for number, path, text in self._texts(documents):
            on_step()
            searched += 1
            folded = text.casefold()
            present = {word for word in wanted if word in folded}
            unseen -= present
            if not words or len(present) < len(wanted):
                continue
            holding.append(path)
            if spans := [match.span() for match in pattern.finditer(text)]:
                found.append(Occurrence(DocumentId(number), path, *spans[0], len(spans)))
        missing = tuple(word for word in dict.fromkeys(words) if word in unseen)
        return TextFinds(searched, tuple(found), tuple(holding), missing)

    def _texts(self, documents: Sequence[DocumentId] | None) -> Iterator[tuple[int, str, str]]:
        where = "" if documents is None else "WHERE d.id IN (SELECT value FROM json_each(?))"
        values = [] if documents is None else [json.dumps(list(documents))]
        with self._database.read() as db:
            yield from db.execute(
                f"""SELECT d.id, d.path, t.text FROM document_texts t
                    JOIN documents d ON d.id = t.document_id {where} ORDER BY d.path""",
                values,
            )

    def chunks_at(self, document: DocumentId, start: int, end: int) -> list[ChunkId]:
        """The chunks that hold a stretch of text, whole or in part, in order."""
        with self._database.read() as db:
            rows = db.execute(
                """SELECT id FROM chunks WHERE document_id = ? AND start < ? AND "end" > ?
                   ORDER BY ordinal""",
                (document, end, start),
            )
            return [ChunkId(row[0]) for row in rows]

    def chunks_of(self, document: DocumentId) -> list[ChunkId]:
        """All chunks of a document, in order."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT id FROM chunks WHERE document_id = ? ORDER BY ordinal", (document,)
            )
            return [ChunkId(row[0]) for row in rows]

    def unindexed(self, document: DocumentId) -> int:
        """How many chunks of a document the search index was not told about yet."""
        with self._database.read() as db:
            row = db.execute(
                """SELECT count(DISTINCT c.id) FROM changes JOIN chunks c ON c.id = chunk_id
                   WHERE c.document_id = ?""",
                (document,),
            ).fetchone()
        return int(row[0])

    def named(self, text: str) -> list[str]:
        """Paths of files, known or left out, whose name holds `text`; the nearest first."""
        needle = text.strip().casefold()
        with self._database.read() as db:
            rows = db.execute(
                "SELECT path FROM documents UNION SELECT path FROM skipped_files ORDER BY path"
            )
            paths = [row[0] for row in rows if needle in row[0].casefold()]
        named = [path for path in paths if needle in PurePath(path).name.casefold()]
        return sorted(named, key=lambda path: _nearness(path, needle))[:_MOST_NAMES]


def _nearness(path: str, needle: str) -> tuple[bool, bool, int, str]:
    name = PurePath(path).name.casefold()
    return name != needle, PurePath(name).stem != needle, len(name), path
