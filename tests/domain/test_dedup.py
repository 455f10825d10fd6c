from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.dedup import MAX_JOINED_CHARS, Duplicates, Repeat, join_touching
from desktop_rag.domain.diversity import Closeness
from tests.helpers.passages import make_passage

TEXT = (
    "Employees may work from home on two days a week if their manager agrees in writing and the "
    "work allows it, which the department reviews at the end of every single quarter of the year."
)


def repeats(first: Passage, *others: Passage, cosine: float | None = None) -> list[bool]:
    """For each of the others, whether it is dropped after the first."""
    duplicates = Duplicates(Closeness() if cosine is None else alike([first, *others], cosine))
    assert duplicates.repeated(first) is None
    return [duplicates.repeated(other) is not None for other in others]


def alike(passages: list[Passage], cosine: float) -> Closeness:
    return Closeness(
        [one.chunk for one in passages], [[cosine] * row for row in range(len(passages))]
    )


@pytest.mark.parametrize("cosine", [None, 0.3, 0.99])
def test_an_equal_text_is_a_duplicate_whatever_its_heading_makes_of_the_vector(
    cosine: float | None,
) -> None:
    copy = make_passage(TEXT.upper(), chunk=2, document=2)
    assert repeats(make_passage(TEXT), copy, cosine=cosine) == [True]


def test_other_words_are_a_duplicate_when_the_vectors_are_close() -> None:
    first = make_passage(TEXT)
    other = make_passage(TEXT.replace("work from home", "stay at home"), chunk=2, document=2)
    assert repeats(first, other, cosine=0.93) == [True]
    assert repeats(first, other, cosine=0.92) == [False]


def test_without_vectors_the_wording_decides() -> None:
    near = make_passage(TEXT.replace("every single", "every"), chunk=2, document=2)
    far = make_passage("Employees travel by train whenever they can do so.", chunk=3, document=3)
    assert repeats(make_passage(TEXT), near, far) == [True, False]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The limit is 20 days.", "The limit is 30 days."),
        ("The limit is two days.", "The limit is three days."),
        ("Send it to Miller soon.", "Send it to Smith soon."),
        ("Miller decides about it.", "Smith decides about it."),
        ("It begins in March then.", "It begins in April then."),
        ("La date est en mars alors.", "La date est en avril alors."),
        ("This is allowed at night.", "This is not allowed at night."),
        ("You can do this at night.", "You can't do this at night."),
    ],
)
@pytest.mark.parametrize("cosine", [None, 0.99])
def test_what_differs_in_a_number_date_name_or_negation_stays(
    one: str, other: str, cosine: float | None
) -> None:
    first = make_passage(f"{TEXT} {one}")
    second = make_passage(f"{TEXT} {other}", chunk=2, document=2)
    assert repeats(first, second, cosine=cosine) == [False]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"title": "Report 2022.pdf"}, {"title": "Report 2023.pdf"}),
        ({"path": "/a/contract_v1.docx"}, {"path": "/a/contract_v2.docx"}),
        ({"path": "C:\\a\\2023 Q1 report.pdf"}, {"path": "C:\\a\\2023 Q2 report.pdf"}),
        ({"path": "/a/HX-250_revA.pdf"}, {"path": "/a/HX-250_revB.pdf"}),
        ({"title": "Pump, revision A"}, {"title": "Pump, revision C"}),
    ],
)
def test_the_same_paragraph_stays_in_two_editions_of_a_document(
    one: dict[str, str], other: dict[str, str]
) -> None:
    first = make_passage(TEXT, **one)  # type: ignore[arg-type]
    second = make_passage(TEXT, chunk=2, document=2, **other)  # type: ignore[arg-type]
    assert repeats(first, second, cosine=1.0) == [False]


@pytest.mark.parametrize("path", ["/b/report.pdf", "/2024/report.pdf", "/a/scan0017.pdf"])
def test_a_copy_of_a_file_is_no_edition(path: str) -> None:
    copy = make_passage(TEXT, chunk=2, document=2, title="Report (1).pdf", path=path)
    assert repeats(make_passage(TEXT, title="Report.pdf"), copy) == [True]


