"""The fakes as hosts of real children, and engines that misbehave on purpose.

`fake_child_engines` gives an `Engines` whose three roles are real spawned processes.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rag.domain.errors import Damaged, ModelMissing
from desktop_rag.workers import methods
from desktop_rag.workers.methods import Host, Method
from tests.helpers.fakes import (
    FakeGenerator,
    FakeIndex,
    FakeReader,
    asked_word,
    crash_for_real,
    quote_first_passage,
)

if TYPE_CHECKING:
    from desktop_rag.app import Engines
    from desktop_rag.workers.remote import WorkerPool
    from desktop_rag.workers.spec import WorkerSpec
    from desktop_rag.workers.supervisor import OnState


Table = dict[Method[Any], Callable[..., Any]]


class NoOptions(msgspec.Struct, frozen=True):
    pass


class FakeIndexOptions(msgspec.Struct, frozen=True):
    """`has_extractor`: spans are found as `asked_word` finds them."""

    has_extractor: bool = False


class FakeLlmOptions(msgspec.Struct, frozen=True):
    answer: str = ""
    delay_s: float = 0.0
    is_endless: bool = False
    is_deaf: bool = False
    crash_after: int | None = None
    model_id: str = "fake-llm"


@dataclass(frozen=True)
class FakeChoice:
    model_id: str = "fake-llm"
    model_file: Path = Path("fake.gguf")


def open_parse(options: NoOptions) -> Host:
    reader = FakeReader(is_child=True)
    table: Table = {
        methods.READ: reader.read,
        methods.RENDER_PAGE: reader.render_page,
        methods.VERSIONS: reader.versions,
        methods.DIGEST: reader.digest,
        methods.RECOGNISE: reader.recognise,
        methods.RECOGNISER: reader.recogniser,
    }
    return Host(table, close=lambda: None)


def open_index(options: FakeIndexOptions) -> Host:
    index = FakeIndex()
    index.extractor = asked_word if options.has_extractor else None
    table: Table = {
        methods.EMBEDDER: index.embedder,
        methods.EMBED: index.embed,
        methods.LOOK_AT: index.look_at,
        methods.STATE: index.state,
        methods.COUNT_AMONG: index.count_among,
        methods.APPLY: index.apply,
        methods.SETTLE: index.settle,
        methods.CLEAR: index.clear,
        methods.SEARCH: index.search,
        methods.SELECT: index.select,
        methods.RERANK: index.rerank,
        methods.SPANS: index.spans,
        methods.READ_AGAIN: index.read_again,
    }
    return Host(table, close=index.close)


def open_llm(options: FakeLlmOptions) -> Host:
    generator = FakeGenerator(
        options.answer or quote_first_passage,
        delay_s=options.delay_s,
        is_endless=options.is_endless,
        is_deaf=options.is_deaf,
        crash_after=options.crash_after,
        is_child=True,
        model_id=options.model_id,
    )
    table: Table = {
        methods.INFO: generator.info,
        methods.COUNT_TOKENS: generator.count_tokens,
        methods.STREAM: generator.stream,
        methods.WEIGH: generator.weigh,
        methods.TUNE: generator.tune,
    }
    return Host(table, close=generator.close)


# an engine that does whatever a test asks
ECHO = Method("echo", tuple[str], str)
ECHO_BYTES = Method("echo_bytes", tuple[bytes], bytes)
SLEEP = Method("sleep", tuple[float], str)
URGENT = Method("urgent", tuple[()], list[str], is_urgent=True)
DO = Method("do", tuple[str], str)
COUNT = Method("count", tuple[int, float], int, is_stream=True)
COUNT_DEAF = Method("count_deaf", tuple[int, float], int, is_stream=True)
LIES = Method("lies", tuple[()], int)


class TestHostOptions(msgspec.Struct, frozen=True):
    """`on_open` is done before the engine is open; without the file `crash_unless` it crashes."""

    __test__ = False

    on_open: str = ""
    on_close: str = ""
    crash_unless: str = ""


def open_test_host(options: TestHostOptions) -> Host:
    if options.crash_unless and not Path(options.crash_unless).exists():
        crash_for_real()
    if options.on_open:
        _do(options.on_open)
    engine = _TestEngine()
    table: Table = {
        ECHO: engine.echo,
        ECHO_BYTES: lambda data: data,
        SLEEP: engine.sleep,
        URGENT: lambda: engine.done,
        DO: _do,
        COUNT: _count,
        COUNT_DEAF: lambda n, delay_s, is_cancelled: _count(n, delay_s, lambda: False),
        LIES: lambda: "not a number",
    }
    return Host(table, close=lambda: _close(options.on_close))


class _TestEngine:
    def __init__(self) -> None:
        self.done: list[str] = []

    def echo(self, text: str) -> str:
        self.done.append(text)
        return text

    def sleep(self, seconds: float) -> str:
        time.sleep(seconds)
        self.done.append(f"slept {seconds}")
        return "slept"


def _count(n: int, delay_s: float, is_cancelled: Callable[[], bool]) -> Iterator[int]:
    for i in range(n):
        if is_cancelled():
            return
        time.sleep(delay_s)
        yield i


def _close(what: str) -> None:
    _do(what)


def _do(what: str) -> str:
    return _ACTIONS[what]() if what else ""


def _segfault() -> str:
    crash_for_real()
    return ""


def _sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


def _print_a_lot() -> str:
    print("python says hello")  # noqa: T201
    os.write(1, b"native code says hello\n")
    os.write(2, b"native code complains\n")
    logging.getLogger("engine").warning("engine logs")
    return "printed"


def _connect() -> str:
    with socket.socket() as sock:
        sock.connect(("127.0.0.1", 9))
    return "connected"


def _look_up() -> str:
    return str(socket.getaddrinfo("localhost", 80))


def _native_socket() -> str:
    """As native code makes one: past every hook of Python."""
    libc = ctypes.CDLL(None, use_errno=True)
    made = libc.socket(int(socket.AF_INET), int(socket.SOCK_STREAM), 0)
    return "made" if made >= 0 else errno.errorcode[ctypes.get_errno()]


def _program_with_a_socket() -> str:
    code = "import socket; socket.socket()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    return "made" if done.returncode == 0 else "refused"


def _unix_socket() -> str:
    left, right = socket.socketpair()
    with left, right:
        left.sendall(b"ok")
        return right.recv(2).decode()


def _hold_the_interpreter() -> str:
    ctypes.PyDLL(None).sleep(300)  # unlike CDLL, keeps the interpreter lock
    return "slept"


def _open_files() -> str:
    """What this process's descriptors point at (Linux)."""
    names = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            names.append(str(entry.readlink()))
        except OSError:
            continue
    return "\n".join(names)


