"""Builds of llama.cpp beside its library: which there are, and how one is tried."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

from desktop_rag.domain.errors import UserError
from desktop_rag.domain.variants import Trial, TrialState
from desktop_rag.engines import llamacpp_loading, llamacpp_trial
from desktop_rag.engines.llamacpp_native import Library
from desktop_rag.engines.llamacpp_trial import try_variants
from desktop_rag.storage.llamacpp_variants import library_folder, variants_in

FILES = ("libggml-cpu-x64.so", "libggml-cpu-haswell.so", "ggml-cpu-zen4.dll")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (*FILES, "libggml-cpu.so", "libggml-base.so.0", "libllama.so"):
        (tmp_path / name).write_bytes(b"")
    return tmp_path


def test_only_builds_for_single_processors_are_listed(folder: Path) -> None:
    assert {name: file.name for name, file in variants_in(folder).items()} == {
        "x64": FILES[0],
        "haswell": FILES[1],
        "zen4": FILES[2],
    }


def test_a_folder_that_is_not_there_has_no_builds(tmp_path: Path) -> None:
    assert variants_in(tmp_path / "missing") == {}
    assert variants_in(None) == {}


class Engine:
    """Stands in for the native library; `scores` and `problems` by the name of a file."""

    def __init__(self, scores: dict[str, int], problems: dict[str, str]) -> None:
        self.scores, self.problems = scores, problems

    def score(self, file: Path) -> int:
        return self.scores.get(file.name, 0)

    def problem(self, _library: object, file: Path) -> str:
        return self.problems.get(file.name, "")


def tried(
    monkeypatch: pytest.MonkeyPatch, folder: Path, engine: Engine, *excluded: str
) -> list[Trial]:
    monkeypatch.setattr(llamacpp_trial, "Library", lambda _: object())
    monkeypatch.setattr(llamacpp_trial, "_score", engine.score)
    monkeypatch.setattr(llamacpp_trial, "_problem", engine.problem)
    return [t for t in try_variants(folder, excluded) if t.state is not TrialState.SCORING]


def test_the_best_build_is_tried_first_and_named_before(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    engine = Engine({FILES[0]: 1, FILES[1]: 64, FILES[2]: 0}, {})
    assert tried(monkeypatch, folder, engine) == [
        Trial("haswell", TrialState.RUNNING),
        Trial("haswell", TrialState.GOOD),
    ]


def test_a_build_that_calculates_wrong_gives_way_to_the_next(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    engine = Engine({FILES[0]: 1, FILES[1]: 64}, {FILES[1]: "it calculates 1 instead of 2"})
    trials = tried(monkeypatch, folder, engine)
    assert [(t.variant, t.state) for t in trials][-1] == ("x64", TrialState.GOOD)
    assert trials[1] == Trial("haswell", TrialState.FAILED, "it calculates 1 instead of 2")


def test_excluded_and_unsuitable_builds_are_not_touched(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    engine = Engine({FILES[0]: 0, FILES[1]: 64}, {})
    assert tried(monkeypatch, folder, engine, "haswell") == []


@pytest.mark.skipif(sys.platform != "linux", reason="libraries have other names there")
def test_a_damaged_llamacpp_is_said_in_one_sentence(folder: Path) -> None:
    with pytest.raises(UserError, match=r"cannot be loaded \(.*libllama.so.*install Desktop RAG"):
        next(try_variants(folder, ()))


def test_a_file_that_is_no_library_does_not_suit(folder: Path) -> None:
    assert llamacpp_trial._score(folder / FILES[0]) == 0


@pytest.mark.parametrize(
    ("variant", "loaded", "called"),
    [
        (FILES[0], 1, ["ggml_backend_load"]),
        (FILES[0], None, ["ggml_backend_load", "ggml_backend_load_all_from_path"]),
        (None, None, ["ggml_backend_load_all_from_path"]),
    ],
    ids=["whole", "damaged since", "not chosen"],
)
def test_the_build_that_was_chosen_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    variant: str | None,
    loaded: int | None,
    called: list[str],
) -> None:
    calls: list[str] = []

    class Native:
        def __init__(self, _folder: Path) -> None:
            pass

        def call(self, name: str, *_arguments: object) -> int | None:
            calls.append(name)
            return loaded

    monkeypatch.setattr(llamacpp_loading, "Library", Native)
    monkeypatch.setattr(llamacpp_loading, "variants_in", lambda _: {"x64": folder / FILES[0]})
    llamacpp_loading._use_variant.__wrapped__(folder / variant if variant else None)
    assert calls == called


@pytest.mark.parametrize("weights", [1, 8, 12, 14])
def test_a_product_of_matrices_is_checked(weights: int) -> None:
    folder = library_folder()
    if folder is None:
        pytest.skip("llama.cpp is not installed")
    library = Library(folder)
    device = library.call("ggml_backend_dev_by_type", ctypes.c_void_p, 0)
    if not device:
        pytest.skip("this llama.cpp loads its builds later")
    llamacpp_trial._multiply(library, ctypes.c_void_p(device), weights)


def test_a_wrong_product_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = library_folder()
    library = Library(folder) if folder is not None else None
    device = library.call("ggml_backend_dev_by_type", ctypes.c_void_p, 0) if library else None
    if library is None or not device:
        pytest.skip("no llama.cpp with one build")
    given = iter([2.0] * 256 * 32)
    # What is put in differs from what is expected to come out.
    monkeypatch.setattr(llamacpp_trial, "_left", lambda row: next(given, 0.5 + row / 32))
    with pytest.raises(ArithmeticError, match="instead of"):
        llamacpp_trial._multiply(library, ctypes.c_void_p(device), 12)


def test_an_unknown_function_is_an_error_of_the_library() -> None:
    folder = library_folder()
    if folder is None:
        pytest.skip("llama.cpp is not installed")
    with pytest.raises(OSError, match="no_such_function"):
        Library(folder).call("no_such_function", None)