def test_a_duplicate_names_what_it_repeats() -> None:
    first, other, copy = (make_passage(TEXT, chunk=n, document=n) for n in (1, 2, 3))
    other = replace(other, text="Something else is said here.")
    duplicates = Duplicates(alike([first, other, copy], 0.5))
    assert [duplicates.repeated(one) for one in (first, other)] == [None, None]
    assert duplicates.repeated(copy) == Repeat(first, 0.5)


def test_above_one_only_equal_texts_are_duplicates() -> None:
    passages = [make_passage(TEXT), make_passage(TEXT[:-9], chunk=2), make_passage(TEXT, chunk=3)]
    duplicates = Duplicates(alike(passages, 1.0), above=1.1)
    assert [duplicates.repeated(one) is not None for one in passages] == [False, False, True]


def test_overlapping_chunks_of_a_document_become_one_stretch() -> None:
    text = "One sentence here. Two sentences here. Three sentences here."
    later = make_passage(text[19:], chunk=2, start=19, pages=(2, 3))
    earlier = make_passage(text[:38], chunk=1, start=0, pages=(1, 2))
    (joined,) = join_touching([later, earlier])
    assert joined.text == text
    assert (joined.start, joined.end) == (0, len(text))
    assert joined.pages == (1, 3)
    assert joined.chunk == later.chunk, "the better ranked one leads"


def test_what_touches_is_joined_within_a_section_only() -> None:
    first = make_passage("The first paragraph.", chunk=1, section="Rent")
    second = make_passage("The second.", chunk=2, start=21, section="Rent")
    (joined,) = join_touching([second, first])
    assert joined.text == "The first paragraph.\nThe second."
    assert (joined.start, joined.end) == (0, 32)
    elsewhere = replace(second, section="Deposit")
    assert join_touching([first, elsewhere]) == [first, elsewhere]
    later = make_passage("The second.", chunk=2, start=24, section="Rent")
    assert join_touching([first, later]) == [first, later], "something stands between them"


def test_overlap_in_different_documents_means_nothing() -> None:
    passages = [make_passage("Same span", chunk=1), make_passage("Same span", chunk=2, document=2)]
    assert join_touching(passages) == passages


def test_the_rest_of_a_table_joins_its_first_rows() -> None:
    text = "Year | Sales\n2022 | 82\n2023 | 81"
    head = make_passage(text[:22], chunk=1, start=0)
    rest = replace(make_passage(text[23:], chunk=2, start=23), columns="Year | Sales")
    (joined,) = join_touching([rest, head])
    assert joined.text == text
    assert joined.columns == "", "the names stand in the text now"


def test_joining_stops_before_a_passage_would_have_to_be_cut() -> None:
    long = "word " * 300
    passages = [make_passage(long, chunk=n, start=n * len(long)) for n in (1, 2)]
    assert join_touching(passages) == passages


def test_a_function_word_at_the_beginning_is_no_name() -> None:
    first, other = make_passage(f"The rule: {TEXT}"), make_passage(f"Our rule: {TEXT}", chunk=2)
    assert repeats(first, other, cosine=0.95) == [True]


def test_above_one_not_even_the_wording_is_compared() -> None:
    duplicates = Duplicates(Closeness(), above=1.1)
    assert duplicates.repeated(make_passage(TEXT)) is None
    assert duplicates.repeated(make_passage(TEXT + " So be it.", chunk=2)) is None
    assert duplicates.repeated(make_passage(TEXT, chunk=3)) is not None


def test_a_joined_passage_is_no_longer_than_a_prompt_takes_whole() -> None:
    half = "x" * (MAX_JOINED_CHARS // 2)
    first = make_passage(half, chunk=1, start=0)
    last = make_passage(half, chunk=2, start=len(half) - 1)
    assert [len(one.text) for one in join_touching([first, last])] == [2 * len(half) - 1]
    longer = make_passage(half + "xx", chunk=2, start=len(half) - 1)
    assert join_touching([first, longer]) == [first, longer]


def test_what_lies_within_another_adds_nothing_and_the_better_one_names_the_section() -> None:
    whole = make_passage("One. Two. Three.", chunk=1, start=0)
    inside = make_passage("Two.", chunk=2, start=5)
    (joined,) = join_touching([replace(inside, section="Better"), replace(whole, section="Worse")])
    assert (joined.text, joined.start, joined.end) == (whole.text, 0, len(whole.text))
    assert joined.section == "Better"
