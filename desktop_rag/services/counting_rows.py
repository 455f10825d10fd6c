"""Counts rows of tables: all of them, those about a thing, those that a condition lets through."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain import condition_words, counting_words
from desktop_rag.domain.condition_tokens import condition_of, is_filler, tokens_of
from desktop_rag.domain.conditions import Selected, select
from desktop_rag.domain.counting import Unit, Wanted
from desktop_rag.domain.file_conditions import taken_places
from desktop_rag.domain.matching import suffixes
from desktop_rag.domain.same_things import are_forms, lists, names
from desktop_rag.domain.table_cells import CELL
from desktop_rag.domain.table_columns import column_for
from desktop_rag.domain.table_records import Record, Table, tables_of
from desktop_rag.domain.tally import Item, Tally, count, enumerated
from desktop_rag.domain.terms import fold
from desktop_rag.services.whole_library import (
    WholeLibrary,
    copies,
    gaps,
    named,
    told_copies,
    unread_tables,
)
from desktop_rag.storage.holdings import HeldFile

_TABLE_WORD = re.compile(rf"(?:{counting_words.TABLE})")
_ID = re.compile(r"\b(?:id|no|nr|number|nummer|numero)\b")
_DIFFERENT = frozenset(condition_words.DIFFERENT.split())


@dataclass(frozen=True, slots=True)
class _Counted:
    """A table, and the records of it that are meant."""

    file: HeldFile
    table: Table
    selected: Selected


def count_rows(library: WholeLibrary, wanted: Wanted) -> tuple[Tally, list[HeldFile]] | None:
    """Counts rows, and tells whose; `None` when it is not clear which rows are meant."""
    scope, rest = taken_places(wanted.noun, wanted.condition, library.facts, library.today)
    is_named = bool(scope.files)
    files = library.narrowed(scope)
    found, doubles = _tables(library, files)
    about = _about(wanted, found, is_named=is_named)
    if is_named and not _holds_such(about, wanted):
        wanted = replace(wanted, unit=Unit.ROWS)  # the file does not say that its rows are such
    if not about:
        return _distinct_values(library, wanted, found, rest, files)
    is_distinct = any(fold(one) in _DIFFERENT for one in tokens_of(rest))
    counted = [one for one in (_counted(*pair, rest, library) for pair in about) if one]
    if not counted:
        return _held_nowhere(wanted, about, rest, files, library) if is_named else None
    chosen = [_without_repeated(one) for one in counted] if is_distinct else counted
    alike, others = _comparable(about, counted)
    holders = [file for file, _ in alike]
    remarks = (
        *_repeated(chosen),
        *_doubled(doubles, holders, files),
        *_not_counted([*others, *_translated(wanted, found, about)], files),
    )
    return _tally(wanted, alike, chosen, files, remarks), holders


def _tables(
    library: WholeLibrary, files: Sequence[HeldFile]
) -> tuple[list[tuple[HeldFile, Table]], list[tuple[HeldFile, HeldFile]]]:
    """All tables of files, once where files are copies, and those copies."""
    sheets = suffixes("spreadsheet")
    texts = [
        (file, text)
        for file, text in library.texts(files)
        if CELL in text or file.facts.names[-1].rpartition(".")[2] in sheets
    ]
    doubles = copies(texts)
    left_out = {copy.file.id for copy, _ in doubles}
    found = [
        (file, table)
        for file, text in texts
        if file.file.id not in left_out
        for table in tables_of(
            text, library.catalog.blocks(file.file.id), library.catalog.parts(file.file.id)
        )
    ]
    return found, doubles


def _about(
    wanted: Wanted, found: Sequence[tuple[HeldFile, Table]], *, is_named: bool
) -> list[tuple[HeldFile, Table]]:
    """The tables whose rows are the thing: called so, or the only ones there are."""
    if wanted.unit is Unit.ROWS:
        return list(found)
    for is_translated in (False, True):
        if called := _called(found, wanted.noun, is_translated=is_translated):
            return called
    is_column = any(column_for(table, wanted.noun) is not None for _, table in found)
    return list(found) if is_named and not is_column else []


def _holds_such(about: Sequence[tuple[HeldFile, Table]], wanted: Wanted) -> bool:
    return bool(_called(about, wanted.noun, is_translated=True))


def _called(
    found: Sequence[tuple[HeldFile, Table]], thing: str, *, is_translated: bool
) -> list[tuple[HeldFile, Table]]:
    """Tables whose sheet, heading or first column, or else whose file, is called like the thing."""

    def is_called(name: str) -> bool:
        return lists(name, thing, is_translated=is_translated)

    near = [pair for pair in found if is_called(pair[1].caption) or _lists(pair[1], is_called)]
    settled = {file.file.id for file, _ in near}
    others = [pair for pair in found if pair[0].file.id not in settled]
    return [
        pair
        for pair in found
        if pair in near or (pair in others and _is_sheet_of(pair, others, is_called))
    ]


def _is_sheet_of(
    pair: tuple[HeldFile, Table],
    found: Sequence[tuple[HeldFile, Table]],
    is_called: Callable[[str], bool],
) -> bool:
    """Whether a spreadsheet is called after this table: all have one form, or it says so."""
    file, table = pair
    stem, _, suffix = file.facts.names[-1].rpartition(".")
    if suffix not in suffixes("spreadsheet") or not is_called(stem):
        return False
    forms = {other.columns for one, other in found if one.file.id == file.file.id}
    return len(forms) == 1 or any(map(is_called, table.columns))


def _lists(table: Table, is_called: Callable[[str], bool]) -> bool:
    """Whether the first column says that each row is one: `customer no`, or names of their own."""
    first = table.columns[0] if table.columns else ""
    is_unique = len(set(table.column(0))) == len(table.records)
    return is_called(first) and (is_unique or _ID.search(fold(first)) is not None)


def _counted(file: HeldFile, table: Table, rest: str, library: WholeLibrary) -> _Counted | None:
    """The records of one table, if the condition is understood there."""
    name = f"{file.facts.names[-1]} {table.caption}"
    kept = [one for one in tokens_of(rest) if not _names_table(one, name, table)]
    kept = [one for one in kept if fold(one) not in _DIFFERENT]
    chosen = select(table, condition_of(kept), library.today)
    return _Counted(file, table, chosen) if chosen else None


def _names_table(token: str, name: str, table: Table) -> bool:
    """Whether a word says which table is meant, and is no value in it."""
    if _TABLE_WORD.fullmatch(fold(token)):
        return True
    is_value = any(fold(token) == fold(cell) for one in table.records for cell in one.cells)
    is_column = any(names(column, token) for column in table.columns)
    return not (is_value or is_column) and len(token) > 2 and names(name, token)


def _comparable(
    about: Sequence[tuple[HeldFile, Table]], counted: Sequence[_Counted]
) -> tuple[list[tuple[HeldFile, Table]], list[HeldFile]]:
    """The tables of the same form as one in which the condition is understood, and other files.

    In the former it is a value that no row has; a table of another form may say it in other words.
    """
    forms = [one.table.columns for one in counted]
    alike = [pair for pair in about if pair[1].columns in forms]
    return alike, [file for file, table in about if table.columns not in forms]


def _translated(
    wanted: Wanted,
    found: Sequence[tuple[HeldFile, Table]],
    about: Sequence[tuple[HeldFile, Table]],
) -> list[HeldFile]:
    """Files whose tables are called like the thing in another language only."""
    if wanted.unit is Unit.ROWS:
        return []
    known = [file for file, _ in about]
    called = _called(found, wanted.noun, is_translated=True)
    return [file for file, _ in called if file not in known]


def _not_counted(others: Sequence[HeldFile], files: Sequence[HeldFile]) -> Iterator[str]:
    if others:
        yield f"Not counted, because it is put in another way there: {named(others, files)}."


def _without_repeated(one: _Counted) -> _Counted:
    different = {record.cells: record for record in reversed(one.selected.records)}
    records = tuple(sorted(different.values(), key=lambda record: record.start))
    return replace(one, selected=replace(one.selected, records=records))


def _tally(
    wanted: Wanted,
    about: Sequence[tuple[HeldFile, Table]],
    counted: Sequence[_Counted],
    files: Sequence[HeldFile],
    remarks: Sequence[str],
) -> Tally:
    items = tuple(
        Item(CELL.join(filter(None, record.cells)), one.file.file.id, record.start, record.end)
        for one in counted
        for record in one.selected.records
    )
    total = sum(len(table.records) for _, table in about)
    holders = list({file.file.id: file for file, _ in about}.values())
    where = named(holders, files)
    said = list(dict.fromkeys(" and ".join(one.selected.said) for one in counted))
    condition = "; ".join(filter(None, said))
    return Tally(
        sentence=_sentence(wanted, len(items), total, where, condition),
        count=len(items),
        items=items,
        scope=_looked_at(about, total, where, holders),
        remarks=(*_by_file(counted, files), *remarks),
        gaps=gaps([*holders, *unread_tables(files)]),
        documents=len(holders),
    )


def _sentence(wanted: Wanted, number: int, total: int, where: str, condition: str) -> str:
    if condition:
        who = f"{number:,}" if number else "None"
        verb = "has" if number < 2 else "have"
        return f"{who} of the {count(total, 'row')} of {where} {verb} {condition}"
    if wanted.unit is Unit.ROWS:
        return f"{count(number, 'row').capitalize()} in {where}"
    return f"{number:,} {wanted.noun} in {where}"


def _looked_at(
    about: Sequence[tuple[HeldFile, Table]], total: int, where: str, holders: Sequence[HeldFile]
) -> str:
    told = f"all {total:,} rows of {where}" if total > 1 else f"{count(total, 'row')} of {where}"
    if len(holders) > 3:
        told = f"all {total:,} rows of {count(len(holders), 'file')}"
    columns = next((table.columns for _, table in about if table.columns), ())
    left_out = [f"column names ({enumerated(columns)})"] if columns else []
    totals = sum(table.totals for _, table in about)
    left_out += [f"{count(totals, 'row')} of totals"] if totals else []
    return f"{told}, without {' and '.join(left_out)}" if left_out else told


def _by_file(counted: Sequence[_Counted], files: Sequence[HeldFile]) -> Iterator[str]:
    numbers: Counter[str] = Counter()
    for one in counted:
        numbers[_table_name(one, files)] += len(one.selected.records)
    if len(numbers) > 1:
        each = [f"{name}: {number:,}" for name, number in numbers.items()]
        yield f"By table: {'; '.join(each[:20])}."


def _table_name(one: _Counted, files: Sequence[HeldFile]) -> str:
    name = named([one.file], files)
    return f"{name} ({one.table.caption})" if one.table.caption else name


def _repeated(counted: Sequence[_Counted]) -> Iterator[str]:
    """Rows that stand more than once make another number right, too."""
    rows = Counter(record.cells for one in counted for record in one.selected.records)
    more = sum(number - 1 for number in rows.values())
    if more:
        verb = "repeats" if more == 1 else "repeat"
        who = count(more, "row").capitalize()
        yield f"{who} {verb} another word for word; {len(rows):,} are different."


def _doubled(
    doubles: Sequence[tuple[HeldFile, HeldFile]],
    holders: Sequence[HeldFile],
    files: Sequence[HeldFile],
) -> Iterator[str]:
    known = [(copy, first) for copy, first in doubles if first in holders]
    if known:
        yield f"Copies of a file were counted once ({told_copies(known, files)})."


def _held_nowhere(
    wanted: Wanted,
    about: Sequence[tuple[HeldFile, Table]],
    rest: str,
    files: Sequence[HeldFile],
    library: WholeLibrary,
) -> tuple[Tally, list[HeldFile]] | None:
    """The answer none, when one value is asked for in a table that is named and has it nowhere."""
    file, table = about[0]
    name = f"{file.facts.names[-1]} {table.caption}"
    tokens = [one for one in tokens_of(rest) if not _names_table(one, name, table)]
    values = [one for one in tokens if not is_filler(one)]
    is_one_value = len(values) == 1 and tokens[-1:] == values and values[0][0].isupper()
    if len(about) != 1 or not is_one_value:
        return None
    nothing = _Counted(file, table, Selected((), (f"“{values[0]}” in any column",)))
    columns = enumerated(table.columns, 12)
    remarks = (f"Its columns are {columns}.",) if columns else ()
    return _tally(wanted, about, [nothing], files, remarks), [file]


def _distinct_values(
    library: WholeLibrary,
    wanted: Wanted,
    found: Sequence[tuple[HeldFile, Table]],
    rest: str,
    files: Sequence[HeldFile],
) -> tuple[Tally, list[HeldFile]] | None:
    """Different values of the one column that is called like the thing: customers in orders.csv."""
    holding = [
        (file, table, column)
        for file, table in found
        if (column := column_for(table, wanted.noun)) is not None
        and are_forms(table.columns[column], wanted.noun)
    ]
    is_elsewhere = any(_TABLE_WORD.fullmatch(fold(one)) for one in tokens_of(rest))
    if is_elsewhere or wanted.unit is Unit.ENTRIES:  # `on the list`, and nobody knows on which
        return None
    if len(holding) != 1:
        return None
    file, table, _ = holding[0]
    counted = _counted(file, table, rest, library)
    if counted is None:
        return None
    return _values_told(wanted, holding[0], counted, files), [file]


def _values_told(
    wanted: Wanted,
    held: tuple[HeldFile, Table, int],
    counted: _Counted,
    files: Sequence[HeldFile],
) -> Tally:
    file, table, column = held
    first: dict[str, tuple[str, Record]] = {}
    for record in counted.selected.records:
        cell = record.cells[column] if column < len(record.cells) else ""
        if cell:
            first.setdefault(fold(cell), (cell, record))
    where = named([file], files)
    condition = " and ".join(counted.selected.said)
    told = (
        f"{len(first):,} different {wanted.noun} in the column {table.columns[column]} of {where}"
    )
    return Tally(
        sentence=f"{told}, where {condition}" if condition else told,
        count=len(first),
        items=tuple(Item(cell, file.file.id, r.start, r.end) for cell, r in first.values()),
        scope=_looked_at([(file, table)], len(table.records), where, [file]),
        gaps=gaps([file, *unread_tables(files)]),
        documents=1,
    )
