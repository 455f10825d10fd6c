from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.answers import Confidence, Passage, Role, Turn
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.spans import Span
from desktop_rag.domain.spotting import (
    CERTAIN_FROM,
    LIKELY_FROM,
    STATED_FROM,
    UNSTATED_BELOW,
    Spot,
    asks_for_words,
    certainty,
    excerpt_of,
    hinted,
    is_likely_in,
    is_qualified,
    is_stated_in,
    quotation_of,
    read_as,
    sentence_of,
    spots_of,
    word_for_word,
    worth_reading,
)
from tests.helpers.passages import make_passage

TEXT = "The pump was built in 1987. It is blue. It holds nine litres. Ida paints. Otto sings."
ASKED = "How much does the pump hold?"
PUMP = make_passage(TEXT, title="Pump", start=100)


def span_of(passage: Passage, words: str, margin: float) -> Span:
    start = read_as(passage).index(words)
    return Span(start, start + len(words), margin)


def spot(words: str = "nine litres", margin: float = 9.0) -> Spot:
    [found] = spots_of(ASKED, [PUMP], [span_of(PUMP, words, margin)])
    return found


def test_words_are_found_again_in_the_text() -> None:
    assert spot("1987").words == "1987"
    assert TEXT[spot().start : spot().end] == "nine litres"


def test_a_passage_further_down_must_be_clearly_better() -> None:
    other = make_passage("Built in 1990.", chunk=2, document=2, title="Fan")
    spans = [span_of(PUMP, "1987", 5.0), span_of(other, "1990", 5.5)]
    assert [one.words for one in spots_of(ASKED, [PUMP, other], spans)] == ["1987", "1990"]
    clearly = [spans[0], replace(spans[1], margin=9.0)]
    assert [one.words for one in spots_of(ASKED, [PUMP, other], clearly)] == ["1990", "1987"]


def test_what_says_the_opposite_of_what_was_asked_counts_for_less() -> None:
    texts = ("The pump does not hold oil but water.", "The pump of a truck may hold nine litres.")
    passages = [make_passage(text, chunk=n, document=n) for n, text in enumerate(texts, 1)]
    spans = [span_of(passages[0], "water", 19.0), span_of(passages[1], "nine litres", 5.0)]
    found = spots_of("How much oil does the pump hold?", passages, spans)
    assert [(one.words, one.margin) for one in found] == [("nine litres", 4.0), ("water", -0.5)]


def test_a_title_is_no_answer() -> None:
    assert spots_of(ASKED, [PUMP], [Span(0, 4, 9.0)]) == ()
    [across] = spots_of(ASKED, [PUMP], [Span(0, len("Pump\nThe pump"), 9.0)])
    assert across.words == "The pump"


def test_only_so_many_passages_have_spans() -> None:
    assert len(spots_of(ASKED, [PUMP, PUMP], [span_of(PUMP, "1987", 1.0)])) == 1
    assert spots_of(ASKED, [PUMP], []) == ()


@pytest.mark.parametrize(
    ("margin", "expected"),
    [
        (UNSTATED_BELOW - 0.1, Confidence.LOW),
        (STATED_FROM - 0.1, Confidence.LOW),
        (STATED_FROM, Confidence.MEDIUM),
        (CERTAIN_FROM, Confidence.HIGH),
    ],
)
def test_the_margin_says_how_far_to_trust(margin: float, expected: Confidence) -> None:
    assert certainty([spot(margin=margin)]) is expected


def test_where_nobody_looked_nothing_is_doubted() -> None:
    assert certainty([]) is Confidence.HIGH
    assert not is_stated_in([PUMP], [])


def test_what_is_stated_for_sure() -> None:
    assert is_stated_in([PUMP], [spot(margin=STATED_FROM)])
    assert not is_stated_in([PUMP], [spot(margin=STATED_FROM - 0.1)])
    assert not is_stated_in([], [spot(margin=STATED_FROM)])


def test_what_is_likely() -> None:
    assert is_likely_in([PUMP], [spot(margin=LIKELY_FROM)])
    assert not is_likely_in([PUMP], [spot(margin=LIKELY_FROM - 0.1)])
    assert not is_likely_in([replace(PUMP, document=DocumentId(9))], [spot()])
    assert not is_likely_in([PUMP], [])


def test_words_in_a_passage_joined_with_its_neighbours() -> None:
    joined = replace(PUMP, text=f"Before. {TEXT}", start=92)
    assert spot().is_in(joined)
    assert not spot().is_in(replace(PUMP, document=DocumentId(9)))
    assert not spot().is_in(replace(PUMP, start=100 + len(TEXT), end=300))
    [(start, end)] = excerpt_of(spot(), joined)
    assert joined.text[start:end] == "It is blue. It holds nine litres. Ida paints."


def test_the_sentence_and_its_neighbours() -> None:
    start, end = sentence_of(spot())
    assert TEXT[start:end] == "It holds nine litres."
    start, end = sentence_of(spot("1987"), 1)
    assert TEXT[start:end] == "The pump was built in 1987. It is blue."


def test_passages_without_words_that_may_answer_are_not_worth_reading() -> None:
    others = [make_passage(f"Built in 199{n}.", chunk=n, document=n) for n in range(2, 5)]
    passages = [PUMP, *others]
    margins = (UNSTATED_BELOW - 5, UNSTATED_BELOW - 1, UNSTATED_BELOW + 2)
    spans = [
        span_of(one, one.text[-3:], margin) for one, margin in zip(passages, margins, strict=False)
    ]
    spots = spots_of(ASKED, passages, spans)
    assert worth_reading(passages, spots) == [PUMP, others[1]]
    assert worth_reading(passages, []) == passages
    assert worth_reading([], spots) == []


