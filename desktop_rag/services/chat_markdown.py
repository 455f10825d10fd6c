"""An exported chat as Markdown that any program shows, and that loads nothing from anywhere."""

from __future__ import annotations

import re
from collections.abc import Callable

from desktop_rag.domain.answers import Citation, Role
from desktop_rag.domain.chats import ExportedChat, ExportedMessage
from desktop_rag.domain.structured import StructuredAnswer
from desktop_rag.services import chat_remarks as say

_SIGNS = re.compile(r"([\\`*_<>\[\]|~&])")
_LINE_SIGNS = re.compile(r"^(\s*)([#+=-]|\d+[.)])", re.MULTILINE)
_CODE = re.compile(r"(^ {0,3}```.*?(?:^ {0,3}```|\Z)|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
# A line that begins "[1]: …" would be swallowed as a link definition.
_LINK_DEFINITION = re.compile(r"^( {0,3})\[(\d+)\]:", re.MULTILINE)


def rendered(chat: ExportedChat) -> str:
    """The whole file."""
    parts = [f"# {literal(_on_a_line(chat.title))}", f"*{literal(say.origin(chat))}*"]
    parts += [_message(message) for message in chat.messages]
    return "\n\n".join(parts) + "\n"


def literal(text: str) -> str:
    """Text that is no Markdown, so that it is shown as it is."""
    escaped = _SIGNS.sub(r"\\\1", text)
    return _LINE_SIGNS.sub(lambda found: f"{found[1]}{_escaped_first(found[2])}", escaped)


def _escaped_first(sign: str) -> str:
    """A sign that would begin a heading or a list item; of `1.` the full stop is escaped."""
    return f"{sign[:-1]}\\{sign[-1]}"


def _message(message: ExportedMessage) -> str:
    head = f"## {say.speaker(message)}\n\n*{say.local_time(message.created_at)}*"
    if message.role is Role.USER:
        return f"{head}\n\n{_quoted(literal(message.text))}"
    if message.answer is None:
        return f"{head}\n\n{_harmless(message.text)}"
    return f"{head}\n\n{_answer(message.answer)}"


def _answer(answer: StructuredAnswer) -> str:
    parts = [_harmless(answer.answer.strip())]
    parts += [f"**{say.UNSUPPORTED}** “{literal(one)}”" for one in say.doubts(answer)]
    parts += [f"*{literal(say.assurance(answer))}*"]
    parts += [f"*{literal(one)}*" for one in say.remarks(answer)]
    if answer.citations:
        parts += ["### Sources", *map(_source, answer.citations)]
    return "\n\n".join(filter(None, parts))


def _source(citation: Citation) -> str:
    place = say.place(citation)
    head = f"**\\[{citation.number}\\] {literal(say.title(citation))}**"
    where = f"{head}{f' · {literal(place)}' if place else ''}"
    quote = _quoted(literal(citation.quote.strip()))
    return f"{where}\n\n{quote}\n\n{literal(citation.path)} (SHA-256 {citation.sha256})"


def _harmless(text: str) -> str:
    """An answer's own Markdown; pictures and tags become what is written, also in a browser."""
    return outside_code(text, _disarmed)


def _disarmed(text: str) -> str:
    text = _LINK_DEFINITION.sub(r"\1\\[\2\\]:", text)
    return _TAG.sub(r"\\<", text).replace("![", "!\\[")


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Markdown with a change made wherever it is no code."""
    pieces = _CODE.split(text)
    return "".join(piece if n % 2 else change(piece) for n, piece in enumerate(pieces))


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _on_a_line(text: str) -> str:
    return " ".join(text.split())
