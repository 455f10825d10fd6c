"""Markdown: readable text with structure, titles from front matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import NoText
from desktop_rag.engines.markdown import MarkdownParser
from tests.helpers.documents import make_text


def parse(tmp_path: Path, text: str) -> ParsedDocument:
    return MarkdownParser().parse(make_text(tmp_path / "a.md", text))


def blocks(document: ParsedDocument) -> list[tuple[BlockKind, str, int]]:
    return [(b.kind, document.text[b.start : b.end], b.level) for b in document.blocks]


def test_structure_without_marks(tmp_path: Path) -> None:
    document = parse(
        tmp_path,
        "# A *title*\n\nSome **bold** text\nover [two](http://x.example) lines.\n\n"
        "- one\n- two\n  - inner\n\n3. three\n4. four\n\n```python\nx = 1  # y\n```\n\n"
        "| a | b |\n|---|---|\n| 1 | `2` |\n\nSub\n---\n\n> quoted\n",
    )
    assert blocks(document) == [
        (BlockKind.HEADING, "A title", 1),
        (BlockKind.PARAGRAPH, "Some bold text over two lines.", 0),
        (BlockKind.LIST, "- one", 0),
        (BlockKind.LIST, "- two", 0),
        (BlockKind.LIST, "  - inner", 0),
        (BlockKind.LIST, "3. three", 0),
        (BlockKind.LIST, "4. four", 0),
        (BlockKind.CODE, "x = 1  # y", 0),
        (BlockKind.TABLE, "a | b\n1 | 2", 0),
        (BlockKind.HEADING, "Sub", 2),
        (BlockKind.PARAGRAPH, "quoted", 0),
    ]
    assert document.title == "A title"


def test_items_of_a_list_stand_on_lines_of_their_own(tmp_path: Path) -> None:
    assert parse(tmp_path, "- one\n- two\n\n  more of two\n- three\n").text == (
        "- one\n- two\n  more of two\n- three"
    )


def test_front_matter(tmp_path: Path) -> None:
    document = parse(
        tmp_path, '---\ntitle: "The report"\nauthor: Ann\ndate: 2024-05-06\n---\n# Other\n\ntext\n'
    )
    assert (document.title, document.author, document.created) == (
        "The report",
        "Ann",
        "2024-05-06",
    )
    assert document.text == "Other\n\ntext"


def test_a_rule_at_the_top_is_no_front_matter(tmp_path: Path) -> None:
    assert parse(tmp_path, "---\n\ntext stays\n").text == "text stays"


def test_html_in_markdown_shows_its_text_only(tmp_path: Path) -> None:
    text = parse(
        tmp_path, "<div align='center'>\n<b>shown</b>\n</div>\n\nx <br> y <!-- not -->\n"
    ).text
    assert text == "shown\n\nx   y"


@pytest.mark.parametrize("text", ["---\ntitle: x\n---\n", "<!-- only a comment -->\n", "***\n"])
def test_nothing_to_read(tmp_path: Path, text: str) -> None:
    with pytest.raises(NoText, match=r"a\.md"):
        parse(tmp_path, text)


def test_deep_nesting_does_not_crash(tmp_path: Path) -> None:
    assert "end" in parse(tmp_path, "> " * 500 + "x\n\nend").text
    assert (
        "end"
        in parse(tmp_path, "".join(f"{' ' * 2 * n}- {n}\n" for n in range(200)) + "\nend").text
    )
