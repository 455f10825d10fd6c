from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.domain.answers import Confidence, Passage
from desktop_rag.domain.citing import Cited, Place, cite, confidence
from desktop_rag.domain.documents import Box
from tests.helpers.passages import make_passage

OIL = make_passage(
    "The crisis began in October 1973. OPEC members proclaimed an embargo. "
    "By March 1974 the price of oil had risen from $3 to nearly $12 per barrel.",
    chunk=1,
    document=1,
    title="Oil crisis",
    start=1000,
)
BRIDGE = make_passage(
    "The harbour bridge opened in 1932. It took eight years to build.",
    chunk=2,
    document=2,
    title="Bridges",
    start=50,
)


def place(passage: Passage, start: int, end: int) -> Place:
    """A page every 100 characters."""
    return Place(start // 100 + 1, f"p{start // 100 + 1}", (Box(start // 100 + 1, 0, 0, end, 1),))


def cited(text: str, question: str = "What happened?") -> Cited:
    return cite(text, question, [OIL, BRIDGE], place)


def test_the_quote_is_the_supporting_sentence_with_its_own_place() -> None:
    result = cited("The oil price rose to nearly $12 per barrel by March 1974 [1].")
    (citation,) = result.citations
    assert citation.quote.startswith("By March 1974")
    offset = citation.start - OIL.start
    assert OIL.text[offset : citation.end - OIL.start] == citation.quote
    assert citation.page == 11
    assert citation.page_label == "p11"
    assert citation.boxes[0].page == 11
    assert result.support == 1.0
    assert not result.unsupported


def test_numbers_that_do_not_exist_are_dropped() -> None:
    result = cited("The harbour bridge opened in 1932 [7].")
    assert result.text == "The harbour bridge opened in 1932 [1]."
    assert result.citations[0].document == BRIDGE.document


def test_a_passage_named_in_words_is_a_citation_too() -> None:
    result = cited("The harbour bridge opened in 1932 (Passage 2).")
    assert result.text == "The harbour bridge opened in 1932 [1]."
    assert result.citations[0].document == BRIDGE.document


def test_a_wrong_number_is_pointed_to_the_passage_that_says_it() -> None:
    result = cited("The harbour bridge opened in 1932 [1].")
    assert [c.document for c in result.citations] == [BRIDGE.document]


def test_a_sentence_without_a_number_gets_one() -> None:
    result = cited("OPEC members proclaimed an embargo. The bridge took eight years to build.")
    assert result.text == (
        "OPEC members proclaimed an embargo [1]. The bridge took eight years to build [2]."
    )


def test_citations_are_numbered_in_order_of_appearance() -> None:
    result = cited("The harbour bridge opened in 1932 [2]. The crisis began in October 1973 [1].")
    assert [c.number for c in result.citations] == [1, 2]
    assert [c.document for c in result.citations] == [BRIDGE.document, OIL.document]
    assert "1932 [1]." in result.text
    assert "1973 [2]." in result.text


def test_the_same_place_is_cited_once() -> None:
    result = cited(
        "The crisis began in October 1973 [1]. It was October 1973 when the crisis began."
    )
    assert len(result.citations) == 1
    assert result.text.count("[1]") == 2


def test_an_invented_sentence_is_marked_and_its_citation_removed() -> None:
    result = cited(
        "The crisis began in October 1973 [1]. Unicorns painted Saturn's rings purple [2]."
    )
    ((start, end),) = result.unsupported
    assert result.text[start:end] == "Unicorns painted Saturn's rings purple."
    assert [c.document for c in result.citations] == [OIL.document]
    assert 0 < result.support < 1


def test_a_wrong_figure_is_not_supported() -> None:
    result = cited("The crisis began in October 1975 [1].")
    assert result.unsupported
    assert result.support == 0.0
    assert len(result.citations) == 1, "the nearest place is still named"


@pytest.mark.parametrize("marker", ["[1, 2]", "[1][2]", "[1; 2]", "【1】【2】", "[Passage 1] [2]"])
def test_all_ways_to_cite_two_passages_are_read(marker: str) -> None:
    result = cited(
        f"The crisis began in October 1973 and the harbour bridge opened in 1932 {marker}."
    )
    assert "【" not in result.text
    assert "Passage" not in result.text
    assert result.citations


def test_words_without_content_need_no_source() -> None:
    result = cited("Yes, it was. The harbour bridge opened in 1932.")
    assert not result.unsupported


def test_the_title_supports_what_the_text_does_not_repeat() -> None:
    sales = make_passage("Total net sales were $82,959 million.", title="Apple 10-Q 2022")
    result = cite("Apple's total net sales were $82,959 million in 2022.", "?", [sales], place)
    assert result.support == 1.0


def test_an_answer_names_a_source_even_when_words_differ() -> None:
    result = cited("Die Krise brach im Herbst aus [1].")
    assert len(result.citations) == 1
    assert result.unsupported


def test_no_passages_give_no_citations() -> None:
    result = cite("Anything [1].", "?", [], place)
    assert result.text == "Anything."
    assert result.citations == ()


def test_a_figure_that_its_quote_does_not_show_is_never_certain() -> None:
    result = cite("The embargo began in October 1973 [1].", "When did it begin?", [OIL], place)
    assert confidence(Confidence.HIGH, result) is Confidence.HIGH
    hidden = Cited("", result.citations, (), 1.0, shows_figures=False)
    assert confidence(Confidence.HIGH, hidden) is Confidence.MEDIUM


@pytest.mark.parametrize(
    ("judged", "share", "expected"),
    [
        (Confidence.HIGH, 1.0, Confidence.HIGH),
        (Confidence.HIGH, 0.6, Confidence.MEDIUM),
        (Confidence.HIGH, 0.1, Confidence.LOW),
        (Confidence.LOW, 1.0, Confidence.LOW),
    ],
)
def test_confidence_is_the_weaker_of_both(
    judged: Confidence, share: float, expected: Confidence
) -> None:
    assert confidence(judged, Cited("", (), (), share)) is expected


SALES = make_passage(
    "Net sales (in millions): 2022 | 2023\nOnline stores | $53,489 | $57,267\n"
    "North America | $78,843 | $87,887",
    chunk=3,
    document=3,
    title="Quarterly report",
)


def sales(text: str) -> Cited:
    return cite(text, "What were the sales in North America in 2023?", [SALES, BRIDGE], place)


def test_a_figure_from_its_own_row_is_quoted_with_that_row() -> None:
    result = sales("Sales were $87,887 million [1].")
    assert result.citations[0].quote == "North America | $78,843 | $87,887"
    assert not result.unsupported
    assert confidence(Confidence.HIGH, result) is Confidence.MEDIUM, "the column was not checked"


def test_a_figure_from_another_row_is_marked() -> None:
    result = sales("North America sold $57,267 million [1].")
    assert result.unsupported == ((0, len(result.text)),)
    assert confidence(Confidence.HIGH, result) is Confidence.LOW


def test_a_figure_from_another_column_is_marked() -> None:
    assert sales("Sales were $78,843 million in 2023 [1].").unsupported
    assert not sales("Sales were $78,843 million in 2022 [1].").unsupported


OLD = make_passage(
    "Technical data\nThe HX-200 weighs 12 kg. It holds 3 litres and runs for 8 hours.",
    chunk=4,
    document=4,
    title="HX-200 manual",
)
NEW = make_passage(
    "Technical data\nThe HX-250 weighs 15 kg. It holds 3 litres and runs for 9 hours.",
    chunk=5,
    document=5,
    title="HX-250 manual",
)
BOTH = make_passage(
    "Model | Weight\nHX-200 | 12 kg\nHX-250 | 15 kg", chunk=6, document=6, title="Product list"
)


@pytest.mark.parametrize("passages", [[OLD], [OLD, NEW], [BOTH]])
@pytest.mark.parametrize("text", ["12 kg.", "It weighs 12 kg [1].", "The HX-250 weighs 12 kg [1]."])
def test_the_figure_of_another_product_is_marked(passages: list[Passage], text: str) -> None:
    result = cite(text, "How much does the HX-250 weigh?", passages, place)
    assert result.unsupported
    assert confidence(Confidence.HIGH, result) is Confidence.LOW


@pytest.mark.parametrize("passages", [[NEW], [OLD, NEW], [BOTH]])
@pytest.mark.parametrize("text", ["15 kg.", "It weighs 15 kg [1].", "The HX-250 weighs 15 kg [1]."])
def test_the_figure_of_the_right_product_is_not(passages: list[Passage], text: str) -> None:
    result = cite(text, "How much does the HX-250 weigh?", passages, place)
    assert not result.unsupported
    assert "15 kg" in result.citations[0].quote


def test_both_sides_of_a_comparison_are_cited() -> None:
    text = "The HX-200 weighs 12 kg and the HX-250 weighs 15 kg."
    result = cite(text, "Which weighs more, HX-200 or HX-250?", [OLD, NEW], place)
    assert not result.unsupported
    assert {one.document for one in result.citations} == {OLD.document, NEW.document}
    crossed = "The HX-200 weighs 15 kg and the HX-250 weighs 12 kg."
    assert cite(crossed, "Which weighs more?", [OLD, NEW], place).unsupported


DOSES = make_passage(
    "Adults\nTake 2 tablets twice daily.\nDo not exceed 4 tablets.",
    title="Leaflet",
    section="Dosage > Adults",
)


def test_an_answer_from_the_section_on_others_is_marked() -> None:
    question = "How many tablets may children take?"
    assert cite("Take 2 tablets twice daily [1].", question, [DOSES], place).unsupported
    adults = question.replace("children", "adults")
    assert not cite("Take 2 tablets twice daily [1].", adults, [DOSES], place).unsupported


@pytest.mark.parametrize(
    "text",
    [
        "Pets are not allowed.",
        "The deposit is 1,780 USD.",
        "The deposit is 1,870 EUR.",
        "The deposit is paid to Mr Miller.",
        "The lease begins on 4 March 2024.",
        "The flat is in Lower Street 4.",
    ],
)
def test_one_wrong_word_is_enough_to_be_marked(text: str) -> None:
    lease = make_passage(
        "Pets are allowed. The deposit is 1,780 EUR and is paid to Mr Smith. "
        "The lease begins on 3 March 2024. The flat is in Upper Street 4.",
        title="Lease",
    )
    assert cite(text, "What does the lease say?", [lease], place).unsupported


def test_how_many_were_asked_for_needs_no_source() -> None:
    question = "Which two groups proclaimed an embargo?"
    text = "The two groups that proclaimed an embargo are OPEC members."
    assert not cite(text, question, [OIL], place).unsupported
    assert cite(text.replace("two", "nine"), question, [OIL], place).unsupported


def test_list_numbers_and_lead_ins_are_nothing_to_bear_out() -> None:
    text = (
        "Here are the main facts:\n1. The harbour bridge opened in 1932.\n"
        "2. **OPEC** members proclaimed an embargo."
    )
    result = cited(text)
    assert not result.unsupported
    assert "1. The harbour bridge opened in 1932 [1].\n2. **OPEC**" in result.text


def test_in_another_language_figures_and_names_decide() -> None:
    question = "Wann wurde die Hafenbrücke eröffnet?"
    right = cite("Die Brücke wurde im Jahr 1932 eröffnet.", question, [OIL, BRIDGE], place)
    assert not right.unsupported
    assert right.citations[0].document == BRIDGE.document
    wrong = cite("Die Brücke wurde im Jahr 1935 eröffnet.", question, [OIL, BRIDGE], place)
    assert wrong.unsupported
    vague = cite("Die Brücke ist für den Verkehr und die Schiffe.", question, [BRIDGE], place)
    assert vague.unsupported


def test_a_source_with_an_exception_does_not_bear_out_the_rule_alone() -> None:
    museum = make_passage("The museum is open daily except on public holidays.")
    assert cite("The museum is open daily.", "When is it open?", [museum], place).unsupported


@given(st.text(alphabet="abcXYZ 19.[]!?\n,", max_size=120))
def test_any_text_keeps_the_promises_of_an_answer(text: str) -> None:
    result = cited(text)
    numbers = [citation.number for citation in result.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    for citation in result.citations:
        source = OIL if citation.document == OIL.document else BRIDGE
        assert (
            source.text[citation.start - source.start : citation.end - source.start]
            == citation.quote
        )
        assert f"[{citation.number}]" in result.text
    for start, end in result.unsupported:
        assert 0 <= start < end <= len(result.text)


CASES = make_passage(
    "Case | Client | Responsible\n"
    "7 O 318 | Orion Robotics SE | Clara Voss\n"
    "12 C 77 | Brightwater Ltd | Clara Voss\n"
    "5 O 44 | Halvorsen Shipping | Igor Petrenko\n"
    "9 K 12 | Kestrel AG | "
)


@pytest.mark.parametrize(
    ("clients", "is_marked"),
    [
        ("Orion Robotics SE and Brightwater Ltd", False),
        ("Orion Robotics SE and Halvorsen Shipping", True),
        ("Halvorsen Shipping", True),
        ("Kestrel AG", False),  # an empty cell says nothing
    ],
)
def test_names_of_another_row_are_not_those_asked_for(clients: str, is_marked: bool) -> None:
    text = f"Clara Voss is responsible for {clients} [1]."
    found = cite(text, "Which clients is Clara Voss responsible for?", [CASES], place)
    assert bool(found.unsupported) is is_marked


def test_commas_between_several_citations_leave_nothing_behind() -> None:
    result = cited("The harbour bridge opened in 1932. [1], [2], [3], [4]")
    assert result.text == "The harbour bridge opened in 1932 [1]."
