"""The person's choices: what there is to choose, and the file they are kept in.

`settings.toml` in the data folder holds only what differs from the defaults. It may be edited by
hand; keys this version does not know are kept and ignored.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from desktop_rag import paths
from desktop_rag.domain.budget import Effort
from desktop_rag.domain.chunking.rules import Chunking
from desktop_rag.domain.errors import DiskFull, InvalidInput, NotFound, UserError

logger = logging.getLogger(__name__)

Value = bool | int | str

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,40}")
_ENDINGS = re.compile(r"([a-z0-9_+-]{1,12}( [a-z0-9_+-]{1,12}){0,99})?")
_ADDRESS = re.compile(r"(https?://[^\s/]\S{0,500})?")
_ON = frozenset({"on", "true", "yes", "1"})
_OFF = frozenset({"off", "false", "no", "0"})
_MAX_DIGITS = 10
_DEFAULT = "default"
"""The word that takes a choice back."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All choices with their defaults; `SETTINGS` says what each means and what it takes."""

    ocr: bool = True
    ocr_language: str = "auto"
    cpu: str = "balanced"
    pause_on_battery: bool = False
    watch: bool = True
    sweep_minutes: int = 10
    max_file_mb: int = 500
    query_log: bool = True
    chunking: str = "structure"
    graph: bool = False
    mask_personal_data: str = "off"
    answers: str = Effort.BALANCED.value
    answer_cache: bool = True
    gpu: bool = True
    threads: int = 0
    leave_out: str = ""
    update_check: bool = False
    update_address: str = ""
    forbid_network: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """What a person needs to know about one choice."""

    key: str
    meaning: str
    choices: tuple[str, ...] = ()
    """Words it takes; empty for switches, numbers and names."""
    least: int = 0
    most: int = 0
    pattern: re.Pattern[str] = _NAME
    """Of free text."""
    form: str = ""
    """What free text may be, in words."""
    clean: Callable[[str], str] = str.strip
    """Free text as it is kept."""

    @property
    def default(self) -> Value:
        """Its value when nothing was chosen."""
        value: Value = getattr(_DEFAULTS, self.key)
        return value

    @property
    def takes(self) -> str:
        """The allowed values, as words in a sentence."""
        if isinstance(self.default, bool):
            return "on or off"
        if isinstance(self.default, int):
            return f"a whole number from {self.least} to {self.most}"
        if not self.choices:
            return self.form
        return " or ".join(", ".join(self.choices).rsplit(", ", 1))

    def is_allowed(self, value: object) -> bool:
        """Whether `value`, as TOML knows it, is one of the allowed values."""
        if type(value) is not type(self.default):  # bool is an int, and is none here
            return False
        if isinstance(value, bool):
            return True
        if isinstance(value, int):
            return self.least <= value <= self.most
        return value in self.choices if self.choices else bool(self.pattern.fullmatch(str(value)))

    def parsed(self, text: str) -> Value | None:
        """The value a person typed, or `None` when it is not allowed."""
        word = text.strip().casefold()
        if isinstance(self.default, bool):
            return True if word in _ON else False if word in _OFF else None
        value: Value = word if self.choices else self.clean(text)
        if isinstance(self.default, int):
            if not (word.isascii() and word.isdigit() and len(word) < _MAX_DIGITS):
                return None
            value = int(word)
        return value if self.is_allowed(value) else None


_DEFAULTS = Settings()


def _endings(text: str) -> str:
    """As people write them: `.CSV, log`."""
    return " ".join(dict.fromkeys(re.findall(r"[^\s,;.*]+", text.casefold())))


