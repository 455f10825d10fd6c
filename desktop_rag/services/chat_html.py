"""An exported chat as one HTML file that needs nothing beside it and runs and loads nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from desktop_rag.domain.answers import Citation, Role
from desktop_rag.domain.chats import ExportedChat, ExportedMessage
from desktop_rag.domain.doubts import SPAN_END, SPAN_START, marked
from desktop_rag.domain.structured import StructuredAnswer
from desktop_rag.services import chat_remarks as say
from desktop_rag.services.chat_markdown import outside_code

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_CHIP_START, _CHIP_END = "\ue002", "\ue003"
_MARK = re.compile(r"\[(\d+)\]")
_CHIP = re.compile(f"{_CHIP_START}(\\d+){_CHIP_END}")
_PRIVATE = re.compile("[\ue000-\ue003]")
_OUTSIDE_LINK = re.compile(r"^(?:https?|mailto):", re.IGNORECASE)
_STYLE = """
:root { color-scheme: light dark; --text: #1d1d1b; --muted: #62615c; --ground: #ffffff;
  --raised: #f3f2ee; --border: #e5e4de; --accent: #0b5f58; --chip: #dff1ee; --doubt: #fff4d9; }
@media (prefers-color-scheme: dark) { :root { --text: #ececea; --muted: #acaba6;
  --ground: #1b1c1e; --raised: #26282b; --border: #2f3236; --accent: #7fdccf;
  --chip: #16383a; --doubt: #3a2f17; } }
body { font: 16px/1.6 system-ui, sans-serif; color: var(--text); background: var(--ground);
  max-width: 46rem; margin: 3rem auto; padding: 0 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.3; } h2, h3 { font-size: 1rem; }
.small, time { color: var(--muted); font-size: .85rem; }
.question { background: var(--raised); border-radius: 1rem; padding: .8rem 1.2rem;
  margin: 2.5rem 0 1.5rem; white-space: pre-wrap; }
a { color: var(--accent); } a.cite { background: var(--chip); border-radius: .4rem;
  padding: 0 .35rem; font-size: .8em; text-decoration: none; }
.doubt { background: var(--doubt); text-decoration: underline dotted; }
pre { background: var(--raised); border-radius: .5rem; padding: .8rem; overflow-x: auto; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--border);
  padding: .3rem .6rem; text-align: start; }
blockquote { margin: .4rem 0; padding-inline-start: .9rem; white-space: pre-wrap;
  border-inline-start: 3px solid var(--border); }
.sources { border-top: 1px solid var(--border); margin-top: 1.2rem; font-size: .92rem; }
.source { margin: .9rem 0; } .source:target { background: var(--chip); }
.path { color: var(--muted); font-size: .8rem; }
"""


def rendered(chat: ExportedChat) -> str:
    """The whole file."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    body = "\n".join(pieces(chat))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(chat.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"{body}\n</body>\n</html>\n"
    )


def pieces(chat: ExportedChat) -> Iterator[str]:
    """The body: its head, then a piece a message, each complete in itself."""
    yield (
        f'<h1 dir="auto">{escape(chat.title)}</h1>\n<p class="small">{escape(say.origin(chat))}</p>'
    )
    for message in chat.messages:
        yield _message(message)


def _message(message: ExportedMessage) -> str:
    if message.role is Role.USER:
        text = escape(message.text)
        return f'<div class="question" dir="auto" id="m{message.message}">{text}</div>'
    when = f"<p><time>{escape(say.local_time(message.created_at))}</time></p>"
    body = _markdown(message.text) if message.answer is None else _answer(message)
    return f'<div class="answer" dir="auto" id="m{message.message}">\n{when}\n{body}\n</div>'


def _answer(message: ExportedMessage) -> str:
    answer = message.answer
    assert answer is not None  # the caller looked
    parts = [_text(answer, message.message)]
    parts.append(f'<p class="small">{escape(say.assurance(answer))}</p>')
    parts += [f'<p class="small" dir="auto">{escape(one)}</p>' for one in say.remarks(answer)]
    parts += [
        f'<p class="small" dir="auto"><b>{say.UNSUPPORTED}</b> “{escape(one)}”</p>'
        for one in say.doubts(answer)
    ]
    if answer.citations:
        sources = "\n".join(_source(one, message.message) for one in answer.citations)
        parts.append(f'<div class="sources"><h3>Sources</h3>\n{sources}</div>')
    return "\n".join(parts)


def _text(answer: StructuredAnswer, message: int) -> str:
    """The answer's Markdown with its citation numbers as links and its doubtful spans marked."""
    spans = [(span.start, span.end) for span in answer.unsupported_spans]
    text = marked(answer.answer, spans)
    known = {one.number: one for one in answer.citations}

    def chip(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"{_CHIP_START}{number}{_CHIP_END}" if number in known else found[0]

    def link(found: re.Match[str]) -> str:
        one = known.get(int(found[1]))  # a document may hold such signs itself
        return _link(one, message) if one is not None else found[1]

    made = _markdown(outside_code(text, lambda piece: _MARK.sub(chip, piece)))
    made = _CHIP.sub(link, made)
    made = made.replace(SPAN_START, f'<span class="doubt" title="{say.UNSUPPORTED}">')
    made = made.replace(SPAN_END, "</span>")
    return _PRIVATE.sub("", made)


def _link(citation: Citation, message: int) -> str:
    where = " · ".join(filter(None, (say.title(citation), say.place(citation))))
    number = citation.number
    return f'<a class="cite" href="#s{message}-{number}" title="{escape(where)}">[{number}]</a>'


def _source(citation: Citation, message: int) -> str:
    place = say.place(citation)
    where = f" · {escape(place)}" if place else ""
    return (
        f'<div class="source" id="s{message}-{citation.number}"><b>[{citation.number}] '
        f"{escape(say.title(citation))}</b>{where}\n"
        f'<blockquote dir="auto">{escape(citation.quote.strip())}</blockquote>\n'
        f'<div class="path">{escape(citation.path)}<br>SHA-256 {escape(citation.sha256)}</div>\n'
        "</div>"
    )


def _markdown(text: str) -> str:
    return str(_renderer().render(text))


@lru_cache(maxsize=1)
def _renderer() -> MarkdownIt:
    """Neither HTML nor pictures come through: a document may have told the model to write them."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    made.validateLink = lambda url: _OUTSIDE_LINK.match(url) is not None  # type: ignore[method-assign]
    return made
