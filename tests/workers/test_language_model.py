"""Language models as people may have them, in a real worker: odd, tiny, or dying."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.app import App, Engines
from desktop_rag.domain.answers import Answer, Role, Turn
from desktop_rag.domain.errors import InvalidInput, UserError
from desktop_rag.domain.events import AnswerDelta, Event
from desktop_rag.domain.ports import GenerationLimits, GeneratorInfo
from desktop_rag.storage.model_speeds import FILE_NAME, ModelSpeeds
from desktop_rag.workers import remote, roles
from desktop_rag.workers.remote import RemoteGenerator
from desktop_rag.workers.spec import WorkerSpec
from desktop_rag.workers.supervisor import Supervisor
from tests.helpers.fake_hosts import FakeChoice
from tests.helpers.fakes import fake_engines
from tests.helpers.tiny_gguf import write_tiny_model

TIMEOUT_S = 60.0
QUESTION = "When did the harbour bridge open?"
ALL = GenerationLimits(max_tokens=24, temperature=0.0)


class Bench:
    """One model in its worker, behind the proxy the program uses."""

    def __init__(self, folder: Path, file: Path) -> None:
        self.data_dir = paths.DataDir(folder / "data")
        choice = FakeChoice("odd", file)
        spec = roles.llm_spec(self.data_dir, choice, 1)
        self.supervisor = Supervisor(spec)
        self.generator = RemoteGenerator(self.supervisor, lambda _: spec, lambda: choice)

    def text(self, *contents: str) -> str:
        turns = [Turn(Role.USER, content) for content in contents]
        return "".join(self.generator.stream(turns, ALL, lambda: False))

    def engines(self) -> Engines:
        return fake_engines(generator=self.generator)


@pytest.fixture
def bench(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bench]:
    """Of a model without chat template, with as large a context as a test asks for."""
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(tmp_path / "models"))
    context = getattr(request, "param", 4096)
    bench = Bench(tmp_path, write_tiny_model(tmp_path / "odd.gguf", context=context))
    yield bench
    bench.supervisor.close()


def asked(bench: Bench, tmp_path: Path, question: str = QUESTION) -> Answer:
    """The answer of the whole program over one document."""
    with App.open(tmp_path / "data", bench.engines()) as app:
        document = tmp_path / "bridge.txt"
        document.write_text("The harbour bridge opened in 1932. It took eight years to build.")
        app.add([document])
        app.start_indexing()
        assert app.wait_until_indexed(TIMEOUT_S)
        return app.ask(question).result(TIMEOUT_S)


def test_a_model_without_chat_template_answers(bench: Bench) -> None:
    assert bench.text("what is it?")


@pytest.mark.parametrize("bench", [512], indirect=True)
def test_a_tiny_context_is_said_by_the_model_and_never_overrun(bench: Bench) -> None:
    assert bench.generator.info().context_tokens == 512
    with pytest.raises(InvalidInput, match="512"):
        bench.text("words without end " * 100)
    assert bench.text("short"), "the next prompt works"


@pytest.mark.parametrize("bench", [256], indirect=True)
def test_a_context_too_small_gets_the_best_sentence_instead(bench: Bench, tmp_path: Path) -> None:
    answer = asked(bench, tmp_path)
    assert answer.text.startswith("The harbour bridge opened in 1932.")
    assert "256 tokens" in answer.note


def test_what_is_found_out_about_speed_outlives_the_worker(
    bench: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert bench.generator.info().prompt_tokens_per_s == 0.0
    bench.text("a prompt of some length " * 20)
    speed = bench.generator.info().prompt_tokens_per_s
    assert speed > 0.0
    known = ModelSpeeds(tmp_path / "models" / FILE_NAME).get(tmp_path / "odd.gguf")
    assert known is not None
    assert known.reads_per_s == speed
    os.kill(bench.supervisor.pid, signal.SIGKILL)
    wait_for_end(bench)
    caplog.clear()
    assert bench.generator.info().prompt_tokens_per_s == speed


def wait_for_end(bench: Bench) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while bench.supervisor.pid:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_worker_that_is_killed_while_it_writes_leaves_what_it_wrote(
    bench: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with App.open(tmp_path / "data", bench.engines()) as app:
        document = tmp_path / "bridge.txt"
        document.write_text("The harbour bridge opened in 1932. It took eight years to build.")
        app.add([document])
        app.start_indexing()
        assert app.wait_until_indexed(TIMEOUT_S)
        written: list[str] = []

        def kill_after_some_words(event: Event) -> None:
            if isinstance(event, AnswerDelta):
                written.append(event.text)
                if len(written) == 4:
                    os.kill(bench.supervisor.pid, signal.SIGKILL)

        stop = app.bus.subscribe(kill_after_some_words)
        running = app.ask(QUESTION)
        answer = running.result(TIMEOUT_S)
        stop()
        assert answer.stopped
        assert "broke off" in answer.note
        assert app.messages(running.conversation)[-1].answer == answer
        assert app.ask(QUESTION, running.conversation).result(TIMEOUT_S).text
    caplog.clear()


def test_what_runs_on_a_graphics_card_is_not_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    closed = []

    class OnCard:
        """A worker whose model is on the card."""

        def __init__(self, spec: WorkerSpec) -> None:
            pass

        def call(self, method: object) -> GeneratorInfo:
            return GeneratorInfo("odd", 4096, is_on_gpu=True)

        def close(self) -> None:
            closed.append(self)

    monkeypatch.setattr(remote, "Supervisor", OnCard)
    choice = FakeChoice("odd", tmp_path / "odd.gguf")
    with pytest.raises(UserError, match="graphics card"):
        remote.measure_model(paths.DataDir(tmp_path), choice, gpu=True)
    assert closed
