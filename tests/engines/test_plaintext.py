"""Plain text: encodings, paragraphs, headings, and what is no text."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import NoText, TooLarge, Unsupported
from desktop_rag.engines import decoding
from desktop_rag.engines.decoding import read_text
from desktop_rag.engines.plaintext import PlainTextParser
from tests.helpers.documents import make_text


def parse(path: Path) -> ParsedDocument:
    return PlainTextParser().parse(path)


GERMAN = "Die Größe der Anlage beträgt 20 m², der Preis – für Änderungen – „höchstens“ 5 €."
FRENCH = "Le café était fermé à cause d’une grève générale ; les élèves sont restés chez eux."
TURKISH = "Bu yılın ilk çeyreğinde satışlar yüzde on arttı; İstanbul şubesi en iyi sonucu aldı."
POLISH = "Zażółć gęślą jaźń, powiedział źle ubrany mężczyzna, łapiąc się za głowę."
RUSSIAN = "Это обычный русский текст, в котором рассказывается о погоде и о новостях."
CHINESE = "这是一个关于天气和新闻的普通中文文本，里面有足够的字可以识别编码。" * 3
JAPANESE = "これは天気とニュースについての普通の日本語の文章です。文字コードを判定します。" * 3

KOREAN = "이 문서는 날씨와 소식에 관한 평범한 한국어 글입니다. 부호를 알아내기에 충분합니다."
TRADITIONAL = "這是一個關於天氣和新聞的普通中文文本，裡面有足夠的字可以識別編碼。" * 2


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", GERMAN),
        ("utf-8-sig", GERMAN),
        ("utf-16", CHINESE),
        ("utf-16-le", GERMAN),
        ("utf-16-be", GERMAN),
        ("utf-32", GERMAN),
        ("cp1252", GERMAN),
        ("cp1252", FRENCH),
        ("cp1254", TURKISH),
        ("cp1250", POLISH),
        ("cp1251", RUSSIAN),
        ("gbk", CHINESE),
        ("shift_jis", JAPANESE),
        ("euc_jp", JAPANESE),
        ("iso2022_jp", JAPANESE),
        ("euc_kr", KOREAN),
        ("big5", TRADITIONAL),
        ("utf-32-le", GERMAN),
        ("utf-32-be", CHINESE),
    ],
)
def test_encodings(tmp_path: Path, encoding: str, text: str) -> None:
    assert parse(make_text(tmp_path / "a.txt", text, encoding=encoding)).text == text


SHORT_CYRILLIC = [
    "Договор аренды помещения подписан вчера в Казани",
    "Привет, мир! Завтра будет тепло.",
    "ПРОТОКОЛ СОБРАНИЯ АКЦИОНЕРОВ",
    "Маяк на скалистом мысе построили в 1884 году.",
]
HEBREW = "הישיבה תתקיים ביום ראשון בשעה עשר בבוקר במשרד הראשי של החברה."
GREEK = "Η συνεδρίαση θα γίνει την Κυριακή στις δέκα το πρωί στα γραφεία."


@pytest.mark.parametrize("encoding", ["koi8-r", "cp1251", "cp866", "iso8859-5", "mac-cyrillic"])
@pytest.mark.parametrize("text", SHORT_CYRILLIC, ids=range(len(SHORT_CYRILLIC)))
def test_a_line_of_cyrillic_is_enough(tmp_path: Path, encoding: str, text: str) -> None:
    assert parse(make_text(tmp_path / "a.txt", text, encoding=encoding)).text == text


@pytest.mark.parametrize(("encoding", "text"), [("cp1255", HEBREW), ("cp1253", GREEK)])
def test_other_scripts_are_not_taken_for_cyrillic(tmp_path: Path, encoding: str, text: str) -> None:
    assert parse(make_text(tmp_path / "a.txt", text, encoding=encoding)).text == text


def test_paragraphs_lists_and_underlined_headings(tmp_path: Path) -> None:
    source = "Title\n=====\n\nA paragraph.\n\nPart\n----\nMore words.\n\n- one\n- two\n"
    document = parse(make_text(tmp_path / "a.rst", source))
    assert [(b.kind, document.text[b.start : b.end], b.level) for b in document.blocks] == [
        (BlockKind.HEADING, "Title", 1),
        (BlockKind.PARAGRAPH, "A paragraph.", 0),
        (BlockKind.HEADING, "Part", 2),
        (BlockKind.PARAGRAPH, "More words.", 0),
        (BlockKind.LIST, "- one\n- two", 0),
    ]


WRAPPED = (
    "This paragraph was broken at a fixed width of columns by\n"
    "the program that wrote it, and its lines are all about as\n"
    "long as each other except the last."
)


def test_lines_broken_at_a_fixed_width_flow_again(tmp_path: Path) -> None:
    assert "\n" not in parse(make_text(tmp_path / "a.txt", WRAPPED)).text
    verse = "Roses are red\nViolets are blue"
    assert parse(make_text(tmp_path / "b.txt", verse)).text == verse


@pytest.mark.parametrize(
    "data",
    [
        b"text\0with\0zeros and more text",
        b"abc\0def\0" * 100,
        b"a\0bcd\0" * 100,
        b"word\0" * 101,
        b"a\0b\0c\0" * 50 + b"\0\0",
        b"\xef\xbb\xbf" + b"plain text " * 9000 + b"\0",
        GERMAN.encode("utf-16-le") + b"\0",
        bytes(range(256)) * 8,
        b"\x01\x02\x03" * 50,
    ],
)
def test_binary_data_is_refused_with_the_reason(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "b.txt").write_bytes(data)
    with pytest.raises(Unsupported, match=r"b\.txt.*binary"):
        parse(tmp_path / "b.txt")


def test_blank_and_huge_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoText, match=r"a\.txt"):
        parse(make_text(tmp_path / "a.txt", " \n\n\t"))
    monkeypatch.setattr(decoding, "MAX_TEXT_BYTES", 10)
    with pytest.raises(TooLarge, match=r"b\.txt"):
        read_text(make_text(tmp_path / "b.txt", "more than ten"))


@pytest.mark.parametrize("gap", [" ", "\n", "\n\n"])
def test_the_beginning_of_a_huge_text_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gap: str
) -> None:
    monkeypatch.setattr(decoding, "MAX_PROSE_BYTES", 1000)
    words = f"flöw{gap}" * 1000
    document = parse(make_text(tmp_path / "a.txt", f"Title\n\n{words}"))
    assert document.text.split() == ["Title", *["flöw"] * len(document.text.split()[1:])]
    assert 800 < len(document.text.encode()) <= 1000
    assert document.notes == decoding.ONLY_BEGINNING


def test_the_beginning_of_a_huge_text_without_spaces_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoding, "MAX_DENSE", 100)
    document = parse(make_text(tmp_path / "a.txt", "会议 notes " * 90))
    assert document.text == ("会议 notes " * 51).rstrip()[: len(document.text)]
    assert 95 < document.text.count("会") * 2 <= 100
    assert document.notes == decoding.ONLY_BEGINNING


def test_thousands_of_underlined_lines(tmp_path: Path) -> None:
    document = parse(make_text(tmp_path / "a.txt", "Title\n=====\n" * 3000))
    assert len(document.blocks) == 3000
