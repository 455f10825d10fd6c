"""Days and months a text names, whatever the notation: `3 May 2023`, `2023-05-03`, `03.05.2023`.

Twenty languages write months in words here. `03/05/2023` may be two days and gives both. Years of
two digits are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_rag.domain.terms import fold

_MONTHS = (
    "january jan januar januari janner janvier janv enero ene janeiro gennaio gen ianuarie ocak"
    " tammikuu tammikuuta tammikuussa styczen stycznia leden ledna января январь янв"
    " ιανουαριος ιανουαριου",
    "february feb februar februari fevrier fevr febrero fevereiro febbraio februarie subat"
    " helmikuu helmikuuta helmikuussa luty lutego unor unora февраля февраль"
    " φεβρουαριος φεβρουαριου",
    "march mar marz maart mars marts marzo marco martie mart maaliskuu maaliskuuta maaliskuussa"
    " marzec marca brezen brezna marcius maret марта март μαρτιος μαρτιου",
    "april apr avril abril aprile aprilie nisan huhtikuu huhtikuuta huhtikuussa kwiecien kwietnia"
    " duben dubna aprilis апреля апрель απριλιος απριλιου",
    "may mai mei maj mayo maio maggio mag mayis toukokuu toukokuuta toukokuussa maja kveten kvetna"
    " majus мая май μαιος μαιου",
    "june jun juni juin junio junho giugno iunie haziran kesakuu kesakuuta kesakuussa czerwiec"
    " czerwca cerven cervna junius июня июнь ιουνιος ιουνιου",
    "july jul juli juillet juil julio julho luglio iulie temmuz heinakuu heinakuuta heinakuussa"
    " lipiec lipca cervenec cervence julius июля июль ιουλιος ιουλιου",
    "august aug augustus augusti agustus aout agosto ago elokuu elokuuta elokuussa sierpien"
    " sierpnia srpen srpna augusztus agustos августа август αυγουστος αυγουστου",
    "september sept sep septembre septiembre setembro settembre set septembrie eylul syyskuu"
    " syyskuuta syyskuussa wrzesien wrzesnia zari szeptember сентября сентябрь"
    " σεπτεμβριος σεπτεμβριου",
    "october oct oktober okt octobre octubre outubro ottobre ott octombrie ekim lokakuu lokakuuta"
    " lokakuussa pazdziernik pazdziernika rijen rijna октября октябрь οκτωβριος οκτωβριου",
    "november nov novembre noviembre novembro noiembrie kasim marraskuu marraskuuta marraskuussa"
    " listopad listopada listopadu ноября ноябрь νοεμβριος νοεμβριου",
    "december dec dezember dez desember des decembre diciembre dic dezembro dicembre decembrie"
    " aralik joulukuu joulukuuta joulukuussa grudzien grudnia prosinec prosince desember декабря"
    " декабрь δεκεμβριος δεκεμβριου",
)
MONTHS = {name: n for n, names in enumerate(_MONTHS, start=1) for name in names.split()}
"""Number of a month by its folded name."""

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_BEFORE, _AFTER = 32, 24
"""How many characters around a year are looked at: longer dates are not written."""
_DAY = r"(?<![\d.,/-])(?P<day>\d{1,2})"
_NAME = r"(?P<name>[^\W\d_]{3,14})\.?"
_OF = r"(?:del? |of |d['’])?"
_ENDINGS = tuple(
    re.compile(one + "$", re.IGNORECASE)
    for one in (
        rf"{_DAY}(?:st|nd|rd|th|er|\.|º|ª|°)? {_OF}{_NAME},? {_OF}",
        rf"\b{_NAME} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? ",
        rf"\b{_NAME},? {_OF}",
        rf"{_DAY}(?P<joint>\. ?)(?P<month>\d\d?)(?P=joint)",
        rf"{_DAY}(?P<joint>[/-])(?P<month>\d\d?)(?P=joint)",
        rf"{_DAY} tháng (?P<month>\d\d?)(?: năm|,)? ",
    )
)
"""What stands before a year."""
_EITHER_WAY = _ENDINGS[4]
"""Some put the day first, some the month."""
_BEGINNINGS = tuple(
    re.compile(one)
    for one in (
        r"(?P<joint>[-/.])(?P<month>\d\d?)(?P=joint)(?P<day>\d\d?)(?!\d)",
        rf"\.? {_NAME} (?P<day>\d{{1,2}})(?!\d)",
        r" ?[年년] ?(?P<month>\d\d?) ?[月월](?: ?(?P<day>\d\d?) ?[日일])?",
    )
)
"""What stands after a year."""


def dates_in(text: str) -> list[str]:
    """The different days, `2023-05-03`, and months, `2023-05`, that a text names.

    A day names its month, too. Any text.
    """
    found: dict[str, None] = {}
    for date, _, _ in date_spans(text):
        found[date] = None
        found[date[:7]] = None
    return list(found)


def date_spans(text: str) -> list[tuple[str, int, int]]:
    """Days and months as `dates_in` has them, each with the span of text that says it.

    Where white space is wide the span may begin some characters late or end early.
    """
    found: list[tuple[str, int, int]] = []
    for year in _YEAR.finditer(text):
        before = text[max(0, year.start() - _BEFORE) : year.start()]
        after = text[year.end() : year.end() + _AFTER]
        for month, day, left, right in _around(_flat(before), _flat(after)):
            if 1 <= month <= 12 and 0 <= day <= 31:
                date = f"{year[0]}-{month:02}" + (f"-{day:02}" if day else "")
                found.append((date, year.start() - left, year.end() + right))
    return found


def _around(before: str, after: str) -> Iterator[tuple[int, int, int, int]]:
    """Month and day, 0 for none, beside a year, and how many characters before and after it."""
    endings = (pattern.search(before) for pattern in _ENDINGS)
    beginnings = (pattern.match(after) for pattern in _BEGINNINGS)
    for one in filter(None, (*endings, *beginnings)):
        told = one.groupdict()
        reach = (0, one.end()) if one.re in _BEGINNINGS else (len(before) - one.start(), 0)
        day = int(told["day"] or 0) if "day" in told else 0
        if "name" in told:
            yield MONTHS.get(fold(told["name"]), 0), day, *reach
            continue
        yield int(told["month"]), day, *reach
        if one.re is _EITHER_WAY:
            yield day, int(told["month"]), *reach


def _flat(text: str) -> str:
    """White space of any kind as one space, that at the ends, too."""
    return re.sub(r"\s+", " ", text)
