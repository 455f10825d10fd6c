"""Chats as files: nothing of the sources is lost, and nothing in an answer does anything."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from desktop_rag.domain.answers import (
    Answer,
    Confidence,
    Conversation,
    ConversationId,
    Message,
    MessageId,
    RetrievalFigures,
    Role,
)
from desktop_rag.domain.chats import ExportFormat
from desktop_rag.domain.masking import Mask
from desktop_rag.services.chat_export import exported, rendered
from desktop_rag.services.safeguards import Safeguards, find_lazily
from tests.helpers.passages import BRIDGE_CITATION

NOW = "2026-11-30T12:00:00+00:00"
TEXT = "It opened in **1932** [1]. Nobody knows why [2].\n\n| a | b |\n|---|---|\n| 1 | 2 |"
DOUBT = "Nobody knows why"
ANSWER = Answer(
    question="When?",
    text=TEXT,
    citations=(
        BRIDGE_CITATION,
        replace(BRIDGE_CITATION, number=2, page=None, page_label="", place="slide 4"),
    ),
    confidence=Confidence.MEDIUM,
    found=True,
    figures=RetrievalFigures(340, 35, 50, 5, 3),
    model="small",
    unsupported=((TEXT.index(DOUBT), TEXT.index(DOUBT) + len(DOUBT)),),
    conflicts=("One file says 1933.",),
)


def chat(
    answer: Answer = ANSWER, question: str = "When?", mode: str = "off", title: str = "Bridges"
) -> Any:
    number = ConversationId(7)
    messages = [
        Message(MessageId(1), number, Role.USER, question, NOW),
        Message(MessageId(2), number, Role.ASSISTANT, answer.text, NOW, answer),
        Message(MessageId(3), number, Role.SYSTEM, "No model.", NOW),
    ]
    safeguards = Safeguards(Mask(find_lazily), lambda: mode)
    return exported(Conversation(number, title, NOW), messages, NOW, safeguards)


class Page(HTMLParser):
    """What a browser would make of the file, as far as it matters here."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.within: dict[str, str] = {}
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.tags.append(tag)
        self._open.append(tag)
        self.ids.add(named.get("id") or "")
        if tag == "a":
            self.links.append(named.get("href") or "")
        assert not any(name.startswith("on") or name == "src" for name in named)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        for tag in self._open:
            self.within[tag] = self.within.get(tag, "") + data


def test_json_holds_all_of_every_source() -> None:
    made = json.loads(rendered(chat(), ExportFormat.JSON))
    assert (made["conversation"], made["title"]) == (7, "Bridges")
    question, answer, note = made["messages"]
    assert (question["text"], question["answer"]) == ("When?", None)
    assert note["role"] == "system"
    first, second = answer["answer"]["citations"]
    assert first["path"] == BRIDGE_CITATION.path
    assert (first["page"], first["page_label"], first["quote"]) == (3, "iii", "It opened in 1932.")
    assert first["sha256"] == BRIDGE_CITATION.sha256
    assert second["place"] == "slide 4"
    assert answer["answer"]["unsupported"] == [DOUBT]
    assert answer["answer"]["confidence"] == "medium"


def test_markdown_has_numbered_sources_and_what_to_doubt() -> None:
    made = rendered(chat(), ExportFormat.MARKDOWN)
    assert made.startswith("# Bridges\n\n*1 question · Desktop RAG, ")
    assert "> When?" in made
    assert "It opened in **1932** [1]. Nobody knows why [2]." in made
    assert "**\\[1\\] Bridges** · page 3 (printed iii) · History\n\n> It opened in 1932." in made
    assert "**\\[2\\] Bridges** · slide 4 · History" in made
    assert f"/documents/brücke.pdf (SHA-256 {BRIDGE_CITATION.sha256})" in made
    assert f"**No source supports this.** “{DOUBT}”" in made
    assert "Medium confidence · 5 of 340 passages from 3 of 35 files · written by small" in made
    assert "One file says 1933." in made


def test_html_links_numbers_to_sources_and_marks_what_to_doubt() -> None:
    made = rendered(chat(), ExportFormat.HTML)
    page = Page(made)
    assert page.links == ["#s2-1", "#s2-2"]
    assert {"s2-1", "s2-2", "m1", "m2", "m3"} <= page.ids
    assert page.within["span"] == DOUBT
    assert page.within["td"] == "12"
    assert "1932" in page.within["strong"]
    assert "page 3 (printed iii) · History" in made
    assert BRIDGE_CITATION.sha256 in made


HOSTILE = (
    "<script>alert(1)</script> ![x](http://evil.example/a.png) [go](javascript:alert(1)) "
    "<img src=x onerror=alert(1)> [1]\n\n`<b>` and\n\n```\na[1] = '<i>'\n```\n\n[1]: http://x\n"
)


def test_signs_that_stand_for_links_may_stand_in_a_document() -> None:
    answer = replace(ANSWER, text="The sign \ue0029\ue003 of a font [1].", unsupported=())
    made = rendered(chat(answer), ExportFormat.HTML)
    assert "The sign 9 of a font" in made
    assert Page(made).links == ["#s2-1"]


def test_html_runs_and_loads_nothing() -> None:
    answer = replace(ANSWER, text=HOSTILE, unsupported=())
    made = rendered(chat(answer, "<b>bold?</b>", title="</title><script>"), ExportFormat.HTML)
    page = Page(made)
    assert not {"script", "img", "i"} & set(page.tags)
    assert page.within["title"] == "</title><script>"
    assert "default-src 'none'" in made
    assert page.links == ["http://evil.example/a.png", "#s2-1", "#s2-1"]
    assert "a[1] = '<i>'" in page.within["code"]
    assert "<b>bold?</b>" in page.within["div"]


def test_markdown_shows_tags_and_pictures_as_they_are_written() -> None:
    answer = replace(ANSWER, text=HOSTILE, unsupported=())
    made = rendered(chat(answer, "# no *heading*\n1. no list <b>"), ExportFormat.MARKDOWN)
    assert "\\<script>" in made
    assert "!\\[x]" in made
    assert "`<b>`" in made
    assert "a[1] = '<i>'" in made
    assert "> \\# no \\*heading\\*\n> 1\\. no list \\<b\\>" in made


@pytest.mark.parametrize("as_format", list(ExportFormat))
@pytest.mark.parametrize("mode", ["on", "model_only"])
def test_personal_data_stays_here_when_that_is_chosen(as_format: ExportFormat, mode: str) -> None:
    mail = "anna.weber@example.org"
    text = f"Write to {mail} [1]. Nobody knows why."
    at = text.index("Nobody")
    answer = replace(
        ANSWER,
        text=text,
        unsupported=((at, len(text)),),
        citations=(replace(BRIDGE_CITATION, quote=f"Mail: {mail}"),),
    )
    made = rendered(chat(answer, f"Who is {mail}?", mode, f"About {mail}"), as_format)
    assert mail not in made
    assert "EMAIL" in made
    assert "Nobody knows why." in made
    assert mail in rendered(chat(answer, "Who?"), as_format)


def test_an_answer_that_was_not_found_names_the_nearest() -> None:
    answer = replace(
        ANSWER, text="Not there.", citations=(), found=False, unsupported=(), conflicts=(),
        confidence=Confidence.NONE, nearest=("Handbook",), model="",
    )  # fmt: skip
    made = rendered(chat(answer), ExportFormat.MARKDOWN)
    assert "*Not in the documents · searched 340 passages in 35 files*" in made
    assert "Closest in the library: Handbook" in made
    assert "Sources" not in made
