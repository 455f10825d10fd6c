"""How often a prompt holds the answer: whole passages, or the others cut to their best sentences.

Run with `python -m tests.benchmarks.bench_compression FOLDER [BUDGET…]`; the folder as in
`bench_retrieval`, its queries with `answer`: the texts that answer them. No language model is
asked; tokens are those of the embedder.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from tokenizers import Tokenizer

from desktop_rag import paths
from desktop_rag.domain.answers import Passage
from desktop_rag.domain.compression import Priced, fit, shown
from desktop_rag.domain.prompting import numbered_passage
from desktop_rag.domain.scoring import stems_of
from desktop_rag.domain.support import terms
from tests.benchmarks.bench_answerability import passage
from tests.benchmarks.bench_retrieval import indexed, read_set

_CONSIDERED = 16
_LIMIT = 5
_BUDGETS = (200, 300, 450, 600, 750)
Count = Callable[[str], int]


def answers_of(folder: Path) -> dict[str, list[str]]:
    """Texts that answer a question, by its id, in lower case."""
    found: dict[str, list[str]] = {}
    for line in (folder / "queries.jsonl").read_text(encoding="utf-8").split("\n"):
        one = json.loads(line) if line else {}
        answer = one.get("answer") or []
        texts = [answer] if isinstance(answer, str) else answer
        if texts:
            found[str(one["id"])] = [str(text).casefold() for text in texts]
    return found


def prompt_text(
    question: str, found: Sequence[Passage], budget: int, whole: int, count: Count
) -> str:
    """What a prompt would show of the passages."""
    asked = terms(question)
    texts = [numbered_passage(1, one, asked) for one in found]
    priced = [Priced(one, count(text), len(text)) for one, text in zip(found, texts, strict=True)]
    chosen = fit(priced, stems_of(question), budget, _LIMIT, whole)
    return "\n".join(shown(one) for one in chosen)


def main() -> None:
    """Print a table, one row a budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("budgets", nargs="*", type=int, default=_BUDGETS)
    arguments = parser.parse_args()
    folder = paths.shipped("models", "all-minilm-l6-v2-int8")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    test, answers = read_set(arguments.folder), answers_of(arguments.folder)
    with indexed(test.texts) as index:
        found = {
            id_: [
                passage(one, test.texts[one.chunk])
                for one in index.search(text, 50).candidates[:_CONSIDERED]
            ]
            for id_, text in test.questions.items()
            if id_ in answers
        }
    schemes = {"whole": _LIMIT, "two whole": 2, "one whole": 1}
    print(f"{'tokens':>7s} " + " ".join(f"{name:>17s}" for name in schemes))
    for budget in arguments.budgets:
        cells = []
        for whole in schemes.values():
            prompts = {
                id_: prompt_text(test.questions[id_], passages, budget, whole, count)
                for id_, passages in found.items()
            }
            held = [any(a in p.casefold() for a in answers[id_]) for id_, p in prompts.items()]
            used = sum(map(count, prompts.values())) / len(prompts)
            cells.append(f"{sum(held) / len(held):9.3f} ({used:4.0f})")
        print(f"{budget:7d} " + " ".join(f"{cell:>17s}" for cell in cells))


if __name__ == "__main__":
    main()
