from __future__ import annotations

import pytest

from desktop_rag.ui.chat.markdown import SPAN_END, SPAN_START, prepare, settled


def marked(text: str) -> list[str]:
    return [part.split(SPAN_END)[0] for part in text.split(SPAN_START)[1:]]


def test_a_span_is_marked_where_it_stands() -> None:
    text = "Known. Guessed. Known."
    assert marked(prepare(text, [(7, 15)])) == ["Guessed."]


@pytest.mark.parametrize("sign", ["- ", "3. ", "## ", "> ", "  * "])
def test_signs_at_the_line_start_stay_there(sign: str) -> None:
    text = f"{sign}Guessed."
    made = prepare(text, [(0, len(text))])
    assert made.startswith(sign)
    assert marked(made) == ["Guessed."]


def test_a_span_over_lines_is_marked_line_by_line() -> None:
    text = "One.\n\n- Two.\n- Three."
    assert marked(prepare(text, [(0, len(text))])) == ["One.", "Two.", "Three."]


def test_a_link_definition_stays_text() -> None:
    assert prepare("[1]: the guide") == "\\[1\\]: the guide"


def test_a_citation_belongs_to_the_word_before_it() -> None:
    assert prepare("24 months [1].") == "24 months\u00a0[1]."


def test_marks_in_the_answer_itself_are_dropped() -> None:
    assert prepare(f"a{SPAN_START}b", [(0, 1)]) == "ab"


def test_a_span_over_cells_is_marked_cell_by_cell() -> None:
    text = "| A | B |\n|---|---|\n| one | two |"
    assert marked(prepare(text, [(0, len(text))])) == ["A", "B", "one", "two"]


@pytest.mark.parametrize(
    ("text", "open_end"),
    [
        ("One.", "One."),
        ("One.\n\nTwo", "Two"),
        ("One.\n\n1", "One.\n\n1"),
        ("One.\n\n-", "One.\n\n-"),
        ("- a\n\n- b", "- a\n\n- b"),
        ("- a\n\n  more", "- a\n\n  more"),
        ("```\na\n\nb", "```\na\n\nb"),
        ("```\na\n\nb\n```\n\nEnd", "End"),
        ("| a |\n|---|\n| 1 |\n\nEnd", "End"),
    ],
)
def test_what_may_still_change_is_not_settled(text: str, open_end: str) -> None:
    assert text[settled(text) :] == open_end


def test_settling_goes_on_where_it_was() -> None:
    text = "One.\n\nTwo.\n\nThree."
    assert settled(text, settled("One.\n\nTwo")) == settled(text) == text.index("Three")


def test_an_arabic_line_with_a_bar_is_no_table() -> None:
    assert prepare("الأول | الثاني") == "الأول | الثاني"
    assert prepare("| الأول | الثاني |") == "| الأول | الثاني |"


def test_escaped_bars_stay_in_their_cell_when_columns_are_turned() -> None:
    made = prepare("| الأول \\| ب | الثاني |\n|---|---|\n| ١ | ٢ |")
    assert made.splitlines()[0] == "| الثاني | الأول \\| ب |"
