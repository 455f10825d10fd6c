"""Finds personal data by its form and its check digits: e-mail, phone, IBAN, card, national ids.

Masking a part number or a sum spoils an answer, so a number counts only when its form alone is
telling (check digits, letters, grouping) or a word before it says what it is. Names and addresses
are not looked for: telling them from other words takes a model.
"""

from __future__ import annotations

# ruff: noqa: E501 - forms of numbers are read best on one line
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from stdnum import iban, luhn
from stdnum.at import vnr
from stdnum.be import nn
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.ch import ssn as ch_ssn
from stdnum.de import idnr
from stdnum.dk import cpr
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.ie import pps
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.pt import nif
from stdnum.se import personnummer
from stdnum.us import ssn as us_ssn

from desktop_rag.domain.masking import Private, PrivateSpan

_EMAIL = re.compile(
    r"(?<![\w.+%-])[\w](?:[\w.+%'-]{0,62}[\w+-])?@(?:[\w](?:[\w-]{0,61}[\w])?\.)+[^\W\d_]{2,24}(?![\w@-])"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?=(?:[ -]?[A-Z0-9]){11})")
_MAX_IBAN = 34
_CARD = re.compile(r"(?<![\w.,+-])(?<!\d )\d{4}(?:([ -]?)\d{4}){2}\1\d{4}(?![\w-]|[ ,.]\d)")
_AMEX = re.compile(r"(?<![\w.,+-])(?<!\d )3[47]\d{2}([ -]?)\d{6}\1\d{5}(?![\w-]|[ ,.]\d)")
_ISSUERS = re.compile(
    r"4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|6(?:011|5|4[4-9])|35(?:2[89]|[3-8])"
)

_LEFT, _RIGHT = r"(?<![\w.,/+-])(?<!\d )", r"(?![\w/-]|[.,]\d| \d)"
_ALONE: tuple[tuple[str, Callable[[str], bool]], ...] = (
    (r"\d{3}-\d{2}-\d{4}", us_ssn.is_valid),
    (r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]", bool),
    (r"[1-9]\d (?:\d{3} ){2}\d{3}|[1-9]\d{10}", idnr.is_valid),
    (r"\d{2} ?[0-3]\d[01]\d{3} ?[A-Z] ?\d{3}", lambda text: _is_german_insurance_number(text)),
    (r"[12] ?\d{2} ?[01]\d ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}", nir.is_valid),
    (r"\d{8}-?[A-HJ-NP-TV-Z]|\d{2}\.\d{3}\.\d{3}-?[A-HJ-NP-TV-Z]", dni.is_valid),
    (r"[XYZ]-?\d{7}-?[A-HJ-NP-TV-Z]", nie.is_valid),
    (r"[A-Z]{6} ?[0-9L-NP-V]{2}[A-EHLMPRST][0-9L-NP-V]{2} ?[A-Z][0-9L-NP-V]{3}[A-Z]", codicefiscale.is_valid),
    (r"756\.\d{4}\.\d{4}\.\d{2}", ch_ssn.is_valid),
    (r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", nn.is_valid),
    (r"(?:19|20)?\d{6}[-+]\d{4}", personnummer.is_valid),
    (r"[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]", hetu.is_valid),
    (r"\d{3}\.\d{3}\.\d{3}-\d{2}", cpf.is_valid),
)  # fmt: skip
"""Forms that nothing else has, with their check."""
_NAMED: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    (r"pesel", r"\d{11}", pesel.is_valid),
    (r"bsn|burgerservice\w*|sofi\w*|persoonsnummer", r"\d{3}[ .]?\d{3}[ .]?\d{3}|\d{4}[ .]?\d{2}[ .]?\d{3}", bsn.is_valid),
    (r"sin|social insurance\w*|nas", r"\d{3}[ -]?\d{3}[ -]?\d{3}", sin.is_valid),
    (r"ssn|social security\w*", r"\d{3}[ -]?\d{2}[ -]?\d{4}", us_ssn.is_valid),
    (r"sv-?n(?:umme)?r|sozialversicherungs\w*|svnr|versicherungsnummer", r"\d{4} ?\d{6}", vnr.is_valid),
    (r"rijksregister\w*|registre national|insz|niss", r"\d{11}", nn.is_valid),
    (r"f[øo]dselsnummer|personnummer", r"\d{6} ?\d{5}", fodselsnummer.is_valid),
    (r"cpr(?:-?nr)?", r"\d{6}[- ]?\d{4}", cpr.is_valid),
    (r"nif|contribuinte", r"\d{3} ?\d{3} ?\d{3}", nif.is_valid),
    (r"ppsn?", r"\d{7}[A-W][A-IW]?", pps.is_valid),
    (r"cpf", r"\d{11}", cpf.is_valid),
)  # fmt: skip
"""Forms that part numbers have too: the word before must name them."""
_BETWEEN = r"(?:[- ]?(?:number|numbers|nummer|numer|numéro|no|nr|n°|num)\.?)?[ \t]*[:#=.]?[ \t]*(?:is|ist|est|es|:)?[ \t]*"
_NAMED_ID = tuple(
    (re.compile(rf"(?<!\w)(?:{name})\b{_BETWEEN}({form}){_RIGHT}", re.IGNORECASE), check)
    for name, form, check in _NAMED
)
_ALONE_ID = tuple((re.compile(f"{_LEFT}(?:{form}){_RIGHT}"), check) for form, check in _ALONE)

