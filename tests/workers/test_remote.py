"""The proxies, the pool, and the index host's way out of a damaged store."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.domain.answers import Role, Turn
from desktop_rag.domain.errors import (
    Cancelled,
    DesktopRagError,
    Encrypted,
    ModelMissing,
    ReaderCrashed,
    TooLarge,
    Unsupported,
    WorkerCrashed,
    WorkerTimedOut,
)
from desktop_rag.domain.ports import GenerationLimits
from desktop_rag.paths import DataDir
from desktop_rag.workers import methods
from desktop_rag.workers.hosts.index import discard_stores
from desktop_rag.workers.remote import RemoteGenerator, RemoteReader, start_engines
from desktop_rag.workers.roles import LlmChoice, view_spec
from desktop_rag.workers.spec import WorkerSpec
from desktop_rag.workers.supervisor import Supervisor
from tests.helpers.documents import make_pdf
from tests.helpers.fake_hosts import (
    FakeChoice,
    FakeLlmOptions,
    NoOptions,
    fake_child_pool,
    fake_worker_spec,
)

QUESTION = [Turn(Role.USER, "[1] Report\nIt rains in June.\n\n[2] Other\nNo.")]


@pytest.fixture
def parse() -> Iterator[Supervisor]:
    supervisor = Supervisor(fake_worker_spec("parse", NoOptions()))
    yield supervisor
    supervisor.close()


def _file(folder: Path, text: str) -> Path:
    path = folder / "file.txt"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "error"),
    [("CRASH", WorkerCrashed), ("HANG", WorkerTimedOut), ("ENCRYPTED", Encrypted)],
)
def test_hostile_files_raise_and_the_next_file_is_read(
    parse: Supervisor,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    text: str,
    error: type[Exception],
) -> None:
    reader = RemoteReader(parse, parse, parse, read_timeout_s=0.5)
    with pytest.raises(error):
        reader.read(_file(tmp_path, text))
    assert reader.read(_file(tmp_path, "Fine.")).document.text == "Fine."
    caplog.clear()


def test_a_bug_in_a_reader_is_about_the_file(
    parse: Supervisor, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A path with a NUL makes the fake's file access raise ValueError, which it does not expect."""
    with pytest.raises(ReaderCrashed, match="ValueError"):
        RemoteReader(parse, parse, parse).read(tmp_path / "a\0.txt")
    caplog.clear()


def test_a_model_that_is_missing_installed_and_switched() -> None:
    """No restart of the program is needed for any of it."""
    chosen: list[FakeChoice] = []

    def resolve() -> LlmChoice:
        if not chosen:
            raise ModelMissing("No language model is installed; install one.")
        return chosen[-1]

    def spec_for(choice: LlmChoice) -> WorkerSpec:
        return fake_worker_spec("llm", FakeLlmOptions(model_id=choice.model_id))

    supervisor = Supervisor(fake_worker_spec("llm", FakeLlmOptions()))
    generator = RemoteGenerator(supervisor, spec_for, resolve)
    try:
        with pytest.raises(ModelMissing):
            generator.info()
        with pytest.raises(ModelMissing):
            next(generator.stream(QUESTION, GenerationLimits(), lambda: False))
        chosen.append(FakeChoice("small"))
        assert generator.info().id == "small"
        pid = supervisor.pid
        assert generator.count_tokens(["one two"]) == [2]
        assert supervisor.pid == pid
        chosen.append(FakeChoice("large"))
        assert generator.info().id == "large"
    finally:
        supervisor.close()


def test_stop_works_on_a_model_that_never_ends() -> None:
    pool = fake_child_pool(llm=FakeLlmOptions("again and ", delay_s=0.01, is_endless=True))
    try:
        stop = threading.Event()
        pieces = []
        for piece in pool.generator.stream(QUESTION, GenerationLimits(), stop.is_set):
            pieces.append(piece)
            if len(pieces) == 5:
                stop.set()
        assert len(pieces) == 5
    finally:
        pool.close()


def test_a_model_that_crashes_half_way_is_told(caplog: pytest.LogCaptureFixture) -> None:
    pool = fake_child_pool(llm=FakeLlmOptions("one two three", crash_after=2))
    try:
        stream = pool.generator.stream(QUESTION, GenerationLimits(), lambda: False)
        assert [next(stream), next(stream)] == ["one", " two"]
        with pytest.raises(WorkerCrashed):
            next(stream)
        assert pool.generator.info().id == "fake-llm"
    finally:
        pool.close()
    caplog.clear()


