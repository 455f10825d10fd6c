"""`desktop-rag models …`: the model library in the terminal. Needs no open document library."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from desktop_rag import network, paths, settings
from desktop_rag.cli.arguments import Subparsers, add_command
from desktop_rag.cli.output import is_terminal
from desktop_rag.domain.errors import ModelDamaged, UserError
from desktop_rag.domain.events import Event, ModelProgress
from desktop_rag.domain.tuning import Tuning
from desktop_rag.services.models import ModelLibrary, ModelState, ModelStatus
from desktop_rag.workers.remote import measure_model, probe_model

_SPARSE_S = 10.0


def register(subparsers: Subparsers) -> None:
    """Add the command `models` with its own commands."""
    text = "List, install, check and choose models."
    parser = subparsers.add_parser("models", help=text, description=text)
    commands = parser.add_subparsers(dest="models_command", required=True, metavar="COMMAND")
    add_command(commands, "list", "Show known and installed models.", _list)
    install = add_command(commands, "install", "Download a model.", _install)
    install.add_argument("id", nargs="?", help="default: the language model that fits the memory")
    install.add_argument("--url", default="", help="take it from this address instead")
    add = add_command(commands, "add", "Copy a model from a file or folder.", _add)
    add.add_argument("path", type=Path, metavar="FILE-OR-FOLDER")
    verify = add_command(commands, "verify", "Check installed models by checksum.", _verify)
    verify.add_argument("id", nargs="?", help="default: all")
    measure = add_command(
        commands,
        "measure",
        "Find out how a language model runs best on this computer; half a minute.",
        _measure,
    )
    measure.add_argument("id", nargs="?", help="default: the language model in use")
    add_command(commands, "remove", "Delete an installed model.", _remove).add_argument("id")
    export = add_command(
        commands, "export", "Write models into one file, for a computer without a network.", _export
    )
    export.add_argument("file", type=Path, metavar="FILE", help="ends in .ragmodels")
    export.add_argument(
        "ids", nargs="*", metavar="ID", help="default: the language model in use, and added ones"
    )
    import_ = add_command(commands, "import", "Take the models of such a file.", _import)
    import_.add_argument("file", type=Path, metavar="FILE")
    choose = add_command(commands, "default", "Choose the model to use for its role.", _default)
    choose.add_argument("id")


def open_models(*, is_quiet: bool = False) -> ModelLibrary:
    """The person's model library; progress goes to standard error unless `is_quiet`."""
    publish = _ignore if is_quiet else ProgressLine()
    return ModelLibrary(paths.models_dir(), paths.shipped("models"), publish, probe=probe_model)


class ProgressLine:
    """Prints model progress: one line that moves on a terminal, a line now and then elsewhere."""

    def __init__(self) -> None:
        self._is_terminal = is_terminal(sys.stderr)
        self._started = self._printed = time.monotonic()
        self._stage = ""

    def __call__(self, event: Event) -> None:
        """A listener for the bus."""
        if not isinstance(event, ModelProgress) or event.stage == "ready":
            return
        now, is_last = time.monotonic(), event.done >= event.total
        if event.stage != self._stage:
            self._stage, self._started, self._printed = event.stage, now, 0.0
        if not self._is_terminal and not is_last and now - self._printed < _SPARSE_S:
            return
        self._printed = now
        text = self._text(event, now - self._started)
        if self._is_terminal:
            end = "\n" if is_last else ""
            print(f"\r\x1b[2K{text}", end=end, file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)

    def _text(self, event: ModelProgress, elapsed_s: float) -> str:
        share = event.done / event.total if event.total else 0.0
        return (
            f"{event.model}: {event.stage} {event.done / 1e6:,.0f} of {event.total / 1e6:,.0f} MB"
            f" ({share:.0%}, {elapsed_s:.0f} s)"
        )


def _ignore(event: Event) -> None:
    del event


def _list(args: argparse.Namespace) -> int:
    library = open_models()
    statuses = library.entries()
    speeds = {status.id: library.speed(status.id) for status in statuses}
    if args.json:
        models = [{**_as_dict(one), "speed": _speed_as_dict(speeds[one.id])} for one in statuses]
        print(json.dumps({"models": models}, indent=2))
        return 0
    width = max(len(status.id) for status in statuses)
    for status in statuses:
        speed = speeds[status.id]
        words = [_state_words(status), *([speed.sentence] if speed else [])]
        print(f"{status.id:<{width}}  {status.size / 1e6:>6,.0f} MB  {', '.join(words)}")
    return 0


def _install(args: argparse.Namespace) -> int:
    folder = paths.DataDir(args.data_dir)
    network.forbid(is_forbidden=settings.load(folder.settings).forbid_network)
    library = open_models(is_quiet=args.json)
    model_id = args.id or library.suggested_llm()
    status = library.install(model_id, url=args.url)
    _print_one(status, "Ready", as_json=args.json)
    if status.role == "reranker" and not args.json:
        print(f"{status.notes}\nUse it with `desktop-rag models default {status.id}`.")
    return 0


