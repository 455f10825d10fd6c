"""Rules of the house that a machine can check."""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.domain.errors import exit_codes

ROOT = Path(__file__).resolve().parents[1]

NATIVE = [
    "numpy",
    "onnxruntime",
    "chromadb",
    "llama_cpp",
    "pymupdf",
    "bm25s",
    "lxml",
    "docx",
    "tokenizers",
    "Stemmer",
    "markdown_it",
]

TOP_LEVEL = {
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "DECISIONS.md",
    "LICENSE",
    "README.md",
    "desktop_rag",
    "launch.py",
    "models",
    "packaging",
    "pyproject.toml",
    "requirements-dev.txt",
    "requirements.txt",
    "resources",
    "tests",
}

MAX_LINES = 60


def tracked() -> list[Path]:
    """Files git knows, or everything that is no cache when this is not a checkout."""
    if shutil.which("git") and (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        found = [ROOT / line for line in listed.stdout.splitlines()]
        return [path for path in found if path.is_file()]
    pytest.skip("not a git checkout")


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_imports_go_downwards_only() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", ["desktop_rag.ui.main_window", "desktop_rag.app"])
def test_the_process_of_the_window_loads_no_native_engine(module: str) -> None:
    code = f"import sys, {module}; print(*[n for n in {NATIVE!r} if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_only_the_mcp_server_loads_its_sdk() -> None:
    code = "import sys, desktop_rag.cli.main; print(*{'mcp', 'pydantic'} & {*sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.stdout.split()) == ("", [])


def test_the_mcp_server_starts_without_what_it_need_not_have() -> None:
    """No web server at all; the program itself with the first call."""
    code = (
        "import sys, desktop_rag.cli.main as m; m.parsed(['mcp']); import desktop_rag.mcp.server;"
        "print(sys.modules['uvicorn'], 'desktop_rag.app' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.stdout.strip()) == ("", "None False")


def test_the_top_level_is_fixed() -> None:
    names = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert {name for name in names if not name.startswith(".")} == TOP_LEVEL


def test_no_address_of_a_registry_stands_in_the_tree() -> None:
    hosts = ["pypi" + ".org", "python" + "hosted.org", "hugging" + "face.co/", "--index" + "-url"]
    pattern = re.compile("|".join(re.escape(host) for host in hosts).encode())
    found = [
        str(path.relative_to(ROOT))
        for path in tracked()
        if path.suffix not in {".onnx", ".png"} and pattern.search(path.read_bytes())
    ]
    assert found == []


def test_requirements_are_pinned_by_hash() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text(encoding="utf-8")
        blocks = re.split(r"\n(?=\S)", text.strip())
        for block in blocks:
            assert re.match(r"[a-z0-9._-]+==\S+", block), block
            assert "--hash=sha256:" in block, block


def test_functions_fit_on_a_screen() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name} ({lines} lines)"
        for path in tracked()
        if path.suffix == ".py"
        for node in functions(path)
        if (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > MAX_LINES
    ]
    assert long == []


class TestReadme:
    @pytest.fixture
    def text(self) -> str:
        return (ROOT / "README.md").read_text(encoding="utf-8")

    def test_every_command_it_names_exists(self, text: str) -> None:
        from desktop_rag.cli.main import build_parser

        known = subcommands(build_parser())
        named = set(re.findall(r"desktop-rag ((?:models )?[a-z][a-z-]+)", text))
        assert named, "the README names commands"
        assert named - known == set()
        assert {name for name in known if " " not in name and name != "models"} - named == set()

    def test_it_lists_every_exit_code(self, text: str) -> None:
        table = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}
        assert table == {code for code, _ in exit_codes()}

    def test_its_launcher_commands_exist(self, text: str) -> None:
        named = set(re.findall(r"launch\.py ([a-z]+)", text))
        assert {"try", "test", "run"} <= named <= {"try", "test", "run", "setup"}


def subcommands(parser: argparse.ArgumentParser, prefix: str = "") -> set[str]:
    """All commands of a parser, those of a command with its name in front."""
    found: set[str] = set()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                found |= {prefix + name} | subcommands(child, f"{name} ")
    return found
