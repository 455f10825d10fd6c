"""What a typed question is taken for."""

from __future__ import annotations

import time
from datetime import date

import pytest

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.matching import DocumentFacts
from desktop_rag.domain.query_language import Query, clean_query, plain_words, read_query
from desktop_rag.domain.scope import Scope

TODAY = date(2024, 5, 17)
LIBRARY = [
    DocumentFacts(DocumentId(number), path, created, 0)
    for number, (path, created) in enumerate(
        [
            ("/home/me/docs/handbook.html", "2023-04-01"),
            ("/home/me/docs/Quarterly Report 2023.pdf", "2023-06-30"),
            ("/home/me/contracts/old-handbook.pdf", "2019"),
            ("C:\\Mails\\offer.eml", "2024-05-13"),
        ]
    )
]


def read(text: str) -> Query:
    return read_query(text, lambda: LIBRARY, TODAY)


def test_operators_are_taken_out_of_the_words() -> None:
    query = read('what were the "net sales" -profit -"one time" file:report.pdf type:pdf,docx?')
    assert query.text == 'what were the "net sales"'
    assert (query.phrases, query.excluded) == (("net sales",), ("profit",))
    assert query.excluded_phrases == ("one time",)
    assert query.scope == Scope(files=("report.pdf",), types=("pdf", "docx"))


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ('file:"Quarterly Report 2023.pdf" x', Scope(files=("Quarterly Report 2023.pdf",))),
        ("x FILE:a.pdf File:b.pdf", Scope(files=("a.pdf", "b.pdf"))),
        ("x folder:contracts/2023", Scope(folders=("contracts/2023",))),
        ("x page:12", Scope(pages=((12, 12),))),
        ("x page:3-5,9", Scope(pages=((3, 5), (9, 9)))),
        ("x pages:5-3", Scope(pages=((3, 5),))),
        ("x after:2023", Scope(after=date(2023, 1, 1))),
        ("x after:2023 after:2023-05", Scope(after=date(2023, 5, 1))),
        ("x before:2023-05-17", Scope(before=date(2023, 5, 17))),
        ("x before:2023 before:2021", Scope(before=date(2021, 1, 1))),
        ("x type:pdf,.", Scope(types=("pdf",))),
        ("x after:yesterday", Scope(after=date(2024, 5, 16))),
        ("x after:last-week", Scope(after=date(2024, 5, 6))),
        ('x after:"2 months ago"', Scope(after=date(2024, 3, 17))),
    ],
)
def test_values_of_filters(text: str, scope: Scope) -> None:
    query = read(text)
    assert (query.scope, query.text) == (scope, "x")


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/a?b=c file:///home/me/a.pdf",
        "what is in C:\\Users\\me",
        "the meeting at 10:30",
        "re: invoice",
        "-5 degrees outside",
        "foo:bar",
        "git commit --amend -m",
        "rm -rf and ls -la",
        "non-GAAP results",
        "this - or that",
        "`grep -version`",
        'unclosed "quote here',
        '5" pipe and 3" valve',
        'where a="" or 1=1; --',
        "file: what is it?",
        "neben Privatpersonen und -organisationen",
        "What is possible in many resource -limited settings?",
        "the profile:x",
    ],
)
def test_what_only_looks_like_an_operator_is_words(text: str) -> None:
    query = read(text)
    assert query.is_plain
    assert query.text == text


def test_words_are_left_out_at_the_end_of_a_question_and_anywhere_in_keywords() -> None:
    assert read("how fast is a jaguar -car -type:x?").excluded == ("car",)
    assert read("how fast is a jaguar -car file:a.pdf?").excluded == ("car",)
    assert read("jaguar -car speed").excluded == ("car",)


def test_a_phrase_in_a_long_question_is_a_mention() -> None:
    asked = 'Who was the story editor of the show "Scaredy Squirrel" in Canada?'
    assert (read(asked).phrases, read(asked).text) == ((), asked)
    assert read('what does it say about "net sales"?').phrases == ("net sales",)
    assert read('story editor show Canada "Scaredy Squirrel"').phrases == ("Scaredy Squirrel",)


@pytest.mark.parametrize("quotes", ["“”", "„“", "«»", "””", '""'])
def test_quotes_of_any_country_make_a_phrase(quotes: str) -> None:
    assert read(f"{quotes[0]}höhere Gewalt{quotes[1]}").phrases == ("höhere Gewalt",)


