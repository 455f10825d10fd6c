"""Makes the environment in `.venv`: Python, the pinned packages, the command `desktop-rag`."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from pip_view import SetupFailed, duration, narrate, pip_failure
from qt_libraries import check_qt

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "desktop-rag-setup.json"
LOG = VENV / "desktop-rag-setup.log"
BUILD_PINS = ROOT / "packaging" / "build-constraints.txt"
NEEDS_DISK = 4_000_000_000

INTRODUCTION = """\
Setting up Desktop RAG in {venv}
The first run downloads about {download} and takes about {minutes} minutes on two slow cores, most
of them for compiling the language model engine; it takes about {disk} of disk in the end.
"""


def set_up(*, is_dev: bool) -> None:
    """Bring the environment to what the requirements say; quick when it is there already."""
    wanted = "requirements-dev.txt" if is_dev else "requirements.txt"
    digests = {
        name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest()
        for name in ("requirements.txt", "requirements-dev.txt")
    }
    done = read_stamp()
    if done.get(wanted) == digests[wanted] and done.get("root") == str(ROOT) and PYTHON.exists():
        return
    started = time.monotonic()
    print(INTRODUCTION.format(venv=VENV, download="0.4 GB", minutes="3 to 12", disk="1.3 GB"))
    check_disk()
    make_environment()
    install_packages(wanted)
    link_program()
    check_qt(PYTHON)
    if is_dev:  # the development set contains the other one
        done["requirements.txt"] = digests["requirements.txt"]
    done |= {wanted: digests[wanted], "root": str(ROOT)}
    STAMP.write_text(json.dumps(done), encoding="utf-8")
    print(f"Set up in {duration(time.monotonic() - started)}.\n", flush=True)


def read_stamp() -> dict[str, str]:
    """What an earlier set-up finished."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in stamp.items()} if isinstance(stamp, dict) else {}


def check_disk() -> None:
    """Fail early rather than half way."""
    free = shutil.disk_usage(ROOT).free
    if free < NEEDS_DISK:
        raise SetupFailed(
            f"Setting up needs about {NEEDS_DISK / 1e9:.0f} GB of free disk and "
            f"{free / 1e9:.1f} GB are free in {ROOT}: make room and run the same command again."
        )


def make_environment() -> None:
    """Create `.venv`, or again when it does not work, with the pip of the requirements."""
    works = PYTHON.exists() and not subprocess.call(
        [str(PYTHON), "-m", "pip", "--version"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    if not works:
        print("Making the environment …", flush=True)
        made = subprocess.run(
            [sys.executable, "-m", "venv", "--clear", str(VENV)],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            if "ensurepip" in made.stdout + made.stderr:
                raise SetupFailed(
                    "Python's venv module is not complete: run `sudo apt-get install -y "
                    "python3-venv` (or your system's like) and run the same command again."
                )
            raise SetupFailed(f"The environment {VENV} cannot be made: {made.stderr.strip()}")
    pin = VENV / "pip.txt"
    pin.write_text(requirement_of("pip"), encoding="utf-8")
    pip_install("pip", ["--require-hashes", "-r", str(pin)])


def requirement_of(package: str) -> str:
    """The lines of one package, with its hashes."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if line.startswith(f"{package}=="))
    last = first
    while lines[last].rstrip().endswith("\\"):
        last += 1
    return "".join(lines[first : last + 1])


def install_packages(requirements: str) -> None:
    """Install the pinned set, compiling what comes as source."""
    check_compiler()
    # The list is complete, but for what a package declares and never imports (`tool.uv`).
    arguments = ["--no-deps", "--require-hashes", "-r", str(ROOT / requirements)]
    if BUILD_PINS.exists():
        arguments += ["--build-constraint", str(BUILD_PINS)]
    pip_install("packages", arguments)


def check_compiler() -> None:
    """The language model engine comes as source."""
    if os.name == "nt":
        program_files = os.environ.get("PROGRAMFILES(X86)", "")
        found = Path(program_files, "Microsoft Visual Studio/Installer/vswhere.exe").exists()
        remedy = "winget install Microsoft.VisualStudio.2022.BuildTools"
    else:
        names = (os.environ.get("CXX", ""), "c++", "g++", "clang++")
        found = any(name and shutil.which(name) for name in names)
        remedy = next(
            command
            for tool, command in (
                ("apt-get", "sudo apt-get install -y g++"),
                ("dnf", "sudo dnf install -y gcc-c++"),
                ("pacman", "sudo pacman -S --noconfirm gcc"),
                ("", "xcode-select --install"),
            )
            if not tool or shutil.which(tool)
        )
    if not found:
        raise SetupFailed(
            f"A C++ compiler is needed: run `{remedy}` and run the same command again."
        )


def build_environment() -> dict[str, str]:
    """Variables for pip and the compilation: all cores, and only the library we load."""
    include = ROOT / "packaging" / "llama_library_only.cmake"
    options = f"-DLLAVA_BUILD=OFF -DCMAKE_PROJECT_llama.cpp_INCLUDE={include.as_posix()}"
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONUNBUFFERED": "1"}
    if " " not in str(include):
        environment["CMAKE_ARGS"] = f"{options} {os.environ.get('CMAKE_ARGS', '')}".strip()
    environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 2))
    return environment


def pip_install(what: str, arguments: list[str]) -> None:
    """Run pip with its work told line by line; the whole output goes to a log file."""
    command = [
        str(PYTHON), "-m", "pip", "install", "--no-input", "--progress-bar", "raw", *arguments,
    ]  # fmt: skip
    if what == "pip":  # the pip that came with Python may not know raw progress
        command = [part for part in command if part not in ("--progress-bar", "raw")]
    said: list[str] = []
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=build_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        narrate(process, said)
    with LOG.open("a", encoding="utf-8") as log:
        log.write("\n".join(said) + "\n")
    if process.returncode:
        raise pip_failure(said, LOG)


def link_program() -> None:
    """Let the environment's Python find the sources, and give it a `desktop-rag` command."""
    packages = Path(
        subprocess.check_output(
            [str(PYTHON), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
        ).strip()
    )
    (packages / "desktop_rag_source.pth").write_text(f"{ROOT}\n", encoding="utf-8")
    if os.name == "nt":
        command = BIN / "desktop-rag.cmd"
        command.write_text('@"%~dp0python.exe" -m desktop_rag %*\n', encoding="utf-8")
    else:
        command = BIN / "desktop-rag"
        command.write_text(f'#!/bin/sh\nexec "{PYTHON}" -m desktop_rag "$@"\n', encoding="utf-8")
        command.chmod(0o755)
