"""Spreadsheets: sheets as parts, true row numbers, values as a person sees them, bounds."""

from __future__ import annotations

import io
import struct
import zipfile
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.comments import Comment

from desktop_rag.domain.documents import BlockKind, ParsedDocument, PartKind
from desktop_rag.domain.errors import Damaged, NoText, TooLarge
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines import grids, xlsx_parts, zip_bounds
from desktop_rag.engines.binary_sheets import xls_cells
from desktop_rag.engines.cell_values import cell_text, number_format
from desktop_rag.engines.parsers import checked_parser, parse_with
from desktop_rag.engines.spreadsheets import SpreadsheetParser
from tests.helpers.documents import make_xlsx


def parse(path: Path) -> ParsedDocument:
    return SpreadsheetParser().parse(path)


def lines_with_rows(document: ParsedDocument) -> list[tuple[str, int]]:
    """Lines of the first sheet with the row of the file each claims to stand in."""
    part = document.parts[0]
    lines = document.text[part.start : part.end].split("\n")
    assert len(lines) == len(part.rows)
    return [(line, row) for line, row in zip(lines, part.rows, strict=True) if line]


def test_sheets_are_parts_with_headings_and_tables(tmp_path: Path) -> None:
    stock: list[list[Any]] = [["Pump", "Flow"], ["P-7", 12]]
    sheets = {"Stock": stock, "Staff": [["Name"], ["Ada"]]}
    document = parse(make_xlsx(tmp_path / "a.xlsx", sheets, title="Plant"))
    assert document.text == "Stock\n\nPump | Flow\nP-7 | 12\n\nStaff\n\nName\nAda"
    assert [(b.kind, b.level) for b in document.blocks] == [
        (BlockKind.HEADING, 1),
        (BlockKind.TABLE, 0),
        (BlockKind.HEADING, 1),
        (BlockKind.TABLE, 0),
    ]
    assert [(p.kind, p.name, p.number) for p in document.parts] == [
        (PartKind.SHEET, "Stock", 1),
        (PartKind.SHEET, "Staff", 2),
    ]
    staff = document.parts[1]
    assert document.text[staff.start : staff.end] == "Staff\n\nName\nAda"
    assert (document.title, document.format) == ("Plant", "xlsx")
    assert (document.coverage.pages, document.coverage.read, document.coverage.tables) == (2, 2, 2)


def test_a_row_far_down_is_found_with_its_columns_and_its_row(
    tmp_path: Path, reader: DocumentReader
) -> None:
    rows: list[list[Any]] = [["Asset", "Supplier", "Net price"]]
    rows += [[f"A-{n}", f"Supplier {n}", n * 10] for n in range(1, 900)]
    read = reader.read(make_xlsx(tmp_path / "a.xlsx", {"Assets": rows}))
    (chunk,) = [c for c in read.chunks if "A-800 " in c.text]
    assert chunk.header.endswith("Assets\nAsset | Supplier | Net price")
    assert chunk.place.startswith("sheet Assets, rows ")
    first, last = map(int, chunk.place.rpartition(" ")[2].split("-"))
    assert first <= 801 <= last
    assert chunk.text.split("\n")[801 - first].startswith("A-800 |")


def test_gaps_part_tables_and_rows_keep_their_numbers(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        [],
        [None, "Sales of the north"],
        [None, "Month", None, "Sum"],
        [None, "May", None, 5],
        [],
        [],
        [None, "Staff", "Age"],
        [None, "Ada", 36],
    ]
    document = parse(make_xlsx(tmp_path / "a.xlsx", {"S": rows}))
    assert lines_with_rows(document) == [
        ("S", 2),
        ("Sales of the north", 2),
        ("Month | Sum", 3),
        ("May | 5", 4),
        ("Staff | Age", 7),
        ("Ada | 36", 8),
    ]
    kinds = [b.kind for b in document.blocks]
    assert kinds == [BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.TABLE]


def test_empty_cells_keep_values_under_their_columns(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["a", "b", "c"], ["1", None, "3"], ["4", None, None]]
    assert "a | b | c\n1 |  | 3\n4" in parse(make_xlsx(tmp_path / "a.xlsx", {"S": rows})).text


def test_tables_side_by_side_are_read_one_after_the_other(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["Pump", "Flow", None, None, None],
        ["P-1", 1, None, "Valve", "Width"],
        ["P-2", 2, None, "V-1", 9],
    ]
    text = parse(make_xlsx(tmp_path / "a.xlsx", {"S": rows})).text
    assert text == "S\n\nPump | Flow\nP-1 | 1\nP-2 | 2\n\nValve | Width\nV-1 | 9"


