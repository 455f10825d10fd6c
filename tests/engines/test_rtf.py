"""RTF: code pages, structure, what is shown and what is hidden, bad input."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument, PartKind
from desktop_rag.domain.errors import Damaged, NoText, TooLarge
from desktop_rag.engines import rtf
from desktop_rag.engines.rtf import RtfParser, read_rtf


def parse(body: str, *, head: str = "\\ansi\\ansicpg1252") -> ParsedDocument:
    return read_rtf(f"{{\\rtf1{head} {body}}}".encode("latin-1"), "a.rtf")


def blocks(document: ParsedDocument) -> list[tuple[BlockKind, str, int]]:
    return [(b.kind, document.text[b.start : b.end], b.level) for b in document.blocks]


def escaped(text: str, encoding: str) -> str:
    return "".join(f"\\'{byte:02x}" for byte in text.encode(encoding))


@pytest.mark.parametrize(
    ("head", "encoding", "text"),
    [
        ("\\ansi\\ansicpg1252", "cp1252", "Größe – 5 €"),
        ("\\ansi\\ansicpg1251", "cp1251", "Привет"),
        ("\\ansi\\ansicpg932", "cp932", "日本語のソフト表"),
        ("\\ansi\\ansicpg936", "gb18030", "中文测试"),
        ("\\ansi\\ansicpg949", "cp949", "한국어"),
        ("\\mac", "mac_roman", "Größe"),
        ("\\pc", "cp437", "Größe"),
        ("\\ansi\\ansicpg99999", "cp1252", "Größe"),
    ],
)
def test_code_page_of_the_file(head: str, encoding: str, text: str) -> None:
    assert parse(escaped(text, encoding), head=head).text == text


def test_the_font_says_the_code_page() -> None:
    kinds = ("\\fcharset0", "\\fcharset204", "\\fcharset128", "\\cpg1250")
    fonts = "{\\fonttbl" + "".join(f"{{\\f{n}{kind} A;}}" for n, kind in enumerate(kinds)) + "}"
    body = (
        f"{fonts}\\f0 {escaped('é', 'cp1252')} \\f1 {escaped('Да', 'cp1251')} "
        f"{{\\f2 {escaped('表', 'cp932')}}} \\f3 {escaped('ž', 'cp1250')}"
    )
    assert parse(body).text == "é Да 表 ž"


def test_second_bytes_that_are_letters_or_braces_of_their_own() -> None:
    # ソ is 83 5C, ア is 83 41: writers leave the 41 as a plain letter
    assert parse("\\'83\\'5c\\'83A", head="\\ansi\\ansicpg932").text == "ソア"


def test_unicode_with_its_stand_ins() -> None:
    assert parse("\\u8364?\\uc2\\u26085\\'93\\'fa\\uc0\\u26412 x").text == "€日本x"
    assert parse("\\u-10179 ?\\u-8704 ?").text == "😀"
    assert parse("a\\u-10240 ?b \\u-9216 ?c").text == "a\ufffdb \ufffdc"
    assert parse("{\\uc1 \\u8364?}5").text == "€5"


def test_headings_by_style_and_outline_and_lists() -> None:
    styles = "{\\stylesheet{\\s0 Normal;}{\\s1\\f3\\b heading 1;}{\\*\\cs9 Heading 2 Char;}}"
    body = (
        f"{styles}\\pard\\s1 Pumps\\par\\pard\\s0 Words.\\par\\pard\\outlinelevel1 Care\\par"
        "\\pard{\\listtext\\'b7\\tab}\\ls1 first\\par{\\listtext 1.\\tab}\\ilvl1 second\\par"
        "\\pard{\\pntext a)\\tab}third\\par\\pard end"
    )
    assert blocks(parse(body)) == [
        (BlockKind.HEADING, "Pumps", 1),
        (BlockKind.PARAGRAPH, "Words.", 0),
        (BlockKind.HEADING, "Care", 2),
        (BlockKind.LIST, "- first", 0),
        (BlockKind.LIST, "  1. second", 0),
        (BlockKind.LIST, "a) third", 0),
        (BlockKind.PARAGRAPH, "end", 0),
    ]
    assert parse(body).title == "Pumps"


def test_tables() -> None:
    row = "\\trowd\\cellx100\\cellx200\\pard\\intbl {}\\cell {}\\cell\\row "
    body = (
        "before\\par "
        + row.format("Name", "Price")
        + row.format("Pump\\par A", "10|20")
        + row.format("Name", "Price")
        + "\\pard after\\par \\trowd\\pard\\intbl only one\\cell\\row\\pard{\\b end}"
    )
    document = parse(body)
    assert blocks(document) == [
        (BlockKind.PARAGRAPH, "before", 0),
        (BlockKind.TABLE, "Name | Price\nPump A | 10|20", 0),
        (BlockKind.PARAGRAPH, "after", 0),
        (BlockKind.PARAGRAPH, "only one", 0),
        (BlockKind.PARAGRAPH, "end", 0),
    ]
    assert document.coverage.tables == 1


def test_what_nobody_sees_is_left_out() -> None:
    body = (
        "{\\colortbl;\\red1;}{\\*\\generator Writer 1;}{\\info{\\title Manual}{\\author Ann}"
        "{\\creatim\\yr2021\\mo3\\dy4\\hr5}{\\subject none}}"
        "shown{\\v hidden}{\\deleted gone}{\\*\\unknown secret}{\\pict\\pngblip 0aff}"
        '{\\field{\\*\\fldinst HYPERLINK "http://x"}{\\fldrslt  link}}{\\xe index}'
    )
    document = parse(body)
    assert document.text == "shown link"
    assert (document.title, document.author, document.created) == ("Manual", "Ann", "2021-03-04")
    assert "Pictures" in document.notes[0]


def test_footnotes_comments_text_boxes_and_page_headers() -> None:
    body = (
        "{\\header Pump {\\b Confidential}\\par}"
        "Claim{\\super\\chftn{\\footnote\\pard {\\super\\chftn} Proof.}} goes on"
        "{\\*\\atnauthor Ann}{\\*\\annotation Is it true?}"
        "{\\shp{\\*\\shpinst{\\sp{\\sn name}{\\sv value}}{\\shptxt\\pard boxed\\par}}"
        "{\\shprslt no}}"
        "\\par The pump."
    )
    document = parse(body)
    assert document.text.split("\n\n") == [
        "Claim[1] goes on", "[1] Proof.", "boxed", "The pump.", "Pump Confidential", "Comments",
        "Comment by Ann: Is it true?",
    ]  # fmt: skip
    assert [part.kind for part in document.parts] == [PartKind.COMMENTS]


def test_raw_data_is_jumped_over() -> None:
    assert parse("a{\\pict\\bin5 {{{{{}b{\\object\\objdata 00ff}").text == "ab"
    document = parse("a{\\object{\\*\\objdata 00ff}{\\result shown}}")
    assert document.text == "ashown"
    assert "embedded" in document.notes[0]


def test_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parse("never closed {\\b bold").text == "never closed bold"
    assert parse("early} late").text == "early"
    assert parse("\\u99999999?x \\'zz \\f \\bin-5 y").text.endswith("y")
    with pytest.raises(Damaged, match=r"a\.rtf.*nested"):
        parse("{" * 5000)
    with pytest.raises(Damaged, match=r"a\.rtf"):
        read_rtf(b"plain text", "a.rtf")
    with pytest.raises(NoText, match=r"a\.rtf.*pictures"):
        parse("{\\pict 00}")
    monkeypatch.setattr(rtf, "MAX_TOKENS", 100)
    with pytest.raises(TooLarge, match=r"a\.rtf"):
        parse("\\b" * 200)
    monkeypatch.setattr(rtf, "MAX_BYTES", 10)
    (tmp_path / "b.rtf").write_bytes(b"{\\rtf1 long enough}")
    with pytest.raises(TooLarge, match=r"b\.rtf"):
        RtfParser().parse(tmp_path / "b.rtf")
