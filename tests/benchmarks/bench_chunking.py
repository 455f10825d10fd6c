"""Ways of cutting documents compared: what of an answer's exact span is found, at what price.

Run with `python -m tests.benchmarks.bench_chunking FOLDER…`; a folder holds `corpus.jsonl` (id,
title, text) and `queries.jsonl` (text, doc, and `spans` of `start_index` and `end_index`, or
`answer` with `answer_start`). Ways that need a language model are measured with `--model FILE.gguf`
and want a small sample (`--documents`, `--chars`): they cost seconds a passage.

Columns: passages and their mean tokens; recall, precision and intersection over union of characters
in the best 5 passages, and precision with perfect retrieval (Smith & Troynikov 2024); share of
questions whose whole answer stands in the best passages up to 750 tokens, and in the best 5 of them
grown into their sections (`domain.parents`); seconds for 1,000 passages.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from desktop_rag import paths
from desktop_rag.domain.answers import Passage
from desktop_rag.domain.budget import MAX_PASSAGES
from desktop_rag.domain.chunking import Chunking, chunk_document, rules_for
from desktop_rag.domain.documents import Chunk, ChunkId, ParsedDocument, ReadDocument
from desktop_rag.domain.embedding_text import searchable_text
from desktop_rag.domain.evaluation import Span, merged, token_scores
from desktop_rag.domain.parents import WINDOW_CHARS, Neighbour, same_section, widened
from desktop_rag.domain.ports import Generator, IndexBatch, IndexedChunk
from desktop_rag.domain.tokens import TokenMap
from desktop_rag.engines.generator_llamacpp import open_generator
from desktop_rag.engines.hybrid_index import HybridIndex, open_index
from desktop_rag.engines.parsers import checked_parser, parse_with
from desktop_rag.engines.tokenizing import TokenCounter
from desktop_rag.engines.vectors_exact import ExactVectorIndex
from desktop_rag.services.rechunking import Pace, Rechunking
from tests.helpers.fakes import KeptInMemory
from tests.helpers.passages import make_passage

BUDGET_TOKENS = 750
DEPTH = 50
EMBEDDER = paths.shipped("models", "all-minilm-l6-v2-int8")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and where its answer stands."""

    text: str
    wanted: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class SpanSet:
    """Documents by id, and questions about them."""

    documents: dict[str, ParsedDocument]
    questions: list[Asked]


@dataclass(frozen=True, slots=True)
class Cut:
    """A chunk with the document it is of."""

    document: str
    chunk: Chunk

    @property
    def span(self) -> Span:
        """Of the document's text."""
        return self.document, self.chunk.start, self.chunk.end


def read_spans(folder: Path, documents: int, chars: int, questions: int) -> SpanSet:
    """The beginnings of some documents, and questions that they answer."""
    raw = [json.loads(line) for line in _lines(folder / "corpus.jsonl")]
    if len(raw) > documents:
        raw = random.Random(0).sample(raw, documents)
    parsed = {one["id"]: _parsed(one["title"], one["text"][:chars]) for one in raw}
    originals = {one["id"]: one["text"][:chars] for one in raw}
    asked = []
    for one in map(json.loads, _lines(folder / "queries.jsonl")):
        if one["doc"] in parsed and (wanted := _wanted(one, originals, parsed)):
            asked.append(Asked(one["text"], wanted))
    if len(asked) > questions:
        asked = random.Random(0).sample(asked, questions)
    return SpanSet(parsed, asked)


def cut(made: SpanSet, way: Chunking, index: HybridIndex, generator: Generator | None) -> list[Cut]:
    """All chunks of a set, with what a model does about them."""
    counter = TokenCounter(EMBEDDER / "tokenizer.json")
    rules = rules_for(index.embedder().max_tokens, way)
    pace = Pace(lambda: None, lambda: False, lambda *_: None)
    cuts = []
    for name, document in made.documents.items():
        tokens = counter.map(document.text)
        chunks = chunk_document(document, tokens, counter.count, rules, way)
        read = ReadDocument(document, chunks, "")
        if generator is not None or not way.needs_language_model:
            rechunking = Rechunking(way, index, generator)  # type: ignore[arg-type]
            read = rechunking.finish(read, pace, KeptInMemory())
        cuts += [Cut(name, chunk) for chunk in read.chunks]
    return cuts


