"""Why something is not found: files and phrases followed through a real library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.app import App
from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.library import FolderRules, Tier
from desktop_rag.domain.tracing import Mark, NextStep, Step, Trace
from tests.helpers.fakes import SCAN, FakeIndex, FakeReader, fake_engines

TIMEOUT_S = 20.0
PUMP = "The harbour pump holds four litres of oil.\n\nThe warranty lasts seven years."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    (made / "pump.txt").write_text(PUMP)
    return made


@pytest.fixture
def app(tmp_path: Path, folder: Path) -> Iterator[App]:
    with App.open(tmp_path / "data", fake_engines(FakeReader(), FakeIndex())) as opened:
        opened.add([folder])
        opened.start_indexing()
        assert opened.wait_until_indexed(TIMEOUT_S)
        yield opened


def settle(app: App) -> None:
    app.start_indexing()
    assert app.wait_until_indexed(TIMEOUT_S)


def obstacle(trace: Trace) -> Step:
    ways = [*trace.files, *([trace.phrase] if trace.phrase else [])]
    found = next((way.obstacle for way in ways if way.obstacle), None)
    assert found is not None
    assert trace.conclusion == found.sentence
    assert not trace.is_found
    return found


def marks(trace: Trace) -> dict[str, Mark]:
    ways = [*trace.files, *([trace.phrase] if trace.phrase else [])]
    return {step.name: step.mark for way in ways for step in way.steps}


def test_a_searchable_file_passes_every_step(app: App, folder: Path) -> None:
    for name in ("pump.txt", "PUMP.TXT", "pump", str(folder / "pump.txt")):
        trace = app.tracing.why(name)
        assert trace.is_found, name
        assert [step.name for step in trace.files[0].steps] == [
            "Added", "Found in its folder", "Read", "Text", "Passages", "Search index",
        ]  # fmt: skip
        assert set(marks(trace).values()) == {Mark.PASSED}
    assert trace.conclusion == "Nothing stands in the way: a question about it finds it."


def test_a_file_outside_all_folders_is_to_be_added(app: App, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("words")
    step = obstacle(app.tracing.why(str(outside)))
    assert (step.name, step.next_step, step.path) == ("Added", NextStep.ADD, str(outside))


def test_a_name_nobody_knows_is_said_to_be_unknown(app: App) -> None:
    assert (
        "No file of the library is named lease.pdf"
        in obstacle(app.tracing.why("lease.pdf")).sentence
    )


def test_a_file_left_out_by_a_rule_names_the_rule(app: App, folder: Path) -> None:
    app.change_folder(folder, FolderRules(exclude=("pump*",)))
    step = obstacle(app.tracing.why("pump.txt"))
    assert "pump*" in step.sentence
    assert (step.next_step, step.path) == (NextStep.RULES, str(folder))


def test_a_file_in_a_folder_left_out_is_explained_by_the_folder(app: App, folder: Path) -> None:
    (folder / "old").mkdir()
    (folder / "old" / "deep.txt").write_text("words")
    app.change_folder(folder, FolderRules(exclude=("old/",)))
    step = obstacle(app.tracing.why(str(folder / "old" / "deep.txt")))
    assert "old/" in step.sentence


@pytest.mark.parametrize(
    ("name", "said"),
    [(".secret.txt", "Hidden"), ("draft.txt~", "temporary"), ("film.mkv", "no reader for .mkv")],
)
def test_a_file_that_is_passed_over_says_why(app: App, folder: Path, name: str, said: str) -> None:
    (folder / name).write_text("words")
    assert said in obstacle(app.tracing.why(str(folder / name))).sentence


def test_a_file_that_was_removed_can_be_added_again(app: App, folder: Path) -> None:
    app.remove([folder / "pump.txt"])
    step = obstacle(app.tracing.why(str(folder / "pump.txt")))
    assert "removed" in step.sentence
    assert step.next_step is NextStep.ADD


def test_a_file_that_failed_gives_its_reason_and_what_to_do(app: App, folder: Path) -> None:
    (folder / "locked.txt").write_text("ENCRYPTED")
    settle(app)
    step = obstacle(app.tracing.why("locked.txt"))
    assert "password" in step.sentence
    assert step.next_step is NextStep.OPEN


def test_a_paused_library_says_that_reading_waits(app: App, folder: Path) -> None:
    app.pause_indexing()
    (folder / "new.txt").write_text("words")
    app.add([folder])
    assert obstacle(app.tracing.why("new.txt")).next_step is NextStep.RESUME


def test_a_scan_with_recognition_off_is_to_be_switched_on(app: App, folder: Path) -> None:
    app.change_setting("ocr", "off")
    (folder / "scan.txt").write_text(f"Typed page.\f{SCAN}Hidden words.")
    settle(app)
    trace = app.tracing.why("scan.txt")
    notes = [s for s in trace.files[0].steps if s.mark is Mark.NOTE]
    assert [step.next_step for step in notes] == [NextStep.RECOGNISE]


def test_a_phrase_is_followed_to_its_place_among_the_results(app: App) -> None:
    trace = app.tracing.why("pump holds four litres")
    assert trace.is_found
    assert trace.phrase is not None
    names = [step.name for step in trace.phrase.steps]
    assert names[:4] == ["Text", "Passage", "Keywords", "Meaning"]
    assert trace.phrase.steps[-1].sentence.startswith("It is result 1 of")


def test_line_breaks_do_not_hide_a_phrase(app: App, folder: Path) -> None:
    (folder / "broken.txt").write_text("The silver\n  bell — rings at noon.")
    settle(app)
    step = app.tracing.why("silver bell rings").phrase
    assert step is not None
    assert "broken.txt" in step.steps[0].sentence


def test_a_word_that_stands_nowhere_is_named(app: App) -> None:
    step = obstacle(app.tracing.why("pump holds unobtainium"))
    assert step.name == "Text"
    assert "“unobtainium” does not occur" in step.sentence


def test_words_apart_are_told_from_a_phrase(app: App) -> None:
    trace = app.tracing.why("warranty pump")
    assert trace.phrase is not None
    assert trace.phrase.steps[0].mark is Mark.NOTE
    assert "not next to each other" in trace.phrase.steps[0].sentence


def test_a_copy_is_dropped_for_its_original(app: App, folder: Path) -> None:
    (folder / "copy.txt").write_text("Copy.\n\n" + PUMP)
    settle(app)
    found = [app.tracing.why("harbour pump holds four", n) for n in ("pump.txt", "copy.txt")]
    dropped = [one for one in found if not one.is_found]
    assert len(dropped) == 1
    assert obstacle(dropped[0]).name == "Repetition"


def test_a_background_folder_is_said_to_count_less(app: App, folder: Path) -> None:
    app.change_folder(folder, tier=Tier.BACKGROUND)
    trace = app.tracing.why("harbour pump holds")
    assert trace.phrase is not None
    step = next(s for s in trace.phrase.steps if s.next_step is NextStep.RULES)
    assert "counts less" in step.sentence


def test_a_phrase_is_looked_for_in_one_file_only(app: App, folder: Path) -> None:
    (folder / "tea.txt").write_text("Green tea is picked in spring.")
    settle(app)
    step = obstacle(app.tracing.why("four litres", "tea.txt"))
    assert "of the file" in step.sentence


def test_an_unread_file_ends_the_way_of_its_phrase(app: App, folder: Path) -> None:
    (folder / "locked.txt").write_text("ENCRYPTED")
    settle(app)
    trace = app.tracing.why("anything", "locked.txt")
    assert obstacle(trace).name == "Read"


@pytest.mark.parametrize("text", ["", "  ", "…!?"])
def test_nothing_to_look_for_is_refused(app: App, text: str) -> None:
    with pytest.raises(InvalidInput):
        app.tracing.why(text)


def test_a_file_to_look_in_has_to_exist(app: App) -> None:
    with pytest.raises(NotFound):
        app.tracing.why("words", "nowhere.txt")


def test_an_empty_library_has_nothing_to_find(tmp_path: Path) -> None:
    with App.open(tmp_path / "empty", fake_engines()) as app:
        assert not app.tracing.why("four litres").is_found