def _raise_damaged() -> str:
    raise Damaged("report.pdf is damaged; save it again.", page="3")


def _raise_model_missing() -> str:
    raise ModelMissing("No model; install one.")


def _raise_bug() -> str:
    raise KeyError("bug")


def _fill_memory() -> str:
    """Hold 400 MB for a while, as a reader of a bomb would."""
    held = bytearray(os.urandom(2**20) * 400)
    time.sleep(20)
    return str(len(held))


def _hang_up() -> str:
    """Close every descriptor above the log, as a confused library might, and live on."""
    os.closerange(3, 64)
    time.sleep(60)
    return ""


_ACTIONS: dict[str, Callable[[], str]] = {
    "segfault": _segfault,
    "exit": lambda: str(os._exit(7)),
    "abort": lambda: str(os.abort()),
    "hang": lambda: _sleep(300),
    "nap": lambda: _sleep(1.0),
    "print": _print_a_lot,
    "connect": _connect,
    "look up": _look_up,
    "unix socket": _unix_socket,
    "native socket": _native_socket,
    "program with a socket": _program_with_a_socket,
    "hold the interpreter": _hold_the_interpreter,
    "open files": _open_files,
    "damaged": _raise_damaged,
    "model missing": _raise_model_missing,
    "bug": _raise_bug,
    "fill memory": _fill_memory,
    "allocate": lambda: str(len(bytes(2**30))),
    "hang up": _hang_up,
    "environment": lambda: "\n".join(f"{k}={v}" for k, v in os.environ.items()),
    "huge": lambda: "x" * (200 * 2**20),
    "modules": lambda: "\n".join(sys.modules),
    "pid": lambda: str(os.getpid()),
}


def fake_worker_spec(role: str, options: msgspec.Struct, **bounds: object) -> WorkerSpec:
    """A worker of this file's hosts; `role` is parse, index, llm or test_host."""
    from desktop_rag.workers.spec import ChildSpec, WorkerSpec

    child = ChildSpec.of(role, f"tests.helpers.fake_hosts:open_{role}", options)
    return WorkerSpec(child, **bounds)  # type: ignore[arg-type]


def fake_child_pool(
    on_state: OnState | None = None,
    llm: FakeLlmOptions | None = None,
    *,
    has_extractor: bool = False,
) -> WorkerPool:
    """Fakes in three real children, behind the proxies the program uses."""
    from desktop_rag.workers.remote import RemoteGenerator, RemoteIndex, RemoteReader, WorkerPool
    from desktop_rag.workers.supervisor import Supervisor
    from desktop_rag.workers.warming import in_parallel

    options = llm or FakeLlmOptions()
    llm_spec = fake_worker_spec("llm", options)
    parse = Supervisor(fake_worker_spec("parse", NoOptions()), on_state)
    index = Supervisor(fake_worker_spec("index", FakeIndexOptions(has_extractor)), on_state)
    generator = Supervisor(llm_spec, on_state)

    def close() -> None:
        in_parallel([parse.close, index.close, generator.close])

    return WorkerPool(
        RemoteReader(parse, parse, parse),
        RemoteIndex(index),
        RemoteGenerator(generator, lambda _: llm_spec, lambda: FakeChoice(options.model_id)),
        close,
        warm_up=index.start,
        restart=lambda role: {"parse": parse, "index": index, "llm": generator}[role].restart(),
    )


def fake_child_engines(
    on_state: OnState | None = None, llm: FakeLlmOptions | None = None
) -> Engines:
    """`fake_child_pool` for an `App`."""
    from tests.helpers.fakes import fake_engines

    pool = fake_child_pool(on_state, llm)
    engines = fake_engines(pool.reader, pool.index, pool.generator)
    return replace(engines, close=pool.close, restart=pool.restart)