@pytest.mark.parametrize(
    ("text", "words", "scope"),
    [
        ("warranty in the file handbook.html", "warranty", Scope(files=("handbook.html",))),
        ("warranty in handbook.html?", "warranty?", Scope(files=("handbook.html",))),
        (
            "sales in the document Quarterly Report 2023 by region",
            "sales by region",
            Scope(files=("Quarterly Report 2023",)),
        ),
        (
            "which table is on page 12 of Quarterly Report 2023?",
            "which table is?",
            Scope(files=("Quarterly Report 2023",), pages=((12, 12),)),
        ),
        ("warranty in my PDFs", "warranty", Scope(types=("pdf",))),
        ("who signs in the folder contracts?", "who signs?", Scope(folders=("contracts",))),
        ("documents since 2023 about tea", "about tea", Scope(after=date(2023, 1, 1))),
        (
            "files from last year about tea",
            "about tea",
            Scope(after=date(2023, 1, 1), before=date(2024, 1, 1)),
        ),
        (
            "emails from this month about tea",
            "about tea",
            Scope(types=("email",), after=date(2024, 5, 1), before=date(2024, 6, 1)),
        ),
    ],
)
def test_filters_in_words(text: str, words: str, scope: Scope) -> None:
    query = read(text)
    assert (query.text, query.scope) == (words, scope)


@pytest.mark.parametrize(
    "text",
    [
        "warranty in the file manual.html",
        "warranty in the file",
        "what was in the report?",
        "what is in my spreadsheets?",
        "revenue in 2023",
        "what happened since last year",
        "documents since 1999-13-45",
        "files from last week about tea in 1066",
        "what is on page 12?",
        "the bridge in handbook style",
    ],
)
def test_what_the_library_has_not_is_words(text: str) -> None:
    query = read_query(text, lambda: LIBRARY[:3], TODAY)
    assert (query.scope, query.text) == (Scope(), text)


def test_ordinary_questions_do_not_look_at_the_library() -> None:
    def refuse() -> list[DocumentFacts]:
        raise AssertionError

    assert read_query("How long is the warranty?", refuse, TODAY).is_plain


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Could you please tell me how long the warranty is?", "how long the warranty is?"),
        ("Hi there, I would like to know what tea costs, please.", "what tea costs."),
        ("please tell me about tea", "tea"),
        ("Können Sie mir bitte sagen, was Tee kostet?", "was Tee kostet?"),
        ("please", "please"),
        ("Can you tell me?", "Can you tell me?"),
        ("How do you tell me apart from you?", "How do you tell me apart from you?"),
    ],
)
def test_courtesies_are_not_searched(text: str, words: str) -> None:
    assert read(text).text == words


def test_a_question_is_cleaned() -> None:
    assert clean_query("a\x00b\t c\u00a0d\n\u200be \ud800") == "a b c d e ?"
    assert clean_query("cafe\u0301") == "caf\u00e9"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        (" \x00\n", "empty"),
        ("*", "no word"),
        ("\U0001f600 \U0001f44d", "no word"),
        ('"…"', "no word"),
        ("-car", "leave out"),
        ('-"red car" -bus', "leave out"),
        ("file:handbook.html", "only says where to look \\(file handbook.html\\)"),
        ("x after:tomorrowish", "after:tomorrowish.* is no date"),
        ("x before:2023-13", "is no date"),
        ("x page:x", "page:x.* is no page"),
        ("x page:99999999999999999999", "is no page"),
    ],
)
def test_what_cannot_be_searched_is_told(text: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        read(text)


def test_filters_are_told_as_a_person_would_say_them() -> None:
    query = read('tea "net sales" -profit file:a.pdf after:2023-05 page:3-5')
    assert query.filters == (
        "exactly “net sales”",
        "without “profit”",
        "file a.pdf, from 2023-05-01 on, page 3-5",
    )


def test_other_wordings_give_words_only() -> None:
    assert plain_words("please tell me file:a.pdf page:x about tea -milk") == "tea"


def test_thousands_of_operators_are_read_in_no_time() -> None:
    begin = time.perf_counter()
    assert plain_words("which is it " + "-word " * 5000) == "which is it"
    assert plain_words("which is it " + '-"a ' * 5000 + "then") != ""
    assert time.perf_counter() - begin < 5


def test_a_filter_given_twice_is_told_once() -> None:
    assert read("bridge file:x file:x page:2,2").scope.described() == "file x, page 2"


def test_dates_at_the_end_of_time_are_dates() -> None:
    assert read("my files after 9999-12-31 bridge").text.endswith("bridge")
    assert read("bridge after:9999-12-31").scope.after == date.max


def test_the_joiners_that_words_are_spelled_with_stay() -> None:
    persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert clean_query(f"{persian}\u2028pump") == f"{persian} pump"
