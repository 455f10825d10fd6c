from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.answers import Answer, Citation, Confidence, RetrievalFigures
from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.services.llm_choosing import missing
from desktop_rag.ui import words
from desktop_rag.ui.chat.remarks import remarks_of
from desktop_rag.ui.window_words import in_window


def remark(answer: Answer) -> str:
    return " · ".join(one.text for one in remarks_of(answer))


def test_the_scope_line_names_all_four_numbers() -> None:
    figures = RetrievalFigures(340, 35, 50, 5, 3)
    assert words.scope(figures) == "5 of 340 passages from 3 of 35 files"
    assert words.scope(figures, is_found=False) == "Searched 340 passages in 35 files"


def test_an_answer_that_looked_at_whole_files_says_so_itself() -> None:
    figures = RetrievalFigures(340, 35, 50, 5, 3)
    answer = Answer("q", "text", (), Confidence.HIGH, found=True, figures=figures)
    assert words.scope_of(answer) == words.scope(figures)
    noted = replace(answer, scope_note="All 12 pages of a.pdf.", conflicts=("b.pdf says 5.",))
    assert words.scope_of(noted) == "All 12 pages of a.pdf."
    assert remark(noted) == "b.pdf says 5."


def test_what_ended_early_or_was_given_before_is_said() -> None:
    figures = RetrievalFigures(340, 35, 50, 5, 3)
    answer = Answer("q", "text", (), Confidence.HIGH, found=True, figures=figures, model="m")
    assert remark(replace(answer, note="It broke off.")) == "It broke off."
    why = "Quoted word for word, without a language model. Only 0.2 GB of memory is free."
    assert remark(replace(answer, model="", note=why)) == why
    assert remark(replace(answer, is_cached=True)).startswith("Answered before")
    assert remark(replace(answer, unread=1)) == "1 file was still to be read: ask again later"
    assert remark(replace(answer, unread=23)).startswith("23 files were still to be read")


def test_why_nothing_was_found_is_said_without_a_model_too() -> None:
    figures = RetrievalFigures(340, 35, 50, 0, 0)
    answer = Answer("q", "No.", (), Confidence.NONE, found=False, figures=figures)
    told = remark(replace(answer, note="It is about HX-250.", nearest=("Pumps",)))
    assert told == "It is about HX-250. · Closest in your library: Pumps"


def test_a_preview_is_cut_at_a_word() -> None:
    assert words.preview("one two\n three", 9) == "one two …"


def test_of_a_section_path_the_last_part_is_shown() -> None:
    place = Citation(
        1, DocumentId(1), ChunkId(1), "/a/guide.pdf", "Guide", "Guide > 2 Care", 4, "iv", "q", 0, 1,
        "", 1.0,
    )  # fmt: skip
    assert words.place(place) == "p. iv · 2 Care"


def test_nothing_found_is_said_plainly() -> None:
    assert words.confidence(Confidence.NONE) == "Not in your documents"
    assert words.confidence(Confidence.HIGH) == "High confidence"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(20, "less than a minute"), (61, "about 1 minute"), (7300, "about 2 hours")],
)
def test_durations_are_said_as_people_say_them(seconds: float, expected: str) -> None:
    assert words.duration(seconds) == expected


def test_a_name_neither_breaks_its_line_nor_turns_it_round() -> None:
    assert words.file_name("/a/new\nline.txt") == "new\ufffdline.txt"
    assert words.file_name("/a/invoice\u202efdp.exe") == "invoice\ufffdfdp.exe"
    assert words.file_name("/a/\u0645\u0644\u0641.txt") == "\u0645\u0644\u0641.txt"


def test_a_note_with_a_command_names_only_the_page_in_a_window() -> None:
    told = in_window(missing("some-model").message)
    assert "page Models" in told
    assert "desktop-rag" not in told
    assert "`" not in told
