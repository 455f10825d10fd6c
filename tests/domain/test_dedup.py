from __future__ import annotations

from dataclasses import replace

from desktop_rag.domain.dedup import drop_duplicates, join_touching
from tests.helpers.passages import make_passage

TEXT = (
    "Employees may work from home on two days a week if their manager agrees in writing and the "
    "work allows it, which the department reviews at the end of every single quarter of the year."
)


def test_a_copy_is_dropped_and_the_better_one_kept() -> None:
    first, copy = make_passage(TEXT), make_passage(TEXT.upper(), chunk=2, document=2)
    assert drop_duplicates([first, copy], 10) == [first]


def test_nearly_the_same_is_dropped() -> None:
    first = make_passage(TEXT)
    near = make_passage(TEXT.replace("every single", "every"), chunk=2, document=2)
    assert drop_duplicates([first, near], 10) == [first]


def test_versions_that_differ_in_a_number_both_stay() -> None:
    first = make_passage(TEXT + " Limit: 20 days.")
    other = make_passage(TEXT + " Limit: 30 days.", chunk=2, document=2)
    assert drop_duplicates([first, other], 10) == [first, other]


def test_versions_that_differ_in_a_name_both_stay() -> None:
    first = make_passage(TEXT + " Ask Miller for it.")
    other = make_passage(TEXT + " Ask Smith for it.", chunk=2, document=2)
    assert drop_duplicates([first, other], 10) == [first, other]


def test_the_same_paragraph_of_two_reports_stays_when_their_titles_name_different_years() -> None:
    first = make_passage(TEXT, title="Report 2022.pdf")
    other = make_passage(TEXT, chunk=2, document=2, title="Report 2023.pdf")
    assert drop_duplicates([first, other], 10) == [first, other]


def test_a_numbered_copy_of_a_file_is_no_version() -> None:
    first = make_passage(TEXT, title="Report.pdf")
    copy = make_passage(TEXT, chunk=2, document=2, title="Report (1).pdf")
    assert drop_duplicates([first, copy], 10) == [first]


def test_no_more_than_the_limit_are_compared() -> None:
    different = [make_passage(f"{n} {TEXT}", chunk=n, document=n) for n in range(1, 6)]
    assert drop_duplicates(different, 2) == different[:2]


def test_overlapping_chunks_of_a_document_become_one_stretch() -> None:
    text = "One sentence here. Two sentences here. Three sentences here."
    later = make_passage(text[19:], chunk=2, start=19, pages=(2, 3))
    earlier = make_passage(text[:38], chunk=1, start=0, pages=(1, 2))
    (joined,) = join_touching([later, earlier])
    assert joined.text == text
    assert (joined.start, joined.end) == (0, len(text))
    assert joined.pages == (1, 3)
    assert joined.chunk == later.chunk, "the better ranked one leads"


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