def _add(args: argparse.Namespace) -> int:
    library = open_models(is_quiet=args.json)
    return _print_one(library.add(args.path), "Added", as_json=args.json)


def _export(args: argparse.Namespace) -> int:
    done = open_models(is_quiet=args.json).export(args.file, args.ids)
    if args.json:
        models = [_as_dict(status) for status in done.models]
        print(json.dumps({"path": str(done.path), "size": done.size, "models": models}))
    else:
        names = ", ".join(status.id for status in done.models)
        print(f"Exported to {done.path} ({done.size / 1e6:,.0f} MB): {names}")
    return 0


def _import(args: argparse.Namespace) -> int:
    done = open_models(is_quiet=args.json).import_(args.file)
    if args.json:
        told = {
            "path": str(done.path),
            "imported": [_as_dict(status) for status in done.models],
            "skipped": [_as_dict(status) for status in done.skipped],
            "mended": list(done.mended),
        }
        print(json.dumps(told))
        return 0
    for status in done.models:
        word = "Mended" if status.id in done.mended else "Imported"
        print(f"{word}: {status.id} ({status.path})")
    for status in done.skipped:
        print(f"Already there: {status.id} ({status.path})")
    return 0


def _verify(args: argparse.Namespace) -> int:
    statuses = open_models(is_quiet=args.json).verify(args.id)
    if args.json:
        _print_json(statuses)
    else:
        for status in statuses:
            print(f"{status.id}: {_state_words(status)}")
    is_damaged = any(status.state is ModelState.DAMAGED for status in statuses)
    return ModelDamaged.exit_code if is_damaged else 0


def _measure(args: argparse.Namespace) -> int:
    library = open_models(is_quiet=True)
    choice = library.llm_named(args.id) if args.id else library.choose_llm()
    if not args.json:
        print(f"Measuring {choice.model_id} …", file=sys.stderr, flush=True)
    folder = paths.DataDir(args.data_dir)
    found = measure_model(folder, choice, gpu=settings.load(folder.settings).gpu)
    if found is None:
        raise UserError(
            f"{choice.model_id} was not measured: other programs kept the processor busy. Try "
            "again when the computer has nothing else to do."
        )
    if args.json:
        print(json.dumps({"id": choice.model_id, "speed": _speed_as_dict(found)}))
    else:
        print(f"{choice.model_id}: {found.sentence}")
    return 0


def _speed_as_dict(speed: Tuning | None) -> dict[str, object] | None:
    return asdict(speed) if speed is not None else None


def _remove(args: argparse.Namespace) -> int:
    library = open_models()
    library.remove(args.id)
    if args.json:
        print(json.dumps({"removed": args.id}))
    else:
        print(f"Removed {args.id}.")
    return 0


def _default(args: argparse.Namespace) -> int:
    return _print_one(open_models().set_default(args.id), "In use", as_json=args.json)


def _state_words(status: ModelStatus) -> str:
    words: list[str] = [status.state.value]
    if status.state is ModelState.PARTIAL:
        words.append(f"{status.arrived / 1e6:,.0f} MB arrived")
    if status.is_shipped:
        words.append("comes with the program")
    if status.spare:
        words.append(f"{status.spare / 1e6:,.0f} MB of your own copy can be removed")
    if status.is_default:
        words.append("default")
    if status.elapsed_ms:
        what = "a search" if status.role == "reranker" else "a passage"
        words.append(f"{status.role}, {status.elapsed_ms:,.0f} ms {what}")
    elif status.role == "reranker":
        words.append("reranker: better order of what is found, slower searches")
    if status.role == "llm" and not status.fits_memory:
        words.append(f"needs {status.needs_memory / 1e9:.1f} GB of free memory")
    return ", ".join(words)


def _print_one(status: ModelStatus, word: str, *, as_json: bool) -> int:
    if as_json:
        print(json.dumps(_as_dict(status)))
    else:
        print(f"{word}: {status.id} ({status.path})")
    return 0


def _print_json(statuses: Sequence[ModelStatus]) -> None:
    print(json.dumps({"models": [_as_dict(status) for status in statuses]}, indent=2))


def _as_dict(status: ModelStatus) -> dict[str, str | float | bool | None]:
    return {
        "id": status.id,
        "title": status.title,
        "role": status.role.value,
        "licence": status.licence,
        "size": status.size,
        "download": status.download,
        "state": status.state.value,
        "path": str(status.path) if status.path else None,
        "is_default": status.is_default,
        "is_shipped": status.is_shipped,
        "spare": status.spare,
        "elapsed_ms": status.elapsed_ms,
        "needs_memory": status.needs_memory,
        "fits_memory": status.fits_memory,
        "arrived": status.arrived,
        "notes": status.notes,
    }
