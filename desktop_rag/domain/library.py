"""The library as a person sees it: sources, files, states, progress."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from desktop_rag.domain.documents import Coverage, DocumentId


class FileState(StrEnum):
    """Where a file is on its way into the library."""

    QUEUED = "queued"
    READING = "reading"
    READY = "ready"
    FAILED = "failed"
    """It has a reason and a remedy and is tried again when it changes."""
    SKIPPED = "skipped"
    """Met in a folder and left out on purpose, with the reason: no reader, a rule, its size."""


class Tier(StrEnum):
    """How much a source counts when two say the same or contradict each other."""

    PRIMARY = "primary"
    NORMAL = "normal"
    BACKGROUND = "background"


@dataclass(frozen=True, slots=True)
class FolderRules:
    """What of a folder is read, as patterns in gitignore syntax relative to the folder."""

    include: tuple[str, ...] = ()
    """Only these, when there are any."""
    exclude: tuple[str, ...] = ()
    max_mb: int = 0
    """Nothing larger, in megabytes; 0 for the limit of the whole library."""


NO_RULES = FolderRules()


@dataclass(frozen=True, slots=True)
class LibraryFile:
    """One file of the library."""

    id: DocumentId
    path: str
    state: FileState
    format: str
    title: str
    size: int
    pages: int
    chunks: int
    sha256: str
    indexed_at: str
    failure_code: str = ""
    failure: str = ""
    """One sentence: why it is not searchable and what would help."""
    notes: tuple[str, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    tags: tuple[str, ...] = ()

    @property
    def edition(self) -> str:
        """Tells one reading of the file from another."""
        return f"{self.sha256} {self.indexed_at} {self.state} {self.path}"


@dataclass(frozen=True, slots=True)
class Collection:
    """A named selection of the library: folders and files, whatever source they came from."""

    name: str
    members: tuple[str, ...]
    """Absolute paths; a folder stands for all that is below it."""
    files: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """A file or folder the person added."""

    path: str
    is_folder: bool
    is_online: bool
    """False when the path is not reachable now; what was indexed from it stays searchable."""
    files: int
    tier: Tier = Tier.NORMAL
    rules: FolderRules = NO_RULES


@dataclass(frozen=True, slots=True)
class FileDetails:
    """Everything that is known about a file, for whoever wants to look closely."""

    file: LibraryFile
    reader: str
    """Name and version of what read it; empty before that."""
    source: str
    """The added folder it belongs to, or the file itself."""
    tier: Tier
    collections: tuple[str, ...]
    modified_at: str
    """When it was saved last, as it was read: UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class LibraryStatus:
    """Counts and health of the whole library."""

    sources: tuple[Source, ...]
    ready: int
    queued: int
    failed: int
    chunks: int
    indexed_chunks: int
    """How many chunks the search index holds; less than `chunks` while it catches up."""
    embedder: str
    llm: str
    """Identifier of the language model in use, or empty when none is installed."""
    data_dir: str
    pages_waiting: int = 0
    """Pages that wait for text recognition; what they say is not searchable yet."""
    is_paused: bool = False
    """Whether the person paused indexing."""
    skipped: int = 0
    """Files that were met in a folder and left out; each has its reason."""
    watching: str = ""
    """Why changes are not noticed at once everywhere, in one sentence; empty when they are."""
    noted: int = 0
    """Files with notes: something was not read, is hidden, or gives orders to AI programs."""
    rereading: str = ""
    """How much a newer reader or search model has still to go through; empty for nothing."""


@dataclass(frozen=True, slots=True)
class AddReport:
    """What adding paths did."""

    added: tuple[str, ...]
    already_there: tuple[str, ...]
    files_queued: int
    skipped: tuple[tuple[str, str], ...]
    """(path, reason) for paths that were named and cannot be used."""


class DropKind(StrEnum):
    """What somebody dropped on the window."""

    FOLDER = "folder"
    FILE = "file"
    ALREADY = "already"
    """In the library, on its own or as part of a folder."""
    EMPTY = "empty"
    """A folder without anything that can be read, as yet."""
    WEB = "web"
    """An address, or a shortcut to one."""
    SHORTCUT = "shortcut"
    """It leads nowhere, or starts a program."""
    SPECIAL = "special"
    """A device, a pipe, a socket."""
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too-large"
    OWN = "own"
    """Of this program itself."""
    MISSING = "missing"
    UNREADABLE = "unreadable"


ADDABLE = frozenset({DropKind.FOLDER, DropKind.FILE, DropKind.EMPTY})


@dataclass(frozen=True, slots=True)
class Dropped:
    """One thing that was dropped, and what it is."""

    given: str
    """As it was dropped: a path or an address."""
    kind: DropKind
    path: str = ""
    """What is added: where a shortcut leads to, or the path itself."""
    sentence: str = ""
    """Why it is left out, or what is worth knowing; may be empty."""
    files: int = 0
    """That can be read."""
    size: int = 0
    """Of those files, in bytes."""


@dataclass(frozen=True, slots=True)
class Intake:
    """All that was dropped at once."""

    items: tuple[Dropped, ...]

    @property
    def wanted(self) -> tuple[Dropped, ...]:
        """What can be added."""
        return tuple(item for item in self.items if item.kind in ADDABLE)

    @property
    def refused(self) -> tuple[Dropped, ...]:
        """What cannot be added, each with its sentence."""
        return tuple(item for item in self.items if item.kind not in ADDABLE)

    @property
    def files(self) -> int:
        """How many files would be read."""
        return sum(item.files for item in self.wanted)

    @property
    def size(self) -> int:
        """How many bytes they have."""
        return sum(item.size for item in self.wanted)


@dataclass(frozen=True, slots=True)
class RulesPreview:
    """What rules would leave out of a folder."""

    kept: int
    """Files that would be read."""
    left_out: tuple[tuple[str, str], ...]
    """(path, reason) of files and folders; as many as fit on a screen."""
    left_out_count: int
    leaving: int = 0
    """Files that are in the library now and would no longer be."""
    is_online: bool = True
