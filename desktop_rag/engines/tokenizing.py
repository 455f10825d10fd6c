"""Counts tokens with the embedder's own tokenizer (Hugging Face `tokenizers`).

Truncation and padding, which `tokenizer.json` may carry, are off here: they serve embedding, and
would make every long text look as if it fitted.
"""

from __future__ import annotations

from array import array
from pathlib import Path

from tokenizers import Tokenizer

from desktop_rag.domain.errors import ModelDamaged, ModelMissing
from desktop_rag.domain.tokens import TokenMap

_SLICE = 50_000
_MAX_TOKEN_CHARACTERS = 100
"""WordPiece gives one `[UNK]` for a longer word; it counts as one token a character instead, so
that such text is cut into readable passages and its remainders never exceed a limit."""


class TokenCounter:
    """Token counts and token maps for one embedder. Called on the thread that made it."""

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

    def count(self, text: str) -> int:
        """Tokens of `text`, without special tokens."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def map(self, text: str) -> TokenMap:
        """Where the tokens of `text` stand. Slices at white space keep memory flat."""
        starts, ends = array("I"), array("I")
        position = 0
        while position < len(text):
            stop = _slice_end(text, position)
            encoding = self._tokenizer.encode(text[position:stop], add_special_tokens=False)
            for start, end in encoding.offsets:
                if end - start > _MAX_TOKEN_CHARACTERS:
                    starts.extend(range(position + start, position + end))
                    ends.extend(range(position + start + 1, position + end + 1))
                elif end > start:
                    starts.append(position + start)
                    ends.append(position + end)
            position = stop
        return TokenMap(starts, ends)


def _slice_end(text: str, position: int) -> int:
    """End of a slice: after the last line end or space in reach, else at the full length."""
    stop = position + _SLICE
    if stop >= len(text):
        return len(text)
    for gap in ("\n", " "):
        cut = text.rfind(gap, position + _SLICE // 2, stop)
        if cut > 0:
            return cut + 1
    return stop
