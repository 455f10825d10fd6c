"""What a child may not do, where its output goes, and that it ends with its parent."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import psutil
import pytest

from desktop_rag import network
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.health import WorkerFacts
from desktop_rag.workers import isolation
from desktop_rag.workers.spec import ChildSpec, WorkerSpec
from tests.helpers.fake_hosts import DO, ECHO, TestHostOptions
from tests.workers.conftest import Supervise

ROOT = Path(__file__).resolve().parents[2]
IS_SEALABLE = sys.platform == "linux" and platform.machine() in {"x86_64", "aarch64"}


def _logging_to(log_file: Path) -> WorkerSpec:
    child = ChildSpec.of(
        "test_host",
        "tests.helpers.fake_hosts:open_test_host",
        TestHostOptions(),
        log_file=log_file,
        threads=3,
    )
    return WorkerSpec(child)


def test_output_of_python_and_native_code_goes_to_the_log(
    supervise: Supervise, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log_file = tmp_path / "logs" / "worker.log"
    supervisor = supervise(_logging_to(log_file))
    assert supervisor.call(DO, "print") == "printed"
    assert supervisor.call(ECHO, "in step") == "in step"
    supervisor.close()
    said = log_file.read_text()
    for line in ("python says hello", "native code says", "native code complains", "engine logs"):
        assert line in said
    out, err = capfd.readouterr()
    assert out + err == ""


def test_a_crash_leaves_its_stack_in_the_log(
    supervise: Supervise, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise(_logging_to(tmp_path / "worker.log"))
    with pytest.raises(DesktopRagError):
        supervisor.call(DO, "segfault")
    assert "crash_for_real" in (tmp_path / "worker.log").read_text()
    caplog.clear()


def test_a_full_log_is_rotated(supervise: Supervise, tmp_path: Path) -> None:
    log_file = tmp_path / "worker.log"
    with log_file.open("wb") as file:
        file.truncate(isolation.MAX_LOG_BYTES + 1)
    supervise(_logging_to(log_file)).start()
    assert log_file.stat().st_size < 10_000
    assert (tmp_path / "worker.old.log").stat().st_size > isolation.MAX_LOG_BYTES


def test_a_log_that_cannot_be_written_keeps_nobody_from_working(
    supervise: Supervise, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    supervisor = supervise(_logging_to(tmp_path / "file" / "worker.log"))
    assert supervisor.call(ECHO, "works") == "works"


@pytest.mark.parametrize("action", ["connect", "look up"])
def test_children_never_use_the_network(supervise: Supervise, action: str) -> None:
    with pytest.raises(DesktopRagError) as caught:
        supervise().call(DO, action)
    assert caught.value.details["error"] == "PermissionError"


def test_the_program_counts_what_its_children_tried(supervise: Supervise) -> None:
    before = network.record.refused
    supervisor = supervise()
    with pytest.raises(DesktopRagError):
        supervisor.call(DO, "look up")
    assert network.record.refused == before + 1
    newest = network.record.uses()[0]
    assert (newest.process, newest.target, newest.is_refused) == ("test_host", "localhost", True)


@pytest.mark.skipif(not IS_SEALABLE, reason="the kernel's filter is written for two processors")
@pytest.mark.parametrize(
    ("action", "outcome"), [("native socket", "EACCES"), ("program with a socket", "refused")]
)
def test_the_kernel_refuses_what_no_hook_sees(
    supervise: Supervise, action: str, outcome: str
) -> None:
    supervisor = supervise()
    assert supervisor.call(DO, action) == outcome
    assert supervisor.facts().is_sealed


def test_a_snap_of_libreoffice_is_not_kept_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "libreoffice"
    program.parent.mkdir()
    monkeypatch.setattr(isolation, "_SNAPS", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not isolation._needs_more_rights(), "it is not there"
    program.touch()
    assert isolation._needs_more_rights()


def test_a_worker_tells_how_it_does(supervise: Supervise, caplog: pytest.LogCaptureFixture) -> None:
    supervisor = supervise()
    assert supervisor.facts() == WorkerFacts("test_host", "stopped")
    supervisor.start()
    running = supervisor.facts()
    assert (running.state, running.pid, running.starts) == ("ready", supervisor.pid, 1)
    assert running.memory > 2**20
    with pytest.raises(DesktopRagError):
        supervisor.call(DO, "segfault")
    assert supervisor.facts().crashes == 1
    caplog.clear()


def test_local_sockets_without_addresses_still_work(supervise: Supervise) -> None:
    assert supervise().call(DO, "unix socket") == "ok"


def test_libraries_are_told_to_stay_offline_and_within_their_threads(
    supervise: Supervise, tmp_path: Path
) -> None:
    told = supervise(_logging_to(tmp_path / "log")).call(DO, "environment").splitlines()
    assert {"HF_HUB_OFFLINE=1", "ANONYMIZED_TELEMETRY=False", "OMP_NUM_THREADS=3"} <= set(told)
    assert "HF_HUB_OFFLINE" not in os.environ, "only the child's environment changes"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_children_inherit_no_file_of_the_library(supervise: Supervise, tmp_path: Path) -> None:
    """A child that kept the lock's descriptor would keep the library locked after a crash."""
    from filelock import FileLock

    with FileLock(tmp_path / "library.lock"), (tmp_path / "library.sqlite3").open("wb"):
        opened = supervise().call(DO, "open files")
    assert "/dev/null" in opened
    assert str(tmp_path) not in opened


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_is_the_parents_business(supervise: Supervise) -> None:
    supervisor = supervise()
    supervisor.start()
    pid = supervisor.pid
    os.kill(pid, signal.SIGINT)
    assert supervisor.call(ECHO, "still here") == "still here"
    assert supervisor.pid == pid


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(
    "action",
    [
        "",
        "hang",
        pytest.param(
            "hold the interpreter",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="needs a kernel's help"),
        ),
    ],
)
def test_a_child_ends_when_its_parent_is_killed(action: str) -> None:
    """Whether it idles, works, or is stuck in native code."""
    program = textwrap.dedent(
        f"""
        import threading, time
        from desktop_rag.workers.supervisor import Supervisor
        from tests.helpers.fake_hosts import DO, TestHostOptions, fake_worker_spec
        supervisor = Supervisor(fake_worker_spec("test_host", TestHostOptions()))
        supervisor.start()
        if {action!r}:
            threading.Thread(target=supervisor.call, args=(DO, {action!r}), daemon=True).start()
            time.sleep(0.3)
        print(supervisor.pid, flush=True)
        time.sleep(60)
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        assert child.is_running()
        parent.kill()
    deadline = time.monotonic() + 5
    while child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, "the child outlived its parent"
        time.sleep(0.02)


def test_the_parents_half_loads_no_engine() -> None:
    """The window imports this; native engines belong to the children."""
    program = textwrap.dedent(
        """
        import sys
        import desktop_rag.workers.remote
        heavy = {"numpy", "onnxruntime", "chromadb", "llama_cpp", "pymupdf", "bm25s", "lxml",
                 "tokenizers", "docx", "Stemmer", "desktop_rag.engines"}
        print(sorted(heavy & set(sys.modules)))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_script_without_a_guard_does_not_multiply(tmp_path: Path) -> None:
    """Spawn imports the parent's main module again; that must end in an error, not in a storm."""
    script = tmp_path / "careless.py"
    script.write_text(
        textwrap.dedent(
            """
            from desktop_rag.domain.errors import RoleUnavailable
            from desktop_rag.workers.supervisor import Supervisor
            from tests.helpers.fake_hosts import ECHO, TestHostOptions, fake_worker_spec
            supervisor = Supervisor(fake_worker_spec("test_host", TestHostOptions()))
            try:
                print(supervisor.call(ECHO, "hello"))
            except RoleUnavailable:
                print("unavailable")
            finally:
                supervisor.close()
            """
        )
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.strip().endswith("unavailable")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has classes, not numbers")
def test_a_modest_child_lets_others_come_first() -> None:
    code = "import os; from desktop_rag.workers import isolation; isolation.be_modest();"
    code += "print(os.nice(0))"
    before = os.nice(0)
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(out.stdout) > before
