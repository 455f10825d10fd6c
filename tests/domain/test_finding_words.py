from __future__ import annotations

import pytest

from desktop_rag.domain.finding_words import merged, wanted


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("KÖLN", "In Köln am Rhein"),
        ("koln", "In Köln am Rhein"),
        ("köln", "In Ko\u0308ln am Rhein"),
        ("Köln", "koln"),
        ("strasse", "Hauptstraße 4"),
        ("straße", "Hauptstrasse 4"),
        ("保修", "咖啡机的保修期为二十四个月"),
        ("гарантия", "Срок: ГАРАНТИЯ 2 года"),
        ("oeuvre", "une œuvre complète"),
        ("24", "２４ Monate"),
        ('"notice period"', "The notice\n period is long"),
        ("한국", "대한국민"),
    ],
)
def test_words_are_found_however_they_are_written(query: str, text: str) -> None:
    words = wanted(query)
    assert words.missing(text) == frozenset()
    start, end, _ = words.spans(text)[0]
    assert words.missing(text[start:end]) == frozenset()


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("köln", "Colonia"),
        ("保修", "保 修"),
        ("coln", "Köln"),
        ('"notice period"', "period notice"),
    ],
)
def test_other_words_are_not(query: str, text: str) -> None:
    assert wanted(query).missing(text)
    assert wanted(query).spans(text) == []


def test_all_words_count_once_each() -> None:
    assert wanted("  Pump pump  OIL ").words == ("pump", "oil")
    assert wanted("pump oil").missing("The pump.") == {"oil"}
    assert wanted("   ").words == ()
    assert wanted("(a.b*").missing("see (a.b*)") == frozenset()


def test_marks_that_overlap_or_touch_are_one() -> None:
    assert merged(wanted("warm pump mpp").spans("Wärmpumpe mpp")) == ((0, 8), (10, 13))
