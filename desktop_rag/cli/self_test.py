"""`desktop-rag self-test`: does this installation work? Starts every worker on a small library."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.cli import self_test_steps as steps_of
from desktop_rag.cli.arguments import Subparsers, add_command
from desktop_rag.cli.output import print_json
from desktop_rag.cli.self_test_steps import StepFailed, StepSkipped
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.library import FileState
from desktop_rag.storage.llamacpp_variants import library_folder
from desktop_rag.workers.choosing_variant import variant_file

_NOTE = """# Lighthouse keeper's notes

## Lamp

The lamp of the Skarholm lighthouse burns 42 litres of oil in a winter night.

## Boat

The supply boat comes on the first Tuesday of every month, weather permitting.
"""
_QUESTION = "How much oil does the lamp of the Skarholm lighthouse burn in a winter night?"
_QUOTE = "air-to-water heat pump for detached houses"
_MANUAL = "aurora-heat-pump-manual.pdf"
_TIMEOUT_S = 300.0


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step of the test. `outcome` is `ok`, `skipped` or `failed`; `ms` is wall-clock time."""

    step: str
    outcome: str
    ms: float
    detail: str


def register(subparsers: Subparsers) -> None:
    """Add the command `self-test`."""
    add_command(
        subparsers,
        "self-test",
        "Check this installation: start every worker, index, search, answer.",
        _self_test,
    )


def _self_test(args: argparse.Namespace) -> int:
    results: list[StepResult] = []

    def tell(result: StepResult) -> None:
        results.append(result)
        if not args.json:
            print(f"{result.step:<12} {result.outcome:<8} {result.ms:>8.0f} ms  {result.detail}")

    with tempfile.TemporaryDirectory(prefix="desktop-rag-self-test-") as folder:
        is_good = run_steps(Path(folder), tell)
    if args.json:
        print_json({"ok": is_good, "steps": [asdict(result) for result in results]})
    return 0 if is_good else 1


def run_steps(folder: Path, tell: Callable[[StepResult], None]) -> bool:
    """Run all steps in an empty folder; stops after the first that fails."""
    documents = folder / "documents"
    documents.mkdir()
    (documents / "notes.md").write_text(_NOTE, encoding="utf-8")
    manual = paths.shipped("resources", "sample_docs", _MANUAL)
    (documents / _MANUAL).write_bytes(manual.read_bytes())
    opened: list[App] = []
    before = steps_of.tries()
    steps: list[tuple[str, Callable[[], str]]] = [
        ("open", lambda: _open(folder / "data", opened)),
        ("search model", lambda: steps_of.search_model(opened[0])),
        ("licences", steps_of.licences),
        ("parse, index", lambda: _index(opened[0], documents)),
        ("search", lambda: _search(opened[0])),
        ("page picture", lambda: _picture(opened[0])),
        ("citation", lambda: steps_of.cite(opened[0], _MANUAL, _QUOTE)),
        ("exact words", lambda: steps_of.exact_words(opened[0])),
        ("processor", lambda: _processor(folder)),
        ("answer", lambda: _answer(opened[0])),
        ("recognition", lambda: steps_of.recognise(opened[0], folder, _TIMEOUT_S)),
        ("connections", lambda: steps_of.connections(opened[0], before)),
        ("close", lambda: _close(opened)),
    ]
    try:
        return all(_run(step, action, tell) for step, action in steps)
    finally:
        for app in opened:
            app.close()


def _run(step: str, action: Callable[[], str], tell: Callable[[StepResult], None]) -> bool:
    started = time.perf_counter()
    outcome = "ok"
    try:
        detail = action()
    except StepSkipped as exc:
        outcome, detail = "skipped", str(exc)
    except (StepFailed, DesktopRagError) as exc:
        outcome, detail = "failed", str(exc)
    tell(StepResult(step, outcome, (time.perf_counter() - started) * 1000, detail))
    return outcome != "failed"


def _open(data_dir: Path, opened: list[App]) -> str:
    opened.append(App.open(data_dir))
    return str(paths.shipped())


def _index(app: App, documents: Path) -> str:
    app.add([documents])
    app.start_indexing()
    if not app.wait_until_indexed(_TIMEOUT_S):
        raise StepFailed(f"indexing two files took longer than {_TIMEOUT_S:.0f} s")
    failed = [file for file in app.files() if file.state is not FileState.READY]
    if failed:
        raise StepFailed(f"{failed[0].path}: {failed[0].failure or failed[0].state}")
    status = app.status()
    if not status.chunks == status.indexed_chunks > 0:
        raise StepFailed(f"{status.indexed_chunks} of {status.chunks} passages are in the index")
    return f"{status.ready} files, {status.chunks} passages"


def _search(app: App) -> str:
    passages = app.search(_QUESTION, 3).passages
    if not passages or Path(passages[0].path).name != "notes.md":
        raise StepFailed("the search did not find the note")
    if "42 litres" not in passages[0].text:
        raise StepFailed("the search found another passage of the note")
    return f"found {passages[0].title or passages[0].path}"


def _picture(app: App) -> str:
    manual = steps_of.file_called(app, _MANUAL)
    image = app.render_page(manual.id, 1, 1.0)
    if not image.png.startswith(b"\x89PNG"):
        raise StepFailed("the page was not drawn")
    return f"{image.width:.0f} x {image.height:.0f} points"


def _processor(folder: Path) -> str:
    library = library_folder()
    if library is None or not library.is_dir():
        raise StepFailed("llama.cpp is missing: install Desktop RAG again")
    variant = variant_file(folder / "processor.log", library)
    if not variant:
        return "llama.cpp was compiled on this computer"
    return f"llama.cpp for {Path(variant).stem.rpartition('-')[2]}"


def _answer(app: App) -> str:
    asked = app.ask(_QUESTION)
    answer = asked.result(_TIMEOUT_S)
    if answer.found and not answer.model:
        # It was quoted, for being so plain. What is given again is written, if anything can write.
        answer = app.regenerate(asked.conversation).result(_TIMEOUT_S)
    if not answer.found or not answer.text.strip():
        raise StepFailed("the answer in the note was not found")
    if not answer.model:
        # The answer is a quotation then. Its last line says why no model wrote it.
        reason = answer.note
        is_there = any(
            model.role == "llm" and model.state != "missing" for model in app.models.entries()
        )
        raise StepFailed(reason) if is_there else StepSkipped("no language model is installed")
    return f"{answer.model}: {' '.join(answer.text.split())[:80]}"


def _close(opened: list[App]) -> str:
    app = opened.pop()
    crashed = [worker.role for worker in app.health.report().workers if worker.crashes]
    app.close()
    if crashed:
        raise StepFailed(f"{', '.join(crashed)} crashed on the way; all workers have ended")
    return "all workers have ended"