_GAP = r"[ \u00a0.\-/]?"
_PHONE_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        # +49 (0)30 123456, 0049 30 123456
        rf"(?<![\w+.,/-])(?<!\d )(?:\+|00(?=[1-9]\d?[ /-]))[1-9]\d{{0,2}}(?:{_GAP}\(\d{{1,5}}\))?(?:[ \u00a0.\-/]{{0,2}}\d){{6,13}}(?![\w]|[.,]\d)",
        # (212) 555-0123, 212-555-0123, 212.555.0123
        r"(?<![\w+.,/-])(?:1[-. ])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}([-.]))[2-9]\d{2}(?(1)\1|[-. ])\d{4}(?![\w-]|[.,]\d)",
        # (030) 123 45 67
        r"(?<![\w+.,/-])\(0[1-9]\d{0,4}\)[ \-/]?\d(?:[ -]?\d){4,8}(?![\w-]|[.,]\d)",
        # 01 23 45 67 89
        r"(?<![\w+.,/-])(?<!\d )0[1-9]([ .])\d{2}(?:\1\d{2}){3}(?![\w-]|[ .,]\d)",
    )
)
_PHONE_NAMED = re.compile(
    r"(?<!\w)(?:tel(?:e(?:ph|f)on\w*|éf\w*)?|t[ée]l[ée]phone|fon|phones?|mobil\w*|mobile|cell(?:ulare|ular| phone)?|handy\w*|fax|telefax"
    r"|m[óo]vil|portable|gsm|kom(?:órk\w+|\.)|telefoon\w*|telefono|telefone|телефон|тел|call|ring|anruf\w*|hotline|durchwahl|whatsapp)\b"
    r"(?:[ \t]*(?:number|numbers|nummer|nr|no|n°|us|me|at|on|kom|privat|work|home|:|\.|\(|-)){0,3}[ \t]*[:.]?[ \t]*"
    r"(\+?\(?\d(?:[ \u00a0.\-/()]{0,2}\d){5,14})(?![\w-]|[.,]\d)",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:19|20)\d{2}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d{2}"
)
_DIGITS = range(7, 16)
_HAS_NUMBER = re.compile(r"\d\D{0,3}\d\D{0,3}\d\D{0,3}\d")
_ALNUM = re.compile(r"[ -]?([A-Z0-9])")


@lru_cache(maxsize=256)
def find(text: str) -> tuple[PrivateSpan, ...]:
    """Personal data of a text, in order, without overlaps."""
    if "@" not in text and not _HAS_NUMBER.search(text):
        return ()
    found: list[PrivateSpan] = []
    taken: list[tuple[int, int]] = []
    for span in (*_emails(text), *_ibans(text), *_cards(text), *_ids(text), *_phones(text)):
        if not any(span.start < end and start < span.end for start, end in taken):
            taken.append((span.start, span.end))
            found.append(span)
    return tuple(sorted(found, key=lambda span: span.start))


def _emails(text: str) -> Iterator[PrivateSpan]:
    for match in _EMAIL.finditer(text) if "@" in text else ():
        yield _span(match.start(), match.end(), Private.EMAIL, match.group().casefold())


def _ibans(text: str) -> Iterator[PrivateSpan]:
    """An account number may be followed by other capitals: its country's length decides."""
    for match in _IBAN.finditer(text):
        compact, position = match.group(), match.end()
        while len(compact) < _MAX_IBAN and (letter := _ALNUM.match(text, position)):
            compact, position = compact + letter[1], letter.end()
            if len(compact) >= 15 and iban.is_valid(compact, check_country=False):
                yield _span(match.start(), position, Private.IBAN, compact)
                break


def _cards(text: str) -> Iterator[PrivateSpan]:
    for form in (_CARD, _AMEX):
        for match in form.finditer(text):
            digits = _digits(match.group())
            is_issued = form is _AMEX or _ISSUERS.match(digits)
            if is_issued and luhn.is_valid(digits):
                yield _span(match.start(), match.end(), Private.CARD, digits)


def _ids(text: str) -> Iterator[PrivateSpan]:
    for form, is_valid in _ALONE_ID:
        for match in form.finditer(text):
            if is_valid(match.group()):
                yield _span(match.start(), match.end(), Private.ID, _compact(match.group()))
    for form, is_valid in _NAMED_ID:
        for match in form.finditer(text):
            if is_valid(match[1]):
                yield _span(match.start(1), match.end(1), Private.ID, _compact(match[1]))


def _phones(text: str) -> Iterator[PrivateSpan]:
    for form in _PHONE_FORMS:
        for match in form.finditer(text):
            if len(_digits(match.group())) in range(9, 16):
                yield _phone(match.start(), match.end(), match.group())
    for match in _PHONE_NAMED.finditer(text):
        number = match[1].rstrip(" ().-/")
        if len(_digits(number)) in _DIGITS and not _DATE.match(number):
            yield _phone(match.start(1), match.start(1) + len(number), number)


def _phone(start: int, end: int, written: str) -> PrivateSpan:
    """A number is the same with 00 and with +; without its country it is another one."""
    digits = _digits(written.replace("(0)", ""))
    return _span(
        start, end, Private.PHONE, digits.removeprefix("00") if written[0] != "+" else digits
    )


def _span(start: int, end: int, kind: Private, value: str) -> PrivateSpan:
    return PrivateSpan(start, end, kind, value)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _compact(text: str) -> str:
    return "".join(filter(str.isalnum, text)).upper()


def _is_german_insurance_number(text: str) -> bool:
    """By its check digit: digits (a letter is its number) weighted, digit sums, modulo 10 (VKVV § 4)."""
    compact = _compact(text)
    spelled = compact[:8] + f"{ord(compact[8]) - 64:02d}" + compact[9:11]
    products = (
        int(digit) * weight
        for digit, weight in zip(spelled, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True)
    )
    return sum(product // 10 + product % 10 for product in products) % 10 == int(compact[11])
