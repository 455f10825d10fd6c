"""HTML: the main text in order, nothing hidden, right encodings."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import Damaged, NoText
from desktop_rag.engines.web import WebParser
from tests.helpers.documents import filler, make_text


def parse(tmp_path: Path, body: str, head: str = "<title>T</title>") -> ParsedDocument:
    source = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
    return WebParser().parse(make_text(tmp_path / "a.html", source))


def blocks(document: ParsedDocument) -> list[tuple[BlockKind, str, int]]:
    return [(b.kind, document.text[b.start : b.end], b.level) for b in document.blocks]


def test_structure(tmp_path: Path) -> None:
    document = parse(
        tmp_path,
        "<h1>Head</h1><p>One <b>bold</b>\n  word.<br>Next line</p>loose text"
        "<ul><li>a<li><p>b</p><ol><li>inner</li></ol></ul>"
        "<table><tr><th>k</th><th>v</th></tr><tr><td>x</td><td>1<br>2</td></tr></table>"
        "<pre>  code\n    more</pre><h3>Sub</h3><div>end</div>",
    )
    assert blocks(document) == [
        (BlockKind.HEADING, "Head", 1),
        (BlockKind.PARAGRAPH, "One bold word.\nNext line", 0),
        (BlockKind.PARAGRAPH, "loose text", 0),
        (BlockKind.LIST, "- a", 0),
        (BlockKind.LIST, "- b", 0),
        (BlockKind.LIST, "  1. inner", 0),
        (BlockKind.TABLE, "k | v\nx | 1 2", 0),
        (BlockKind.CODE, "  code\n    more", 0),
        (BlockKind.HEADING, "Sub", 3),
        (BlockKind.PARAGRAPH, "end", 0),
    ]
    assert document.title == "T"


def test_hidden_text_scripts_and_menus_are_left_out(tmp_path: Path) -> None:
    document = parse(
        tmp_path,
        "<nav>menu</nav><script>alert(1)</script><style>p{}</style><noscript>no</noscript>"
        "<p hidden>hid</p><p style='display: none'>gone</p><!-- comment -->"
        "<div class='side-menu'><a>Home</a> <a>About</a></div>"
        "<p>shown <span style='visibility:hidden'>not</span>tail</p><footer>legal</footer>",
    )
    assert document.text == "shown tail"


def test_main_wins_over_what_is_around_it(tmp_path: Path) -> None:
    text = filler(80)
    assert parse(tmp_path, f"<div>advert</div><main><p>{text}</p></main>").text == text
    assert "advert" in parse(tmp_path, f"<div>advert</div><p>{text}</p><main>x</main>").text


def test_a_table_that_only_arranges_the_page_is_read_as_text(tmp_path: Path) -> None:
    document = parse(tmp_path, "<table><tr><td><h2>A</h2><p>one</p></td><td>two</td></tr></table>")
    assert [kind for kind, _, _ in blocks(document)] == [
        BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.PARAGRAPH,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("encoding", "declared", "text"),
    [
        ("utf-8", "", "Größe – 5 €"),
        ("utf-8-sig", "iso-8859-1", "Größe – 5 €"),
        ("cp1252", "iso-8859-1", "Größe – 5 €"),
        ("cp1251", "windows-1251", "Привет, мир"),
        ("shift_jis", "Shift_JIS", "日本語の文章"),
        ("utf-16", "", "Größe – 5 €"),
        ("utf-8", "no-such-charset", "Größe – 5 €"),
    ],
)
def test_encodings(tmp_path: Path, encoding: str, declared: str, text: str) -> None:
    meta = f"<meta charset='{declared}'>" if declared else ""
    source = f"<html><head>{meta}</head><body><p>{text}</p></body></html>"
    path = make_text(tmp_path / "e.html", source, encoding=encoding)
    assert WebParser().parse(path).text == text


def test_xhtml_prolog_and_metadata(tmp_path: Path) -> None:
    source = (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head>'
        '<meta name="author" content="Ann"/><meta name="date" content="2023-04-05T10:00"/></head>'
        "<body><h1>Größe</h1></body></html>"
    )
    document = WebParser().parse(make_text(tmp_path / "x.xhtml", source))
    assert (document.title, document.author, document.created) == ("Größe", "Ann", "2023-04-05")


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(NoText, match=r"a\.html"):
        parse(tmp_path, "<script>x</script>")


def test_deep_nesting_does_not_crash(tmp_path: Path) -> None:
    assert "deep" in parse(tmp_path, "<div>" * 1500 + "deep" + "</div>" * 1500).text
    assert "cell" in parse(tmp_path, "<table><tr><td>" * 300 + "cell").text


@pytest.mark.parametrize("depth", [5000, 50_000])
@pytest.mark.parametrize("tag", ["div", "div class='a'", "span", "section"])
def test_frames_nested_too_deeply_are_read_without_the_frames(
    tmp_path: Path, depth: int, tag: str
) -> None:
    close = f"</{tag.split()[0]}>"
    page = f"<h1>top</h1><p>one</p>{f'<{tag}>' * depth}deep{close * depth}<p>end</p>"
    document = parse(tmp_path, page)
    assert [text for _, text, _ in blocks(document)] == ["top", "one", "deep", "end"]
    assert "nested" in document.notes[0]


def test_other_nesting_too_deep_is_noted_or_refused_with_the_reason(tmp_path: Path) -> None:
    deep = "<ul><li>" * 5000 + "deep"
    cut = parse(tmp_path, f"<p>top</p>{deep}")
    assert cut.text == "top"
    assert "Part of the page was not read" in cut.notes[0]
    with pytest.raises(Damaged, match=r"a\.html.*nested too deeply"):
        parse(tmp_path, deep)


def test_cells_with_lists_and_tables_of_their_own_stay_cells(tmp_path: Path) -> None:
    document = parse(
        tmp_path,
        "<table><caption>Facts</caption><tr><th>Name</th><th>Home</th></tr><tr><td>T<b>ea</b>l"
        "</td><td><ul><li>Pond</li><li>Marsh</li></ul></td></tr><tr><td>Duck</td><td><table><tr>"
        "<td>in</td><td>ner</td></tr></table></td></tr></table>",
    )
    assert [text for _, text, _ in blocks(document)] == [
        "Facts", "Name | Home\nTeal | Pond; Marsh\nDuck | in ner",
    ]  # fmt: skip
    assert document.coverage.tables == 1


def test_cells_over_several_rows_are_repeated(tmp_path: Path) -> None:
    document = parse(
        tmp_path,
        "<table><tr><td rowspan=3>North</td><td>Ulm</td><td rowspan=2>x</td></tr>"
        "<tr><td>Bonn</td></tr><tr><td>Kiel</td><td>y</td></tr><tr><td rowspan=99999999>a</td>"
        "<td>b</td></tr></table>",
    )
    assert document.text.split("\n") == [
        "North | Ulm | x", "North | Bonn | x", "North | Kiel | y", "a | b",
    ]  # fmt: skip


def test_xhtml_elements_that_close_themselves(tmp_path: Path) -> None:
    source = (
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head>'
        '<body><a id="x"/><p>one<br/>two</p><div/><p>three</p></body></html>'
    )
    path = make_text(tmp_path / "x.xhtml", source)
    assert WebParser().parse(path).text == "one\ntwo\n\nthree"
