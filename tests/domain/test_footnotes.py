from __future__ import annotations

import pytest

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.footnotes import footnotes_to


def told(text: str, *quotes: str) -> tuple[str, ...]:
    citations = [
        Citation(
            number,
            DocumentId(1),
            ChunkId(1),
            "/a.pdf",
            "A",
            "",
            1,
            "1",
            quote,
            text.index(quote),
            text.index(quote) + len(quote),
            "",
            1.0,
        )
        for number, quote in enumerate(quotes, 1)
    ]
    return footnotes_to(citations, lambda _: text)


@pytest.mark.parametrize(
    ("quote", "line"),
    [
        ("The maximum is 4 g.*", "* 3 g in patients with liver disease."),
        ("The maximum is 4 g*.", "*3 g in patients with liver disease."),
        ("The maximum is 4 g.[^liver]", "[^liver]: 3 g in patients with liver disease."),
        ("The maximum is 4 g.†", "† 3 g in patients with liver disease."),
        ("The maximum is 4 g¹ a day.", "¹ 3 g in patients with liver disease."),
    ],
)
def test_the_footnote_of_a_quoted_statement_is_told(quote: str, line: str) -> None:
    text = f"Adults\n{quote} Give it slowly.\n** Another note.\n{line}\nMore."
    expected = ("Footnote to [1]: “3 g in patients with liver disease.”",)
    assert told(text, quote) == expected


def test_a_mark_just_behind_the_quote_counts() -> None:
    assert told("The maximum is 4 g* a day.\n* Or 3 g.", "The maximum is 4 g") == (
        "Footnote to [1]: “Or 3 g.”",
    )


@pytest.mark.parametrize(
    "text",
    [
        "The maximum is 4 g.*\nNo line below begins with it.",
        "The maximum is 4 g.*\n* First item\n* Second item",  # a list
        "The maximum is 4 g.\n* Or 3 g.",  # no mark
        "The maximum is 4 g.*\n** Or 3 g.",  # another mark
        "The maximum is 4 g.* 2 * 3 = 6",
    ],
)
def test_what_is_no_footnote_is_not_told(text: str) -> None:
    assert told(text, text.partition("\n")[0]) == ()


def test_a_footnote_that_is_quoted_already_is_not_told_again() -> None:
    assert told("It is 4 g.*\n* Or 3 g.", "It is 4 g.*", "* Or 3 g.") == ()
