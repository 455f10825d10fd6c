"""Who must keep a contract: the fake, the fake in a real child, and the engine in its child.

An engine takes seconds to start, so `keeps_all` runs a whole contract against one child.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from desktop_rag import paths
from desktop_rag.domain.errors import ModelMissing
from desktop_rag.domain.ports import DocumentReader, Generator, SearchIndex
from desktop_rag.workers.remote import WorkerPool, start_engines
from desktop_rag.workers.roles import LlmChoice
from tests.helpers.fake_hosts import FakeChoice, FakeLlmOptions, fake_child_pool
from tests.helpers.fakes import FakeGenerator, FakeIndex, FakeReader, asked_word
from tests.helpers.tiny_onnx import write_extractor

T = TypeVar("T")

EMBEDDER_DIR = paths.shipped("models", "all-minilm-l6-v2-int8")
ANSWER = "It rains in June [1]. Nobody knows why, and nobody asks."


def keeps_all(contract: type, make: Callable[[str], object]) -> None:
    """Run every test of a contract; `make` gives a fresh value for each argument's name."""
    for name, test in inspect.getmembers(contract(), inspect.ismethod):
        if name.startswith("test_"):
            arguments = {
                argument: make(argument) for argument in inspect.signature(test).parameters
            }
            try:
                test(**arguments)
            except BaseException as exc:
                exc.add_note(f"in {contract.__name__}.{name}")
                raise


def _with(pool: WorkerPool, pick: Callable[[WorkerPool], T]) -> Iterator[T]:
    yield pick(pool)
    pool.close()


@pytest.fixture(params=["fake", "fake child"])
def reader(request: pytest.FixtureRequest) -> Iterator[DocumentReader]:
    if request.param == "fake":
        yield FakeReader()
    else:
        yield from _with(fake_child_pool(), lambda p: p.reader)


@pytest.fixture(params=["fake", "fake child"])
def index(request: pytest.FixtureRequest) -> Iterator[SearchIndex]:
    if request.param == "fake":
        yield FakeIndex()
    else:
        yield from _with(fake_child_pool(), lambda p: p.index)


@pytest.fixture(params=["fake", "fake child"])
def marking_index(request: pytest.FixtureRequest) -> Iterator[SearchIndex]:
    """An index with an extractor."""
    if request.param == "fake":
        fake = FakeIndex()
        fake.extractor = asked_word
        yield fake
    else:
        yield from _with(fake_child_pool(has_extractor=True), lambda p: p.index)


@pytest.fixture(params=["fake", "fake child"])
def generator(request: pytest.FixtureRequest) -> Iterator[Generator]:
    if request.param == "fake":
        yield FakeGenerator(ANSWER)
    else:
        yield from _with(fake_child_pool(llm=FakeLlmOptions(ANSWER)), lambda p: p.generator)


def _no_llm() -> LlmChoice:
    raise ModelMissing("No language model is installed.")


@pytest.fixture
def engines(tmp_path: Path) -> Iterator[WorkerPool]:
    """The real readers and the real index in their children."""
    data_dir = paths.DataDir(tmp_path / "library")
    yield from _with(start_engines(data_dir, EMBEDDER_DIR, _no_llm, threads=1), lambda p: p)


@pytest.fixture
def marking_engine(tmp_path: Path) -> Iterator[SearchIndex]:
    """The real index in its child, with a tiny extractor."""
    pool = start_engines(
        paths.DataDir(tmp_path / "library"),
        EMBEDDER_DIR,
        _no_llm,
        threads=1,
        extractor_dir=write_extractor(tmp_path / "marks"),
    )
    yield from _with(pool, lambda p: p.index)


@pytest.fixture
def llm(tmp_path: Path) -> Iterator[Generator]:
    """The smallest language model of whoever runs the tests, in its child."""
    found = sorted(paths.models_dir().rglob("*.gguf"), key=lambda path: path.stat().st_size)
    if not found:
        pytest.skip("no language model is installed")
    choice = FakeChoice(found[0].stem, found[0])
    pool = start_engines(paths.DataDir(tmp_path), EMBEDDER_DIR, lambda: choice)
    yield from _with(pool, lambda p: p.generator)