def test_the_answer_as_the_document_gives_it() -> None:
    quoted = "nine litres: “It is blue. It holds nine litres. Ida paints.”"
    assert word_for_word(spot()) == quoted
    alone = make_passage("Ida paints.\nOtto sings.")
    [found] = spots_of(ASKED, [alone], [span_of(alone, "Ida paints", 9.0)])
    assert word_for_word(found) == "“Ida paints.”"


def test_words_that_are_left_out_or_loose() -> None:
    assert word_for_word(spot(), is_led=False) == "“It is blue. It holds nine litres. Ida paints.”"
    gate = make_passage("The gate closes at 22:00, on Sundays at 18:00.")
    [found] = spots_of(ASKED, [gate], [span_of(gate, "22:00,", 9.0)])
    assert word_for_word(found) == "22:00: “The gate closes at 22:00, on Sundays at 18:00.”"


@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        ("It was later moved to 15 June.", True),
        ("This does not apply to guests.", True),
        ("From 1 March 2025 it is 15 June.", True),
        ("Nobody knows why.", True),
        ("Everybody came.", False),
    ],
)
def test_a_neighbour_may_take_it_back(behind: str, *, expected: bool) -> None:
    meeting = make_passage(f"The meeting is on 8 June. {behind}")
    [found] = spots_of(ASKED, [meeting], [span_of(meeting, "8 June", 9.0)])
    assert is_qualified(found) is expected


def test_a_sentence_is_quoted_with_short_neighbours() -> None:
    text = (
        f"{'Long ago ' * 35}it was. It costs 9 euros. From May it costs 8.\nElsewhere it is free."
    )
    prices = make_passage(text)
    [found] = spots_of("What?", [prices], [span_of(prices, "9 euros", 9.0)])
    start, end = quotation_of(found)
    assert text[start:end] == "It costs 9 euros. From May it costs 8."


@pytest.mark.parametrize("words", ["94.00", "VA-050 | 94.00", "5\nPORT = 80"])
def test_of_rows_no_words_are_marked(words: str) -> None:
    table = make_passage("Valve DN50 | VA-050 | 94.00\nRETRIES = 5\nPORT = 80", title="Prices")
    other = make_passage("It costs 9 euros.", chunk=2, document=2)
    spans = [span_of(table, words, 5.0), span_of(other, "9 euros", 1.0)]
    assert spots_of("What does it cost?", [table, other], spans) == ()
    spans[1] = replace(spans[1], margin=9.0)
    assert [one.words for one in spots_of("What does it cost?", [table, other], spans)] == [
        "9 euros",
        words,
    ]


def test_what_the_document_cites_is_no_citation_of_ours() -> None:
    text = "The pump holds nine litres [3] of rows[1] [2]."
    [found] = spots_of(
        ASKED, [make_passage(text)], [span_of(make_passage(text), "nine litres [3]", 9)]
    )
    assert word_for_word(found) == (
        "nine litres [ 3]: “The pump holds nine litres [ 3] of rows[ 1] [ 2].”"
    )


def test_a_sentence_without_end_is_cut() -> None:
    text = " ".join(f"part {n:03}" for n in range(200))
    long = make_passage(text, title="Pump")
    [found] = spots_of(ASKED, [long], [span_of(long, "part 100", 9.0)])
    told = word_for_word(found)
    assert told.startswith("part 100: “… 093 part 094")
    assert "part 100 part 101" in told
    assert told.endswith(" …”")
    assert len(told) < 450


def test_the_prompt_is_told_the_words() -> None:
    turns = [Turn(Role.SYSTEM, "Be brief."), Turn(Role.USER, "How much?")]
    told = hinted(turns, 'Perhaps "{words}".', [spot()])
    assert told == [turns[0], Turn(Role.USER, 'How much?\nPerhaps "nine litres".')]
    assert hinted(turns, "{words}", [spot(margin=LIKELY_FROM - 0.1)]) == turns
    assert hinted(turns, "{words}", []) == turns


def test_words_cannot_end_their_quotation() -> None:
    nasty = make_passage('Say "stop"\nand {words}.', title="T")
    found = Spot(nasty, 4, len(nasty.text) - 1, 9.0)
    [told] = hinted([Turn(Role.USER, "What?")], 'Perhaps "{words}".', [found])
    assert told.content == "What?\nPerhaps \"'stop' and {words}\"."


@pytest.mark.parametrize(
    "question",
    [
        "Who built the pump?",
        "How much does it hold?",
        "In what year was it built?",
        "What is the notice period of the pump?",
        "What city is the capital?",
        "The Brotherhood is against consuming what?",
        "And when was it painted?",
    ],
)
def test_questions_that_a_few_words_answer(question: str) -> None:
    assert asks_for_words(question)


@pytest.mark.parametrize(
    "question",
    [
        "Why is the pump blue?",
        "How does it work?",
        "What does the pump do?",
        "What is the purpose of the pump?",
        "What are the main benefits of it?",
        "Is it blue?",
        "pump blue",
        "",
    ],
)
def test_questions_that_want_more_than_words(question: str) -> None:
    assert not asks_for_words(question)
