"""A scripted set of personal data in the forms of many countries, and of numbers that are none.

Numbers are made by chance with right check digits, so the set knows nothing of the patterns that
are to find them. `python -m tests.benchmarks.bench_personal_data` measures precision and recall.
"""

# ruff: noqa: E501 - a set is a table
from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stdnum import luhn
from stdnum.at import vnr
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fr import nir
from stdnum.iso7064 import mod_11_10, mod_97_10
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.pl import pesel

from desktop_rag.domain.masking import Private
from desktop_rag.services.personal_data import find

PER_FORM = 8


@dataclass(frozen=True, slots=True)
class Sample:
    """A sentence; `value` is the personal data in it, empty for none."""

    form: str
    text: str
    value: str = ""
    kind: Private | None = None


def samples(seed: int = 7) -> Iterator[Sample]:
    """All sentences, always the same ones for a seed."""
    dice = random.Random(seed)
    for form, kind, make in _FORMS:
        for _ in range(PER_FORM):
            text, value = make(dice)
            yield Sample(form, text.replace("{}", value), value, kind)
    for form, sentence in _HARMLESS:
        for _ in range(PER_FORM):
            yield Sample(form, _filled(dice, sentence))


@dataclass(frozen=True, slots=True)
class Figures:
    """What was found of a set."""

    precision: float
    recall: float
    wrong: tuple[str, ...]
    missed: tuple[str, ...]


def measured(seed: int = 7) -> Figures:
    """Precision and recall by pieces: right kind, and the whole piece, no more."""
    right = found_count = wanted = 0
    wrong, missed = [], []
    for sample in samples(seed):
        found = {(span.kind, sample.text[span.start : span.end]) for span in find(sample.text)}
        expected = {(sample.kind, sample.value)} if sample.kind else set()
        found_count, wanted = found_count + len(found), wanted + len(expected)
        right += len(found & expected)
        wrong += [f"{sample.form}: {sample.text}" for _ in found - expected]
        missed += [f"{sample.form}: {sample.text}" for _ in expected - found]
    return Figures(right / found_count, right / wanted, tuple(wrong), tuple(missed))


def _filled(dice: random.Random, form: str) -> str:
    """`#` is a digit, `^` a capital, `%` a digit from 1."""
    signs = {"#": "0123456789", "%": "123456789", "^": "ABCDEFGHJKLMNPRSTUVWXYZ"}
    return "".join(dice.choice(signs[char]) if char in signs else char for char in form)


def _form(sentence: str, number: str) -> Callable[[random.Random], tuple[str, str]]:
    return lambda dice: (sentence, _filled(dice, number))


def _grouped(number: str, size: int, gap: str = " ") -> str:
    return gap.join(number[n : n + size] for n in range(0, len(number), size))


def _iban(
    country: str, account: str, *, is_grouped: bool
) -> Callable[[random.Random], tuple[str, str]]:
    def make(dice: random.Random) -> tuple[str, str]:
        rest = _filled(dice, account)
        made = country + mod_97_10.calc_check_digits(rest + country) + rest
        return "Please pay to {} by Friday.", _grouped(made, 4) if is_grouped else made

    return make


def _card(prefix: str, length: int, gap: str) -> Callable[[random.Random], tuple[str, str]]:
    def make(dice: random.Random) -> tuple[str, str]:
        digits = _filled(dice, prefix + "#" * (length - len(prefix) - 1))
        return "Card {} was charged.", _grouped(digits + luhn.calc_check_digit(digits), 4, gap)

    return make


def _tax_id(dice: random.Random) -> tuple[str, str]:
    digits = dice.sample("0123456789", 10)
    while digits[0] == "0":
        dice.shuffle(digits)
    digits[dice.randrange(5, 10)] = digits[dice.randrange(0, 4)]
    number = "".join(digits)
    number += mod_11_10.calc_check_digit(number)
    assert idnr.is_valid(number)
    spaced = f"{number[:2]} {number[2:5]} {number[5:8]} {number[8:]}"
    return "Steuer-ID {} laut Bescheid.", dice.choice([number, spaced])


def _tried(
    sentence: str, form: str, is_valid: Callable[[str], bool]
) -> Callable[[random.Random], tuple[str, str]]:
    """Numbers of a form, the first by chance that has right check digits."""

    def make(dice: random.Random) -> tuple[str, str]:
        while not is_valid(number := _filled(dice, form)):
            pass
        return sentence, number

    return make


def _day(dice: random.Random) -> str:
    return f"{dice.randint(40, 99)}{dice.randint(1, 12):02d}{dice.randint(1, 28):02d}"


