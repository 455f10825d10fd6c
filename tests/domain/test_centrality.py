from __future__ import annotations

import pytest

from desktop_rag.domain.centrality import by_centrality, centralities, most_central, statements_of
from tests.helpers.passages import make_passage

LEASE = """The tenant rents the flat in Mill Street from the landlord for two years.
The monthly rent for the flat is 900 euros, which the tenant pays to the landlord.
Somebody once saw a hedgehog in a garden near there.
The tenant keeps the flat in good order, and the landlord repairs the heating."""


def texts(sentences: str, count: int) -> list[str]:
    passages = [make_passage(sentences)]
    found = most_central(statements_of(passages), count)
    return [passages[0].text[one.start : one.end] for one in found]


def test_what_all_others_talk_about_is_central_and_an_aside_is_not() -> None:
    found = texts(LEASE, 3)
    assert len(found) == 3
    assert not any("hedgehog" in one for one in found)
    assert found == sorted(found, key=LEASE.index), "in the document's order"


def test_a_sentence_is_as_central_as_its_cosines_with_all_others() -> None:
    # The sum over all others is a product with the sum of all: compare with the definition.
    statements = statements_of([make_passage(LEASE)])
    fast = centralities(statements)
    alone = [centralities_by_definition(statements, n) for n in range(len(statements))]
    assert fast == pytest.approx(alone)


def centralities_by_definition(statements: list, one: int) -> float:  # type: ignore[type-arg]
    import math

    n = len(statements)
    spread = {w: sum(w in s.words for s in statements) for s in statements for w in s.words}
    weight = {w: math.log(1 + n / c) for w, c in spread.items()}

    def dot(a: frozenset[str], b: frozenset[str]) -> float:
        return sum(weight[w] ** 2 for w in a & b)

    own = statements[one].words
    return (
        sum(
            dot(own, s.words) / math.sqrt(dot(own, own) * dot(s.words, s.words)) for s in statements
        )
        / n
    )


def test_nothing_is_said_twice() -> None:
    twice = "The rent for the flat in Mill Street is 900 euros a month.\n" * 3
    assert len(texts(twice + LEASE, 5)) == len(set(texts(twice + LEASE, 5)))


def test_what_every_page_repeats_says_nothing_of_the_text() -> None:
    footer = "All rights to this lease of the flat are reserved by the landlord of the flat."
    lines = enumerate(LEASE.splitlines(), start=1)
    pages = [make_passage(f"{line}\n{footer}", chunk=n) for n, line in lines]
    found = most_central(statements_of(pages), 9)
    assert len(found) == 4
    assert not any("rights" in pages[s.passage].text[s.start : s.end] for s in found)


def test_a_sentence_that_leans_on_another_counts_less() -> None:
    alone, leaning = (
        "The tenant pays the monthly rent for the flat.",
        "It is paid by the tenant monthly.",
    )
    assert texts(f"{leaning}\n{alone}", 1) == [alone]


def test_every_section_has_its_say() -> None:
    rent = " ".join(f"The rent for flat number {n} is paid monthly to the owner." for n in range(9))
    pets = "Dogs and cats are allowed in the garden during the day."
    passages = [make_passage(rent, section="Rent"), make_passage(pets, section="Pets", chunk=2)]
    found = most_central(statements_of(passages), 2)
    assert {one.group[1] for one in found} == {"Rent", "Pets"}


def test_lines_without_a_stop_count_where_there_is_nothing_else() -> None:
    lines = "Bolt M8 steel zinc plated\nNut M8 steel zinc plated\nWasher brass plain small"
    assert texts(lines, 2)
    assert texts(f"{lines}\n{LEASE}", 9) == LEASE.splitlines()


def test_texts_without_any_word_have_no_central_sentence() -> None:
    assert texts("1 2 3.\n!!!", 3) == []
    assert texts("", 3) == []


def test_stretches_are_worth_their_best_sentence() -> None:
    passages = [make_passage(LEASE), make_passage("A hedgehog sleeps under dry leaves all winter.")]
    worth = by_centrality(passages)
    assert worth([0]) > worth([1]) > worth([]) == 0.0
