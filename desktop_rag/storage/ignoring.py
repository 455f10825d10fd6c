"""What a person wants left out of a folder: patterns in gitignore syntax.

They stand in `.desktopragignore` files, each for the folder it is in and all below, and in the
`FolderRules` of a source. An inner file overrules an outer one, and a folder that is left out is
not entered, as in git. Reads ignore files only; what is in a folder is `storage.folders`' business.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.library import FolderRules

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILE = ".desktopragignore"
_MAX_BYTES = 1_000_000
_OPEN_BRACKET = re.compile(r"(?<!\\)\[(?!!?\]?[^\]]*\])")
_IS_CASE_SENSITIVE = sys.platform not in ("win32", "darwin")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the last matching pattern says about a path."""

    is_match: bool
    """False when the pattern begins with `!`."""
    pattern: str


class Patterns:
    """Compiled patterns of one place. Paths are relative to it, with `/` between folders."""

    def __init__(self, lines: Sequence[str], *, is_case_sensitive: bool = True) -> None:
        """Lines that are no pattern are told in `problems` and match nothing."""
        self.problems: list[str] = []
        self._is_case_sensitive = is_case_sensitive
        good = []
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            if _is_pattern(line):
                good.append(line)
            else:
                self.problems.append(f"line {number} (“{line.strip()}”)")
        self._lines = good
        self._spec = _compiled(tuple(map(self._folded, good)))

    def verdict(self, path: str, *, is_folder: bool) -> Verdict | None:
        """What the patterns say about a path; `None` when none of them matches."""
        result = self._spec.check_file(self._folded(path) + "/" * is_folder)
        if result.include is None or result.index is None:
            return None
        return Verdict(result.include, self._lines[result.index].strip())

    def _folded(self, text: str) -> str:
        text = unicodedata.normalize("NFC", text)
        return text if self._is_case_sensitive else text.lower()


@dataclass(frozen=True, slots=True)
class Layer:
    """The ignore file of one folder."""

    folder: str
    patterns: Patterns


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds in one folder of a source: the source's rules, and ignore files from the outside
    in."""

    root: str
    include: Patterns | None
    exclude: Patterns | None
    layers: tuple[Layer, ...] = ()

    def inside(self, folder: str) -> Rules:
        """The rules within a folder that has an ignore file of its own.

        Raises:
            OSError: the ignore file cannot be read.
        """
        layer = Layer(folder, read_ignore_file(Path(folder, IGNORE_FILE)))
        return Rules(self.root, self.include, self.exclude, (*self.layers, layer))

    def reason(self, path: str, *, is_folder: bool) -> str:
        """Why a file or folder is left out, in one sentence; empty when it is not."""
        inside = _relative(path, self.root)
        if self.exclude is not None:
            verdict = self.exclude.verdict(inside, is_folder=is_folder)
            if verdict is not None and verdict.is_match:
                return f"The rules of its folder exclude “{verdict.pattern}”."
        for layer in reversed(self.layers):
            relative = _relative(path, layer.folder)
            verdict = layer.patterns.verdict(relative, is_folder=is_folder)
            if verdict is not None and verdict.is_match:
                place = Path(layer.folder, IGNORE_FILE)
                return f"The rule “{verdict.pattern}” in {place} leaves it out."
            if verdict is not None:
                break
        if self.include is not None and not is_folder:
            verdict = self.include.verdict(inside, is_folder=False)
            if verdict is None or not verdict.is_match:
                return "The rules of its folder include other files only."
        return ""


def rules_of(root: str, rules: FolderRules) -> Rules:
    """The rules at the top of a source, before any ignore file.

    Capital and small letters are the same in them: `*.pdf` includes `REPORT.PDF`.
    """
    return Rules(root, _optional(rules.include), _optional(rules.exclude))


def read_ignore_file(path: Path) -> Patterns:
    """The patterns of an ignore file.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        text = file.read(_MAX_BYTES).decode("utf-8-sig", errors="replace")
    return Patterns(text.splitlines(), is_case_sensitive=_IS_CASE_SENSITIVE)


def check_rules(rules: FolderRules) -> None:
    """Refuse patterns that mean nothing.

    Raises:
        InvalidInput: naming the first of them.
    """
    if rules.max_mb < 0:
        raise InvalidInput("The limit for the size of files is a number of megabytes above 0.")
    for pattern in (*rules.include, *rules.exclude):
        if not pattern.strip() or pattern.startswith("#") or not _is_pattern(pattern):
            raise InvalidInput(
                f"“{pattern}” is no pattern for files. Write it as in a .gitignore file, for "
                "example *.pdf or drafts/."
            )


def _optional(lines: tuple[str, ...]) -> Patterns | None:
    return Patterns(lines, is_case_sensitive=False) if lines else None


def _relative(path: str, folder: str) -> str:
    inside = path[len(folder.rstrip(os.sep)) + 1 :]
    return inside if os.sep == "/" else inside.replace(os.sep, "/")


def _is_pattern(line: str) -> bool:
    try:
        _compiled((line,))
    except (ValueError, re.error):
        return False
    # The library takes a bracket that never ends for a pattern that matches nothing.
    return not _OPEN_BRACKET.search(line)


@lru_cache(maxsize=256)
def _compiled(lines: tuple[str, ...]) -> GitIgnoreSpec:
    # Here, not above: most libraries have no rules, and start-up counts.
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)
