"""One session of a person with the installed program, step by step, each timed and checked."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from release.plan import ROOT, BuildFailed

from proof import scan
from proof.packages import HOME, Package
from proof.room import Room
from proof.screen import Screen
from proof.window import Window

ANSWERED = "How long is the warranty on the Aurora heat pump?"
UNANSWERED = "What is the melting point of tungsten?"
_DOCUMENTS = f"{HOME}/Documents"
LOGS = f"{HOME}/.local/share/desktop-rag/logs"
_PERSON_ID = 1000


@dataclass(frozen=True, slots=True)
class Step:
    """What was done, how long it took, and what shows that it was done."""

    name: str
    seconds: float
    detail: str


class Session:
    """The steps in order; the first that fails ends it with BuildFailed."""

    def __init__(
        self, package: Package, room: Room, screen: Screen, tell: Callable[[Step], None]
    ) -> None:
        self._package, self._room, self._screen, self._tell = package, room, screen, tell

    def run(self) -> None:
        """Do all of it."""
        self._package.hand_over(self._room)
        self._lay_documents()
        for name, action in self._steps():
            started = time.monotonic()
            detail = action()
            self._tell(Step(name, time.monotonic() - started, detail))

    def _steps(self) -> list[tuple[str, Callable[[], str]]]:
        return [
            ("install", lambda: self._package.install(self._room)),
            ("try", self._try),
            ("self-test", self._self_test),
            ("add", self._add),
            ("read the scan", self._recognised),
            ("ask", lambda: self._ask(ANSWERED, "aurora-heat-pump-manual.pdf")),
            ("ask what is nowhere", self._ask_in_vain),
            ("ask about the scan", lambda: self._ask(scan.QUESTION, "scan.pdf")),
            ("window", self._use_window),
        ]

    def _lay_documents(self) -> None:
        """The sample documents and a scan, in the person's own folder."""
        folder = self._room.inside(_DOCUMENTS)
        shutil.copytree(ROOT / "resources" / "sample_docs", folder)
        scan.make_scan(folder / "scan.pdf")
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, _PERSON_ID, _PERSON_ID)

    def _program(self, name: str, *words: str) -> str:
        done = self._room.run(name, [self._package.command, *words])
        if done.code:
            command = " ".join(("desktop-rag", *words))
            raise BuildFailed(f"`{command}` ended with {done.code}:\n{done.output}")
        return done.output

    def _json(self, name: str, *words: str) -> Any:
        output = self._program(name, *words, "--json")
        try:
            return json.loads(output[output.index("{") :])
        except ValueError:
            raise BuildFailed(f"`{' '.join(words)} --json` printed no JSON:\n{output}") from None

    def _try(self) -> str:
        """From nothing to a cited answer: with the installation, one line in a terminal."""
        output = self._program("try", "try")
        cited = [line for line in output.splitlines() if line.startswith("[1] ")]
        if not cited:
            raise BuildFailed(f"`desktop-rag try` cites nothing:\n{output}")
        return f"cites {Path(cited[0].partition(', page')[0]).name}"

    def _self_test(self) -> str:
        steps = self._json("self-test", "self-test")["steps"]
        return ", ".join(f"{step['step']} {step['outcome']}" for step in steps)

    def _add(self) -> str:
        return self._program("add", "add", _DOCUMENTS).splitlines()[-1]

    def _recognised(self) -> str:
        found = self._json("search", "search", scan.QUESTION)["passages"]
        texts = [one["text"] for one in found if one["path"].endswith("scan.pdf")]
        if not any("Mr Tamm" in text for text in texts):
            raise BuildFailed(f"The scan was not recognised; a search found {texts}.")
        return f"“{scan.SENTENCE}” was recognised"

    def _ask(self, question: str, source: str) -> str:
        answer = self._json(f"ask-{source}", "ask", question)
        cited = [Path(one["path"]).name for one in answer["citations"]]
        if not answer["found"] or source not in cited:
            raise BuildFailed(f"“{question}” was answered “{answer['answer']}” from {cited}.")
        by = answer["model"] or "quoted"
        return f"{answer['answer']} ({source}, p. {answer['citations'][0]['page']}; {by})"

    def _ask_in_vain(self) -> str:
        answer = self._json("ask-in-vain", "ask", UNANSWERED)
        if answer["found"]:
            raise BuildFailed(f"“{UNANSWERED}” was answered: {answer['answer']}")
        return str(answer["answer"])

    def _use_window(self) -> str:
        # What was asked before is to be answered again, by the model and not from what was kept.
        self._program("settings", "settings", "answer_cache", "off")
        command = [self._package.command]
        with Window(self._room, self._screen, command, self._room.traces) as window:
            page = window.ask(ANSWERED, "window-1")
            picture = window.ask(scan.QUESTION, "window-2")
            if not page.marked or picture.ground * 2 <= picture.marked:
                raise BuildFailed("Another line is marked: see window-2-place.png.")
            code = window.quit()
        if code:
            raise BuildFailed(f"The window ended with {code}.")
        if crashes := list(self._room.inside(LOGS).glob("crash-*.txt")):
            raise BuildFailed(f"Something failed in the window:\n{crashes[0].read_text()}")
        return (
            f"open after {window.opened_s:.1f} s; citations clicked at {page.chip} and "
            f"{picture.chip}; {page.marked} and {picture.marked} marked pixels, of which "
            f"{picture.ground} on the sought line of the scan"
        )
