"""Sets Desktop RAG up in this folder and starts it. Needs Python 3.11 or newer and nothing else.

    python3 launch.py try           set up, fetch a language model, answer a question from samples
    python3 launch.py test [ARGS]   set up and run all checks and tests (ARGS go to pytest)
    python3 launch.py run [ARGS]    set up and start the program; without ARGS its window opens
    python3 launch.py setup         set up only

On Windows write `py` for `python3`. Everything goes into the folder `.venv` beside this file; an
interrupted set-up goes on where it stopped, and a finished one starts in a second.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "packaging"))

from environment import BIN, PYTHON, set_up  # noqa: E402 - found in the folder named above
from pip_view import SetupFailed  # noqa: E402

SMALL_LLM = "qwen2.5-coder-0.5b-instruct-q4_k_m"


def main(argv: list[str]) -> int:
    """Run one command; returns the exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the file still parses on what it refuses
        print("Desktop RAG needs Python 3.11 or newer: install it and run this again with it.")
        return 1
    commands = {"try": do_try, "test": do_test, "run": do_run, "setup": do_setup}
    if not argv or argv[0] not in commands:
        print((__doc__ or "").strip())
        return 0 if argv[:1] in ([], ["-h"], ["--help"]) else 2
    try:
        return commands[argv[0]](argv[1:])
    except SetupFailed as exc:
        print(f"\n{exc}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again; it goes on where it stopped.")
        return 130


def do_setup(args: list[str]) -> int:
    """Make the environment and nothing else."""
    set_up(is_dev="--dev" in args)
    print(f"Ready. Start with: {BIN / 'desktop-rag'}")
    return 0


def do_try(args: list[str]) -> int:
    """Everything from an empty folder to a cited answer."""
    set_up(is_dev=False)
    fetch_model("")
    return start(["try", *args])


def do_run(args: list[str]) -> int:
    """The program itself."""
    set_up(is_dev=False)
    return start(args)


def do_test(args: list[str]) -> int:
    """All checks, then the tests; pytest's own summary comes last."""
    set_up(is_dev=True)
    fetch_model(SMALL_LLM)
    failed = [] if args else [name for name, command in CHECKS if not check(name, command)]
    if failed:
        print(f"\nFailed before the tests: {', '.join(failed)} (see above).\n", flush=True)
    code = subprocess.call(
        [str(PYTHON), "-m", "pytest", *args],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    return code or (1 if failed else 0)


CHECKS = (
    ("ruff", ["-m", "ruff", "check", "."]),
    ("ruff format", ["-m", "ruff", "format", "--check", "."]),
    ("mypy", ["-m", "mypy", "desktop_rag", "tests", "launch.py"]),
    ("import-linter", ["-c", "from importlinter.cli import lint_imports_command as c; c()"]),
)


def check(name: str, command: list[str]) -> bool:
    """Run one static check and show what it says only when it fails."""
    started = time.monotonic()
    done = subprocess.run(
        [str(PYTHON), *command],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(ROOT / "packaging")},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - started
    print(f"{name}: {'passed' if done.returncode == 0 else 'FAILED'} ({seconds:.0f} s)", flush=True)
    if done.returncode:
        print(done.stdout + done.stderr, flush=True)
    return done.returncode == 0


def start(args: list[str]) -> int:
    """Hand over to the program."""
    return subprocess.call([str(PYTHON), "-m", "desktop_rag", *args], cwd=ROOT)


def fetch_model(model_id: str) -> None:
    """Install a language model unless there is one (any, or the named one)."""
    listed = subprocess.run(
        [str(PYTHON), "-m", "desktop_rag", "models", "list", "--json"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if listed.returncode:
        raise SetupFailed("The model list cannot be read (see above).")
    ready = [
        model["id"]
        for model in json.loads(listed.stdout)["models"]
        if model["role"] == "llm" and model["state"] == "ready"
    ]
    if model_id in ready or (ready and not model_id):
        return
    print("Fetching a language model (0.5 to 1.1 GB) …", flush=True)
    if start(["models", "install", *([model_id] if model_id else [])]):
        print("Going on without a language model; search works without one.\n", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
