from __future__ import annotations

import pytest

from desktop_rag.ui.chat.markdown import SPAN_END, SPAN_START, prepare


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
