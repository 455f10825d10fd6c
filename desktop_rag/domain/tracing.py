"""Why something is not found: the way of a file or a phrase through the library, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    """What became of a file or phrase at a step."""

    PASSED = "passed"
    STOPPED = "stopped"
    """Here it got lost."""
    NOTE = "note"
    """It went on, and something is worth knowing."""
    OPEN = "open"
    """Not there yet, or nobody can say."""


class NextStep(StrEnum):
    """What a person can do about it; the window has a button for each."""

    NONE = ""
    ADD = "add"
    """Add the path of the step to the library."""
    RULES = "rules"
    """Change what is read of the folder."""
    LIMIT = "limit"
    """Raise the limit for the size of files."""
    RETRY = "retry"
    RECOGNISE = "recognise"
    """Switch text recognition on."""
    RESUME = "resume"
    """Let indexing go on."""
    RELOCATE = "relocate"
    """Say where the folder lies now."""
    OPEN = "open"
    """Open the file in its own program."""
    SHOW = "show"
    """Show the file in the viewer."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step with a mark, a sentence, and what to do next where something can be done."""

    name: str
    mark: Mark
    sentence: str
    remedy: str = ""
    """The next step in a sentence; empty when there is none."""
    next_step: NextStep = NextStep.NONE
    path: str = ""
    """What the next step is about."""


@dataclass(frozen=True, slots=True)
class Way:
    """The way of one file, or of a phrase."""

    subject: str
    """The file's path, or the phrase."""
    steps: tuple[Step, ...]

    @property
    def obstacle(self) -> Step | None:
        """The first step that stopped it."""
        return next((step for step in self.steps if step.mark is Mark.STOPPED), None)


@dataclass(frozen=True, slots=True)
class Trace:
    """An answer to "Why can't I find …?"."""

    text: str
    conclusion: str
    """One sentence."""
    files: tuple[Way, ...] = ()
    """One for each file that is meant, the likeliest first."""
    phrase: Way | None = None

    @property
    def is_found(self) -> bool:
        """Whether nothing stopped the first file, or the phrase."""
        ways = [*self.files[:1], *([self.phrase] if self.phrase else [])]
        return bool(ways) and all(way.obstacle is None for way in ways)


def concluded(text: str, files: Sequence[Way], phrase: Way | None) -> Trace:
    """The trace with a conclusion: where it got lost first."""
    ways = [*files[:1], *([phrase] if phrase is not None else [])]
    obstacle = next((way.obstacle for way in ways if way.obstacle is not None), None)
    waiting = next((s for way in ways for s in way.steps if s.mark is Mark.OPEN), None)
    if obstacle is not None:
        conclusion = obstacle.sentence
    elif waiting is not None:
        conclusion = waiting.sentence
    else:
        conclusion = "Nothing stands in the way: a question about it finds it."
    return Trace(text, conclusion, tuple(files), phrase)