def _pesel(dice: random.Random) -> tuple[str, str]:
    start = _day(dice) + _filled(dice, "####")
    number = next(start + d for d in "0123456789" if pesel.is_valid(start + d))
    return "PESEL: {}, zamieszkały w Łodzi", number


def _nir(dice: random.Random) -> tuple[str, str]:
    start = f"{dice.choice('12')}{dice.randint(10, 99)}{dice.randint(1, 12):02d}75" + _filled(
        dice, "######"
    )
    number = start + f"{97 - int(start) % 97:02d}"
    assert nir.is_valid(number)
    spaced = f"{number[0]} {number[1:3]} {number[3:5]} {number[5:7]} {number[7:10]} {number[10:13]} {number[13:]}"
    return "N° de sécurité sociale {} du salarié.", dice.choice([number, spaced])


def _codice(dice: random.Random) -> tuple[str, str]:
    start = (
        _filled(dice, "^^^^^^")
        + f"{dice.randint(10, 99)}{dice.choice('ABCDEHLMPRST')}{dice.randint(1, 28):02d}H501"
    )
    return "Codice fiscale {} del cliente.", start + codicefiscale.calc_check_digit(start)


def _insurance(dice: random.Random) -> tuple[str, str]:
    start = f"{dice.randint(10, 89)}{dice.randint(1, 28):02d}{dice.randint(1, 12):02d}{dice.randint(40, 99)}"
    letter, serial = _filled(dice, "^"), _filled(dice, "##")
    spelled = f"{start}{ord(letter) - 64:02d}{serial}"
    weighted = (
        int(a) * b for a, b in zip(spelled, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True)
    )
    check = sum(n // 10 + n % 10 for n in weighted) % 10
    return "Versicherungsnummer: {} (Rente)", f"{start[:2]} {start[2:]} {letter} {serial}{check}"


_FORMS: tuple[tuple[str, Private, Callable[[random.Random], tuple[str, str]]], ...] = (
    ("e-mail", Private.EMAIL, _form("Write to {}.", "anna.muller##@example.org")),
    ("e-mail with plus", Private.EMAIL, _form("Mail: {}; thanks", "j.doe+tag#@mail.example.co.uk")),
    ("e-mail in brackets", Private.EMAIL, _form("Bob <{}> wrote", "bob_%#@example-firm.de")),
    ("DE +49", Private.PHONE, _form("Erreichbar unter {}.", "+49 30 %######")),
    ("DE (0)", Private.PHONE, _form("Mobil {} abends", "+49 (0)171 %######")),
    ("DE named", Private.PHONE, _form("Tel.: {}", "030 %######")),
    ("DE slash", Private.PHONE, _form("Telefon {}, Fax auf Anfrage", "0711/%######")),
    ("DE 0049", Private.PHONE, _form("Rufen Sie an: {}!", "0049 89 %#######")),
    ("UK", Private.PHONE, _form("Phone: {}", "020 7### ####")),
    ("UK +44", Private.PHONE, _form("ring {} now", "+44 20 7### ####")),
    ("US hyphens", Private.PHONE, _form("It is {} at work.", "212-55%-####")),
    ("US brackets", Private.PHONE, _form("Office {} (US)", "(415) 55%-####")),
    ("US +1", Private.PHONE, _form("Her cell is {}.", "+1 415-55%-####")),
    ("FR pairs", Private.PHONE, _form("Appelez le {} le matin.", "01 4# ## ## ##")),
    ("FR +33", Private.PHONE, _form("Téléphone {}", "+33 6 ## ## ## ##")),
    ("ES named", Private.PHONE, _form("Teléfono: {}", "91% ### ###")),
    ("IT named", Private.PHONE, _form("Cellulare {}", "347 %######")),
    ("NL named", Private.PHONE, _form("Telefoonnummer: {}", "06-%#######")),
    ("PL +48", Private.PHONE, _form("Zadzwoń: {}.", "+48 60# ### ###")),
    ("PL named", Private.PHONE, _form("tel. kom. {}", "60# ### ###")),
    ("CH +41", Private.PHONE, _form("Natel {}", "+41 79 %## ## ##")),
    ("IBAN DE", Private.IBAN, _iban("DE", "%" + "#" * 17, is_grouped=True)),
    ("IBAN DE compact", Private.IBAN, _iban("DE", "%" + "#" * 17, is_grouped=False)),
    ("IBAN GB", Private.IBAN, _iban("GB", "WEST" + "#" * 14, is_grouped=True)),
    ("IBAN NL", Private.IBAN, _iban("NL", "ABNA" + "#" * 10, is_grouped=False)),
    ("IBAN FR", Private.IBAN, _iban("FR", "#" * 23, is_grouped=True)),
    ("IBAN AT", Private.IBAN, _iban("AT", "#" * 16, is_grouped=True)),
    ("IBAN PL", Private.IBAN, _iban("PL", "#" * 24, is_grouped=False)),
    ("Visa", Private.CARD, _card("4", 16, " ")),
    ("Visa compact", Private.CARD, _card("4", 16, "")),
    ("Mastercard", Private.CARD, _card("53", 16, "-")),
    ("Amex", Private.CARD, _card("37", 15, "")),
    ("US SSN", Private.ID, _tried("SSN {} on file", "%##-%%-%###", lambda t: t[0] != "9" and not t.startswith("666"))),
    ("UK NINO", Private.ID, _form("NI number {} of the employee", "AB ## ## ## C")),
    ("DE tax id", Private.ID, _tax_id),
    ("DE insurance", Private.ID, _insurance),
    ("FR INSEE", Private.ID, _nir),
    ("ES DNI", Private.ID, _tried("DNI {} de Madrid", "########^", dni.is_valid)),
    ("ES NIE", Private.ID, _tried("con NIE {}.", "X#######^", nie.is_valid)),
    ("IT codice fiscale", Private.ID, _codice),
    ("NL BSN", Private.ID, _tried("BSN {} van de klant", "%########", bsn.is_valid)),
    ("PL PESEL", Private.ID, _pesel),
    ("AT insurance", Private.ID, _tried("SV-Nr. {}", "%###0101%#", vnr.is_valid)),
    ("BR CPF", Private.ID, _tried("CPF {} do titular", "###.###.###-##", cpf.is_valid)),
    ("CA SIN", Private.ID, _tried("SIN: {}", "%##-###-###", sin.is_valid)),
)  # fmt: skip

_HARMLESS = (
    ("invoice", "Invoice 2024-00#### of 12.05.2024 over %.###,## EUR."),
    ("invoice bare", "Rechnung Nr. 1######### vom 3. Mai."),
    ("order", "Order 45-#######-####### was shipped."),
    ("part", "Use filter P-10### or ^^-####-## instead."),
    ("part with zero", "Bosch 0 445 110 ### and 0445 110 ### fit."),
    ("part in groups", "Spare part ### ### ## ## is obsolete."),
    ("EAN", "EAN 40########### on the box."),
    ("EAN groups", "Barcode 4 0##### 9#####."),
    ("ISBN", "ISBN 978-3-16-14841#-#, 2nd edition"),
    ("ISBN bare", "ISBN 97831614#####"),
    ("ISBN-10", "ISBN 3-16-14841#-#"),
    ("year", "From 1998-2004 and 2010/2011 sales rose."),
    ("date", "On 2024-05-1# 12:3#:4# it stopped; see 1#.05.2024."),
    ("sum", "Total 1 23# 4##,00 EUR, before: 12,###,###.00 USD"),
    ("sum with plus", "Growth of +12 ### ### EUR, +3.5 %."),
    ("table", "120 340 560 ### ### ### ###"),
    ("table of years", "2019 2020 2021 2022\t#### #### #### ####"),
    ("version", "Version 10.2.#.4#, build 19045.####"),
    ("address", "Server 192.168.1.#, mask 255.255.255.0"),
    ("coordinates", "52.52####, 13.40####"),
    ("hash", "sha256 9f86d081884c7d659a2feaa0c55ad015"),
    ("statute", "§ 823 Abs. 1 BGB, BGHZ 123, ###"),
    ("VAT id", "USt-IdNr. DE########%"),
    ("register", "HRB 1#####, Amtsgericht Berlin"),
    ("timer", "Timestamps 17########, 16######## in the log"),
    ("scale", "Ratio 1:25000, tolerance 0.00#, range 100-200-300"),
    ("serial", "Serial no. ^^##########, model X#-####"),
    ("tracking", "Parcel 0034043######### is on its way."),
    ("handle", "Follow @example_#### and see user@host for the shell."),
    ("decorator", "@property and foo@2.# are code; a@b is none"),
    ("grid", "Model phone X#00 and telephone 5# exist since 20##."),
    ("doi", "doi:10.1000/xyz1####/978-#"),
    ("case number", "File 12-cv-0####, docket 2#-#####"),
    ("postcode", "10115 Berlin, SW1A 1AA London, 75001 Paris"),
    ("gene", "NM_00####.# and rs1#######"),
    ("account of cost", "Cost centre 4711-0815-####, account 440000"),
)


def main() -> None:
    """Print the figures, and what went wrong."""
    figures = measured()
    for line in figures.wrong:
        print(f"wrong   {line}")
    for line in figures.missed:
        print(f"missed  {line}")
    print(f"precision {figures.precision:.3f}, recall {figures.recall:.3f}")


if __name__ == "__main__":
    main()
