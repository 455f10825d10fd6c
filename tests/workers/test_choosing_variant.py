"""Which build of llama.cpp is loaded: found out by processes that may die, and remembered."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from desktop_rag import processor
from desktop_rag.domain.errors import ProcessorTooOld, WorkerCrashed
from desktop_rag.domain.variants import Trial, TrialState
from desktop_rag.paths import DataDir
from desktop_rag.storage.llamacpp_variants import library_folder, variants_in
from desktop_rag.workers import choosing_variant, methods, roles
from desktop_rag.workers.choosing_variant import variant_file
from desktop_rag.workers.supervisor import Supervisor
from tests.helpers.fake_hosts import FakeChoice
from tests.helpers.fake_processor import deadly_spec

NAMES = ("haswell", "sse42", "zen4")
BEST_FIRST = ("zen4", "haswell", "sse42")


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DESKTOP_RAG_MODELS_DIR", str(tmp_path / "models"))
    monkeypatch.setattr(choosing_variant, "_unfit", set())
    return tmp_path / "models"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    libraries = tmp_path / "lib"
    libraries.mkdir()
    for name in NAMES:
        (libraries / f"libggml-cpu-{name}.so").write_bytes(name.encode())
    return libraries


class Processor:
    """Runs `works`, dies of `deadly`, and counts how often it was asked."""

    def __init__(self, works: Collection[str], deadly: Collection[str] = ()) -> None:
        self.works, self.deadly, self.rounds = works, deadly, 0

    def __call__(self, folder: Path, excluded: Collection[str], log: Path) -> Iterator[Trial]:
        self.rounds += 1
        for name in BEST_FIRST:
            if name in excluded:
                continue
            yield Trial(name, TrialState.RUNNING)
            if name in self.deadly:
                raise WorkerCrashed("SIGILL")
            if name in self.works:
                yield Trial(name, TrialState.GOOD)
                return
            yield Trial(name, TrialState.FAILED, "it calculates 1 instead of 2")


def chosen(folder: Path, try_: Processor) -> str:
    found = variant_file(folder / "log", folder, try_)
    assert Path(found).parent == folder
    return Path(found).name


def test_a_library_without_builds_is_left_as_it_is(tmp_path: Path, models: Path) -> None:
    nothing = Processor(())
    assert variant_file(tmp_path / "log", tmp_path, nothing) == ""
    assert nothing.rounds == 0
    assert not models.exists()


def test_the_best_build_that_works_is_used(folder: Path) -> None:
    assert chosen(folder, Processor(BEST_FIRST)) == "libggml-cpu-zen4.so"


def test_a_build_that_kills_its_process_gives_way_to_the_next(folder: Path) -> None:
    dying = Processor(["sse42"], deadly=["zen4", "haswell"])
    assert chosen(folder, dying) == "libggml-cpu-sse42.so"
    assert dying.rounds == 3


def test_a_library_that_dies_before_any_build_is_tried_once(folder: Path) -> None:
    dying = Mock(side_effect=WorkerCrashed("SIGILL"))
    with pytest.raises(ProcessorTooOld):
        variant_file(folder / "log", folder, dying)
    assert dying.call_count == 1


def test_a_wrong_result_gives_way_without_another_process(folder: Path) -> None:
    wrong = Processor(["haswell"])
    assert chosen(folder, wrong) == "libggml-cpu-haswell.so"
    assert wrong.rounds == 1


def test_the_choice_is_remembered(folder: Path, models: Path) -> None:
    first, second = Processor(BEST_FIRST), Processor(())
    assert chosen(folder, first) == chosen(folder, second)
    assert second.rounds == 0
    assert list(json.loads((models / "processor.json").read_text()).values()) == ["zen4"]


@pytest.mark.parametrize("change", ["processor", "program", "file"])
def test_something_new_is_tried_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    chosen(folder, Processor(BEST_FIRST))
    if change == "processor":
        monkeypatch.setattr(processor, "fingerprint", lambda: "another one")
    elif change == "program":
        monkeypatch.setattr(choosing_variant, "__version__", "9.9")
    else:
        (folder / "libggml-cpu-zen4.so").write_bytes(b"another build")
    assert chosen(folder, Processor(["sse42"])) == "libggml-cpu-sse42.so"


@pytest.mark.parametrize(
    "written", ["", "[]", "[" * 99999, '{"a": ', '{"KEY": "amx9000"}', '{"KEY": [1]}']
)
def test_a_damaged_memory_costs_one_trial(folder: Path, models: Path, written: str) -> None:
    chosen(folder, Processor(BEST_FIRST))
    file = models / "processor.json"
    key = next(iter(json.loads(file.read_text())))
    file.write_text(written.replace("KEY", key))
    again = Processor(["haswell"])
    assert chosen(folder, again) == "libggml-cpu-haswell.so"
    assert again.rounds == 1


@pytest.mark.parametrize(
    "nothing", [Processor(()), Processor((), deadly=BEST_FIRST)], ids=["wrong", "deadly"]
)
def test_a_processor_that_fits_nothing_is_told_in_one_sentence_and_asked_once(
    folder: Path, models: Path, nothing: Processor
) -> None:
    for _ in range(2):
        with pytest.raises(ProcessorTooOld, match=r"none of the 3 builds.*quotations work without"):
            variant_file(folder / "log", folder, nothing)
    assert nothing.rounds in (1, 3)
    assert not (models / "processor.json").exists()


def test_a_memory_that_cannot_be_written_costs_only_the_memory(folder: Path, models: Path) -> None:
    models.write_text("no folder")
    assert chosen(folder, Processor(BEST_FIRST)) == "libggml-cpu-zen4.so"


def test_a_real_process_that_dies_of_a_signal_moves_on(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = tmp_path / "worker-processor.log"
    monkeypatch.setattr(choosing_variant, "_spec", deadly_spec)
    assert Path(variant_file(log, folder)).name == "libggml-cpu-sse42.so"
    assert caplog.text.count("ended unexpectedly") == 2
    caplog.clear()


def test_the_role_tries_the_builds_of_a_folder(tmp_path: Path) -> None:
    """The real host; a library that was compiled on this computer has nothing to try."""
    installed = library_folder()
    if installed is None:
        pytest.skip("llama.cpp is not installed")
    supervisor = Supervisor(choosing_variant._spec(installed, tmp_path / "log"))
    try:
        trials = list(supervisor.stream(methods.TRY_VARIANTS, []))
    finally:
        supervisor.close()
    has_builds = bool(variants_in(installed))
    assert [t.state for t in trials][-1:] == ([TrialState.GOOD] if has_builds else [])


def test_the_language_model_is_told_which_build_to_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roles, "variant_file", lambda log: f"{log.name} told it")
    data, choice = DataDir(tmp_path), FakeChoice("model")
    assert b"worker-processor.log told it" in roles.llm_spec(data, choice, 1).child.options
    assert b"told it" not in roles.llm_spec(data, None, 1).child.options
