from desktop_rag.domain.documents import Block, BlockKind, Part, PartKind
from desktop_rag.domain.table_records import Table, tables_of


def read(*stretches: tuple[BlockKind, str], is_sheet: bool = False) -> list[Table]:
    text, blocks = "", []
    for kind, stretch in stretches:
        blocks.append(Block(kind, len(text), len(text) + len(stretch)))
        text += stretch + "\n\n"
    parts = (Part(PartKind.SHEET, 0, len(text), "Data"),) if is_sheet else ()
    tables = tables_of(text, blocks, parts)
    for table in tables:
        for record in table.records:
            assert " | ".join(record.cells) == text[record.start : record.end]
    return tables


def test_column_names_and_totals_are_no_records() -> None:
    (table,) = read((BlockKind.TABLE, "name | amount\nAnna | 3\nBen | 4\nTotal | 7"))
    assert table.columns == ("name", "amount")
    assert [record.cells for record in table.records] == [("Anna", "3"), ("Ben", "4")]
    assert table.totals == 1


def test_somebody_called_total_is_a_record() -> None:
    (table,) = read((BlockKind.TABLE, "name | city\nTotal | Paris\nShell | London"))
    assert len(table.records) == 2


def test_a_table_without_names_counts_its_first_row() -> None:
    (table,) = read((BlockKind.TABLE, "Anna | 3\nBen | 4"))
    assert (table.columns, len(table.records)) == ((), 2)


def test_a_sheet_goes_on_after_an_empty_row() -> None:
    first = (BlockKind.TABLE, "name | city\nAnna | Rome\nBen | Bern")
    (table,) = read(first, (BlockKind.TABLE, "Cleo | Cairo\nDan | Delft"), is_sheet=True)
    assert [record.cells[0] for record in table.records] == ["Anna", "Ben", "Cleo", "Dan"]


def test_repeated_column_names_are_left_out() -> None:
    page = (BlockKind.TABLE, "name | age\nAnna | 3\nBen | 4")
    (table,) = read(page, page)
    assert len(table.records) == 4


def test_another_table_in_the_sheet_is_another_table() -> None:
    first = (BlockKind.TABLE, "name | age | city\nAnna | 3 | Rome")
    tables = read(first, (BlockKind.TABLE, "product | price\npump | 5"), is_sheet=True)
    assert [table.columns[0] for table in tables] == ["name", "product"]


def test_a_heading_between_tables_parts_them() -> None:
    tables = read(
        (BlockKind.TABLE, "name | age\nAnna | 3"),
        (BlockKind.HEADING, "Staff"),
        (BlockKind.TABLE, "name | age\nBen | 4"),
    )
    assert [table.caption for table in tables] == ["", "Staff"]


def test_what_is_no_table_holds_no_records() -> None:
    assert read((BlockKind.PARAGRAPH, "a | b\nc | d")) == []
    assert read((BlockKind.TABLE, "")) == []
