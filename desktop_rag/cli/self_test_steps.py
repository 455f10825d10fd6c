"""Steps of the self-test about what an installation brings: models, recognition, licences.

Each returns what is told of it.
"""

from __future__ import annotations

from pathlib import Path

from desktop_rag import network, paths
from desktop_rag.app import App
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.domain.shipped_parts import Part
from desktop_rag.storage.model_catalog import ModelRole, read_catalog
from desktop_rag.storage.model_files import hash_file
from desktop_rag.storage.part_lists import parts_of

SCAN = "ferry-scan.pdf"
_SCAN_LINES = (
    "Harbour office of Skarholm",
    "The ferry to the outer islands leaves",
    "at seven in the morning from pier four.",
)
_SCAN_WORDS = ("ferry", "islands", "pier")
_ASKED = "How much oil does the lamp of the lighthouse burn?"
_ANSWERING = "The lighthouse was built in 1871. Its lamp burns 42 litres of oil in a night."
_ANSWER = "42 litres"
_BESIDE = "The harbour office opens at nine and is closed on Sundays."


class StepSkipped(Exception):
    """A step has nothing to work with; that alone is no fault of the installation."""


class StepFailed(Exception):
    """A step ran and its result is wrong."""


def recognise(app: App, folder: Path, timeout_s: float) -> str:
    """Draw a scan, and have its text recognised and found."""
    from desktop_rag.engines.scan_drawing import draw_scan

    scan = folder / SCAN
    draw_scan(scan, _SCAN_LINES)
    app.add([scan])
    if not app.wait_until_indexed(timeout_s):
        raise StepFailed(f"recognising one page took longer than {timeout_s:.0f} s")
    file = file_called(app, SCAN)
    if file.state is not FileState.READY:
        raise StepFailed(f"{SCAN}: {file.failure or file.state}")
    text = app.document(file.id).text.casefold()
    if missing := [word for word in _SCAN_WORDS if word not in text]:
        raise StepFailed(f"the page was recognised without “{missing[0]}”")
    passages = app.search("When does the ferry to the islands leave?", 3).passages
    if not any(Path(one.path).name == SCAN for one in passages):
        raise StepFailed("the search did not find the recognised text")
    return f"{len(text.split())} words of {sum(len(one.split()) for one in _SCAN_LINES)}"


def cite(app: App, name: str, quote: str) -> str:
    """Open a citation of a PDF as a click does: at its page, with the lines that are marked."""
    citation = app.placing.find(Path(file_called(app, name).path), None, quote).citation
    if citation is None:
        raise StepFailed(f"the quote does not stand in {name}")
    view, current = app.cited_document(citation)
    if current is None or current.page is None:
        raise StepFailed("the citation leads to no page")
    boxes = app.viewing.boxes(view.file.id, current.start, current.end)
    if not boxes or any(box.page != current.page for box in boxes):
        raise StepFailed("the citation marks no lines on its page")
    return f"page {current.page}, {len(boxes)} boxes"


def search_model(app: App) -> str:
    """The search model that is used has the contents that the catalog names."""
    folder = app.models.embedder_dir()
    known = {
        file.name: file.sha256
        for model in read_catalog(paths.shipped("models", "catalog.toml"))
        if model.id == folder.name and model.role is ModelRole.EMBEDDER
        for file in model.files
    }
    told = ""
    for name, sha256 in (known or {"model.onnx": ""}).items():
        found = hash_file(folder / name, lambda _done: None, lambda: False)
        if sha256 and found != sha256:
            raise StepFailed(f"{folder / name} is damaged: its SHA-256 is {found}")
        told = told or f"{folder.name}, {name} has the SHA-256 {found}"
    return told


def exact_words(app: App) -> str:
    """The model that marks the words that answer finds them in one text, and not in another."""
    folder = app.models.extractor_dir()
    if folder is None:
        if paths.is_frozen():
            raise StepFailed("the model that marks exact words is missing: install again")
        raise StepSkipped("this checkout has no model that marks exact words")
    found = app.spans(_ASKED, [_ANSWERING, _BESIDE])
    if not found:
        raise StepFailed(f"the model in {folder} does not load: install Desktop RAG again")
    answer, other = found
    words = _ANSWERING[answer.start : answer.end]
    if _ANSWER not in words or answer.margin < other.margin:
        raise StepFailed(f"“{words}” was marked instead of “{_ANSWER}”")
    return f"“{words}”"


def licences() -> str:
    """A frozen program brings the licence text of every part it consists of."""
    if not paths.is_frozen():
        raise StepSkipped("a checkout brings no list of its libraries")
    folder = paths.shipped("resources", "licences")
    try:
        parts = parts_of(folder, paths.shipped())
    except DesktopRagError as error:
        raise StepFailed(f"the list of licences cannot be read ({error})") from error
    lacking = [part.name for part in parts if not _has_texts(part)]
    if lacking or not parts:
        raise StepFailed(f"{len(lacking)} parts lack the text of their licence: {lacking[:3]}")
    return f"texts of {len(parts)} parts"


def _has_texts(part: Part) -> bool:
    return bool(part.files) and all(file.is_file() for file in part.files)


def connections(app: App, before: int) -> str:
    """Nothing that was done used the network: as told by all processes, and seen by the system."""
    app.connections.look()
    uses = tries() - before
    if uses:
        newest = app.connections.uses[0]
        raise StepFailed(f"{uses}, the last one by {newest.process} to {newest.target}")
    sealed = ", ".join(app.connections.activity().protection.sealed)
    return f"none{f'; the system refuses them to {sealed}' if sealed else ''}"


def tries() -> int:
    """How often the network was used, or that was refused, in all processes since the start."""
    return network.record.count + network.record.refused


def file_called(app: App, name: str) -> LibraryFile:
    """The file of the library with this name."""
    return next(file for file in app.files() if Path(file.path).name == name)
