"""Every error the program raises on purpose, sorted by whose move is next.

```
DesktopRagError
  UserError        the person can mend it; the message says how
    NotFound LibraryLocked LibraryTooNew LibraryDamaged NothingIndexed DiskFull ProblemsFound
    ModelMissing ModelDamaged NotEnoughMemory InvalidInput RoleUnavailable DownloadFailed Paused
    NetworkForbidden ProcessorTooOld
  TransientError   the program tries again by itself, with back-off
    FileBusy WorkerTimedOut WorkerCrashed
  PermanentError   about one document, until that document changes
    Encrypted Damaged Unsupported TooLarge NoText RecognitionOff ReaderCrashed ReaderTimedOut
    Unreadable
  Cancelled        the person pressed Stop
```

An error crosses a process boundary as `(code, message, details)` and is made again by `from_code`:
nothing is unpickled. `code` is stable and appears in `--json`; `exit_code` is what the command
returns and is listed by `desktop-rag --help`.
"""

from __future__ import annotations

from typing import ClassVar


class DesktopRagError(Exception):
    """Root of the tree. `message` is one sentence for a person; `details` is for logs and JSON."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, **details: str) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class UserError(DesktopRagError):
    """Something the person can mend; the message says what to do next."""

    code = "user-error"
    exit_code = 2


class InvalidInput(UserError):
    """An argument, a query or a setting makes no sense as given."""

    code = "invalid-input"
    exit_code = 2


class NetworkForbidden(UserError):
    """The person forbade the program to use the network, and this step needs it."""

    code = "network-forbidden"
    exit_code = 2


class NotFound(UserError):
    """A path, document, model or conversation that was named does not exist."""

    code = "not-found"
    exit_code = 3


class LibraryLocked(UserError):
    """Another Desktop RAG process has the data folder open."""

    code = "library-locked"
    exit_code = 4


class LibraryTooNew(UserError):
    """The data folder was written by a newer version and is left untouched."""

    code = "library-too-new"
    exit_code = 5


class LibraryDamaged(UserError):
    """The catalog is not a database of this program, or is corrupt."""

    code = "library-damaged"
    exit_code = 6


class NothingIndexed(UserError):
    """A question was asked while no document is searchable."""

    code = "nothing-indexed"
    exit_code = 7


class ProblemsFound(UserError):
    """The check-up or an audit found something that must be mended; its lines say how."""

    code = "problems-found"
    exit_code = 8


class DiskFull(UserError):
    """No room left to write. Nothing already indexed is lost."""

    code = "disk-full"
    exit_code = 9


class ModelMissing(UserError):
    """The model a step needs is not installed."""

    code = "model-missing"
    exit_code = 10


class ModelDamaged(UserError):
    """A model's files do not match their recorded size or checksum, or cannot be loaded."""

    code = "model-damaged"
    exit_code = 11


class NotEnoughMemory(UserError):
    """The model would not fit into the memory that is free now."""

    code = "not-enough-memory"
    exit_code = 12


class DownloadFailed(UserError):
    """A download the person started did not finish; what arrived is kept for the next try."""

    code = "download-failed"
    exit_code = 13


class RoleUnavailable(UserError):
    """A worker role crashed three times in five minutes and is switched off for now."""

    code = "role-unavailable"
    exit_code = 14


class Paused(UserError):
    """Indexing waits because the person paused it, or for mains power."""

    code = "paused"
    exit_code = 17


class ProcessorTooOld(UserError):
    """The processor lacks instructions that the program, or its language model, needs."""

    code = "processor-too-old"
    exit_code = 18


class TransientError(DesktopRagError):
    """Worth another try by the program itself."""

    code = "transient"
    exit_code = 15


class FileBusy(TransientError):
    """The file is being written or locked by another program."""

    code = "file-busy"


class WorkerTimedOut(TransientError):
    """A worker did not answer in time and was stopped."""

    code = "worker-timed-out"


class WorkerCrashed(TransientError):
    """A worker process ended without answering."""

    code = "worker-crashed"


class PermanentError(DesktopRagError):
    """This document cannot be read as it is now."""

    code = "permanent"
    exit_code = 16


class Encrypted(PermanentError):
    """The file needs a password."""

    code = "encrypted"


class Damaged(PermanentError):
    """The file's bytes are not a whole document of its kind."""

    code = "damaged"


class Unsupported(PermanentError):
    """No reader for this kind of file."""

    code = "unsupported"


class TooLarge(PermanentError):
    """The file is over the size limit."""

    code = "too-large"


class NoText(PermanentError):
    """The file opened well and holds no text."""

    code = "no-text"


class RecognitionOff(PermanentError):
    """The file holds pictures of text only, and text recognition is off."""

    code = "recognition-off"


class ReaderCrashed(PermanentError):
    """The reader crashed on this file twice."""

    code = "reader-crashed"


class ReaderTimedOut(PermanentError):
    """The reader took too long on this file twice."""

    code = "reader-timed-out"


class Unreadable(PermanentError):
    """The operating system refuses to open the file."""

    code = "unreadable"


class Cancelled(DesktopRagError):
    """The person pressed Stop, or the program is closing."""

    code = "cancelled"
    exit_code = 130


def from_code(code: str, message: str, details: dict[str, str]) -> DesktopRagError:
    """Make the error that `code` names; an unknown code becomes a plain `DesktopRagError`."""
    return _BY_CODE.get(code, DesktopRagError)(message, **details)


def exit_codes() -> list[tuple[int, str]]:
    """Exit codes with the first line of their class's docstring, in ascending order."""
    found = {0: "Done.", 1: "A bug in the program; the log has the details."}
    for error in _tree(DesktopRagError):
        first_line = (error.__doc__ or "").strip().splitlines()[0]
        found.setdefault(error.exit_code, first_line)
    return sorted(found.items())


def _tree(root: type[DesktopRagError]) -> list[type[DesktopRagError]]:
    return [root, *(leaf for child in root.__subclasses__() for leaf in _tree(child))]


_BY_CODE = {error.code: error for error in _tree(DesktopRagError)}
