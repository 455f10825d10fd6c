"""Turns a list of turns into tokens of a llama.cpp model, safe against template tokens in text.

The model's own chat template (Jinja, from the GGUF's metadata) is rendered with placeholders where
the contents go, and cut at them. Only the template's pieces may become special tokens; contents
are tokenised as plain text, so `<|im_end|>` inside a document stays seven harmless tokens and can
neither end a turn nor begin one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import llama_cpp
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from desktop_rag.domain.answers import Role, Turn

if TYPE_CHECKING:
    from llama_cpp import Llama

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}<|im_start|>assistant\n"
)
"""For a model whose file carries no template; most small instruction models were trained on it."""

_MARK = "\ue000{}\ue001"
_MARKED = re.compile("\ue000(\\d+)\ue001")


class PromptWriter:
    """Writes prompts for one loaded model."""

    def __init__(self, model: Llama) -> None:
        self._model = model
        metadata: dict[str, str] = model.metadata
        self._templates = [t for t in (metadata.get("tokenizer.chat_template"), CHATML) if t]

    def tokens(self, turns: Sequence[Turn], begun: str = "") -> list[int]:
        """Prompt tokens of `turns`, ending where the assistant speaks, or has `begun` to."""
        contents = [turn.content.strip() for turn in turns]
        rendered = self._render([turn.role.value for turn in turns])
        tokens = [token for piece in self._pieces(rendered, contents) for token in piece]
        return self._with_begin([*tokens, *self._tokenise(begun, is_template=False)])

    def count(self, text: str) -> int:
        """Tokens of plain text."""
        return len(self._tokenise(text, is_template=False))

    def _pieces(self, rendered: str, contents: Sequence[str]) -> Iterator[list[int]]:
        for number, piece in enumerate(_MARKED.split(rendered)):
            is_content = number % 2 == 1
            text = contents[int(piece)] if is_content else piece
            if text:
                yield self._tokenise(text, is_template=not is_content)

    def _render(self, roles: Sequence[str]) -> str:
        """Render the first template that accepts the roles, first as given, then without system."""
        messages = [
            {"role": role, "content": _MARK.format(number)} for number, role in enumerate(roles)
        ]
        for template in self._templates:
            for attempt in (messages, _without_system(messages)):
                try:
                    rendered = self._format(template, attempt)
                # A template is a stranger's program: whatever it raises means "not this one".
                except Exception:  # noqa: BLE001
                    continue
                if all(message["content"] in rendered for message in messages):
                    return rendered
        return self._format(CHATML, messages)

    def _format(self, template: str, messages: list[dict[str, str]]) -> str:
        formatter = Jinja2ChatFormatter(
            template=template,
            eos_token=self._text_of(self._model.token_eos()),
            bos_token=self._text_of(self._model.token_bos()),
        )
        arguments: Any = messages
        return str(formatter(messages=arguments).prompt)

    def _text_of(self, token: int) -> str:
        return str(self._model._model.token_get_text(token)) if token >= 0 else ""

    def _tokenise(self, text: str, *, is_template: bool) -> list[int]:
        encoded = text.encode("utf-8", errors="ignore")
        return list(self._model.tokenize(encoded, add_bos=False, special=is_template))

    def _with_begin(self, tokens: list[int]) -> list[int]:
        begin = self._model.token_bos()
        wants_begin = llama_cpp.llama_vocab_get_add_bos(self._model._model.vocab)
        if wants_begin and begin >= 0 and tokens[:1] != [begin]:
            return [begin, *tokens]
        return tokens


def _without_system(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """Fold system messages into the next one: some templates refuse the role."""
    folded: list[dict[str, str]] = []
    pending = ""
    for message in messages:
        if message["role"] == Role.SYSTEM.value:
            pending += message["content"] + "\n\n"
        else:
            folded.append({**message, "content": pending + message["content"]})
            pending = ""
    return folded
