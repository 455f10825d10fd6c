"""Counts tokens with the embedder's own tokenizer (Hugging Face `tokenizers`).

Truncation and padding, which `tokenizer.json` may carry, are off here: they serve embedding, and
would make every long text look as if it fitted.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from desktop_rag.domain.errors import ModelDamaged, ModelMissing
from desktop_rag.domain.tokens import TokenMap

_SLICE = 50_000
_MAX_TOKEN_CHARACTERS = 100
"""WordPiece gives one `[UNK]` for a longer word; it counts as one token a character instead, so
that such text is cut into readable passages and its remainders never exceed a limit."""
_WORD = re.compile(rf"[^ \t\n\r]{{1,{_SLICE}}}")
"""What BERT's tokenizers look at by itself. Not `\\S+`: they take rarer white space for letters
that are to be removed, and then words grow together. Encoded data comes in words of megabytes, for
which the tokenizer would ask for gigabytes and end the process: so long ones are cut."""
_MAX_KEPT_WORD = 40
_KEPT_WORDS = 50_000
"""Some ten megabytes."""

_Tokens = tuple[int, tuple[tuple[int, int], ...]]
"""Of a word: number of tokens, and where those that count begin and end in it."""


class TokenCounter:
    """Token counts and token maps for one embedder. Called on the thread that made it.

    Documents repeat their words, so the tokens of each are kept: two to three times faster than
    tokenising the text. Only BERT's rules make words independent of each other; text for other
    tokenizers is tokenised as it is.
    """

    def __init__(self, tokenizer_file: Path) -> None:
        if not tokenizer_file.is_file():
            raise ModelMissing(
                f"The embedder's tokenizer is missing: {tokenizer_file}. Reinstall the program."
            )
        try:
            self._tokenizer = Tokenizer.from_file(str(tokenizer_file))
        except Exception as exc:
            raise ModelDamaged(
                f"The embedder's tokenizer cannot be read: {tokenizer_file}. Reinstall the program."
            ) from exc
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._words: dict[str, _Tokens] = {}
        self._is_by_word = isinstance(self._tokenizer.normalizer, BertNormalizer) and isinstance(
            self._tokenizer.pre_tokenizer, BertPreTokenizer
        )

    def count(self, text: str) -> int:
        """Tokens of `text`, without special tokens."""
        if not self._is_by_word:
            return self._tokens(text)[0]
        kept = self._words
        return sum((kept.get(word) or self._look_up(word))[0] for word in _WORD.findall(text))

    def map(self, text: str) -> TokenMap:
        """Where the tokens of `text` stand."""
        starts, ends = array("I"), array("I")
        kept = self._words
        pieces = _WORD.finditer(text) if self._is_by_word else _SLICES.finditer(text)
        for found in pieces:
            piece, position = found.group(), found.start()
            for start, end in (kept.get(piece) or self._look_up(piece))[1]:
                starts.append(position + start)
                ends.append(position + end)
        return TokenMap(starts, ends)

    def _look_up(self, word: str) -> _Tokens:
        tokens = self._tokens(word)
        if len(word) <= _MAX_KEPT_WORD:
            if len(self._words) >= _KEPT_WORDS:
                self._words.clear()
            self._words[word] = tokens
        return tokens

    def _tokens(self, text: str) -> _Tokens:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return len(encoding.ids), tuple(chain.from_iterable(map(_counted, encoding.offsets)))


def _counted(offsets: tuple[int, int]) -> Iterable[tuple[int, int]]:
    start, end = offsets
    if end - start > _MAX_TOKEN_CHARACTERS:
        return ((at, at + 1) for at in range(start, end))
    return ((start, end),) if end > start else ()


_SLICES = re.compile(rf"(?s).{{{_SLICE // 2},{_SLICE}}}(?=\s)|.{{1,{_SLICE}}}")
"""Stretches that end at white space where there is some: memory stays flat."""
