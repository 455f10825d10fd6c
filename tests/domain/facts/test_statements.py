"""Numbers, dates, identifiers and names of a statement are found in a source in any notation."""

from __future__ import annotations

import pytest

from desktop_rag.domain.facts.names import vocabulary
from desktop_rag.domain.facts.quantities import is_held, quantities
from desktop_rag.domain.facts.statements import held, missing_figures, missing_names, said


def missing(statement: str, source: str) -> list[str]:
    return missing_figures(said(statement), [held(source)])


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("It costs 1,234.50 EUR", "Preis: 1.234,50 €"),
        ("It costs $1,500", "1.500 dollars"),
        ("It weighs 10 kg", "weight 10kg"),
        ("It weighs 10 kg", "Weight (kg) | 10.0"),
        ("Sales were $82,959 million", "in millions | $ 82,959"),
        ("It rose 5 %", "a rise of five per cent"),
        ("It lasts 12 months", "a 12-month warranty"),
        ("Twenty-five people came", "25 people came"),
        ("It took one year", "It took a year"),
        ("Profit fell by 5 %", "change: -5 %"),
        ("It is 1.5 million", "1,500,000 people"),
        ("between 5 and 10 mg", "5–10 mg a day"),
        ("on 3 May 2023", "2023-05-03"),
        ("on May 3, 2023", "am 03.05.2023"),
        ("in May 2023", "on 3 May 2023"),
        ("on January 18", "By January 18, 1974 it was over"),
        ("in the 1970s", "from 1973 on"),
        ("the 3rd time", "the third time"),
        ("The HX-250 is out", "model HX 250"),
        ("version 2.1.3", "v2.1.3"),
        ("see section 4.2", "Section 4.2 says"),
        ("It needs Windows 11", "runs on Windows 10 and Windows 11"),
    ],
)
def test_the_same_thing_in_another_notation_is_held(statement: str, source: str) -> None:
    assert missing(statement, source) == []


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("It costs 1,234.50 EUR", "Preis: 1.235,50 €"),
        ("It costs $12", "It costs €12"),
        ("It weighs 10 kg", "It weighs 10 lb"),
        ("Sales were 3 million", "Sales were 3 billion"),
        ("It rose by 5 percentage points", "It rose by 5 percent"),
        ("It was -5 °C", "It was 5 °C"),
        ("It was 5 °C", "It was -5 °C"),
        ("on 3 May 2023", "on 4 May 2023, page 3"),
        ("on 3 May 2023", "in May 2023"),
        ("in March 1974", "in October 1974"),
        ("in the 1980s", "from 1973 on"),
        ("The HX-250 is out", "The HX-200 is out, for 250 dollars"),
        ("version 2.1.3", "version 2.1.4"),
        ("see section 4.2", "Section 4.3 says 4.2 litres"),
        ("It needs Windows 11", "On Windows 10 it takes 11 minutes"),
        ("in Q2", "in Q1"),
        ("after 24 hours", "after 24 days"),
    ],
)
def test_another_thing_is_missing_however_alike(statement: str, source: str) -> None:
    assert missing(statement, source)


@pytest.mark.parametrize(
    "text", ["One of them is that.", "A man and an apple", "1. Open it", "no more than that"]
)
def test_pronouns_and_articles_are_no_numbers(text: str) -> None:
    assert not said(text.removeprefix("1. ")).quantities


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("It was Kissinger who came", "Henry Kissinger's visit"),
        ("It was in the U.S. then", "the United States of America"),
        ("It was in the United States", "exports of the US"),
        ("It is in the V&A now", "the Victoria and Albert Museum"),
        ("the German people of Köln", "Germany, KOLN"),
        ("a British and a French ship", "Britain and France"),
        ("The court said President Nixon", "the Nixon administration"),
        ("Kissinger came", "Nobody is named here"),
        ("Er wohnt in der Straße von Herrn Maier", "Herr Maier, Lange Str. 4"),
    ],
)
def test_names_meet_in_their_forms(statement: str, source: str) -> None:
    assert missing_names(said(statement), vocabulary(source)) == []


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("It was Kissinger who came", "Nixon came"),
        ("It lies in Austria", "It lies in Australia"),
        ("It was Henry III of England", "Henry II of England"),
        ("Der Sitz ist in Hamburg und die Post ist da", "Der Sitz ist in Berlin"),
    ],
)
def test_other_names_are_missing(statement: str, source: str) -> None:
    assert missing_names(said(statement), vocabulary(source))


def test_a_first_word_is_a_name_when_it_is_known_as_one() -> None:
    assert missing_names(said("Kissinger came", {"kissinger"}), vocabulary("Nixon came"))


@pytest.mark.parametrize("text", ["Version 10.2.3.4", "the server 127.0.0.1", "section 1.2.3"])
def test_versions_and_addresses_are_compared_as_they_are(text: str) -> None:
    (number,) = quantities(text)
    (same,) = quantities(f"It is {text.split()[-1]}.")
    (other,) = quantities("It is 9.8.7.")
    assert is_held(number, same, is_fall=False)
    assert not is_held(number, other, is_fall=False)
