"""Delimited text: dialects, quotes, encodings, row numbers, long rows, endless files."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.documents import ParsedDocument
from desktop_rag.domain.errors import NoText, Unsupported
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines import delimited
from desktop_rag.engines.delimited import DelimitedParser, find_delimiter
from desktop_rag.engines.tokenizing import TokenCounter
from tests.helpers.documents import filler, make_text


def parse(path: Path) -> ParsedDocument:
    return DelimitedParser().parse(path)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_every_usual_delimiter(tmp_path: Path, sign: str) -> None:
    source = sign.join(("Pump", "Flow", "Site")) + "\n" + sign.join(("P-7", "12", "Oslo")) + "\n"
    document = parse(make_text(tmp_path / "a.csv", source))
    assert document.text == "Pump | Flow | Site\nP-7 | 12 | Oslo"
    assert document.format == ("tsv" if sign == "\t" else "csv")
    assert document.coverage.tables == 1


@pytest.mark.parametrize(
    ("sample", "sign"),
    [
        ("Artikel;Preis;Menge\nSchraube;1,50;2,0\nMutter;0,75;3,5\n", ";"),
        ("Schraube;1,50\nMutter;0,75\n", ";"),
        ('name,remark\nAda,"one; two; three"\nBob,"four; five"\n', ","),
        ("just words\nand more words\n", ","),
        ("Report of May\nname,flow\nP-1,2\nP-2,3\n", ","),
        ("a\tb, c\nd\te, f\n", "\t"),
        ("", ","),
    ],
)
def test_the_delimiter_is_found(sample: str, sign: str) -> None:
    assert find_delimiter(sample) == sign


def test_quotes_line_breaks_and_ragged_rows(tmp_path: Path) -> None:
    source = 'name,remark\r\nAda,"says ""hi"",\r\nthen goes"\r\nBob\r\n\r\nCem,x,extra,cells\r\n'
    document = parse(make_text(tmp_path / "a.csv", source))
    assert document.text == (
        'name | remark\nAda | says "hi", then goes\nBob\n\nCem | x | extra | cells'
    )
    assert document.parts[0].rows == (1, 2, 3, 5, 5)


def test_a_quote_that_never_ends_swallows_nothing(tmp_path: Path) -> None:
    rows = "".join(f"P-{n},{n} mm\n" for n in range(500))
    document = parse(make_text(tmp_path / "a.csv", 'pump,"width\n' + rows))
    assert "P-499 | 499 mm" in document.text
    assert len(document.parts[0].rows) == 501
    inches = parse(make_text(tmp_path / "b.csv", 'pump,width\nP-1,5" tube\nP-2,"a, b"\n'))
    assert inches.text == 'pump | width\nP-1 | 5" tube\nP-2 | a, b'


@pytest.mark.parametrize(
    ("encoding", "word"),
    [
        ("utf-8-sig", "Größe 👩‍🔧"),
        ("cp1252", "Größe – Änderung"),
        ("utf-16", "Größe 尺寸"),
        ("utf-16-le", "Größe"),
        ("gbk", "这是一个关于天气和新闻的普通中文文本尺寸"),
    ],
)
def test_encodings(tmp_path: Path, encoding: str, word: str) -> None:
    source = "name;value\n" + f"{word};5\n" * 20
    document = parse(make_text(tmp_path / "a.csv", source, encoding=encoding))
    assert document.text.split("\n")[:2] == ["name | value", f"{word} | 5"]


def test_the_line_in_which_excel_names_the_delimiter_is_no_data(tmp_path: Path) -> None:
    document = parse(make_text(tmp_path / "a.csv", "sep=;\na;b,c\n1;2,3\n"))
    assert document.text == "a | b,c\n1 | 2,3"


def test_places_are_row_numbers(tmp_path: Path, reader: DocumentReader) -> None:
    rows = "".join(f"P-{n},Site number {n},{n}\n" for n in range(2, 400))
    read = reader.read(make_text(tmp_path / "a.csv", "pump,site,flow\n" + rows))
    assert read.chunks[0].place.startswith("rows 1-")
    for chunk in read.chunks[1:]:
        first = int(chunk.place.removeprefix("rows ").split("-")[0])
        assert chunk.text.startswith(f"P-{first} | ")
        assert chunk.header == "a\npump | site | flow"


def test_long_rows_fit_the_embedder_and_keep_their_names(
    tmp_path: Path, reader: DocumentReader, counter: TokenCounter
) -> None:
    names = ",".join(f"Property {n}" for n in range(40))
    rows = "\n".join(
        ",".join([f"P-{row}", *(filler(8, seed=row * 40 + n).replace(",", "") for n in range(39))])
        for row in range(160)
    )
    read = reader.read(make_text(tmp_path / "a.csv", f"{names}\n{rows}"))
    assert sum(counter.count(chunk.text) for chunk in read.chunks) > 60_000
    for chunk in read.chunks:
        assert counter.count(chunk.embedding_text) + 2 <= 256
        if chunk.place != "row 1":
            assert "Property" in chunk.embedding_text
    assert "".join("".join(c.text.split()) for c in read.chunks) == "".join(
        read.document.text.split()
    )


def test_endless_files_are_read_up_to_a_row_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "name,value\n" + "".join(f"P-{n},{n}\n" for n in range(2, 5000))
    path = make_text(tmp_path / "a.csv", source)
    monkeypatch.setattr(delimited, "MAX_CHARACTERS", 2000)
    by_text = parse(path)
    last = by_text.parts[0].rows[-1]
    assert by_text.text.endswith(f"P-{last} | {last}")
    assert by_text.notes == (
        f"Read up to row {last}: the file holds more text than can be searched.",
    )
    monkeypatch.undo()
    monkeypatch.setattr(delimited, "MAX_BYTES", 20_000)
    by_bytes = parse(path)
    last = by_bytes.parts[0].rows[-1]
    assert by_bytes.text.endswith(f"P-{last} | {last}")
    assert f"row {last:,}:" in by_bytes.notes[0]


def test_what_cannot_be_read_has_its_reason(tmp_path: Path) -> None:
    with pytest.raises(NoText, match=r"a\.csv"):
        parse(make_text(tmp_path / "a.csv", ",,,\n,,,\n"))
    (tmp_path / "b.csv").write_bytes(bytes(range(256)) * 30)
    with pytest.raises(Unsupported, match="binary"):
        parse(tmp_path / "b.csv")