def measure(made: SpanSet, way: Chunking, generator: Generator | None) -> str:
    """One row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(
            Path(folder) / "index", EMBEDDER, 1, lambda f, d, _: ExactVectorIndex(f, d)
        )
        try:
            begin = time.perf_counter()
            cuts = cut(made, way, index, generator)
            _fill(index, cuts)
            elapsed_s = time.perf_counter() - begin
            found = [_found(index, cuts, one.text) for one in made.questions]
        finally:
            index.close()
    maps = _token_maps(made)
    sizes = [maps[one.document].count(one.chunk.start, one.chunk.end) for one in cuts]
    best = [
        token_scores(one.wanted, [c.span for c in passages[:5]])
        for one, passages in zip(made.questions, found, strict=True)
    ]
    perfect = [
        token_scores(one.wanted, [c.span for c in cuts if _touches(c.span, one.wanted)])
        for one in made.questions
    ]
    shown = [_within_budget(passages, maps, DEPTH) for passages in found]
    grown = [
        _grown(_within_budget(passages, maps, MAX_PASSAGES), cuts, made, maps) for passages in found
    ]
    return (
        f"| {way} | {len(cuts)} | {mean(sizes):.0f} | {mean(s.recall for s in best):.3f} "
        f"| {mean(s.precision for s in best):.4f} | {mean(s.iou for s in best):.4f} "
        f"| {mean(s.precision for s in perfect):.3f} "
        f"| {_whole(made, [[c.span for c in one] for one in shown]):.3f} "
        f"| {_whole(made, grown):.3f} | {elapsed_s / len(cuts) * 1000:.0f} |"
    )


def _parsed(title: str, text: str) -> ParsedDocument:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        path.write_text(text, encoding="utf-8")
        return replace(parse_with(checked_parser(path), path), title=title)


def _wanted(
    one: dict[str, object], originals: dict[str, str], parsed: dict[str, ParsedDocument]
) -> tuple[Span, ...]:
    """Spans in the text as it was read; none when a part of the answer is not in it."""
    name = str(one["doc"])
    spans = one.get("spans") or [{"start_index": one["answer_start"], "content": one["answer"]}]
    if not all(isinstance(span["start_index"], int) for span in spans):  # type: ignore[attr-defined]
        return ()
    found = []
    for span in spans:  # type: ignore[attr-defined]
        content = span["content"].strip()
        lead = len(span["content"]) - len(span["content"].lstrip())
        start = span["start_index"] + lead
        if not originals[name].startswith(content, start):
            return ()
        if not parsed[name].text.startswith(content, start):
            start = parsed[name].text.find(content)
        if start < 0 or not content:
            return ()
        found.append((name, start, start + len(content)))
    return tuple(found)


def _fill(index: HybridIndex, cuts: Sequence[Cut]) -> None:
    vectors = [one.vector for one in index.embed([one.chunk.embedding_text for one in cuts])]
    batch = tuple(
        IndexedChunk(
            ChunkId(number),
            searchable_text(one.chunk.header, one.chunk.written, one.chunk.text),
            vector,
        )
        for number, (one, vector) in enumerate(zip(cuts, vectors, strict=True), start=1)
    )
    index.apply(IndexBatch(batch, (), 1))
    index.settle()


def _found(index: HybridIndex, cuts: Sequence[Cut], question: str) -> list[Cut]:
    return [cuts[one.chunk - 1] for one in index.search(question, DEPTH).candidates]


def _token_maps(made: SpanSet) -> dict[str, TokenMap]:
    counter = TokenCounter(EMBEDDER / "tokenizer.json")
    return {name: counter.map(document.text) for name, document in made.documents.items()}


def _touches(span: Span, wanted: Sequence[Span]) -> bool:
    return any(span[0] == n and span[1] < end and span[2] > start for n, start, end in wanted)


def _cost(spans: Sequence[Span], maps: dict[str, TokenMap]) -> int:
    return sum(maps[name].count(start, end) for name, start, end in merged(spans))


def _within_budget(found: Sequence[Cut], maps: dict[str, TokenMap], limit: int) -> list[Cut]:
    chosen: list[Cut] = []
    for one in found:
        spans = [other.span for other in (*chosen, one)]
        if len(chosen) < limit and _cost(spans, maps) <= BUDGET_TOKENS:
            chosen.append(one)
    return chosen


def _grown(
    chosen: Sequence[Cut], cuts: Sequence[Cut], made: SpanSet, maps: dict[str, TokenMap]
) -> list[Span]:
    """The passages with what is around them, as `services.widening` grows them."""
    spans = [one.span for one in chosen]
    spare_chars = (BUDGET_TOKENS - _cost(spans, maps)) * 4
    grown = []
    for one in chosen:
        room = min(WINDOW_CHARS, len(one.chunk.text) + spare_chars // max(1, len(chosen)))
        around = [
            Neighbour(c.chunk.ordinal, c.chunk.start, c.chunk.end, c.chunk.section, "", None)
            for c in cuts
            if c.document == one.document and abs(c.chunk.ordinal - one.chunk.ordinal) <= 12
        ]
        section = same_section(one.chunk.ordinal, around)
        text = made.documents[one.document].text
        passage: Passage = make_passage(one.chunk.text, start=one.chunk.start)
        ends = section[0].start, max(c.end for c in section)
        wide = widened(passage, section, text[slice(*ends)], room)
        grown.append((one.document, wide.start, wide.end))
    return grown


def _whole(made: SpanSet, shown: Sequence[Sequence[Span]]) -> float:
    return mean(
        token_scores(one.wanted, spans or [("", 0, 0)]).recall >= 1.0
        for one, spans in zip(made.questions, shown, strict=True)
    )


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from filter(str.strip, file)


def main() -> None:
    """Print a table for each folder."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--ways", default="structure,fixed,sentences,semantic,late")
    arguments.add_argument("--documents", type=int, default=25)
    arguments.add_argument("--chars", type=int, default=130_000)
    arguments.add_argument("--questions", type=int, default=350)
    arguments.add_argument("--model", type=Path, help="GGUF file for propositions and context")
    chosen = arguments.parse_args()
    generator = open_generator(chosen.model, chosen.model.stem, 2) if chosen.model else None
    for folder in chosen.folders:
        made = read_spans(folder, chosen.documents, chosen.chars, chosen.questions)
        print(f"{folder.name}: {len(made.documents)} documents, {len(made.questions)} questions")
        print("| way | passages | tokens | R@5 | P@5 | IoU@5 | P-omega | 750 t | grown | s/1000 |")
        print("|---|---|---|---|---|---|---|---|---|---|")
        for way in chosen.ways.split(","):
            print(measure(made, Chunking(way), generator), flush=True)
    if generator is not None:
        generator.close()


if __name__ == "__main__":
    main()