def test_a_column_left_empty_for_looks_is_no_border(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["Item", None, "2023", None, "2022"], ["Sales", None, 5, None, 4]]
    assert (
        "Item | 2023 | 2022\nSales | 5 | 4"
        in parse(make_xlsx(tmp_path / "a.xlsx", {"S": rows})).text
    )


def test_values_as_a_person_sees_them(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    shown: list[tuple[object, str, str]] = [
        (3.0, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (1234567890123451, "0", "1234567890123451"),
        (datetime(2024, 3, 1), "yyyy-mm-dd", "2024-03-01"),
        (datetime(2024, 3, 1, 9, 30), "yyyy-mm-dd hh:mm", "2024-03-01 09:30:00"),
        (time(9, 30), "hh:mm", "09:30:00"),
        (timedelta(hours=30), "[h]:mm:ss", "30:00:00"),
        (0.255, "0.0%", "25.5%"),
        (1234.5, '#,##0.00 "€"', "1,234.50 €"),
        (-1234.5, '"$"#,##0.00', "-$1,234.50"),
        (99, "[$£-809]#,##0", "£99"),
        (True, "General", "TRUE"),
        ("two\nlines | here", "General", "two lines|here"),
    ]
    for number, (value, code, _) in enumerate(shown, 1):
        sheet.cell(number, 1, f"v{number}")
        cell = sheet.cell(number, 2)
        cell.value, cell.number_format = value, code
    book.save(tmp_path / "a.xlsx")
    lines = [line for line, _ in lines_with_rows(parse(tmp_path / "a.xlsx"))[1:]]
    assert lines == [f"v{n} | {text}" for n, (_, _, text) in enumerate(shown, 1)]


def test_number_formats() -> None:
    for code in ("General", "#,##0.00", "yyyy-mm-dd", "@", '0 "pieces"', "[Red]0.00"):
        assert number_format(code) is None, code
    assert cell_text(1e20) == "100000000000000000000"
    assert cell_text(2.5e-7) == "0.00000025"
    assert cell_text(6.02e23) == "6.02e+23"
    assert cell_text(date(2024, 1, 2)) == "2024-01-02"


def test_merged_labels_stand_in_each_of_their_rows(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (["Region", "City"], ["North", "Oslo"], [None, "Bergen"], ["South", "Rome"]):
        sheet.append(row)
    sheet.merge_cells("A2:A3")
    book.save(tmp_path / "a.xlsx")
    assert "North | Oslo\nNorth | Bergen\nSouth | Rome" in parse(tmp_path / "a.xlsx").text


def test_merged_titles_stand_over_each_of_their_columns(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["Sales of the north in thousands", None, None, None, None],
        ["Town", "2023", None, "2024", None],
        [None, "Spring", "Autumn", "Spring", "Autumn"],
        ["Oslo", 1, 2, 3, 4],
        ["Sum", 10, None, 20, None],
    ):
        sheet.append(row)
    for merged in ("A1:E1", "A2:A3", "B2:C2", "D2:E2", "B5:C5"):
        sheet.merge_cells(merged)
    book.save(tmp_path / "a.xlsx")
    assert parse(tmp_path / "a.xlsx").text.endswith(
        "Sales of the north in thousands\n\n"
        "Town | 2023 | 2023 | 2024 | 2024\n"
        "Town | Spring | Autumn | Spring | Autumn\n"
        "Oslo | 1 | 2 | 3 | 4\n"
        "Sum | 10 |  | 20"
    )


def xlsb_record(kind: int, content: bytes) -> bytes:
    return bytes([kind, len(content)]) + content


def test_binary_workbooks_with_far_values_are_not_laid_out(tmp_path: Path) -> None:
    cells = b"".join(
        xlsb_record(0, struct.pack("<I", row) + bytes(13))
        + xlsb_record(2, struct.pack("<II", column, 0) + bytes(4))
        for row, column in ((0, 0), (1_048_575, 16_383))
    )
    with zipfile.ZipFile(tmp_path / "a.xlsb", "w") as archive:
        archive.writestr("xl/workbook.bin", b"")
        archive.writestr("xl/worksheets/sheet1.bin", cells)
    with pytest.raises(TooLarge, match=r"a\.xlsb.*too far apart"):
        parse(tmp_path / "a.xlsb")


def test_the_rectangle_of_old_workbooks_is_measured_by_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sheet(*cells: tuple[int, int]) -> bytes:
        numbers = (struct.pack("<HHHHHd", 0x203, 14, *cell, 0, 1.0) for cell in cells)
        return struct.pack("<HHI", 0x809, 4, 0) + b"".join(numbers)

    class Container:
        def __init__(self, _path: Path) -> None:
            self.data = sheet((5, 5), (6, 9)) + sheet((0, 0), (65_535, 255))

        def __enter__(self) -> Container:
            return self

        def __exit__(self, *_error: object) -> None:
            pass

        def exists(self, name: str) -> bool:
            return name == "Workbook"

        def openstream(self, _name: str) -> io.BytesIO:
            return io.BytesIO(self.data)

    monkeypatch.setattr("olefile.OleFileIO", Container)
    assert xls_cells(tmp_path / "a.xls") == 2 * 5 + 65_536 * 256


def test_hidden_sheets_comments_and_charts(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Open"
    sheet["A1"], sheet["A2"] = "Pump", "P-7"
    sheet["A2"].comment = Comment("Leaks since May", "Ada")
    hidden = book.create_sheet("Secret")
    hidden["A1"] = "hidden words"
    hidden.sheet_state = "hidden"
    book.create_chartsheet("Curve")
    book.save(tmp_path / "a.xlsx")
    document = parse(tmp_path / "a.xlsx")
    assert "- Comment on A2 by Ada: Leaks since May" in document.text
    assert ("- Comment on A2 by Ada: Leaks since May", 2) in lines_with_rows(document)
    assert "hidden words" in document.text
    assert document.notes == (
        "Hidden sheets were read, too: Secret.",
        "Sheet “Curve” was not read: it holds charts or pictures only.",
    )
    assert document.coverage.skipped == ((3, "it holds charts or pictures only"),)


def rewritten(path: Path, member: str, change: Any) -> Path:
    """The archive with one member changed."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    entries[member] = change(entries[member])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def test_a_million_styled_rows_cost_nothing(tmp_path: Path) -> None:
    path = make_xlsx(tmp_path / "a.xlsx", {"S": [["a", "b"], [1, 2]]})
    empty = b"".join(b'<row r="%d"><c r="C%d" s="0"/></row>' % (n, n) for n in range(3, 200_000))
    rewritten(
        path,
        "xl/worksheets/sheet1.xml",
        lambda x: x.replace(b"</sheetData>", empty + b"</sheetData>"),
    )
    assert parse(path).text == "S\n\na | b\n1 | 2"


def test_values_at_both_ends_of_a_sheet_are_not_laid_out(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    far = book.worksheets[0]
    far.title = "Far"
    far["A1"], far["XFD1048576"] = 1, 2
    book.create_sheet("Near")["A1"] = "near"
    book.save(tmp_path / "a.xlsx")
    document = parse(tmp_path / "a.xlsx")
    assert document.text == "Near\n\nnear"
    assert document.notes == ("Sheet “Far” was not read: its values stand too far apart.",)


def test_a_workbook_of_nothing_but_far_values_is_not_called_empty(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    far = book.worksheets[0]
    far["A1"], far["XFD1048576"] = "name", "value"
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(TooLarge, match=r"a\.xlsx.*too far apart"):
        parse(tmp_path / "a.xlsx")


@pytest.mark.parametrize("suffix", ["xls", "xlsb", "ods", "xlt", "docx"])
def test_content_decides_whatever_a_workbook_is_called(tmp_path: Path, suffix: str) -> None:
    path = make_xlsx(tmp_path / f"a.{suffix}", {"S": [["Pump"], ["P-7"]]})
    document = parse_with(checked_parser(path), path)
    assert (document.text, document.format) == ("S\n\nPump\nP-7", "xlsx")


def test_numbers_that_are_none_in_styles_and_comments(tmp_path: Path) -> None:
    path = make_xlsx(tmp_path / "a.xlsx", {"S": [["Pump"], ["P-7"]]})
    rewritten(path, "xl/styles.xml", lambda x: x.replace(b'numFmtId="0"', 'numFmtId="²"'.encode()))
    assert parse(path).text == "S\n\nPump\nP-7"


def test_more_text_than_can_be_searched_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.engines.spreadsheets.MAX_CHARACTERS", 300)
    rows: list[list[Any]] = [[f"name {n}", n] for n in range(100)]
    document = parse(make_xlsx(tmp_path / "a.xlsx", {"S": rows}))
    last = document.parts[0].rows[-1]
    assert document.text.endswith(f"name {last - 1} | {last - 1}")
    assert f"read up to row {last}:" in document.notes[0]
    assert len(document.text) < 320


def test_strict_files_are_read(tmp_path: Path) -> None:
    path = make_xlsx(tmp_path / "a.xlsx", {"S": [["a", "b"], [1, 2]]})
    usual = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    for member in ("xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"):
        rewritten(
            path,
            member,
            lambda x: x.replace(usual, b"http://purl.oclc.org/ooxml/spreadsheetml/main"),
        )
    assert parse(path).text == "S\n\na | b\n1 | 2"


ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body>'
    '<office:spreadsheet><table:table table:name="Data">'
    '<table:table-row><table:table-cell office:value-type="string"><text:p>Pump</text:p>'
    "</table:table-cell></table:table-row>{}</table:table></office:spreadsheet></office:body>"
    "</office:document-content>"
)
ODS_VALUE = (
    '<table:table-row><table:table-cell office:value-type="float" office:value="5"{}>'
    "<text:p>5</text:p></table:table-cell></table:table-row>"
)


def make_ods(path: Path, more: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", ODS.format(more))
    return path


def test_ods_that_is_laid_out_for_people(tmp_path: Path) -> None:
    path = make_ods(tmp_path / "a.ods", ODS_VALUE.format(""))
    with zipfile.ZipFile(path) as archive:
        content = archive.read("content.xml").decode()
    plain = parse(path).text
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content.replace("><", ">\n  <"))
    assert parse(path).text == plain


def test_ods_with_a_million_repeated_empty_rows(tmp_path: Path) -> None:
    row = '<table:table-row table:number-rows-repeated="1000000">'
    gap = f"{row}<table:table-cell/></table:table-row>"
    document = parse(make_ods(tmp_path / "a.ods", ODS_VALUE.format("") + gap))
    assert document.text == "Data\n\nPump\n5"
    assert document.format == "ods"


def test_ods_with_a_repeated_value_is_bounded(tmp_path: Path) -> None:
    bomb = ODS_VALUE.format(' table:number-columns-repeated="16000"').replace(
        "<table:table-row>", '<table:table-row table:number-rows-repeated="1000000">'
    )
    with pytest.raises(TooLarge, match=r"a\.ods"):
        parse(make_ods(tmp_path / "a.ods", bomb))


def test_what_cannot_be_read_has_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NoText, match=r"empty\.xlsx"):
        parse(make_xlsx(tmp_path / "empty.xlsx", {"S": []}))
    path = make_xlsx(tmp_path / "broken.xlsx", {"S": [["a"]]})
    with pytest.raises(Damaged, match=r"broken\.xlsx"):
        parse(rewritten(path, "xl/worksheets/sheet1.xml", lambda data: data[:120]))
    (tmp_path / "text.xlsb").write_bytes(b"no workbook")
    with pytest.raises(Damaged, match=r"text\.xlsb"):
        parse(tmp_path / "text.xlsb")
    monkeypatch.setattr(xlsx_parts, "MAX_SHEET_BYTES", 100)
    with pytest.raises(TooLarge, match=r"big\.xlsx"):
        parse(make_xlsx(tmp_path / "big.xlsx", {"S": [["a"]]}))
    assert grids.MAX_CHARACTERS < zip_bounds.MAX_READ_BYTES


@pytest.mark.parametrize("name", ["a.ods", "a.xlsx"])
def test_sheets_laid_out_for_people_are_read_under_any_name(tmp_path: Path, name: str) -> None:
    namespaces = " ".join(
        f'xmlns:{part}="urn:oasis:names:tc:opendocument:xmlns:{part}:1.0"'
        for part in ("office", "table", "text")
    )
    cell = (
        '<table:table-cell office:value-type="string">\n<text:p>P-7</text:p>\n</table:table-cell>'
    )
    content = (
        f"<office:document-content {namespaces}>\n<office:body>\n<office:spreadsheet>\n"
        f'<table:table table:name="S">\n<table:table-row>\n{cell}\n{cell}\n</table:table-row>\n'
        "</table:table>\n</office:spreadsheet>\n</office:body>\n</office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry '
        f'm:full-path="/" m:media-type="{kind}"/></m:manifest>'
    )
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr("content.xml", content)
    document = parse(tmp_path / name)
    assert (document.text, document.format) == ("S\n\nP-7 | P-7", "ods")
    content = content.replace("</table:table>", "")
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("content.xml", content[:-200])
    with pytest.raises(Damaged, match=r"is not a whole workbook"):
        parse(tmp_path / name)