def test_the_pool_spawns_nothing_before_use_and_tells_of_a_missing_model(tmp_path: Path) -> None:
    states: list[tuple[str, str, str]] = []

    def resolve() -> LlmChoice:
        raise ModelMissing("No language model is installed; install one.")

    pool = start_engines(
        DataDir(tmp_path), tmp_path / "nothing", resolve, lambda *state: states.append(state)
    )
    try:
        assert states == []
        with pytest.raises(ModelMissing, match="search model is missing"):
            pool.reader.versions()
        pool.warm_up()
        deadline = time.monotonic() + 60
        while not [s for s in states if s[:2] == ("llm", "unavailable")]:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert not [s for s in states if s[:2] == ("llm", "starting")]
    finally:
        pool.close()
    with pytest.raises(Cancelled):
        pool.index.state()


def test_discarding_stores_stays_inside_the_index_folder(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = tmp_path / "library.sqlite3"
    kept.write_bytes(b"truth")
    index = tmp_path / "index"
    (index / "vectors" / "gen-0001").mkdir(parents=True)
    (index / "vectors" / "gen-0001" / "data").write_bytes(b"broken")
    (index / "CURRENT").write_text("1")
    (index / "link").symlink_to(tmp_path)
    discard_stores(index)
    assert list(index.iterdir()) == []
    assert kept.read_bytes() == b"truth"
    discard_stores(tmp_path / "never made")
    caplog.clear()


class _Failing:
    """A supervisor whose calls all end in one error."""

    def __init__(self, error: DesktopRagError) -> None:
        self.error = error

    def call(self, *_: object, **__: object) -> object:
        raise self.error


def test_errors_that_would_come_again_name_the_file_or_the_page() -> None:
    def reader(error: DesktopRagError) -> RemoteReader:
        failing: Any = _Failing(error)
        return RemoteReader(failing, failing, failing)

    path = Path("folder") / "atlas.pdf"
    bug = reader(DesktopRagError("An internal error.", error="KeyError"))
    with pytest.raises(ReaderCrashed, match=r"^“atlas\.pdf” could not be read.*KeyError"):
        bug.read(path)
    with pytest.raises(ReaderCrashed, match=r"^Page 7 of “atlas\.pdf” could not be read"):
        bug.recognise(path, 7)
    bomb = reader(TooLarge("The document reader was stopped.", memory="1500 MB"))
    with pytest.raises(TooLarge, match=r"^“atlas\.pdf” cannot be read: .*1\.5 GB of memory"):
        bomb.read(path)
    with pytest.raises(TooLarge, match=r"^Page 7 of “atlas\.pdf” cannot be read"):
        bomb.recognise(path, 7)
    with pytest.raises(TooLarge, match=r"^“atlas\.pdf” is larger than 300 MB"):
        reader(TooLarge("“atlas.pdf” is larger than 300 MB.")).read(path)


def test_a_page_does_not_wait_for_a_file_that_is_being_read(
    parse: Supervisor, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    view = Supervisor(fake_worker_spec("parse", NoOptions()))
    reader = RemoteReader(parse, parse, view, read_timeout_s=3.0)
    long = tmp_path / "long.txt"
    long.write_text("HANG", encoding="utf-8")

    def read() -> None:
        with contextlib.suppress(WorkerTimedOut):
            reader.read(long)

    reading = threading.Thread(target=read)
    try:
        reader.prepare_pages()
        reading.start()
        time.sleep(0.5)
        assert reader.render_page(_file(tmp_path, "One.\fTwo."), 1, 1.0).png
        assert reading.is_alive(), "the page was there before the file was read or given up"
    finally:
        view.close()
        reading.join()
    caplog.clear()


def test_the_process_for_pages_draws_and_ends_when_none_is_wanted(tmp_path: Path) -> None:
    spec = replace(view_spec(DataDir(tmp_path)), max_idle_s=0.2)
    view = Supervisor(spec)
    try:
        view.start()
        shown = view.call(methods.RENDER_PAGE, make_pdf(tmp_path / "a.pdf", ["One", "Two"]), 2, 1.0)
        assert shown.png.startswith(b"\x89PNG")
        with pytest.raises(Unsupported):
            view.call(methods.RENDER_PAGE, _file(tmp_path, "Text."), 1, 1.0)
        deadline = time.monotonic() + 5
        while view.pid and time.monotonic() < deadline:
            time.sleep(0.05)
        assert view.pid == 0
    finally:
        view.close()