SETTINGS = (
    Setting("ocr", "recognise text in scans and pictures"),
    Setting(
        "ocr_language",
        "models that recognise text: auto (shipped), or the name of a folder of models you added",
        form="auto or a name of letters, digits and signs like - _",
    ),
    Setting(
        "cpu",
        "how much of the processor indexing takes: half of the cores with pauses, all but a "
        "little, or everything",
        choices=("low", "balanced", "full"),
    ),
    Setting("pause_on_battery", "let indexing wait while the computer runs on battery"),
    Setting("watch", "notice changes in added folders at once"),
    Setting(
        "sweep_minutes",
        "minutes between two complete comparisons of the folders with the library",
        least=1,
        most=1440,
    ),
    Setting(
        "max_file_mb",
        "larger files of a folder are left out (in MB)",
        least=1,
        most=100_000,
    ),
    Setting(
        "query_log",
        "keep how long searches took and whether they found something, never what was asked; off "
        "also deletes what was kept",
    ),
    Setting(
        "chunking",
        "how documents are cut into passages; another choice has all files read again, and "
        "propositions and context have the language model read them, ten seconds a passage",
        choices=tuple(Chunking),
    ),
    Setting(
        "graph",
        "follow names from document to document in every search, as --graph does in one",
    ),
    Setting(
        "mask_personal_data",
        "keep e-mail addresses, phone, bank, card and national id numbers from the language model, "
        "from what it writes and from other programs; model_only: answers on your screen show them",
        choices=("off", "on", "model_only"),
    ),
    Setting(
        "answers",
        "how much is read for an answer: what takes about 1.5, 3 or 10 seconds on this computer, "
        "but never less than 250, 450 or 750 tokens of passages; only thorough reads all passages "
        "at once when a fact is asked for, and writes what a sentence states beyond doubt",
        choices=tuple(Effort),
    ),
    Setting(
        "answer_cache",
        "give the answer to a question that was asked before, while nothing it rests on has "
        "changed; off also deletes what was kept",
    ),
    Setting("gpu", "let the language model use the graphics card, where the program supports it"),
    Setting(
        "threads",
        "how many threads an engine computes with; 0 takes one for each core of the processor",
        most=256,
    ),
    Setting(
        "leave_out",
        "kinds of files that are left out of folders, as their endings: csv log; what was read of "
        "them leaves the library",
        pattern=_ENDINGS,
        clean=_endings,
        form="endings with a space between them, without dots, or nothing",
    ),
    Setting(
        "update_check",
        "ask the address in update_address once a week whether there is a newer version",
    ),
    Setting(
        "update_address",
        "where to ask for the newest version: the address of a small JSON document that you or "
        "your administrator keep; there is none by default",
        pattern=_ADDRESS,
        form="an http or https address, or nothing",
    ),
    Setting(
        "forbid_network",
        "refuse the whole program every connection, so that no model can be downloaded either",
    ),
)
_BY_KEY = {setting.key: setting for setting in SETTINGS}
assert set(_BY_KEY) == {field.name for field in fields(Settings)}


def setting(key: str) -> Setting:
    """What is known about a key.

    Raises:
        NotFound: there is no such setting.
    """
    if (found := _BY_KEY.get(key)) is None:
        raise NotFound(f"There is no setting {key}. `desktop-rag settings` lists them.")
    return found


def load(path: Path) -> Settings:
    """Read the choices; a missing file means defaults.

    Raises:
        InvalidInput: the file is no TOML, or a key has a value it does not take.
        UserError: the file cannot be read.
    """
    chosen: dict[str, Any] = {}
    for key, value in _read(path).items():
        if key not in _BY_KEY:
            logger.warning("Unknown setting %s in %s is ignored", key, path)
        elif not _BY_KEY[key].is_allowed(value):
            raise InvalidInput(
                f"The setting {key} in {path} takes {_BY_KEY[key].takes}, not {value!r}. "
                f"`desktop-rag settings {key} {_DEFAULT}` puts it right."
            )
        else:
            chosen[key] = value
    return replace(_DEFAULTS, **chosen)


def store(path: Path, key: str, text: str) -> None:
    """Keep a choice as a person typed it; the word `default` takes it back.

    The file is replaced in one step, and all its other keys stay, also those that make no sense.

    Raises:
        NotFound: there is no such setting.
        InvalidInput: it does not take this value; nothing was changed.
        UserError: the file cannot be written.
    """
    known = setting(key)
    contents = _read(path)
    contents.pop(key, None)
    if text.strip().casefold() != _DEFAULT:
        value = known.parsed(text)
        if value is None:
            raise InvalidInput(f"The setting {key} takes {known.takes}, not {text!r}.")
        if value != known.default:
            contents[key] = value
    _write(path, contents)


def shown(value: Value) -> str:
    """A value as a person types it."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"The settings in {path} cannot be understood ({error}). Mend that line, or delete "
            "the file to have the defaults."
        ) from error
    except OSError as error:
        raise _unusable(path, error) from error


def _write(path: Path, contents: dict[str, Any]) -> None:
    import tomli_w

    partial = path.with_name(path.name + ".partial")
    try:
        paths.make_private(path.parent)
        with partial.open("wb") as file:
            tomli_w.dump(contents, file)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise _unusable(path, error) from error


def _unusable(path: Path, error: OSError) -> UserError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(f"The disk that holds {path} is full. Free some space and try again.")
    return UserError(
        f"The settings in {path} cannot be used ({os.strerror(error.errno or 0)}). Check the "
        "permissions of that file."
    )
