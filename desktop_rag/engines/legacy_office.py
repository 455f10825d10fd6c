"""Reads old Office formats (DOC, PPT, Works …) through LibreOffice, if it is installed.

LibreOffice turns a copy of the file into DOCX or PPTX in a folder of our own. It runs without
windows, macros, links to the network or the person's settings, and is stopped with all its children
when it takes too long.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import olefile
import psutil

from desktop_rag.domain.documents import ParsedDocument
from desktop_rag.domain.errors import Damaged, TooLarge, Unsupported
from desktop_rag.engines.slides_pptx import PptxParser
from desktop_rag.engines.word_docx import DocxParser
from desktop_rag.engines.zip_bounds import encrypted

MAX_BYTES = 100_000_000
TIMEOUT_S = 45
"""Below the minute after which the whole reader is stopped."""
_NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0
_NAMES = ("soffice", "libreoffice", "soffice.com", "soffice.exe")
_PLACES = (
    "/usr/lib/libreoffice/program/soffice",
    "/usr/lib64/libreoffice/program/soffice",
    "/usr/local/bin/soffice",
    "/snap/bin/libreoffice",
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
)
_PATTERNS = ("libreoffice*/program/soffice", "openoffice*/program/soffice")
_SLIDES = frozenset({".ppt", ".pps", ".pot", ".sxi"})
_WORDS = frozenset({".doc", ".dot", ".wps", ".wpt", ".wpd", ".wri", ".sxw", ".hwp", ".lwp"})
_CONTAINER = b"\xd0\xcf\x11\xe0"
_BEGINNINGS = {
    ".doc": (b"\xdb\xa5", b"\xfe\x37", b"\x31\xbe", b"\x9b\xa5"), ".wpd": (b"\xffWPC",),
    ".wri": (b"\x31\xbe", b"\x32\xbe"), ".lwp": (b"WordPro",), ".sxw": (b"PK",), ".sxi": (b"PK",),
    ".hwp": (b"HWP Document File",), ".wps": (b"\x01\xfe",), ".wpt": (b"\x01\xfe",),
}  # fmt: skip
"""First bytes of files that are no OLE container. LibreOffice takes anything else for text."""
_OLD_WORD = struct.Struct("<10xH")
"""Flags of a Word 97 file stand 10 bytes into its main stream."""
_IS_ENCRYPTED = 0x0100
_ENCRYPTED_SLIDES = 0xF3D1C4DF
"""What a protected presentation has for a token 12 bytes into its `Current User` stream."""
_SETTING = (
    '<item oor:path="/org.openoffice.{}"><prop oor:name="{}" oor:op="fuse"><value>{}</value></prop>'
    "</item>"
)
_SETTINGS = (
    ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Office.Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Office.Common/Misc", "FirstRun", "false"),
    ("Office.Jobs/Jobs/UpdateCheck/Arguments", "AutoCheckEnabled", "false"),
    ("Inet/Settings", "ooInetProxyType", "2"),
    ("Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPProxyPort", "9"),
    ("Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPSProxyPort", "9"),
)
"""Macros and links off. The proxy leads nowhere: port 9 discards, and nothing listens there."""


class LegacyOfficeParser:
    """`ports.Parser` for formats that only LibreOffice reads."""

    suffixes = _WORDS | _SLIDES

    @property
    def name(self) -> str:
        """Differs once LibreOffice is installed, so that refused files are read again."""
        return "legacy-1" if find_libreoffice() else "legacy-1-without-libreoffice"

    def parse(self, path: Path) -> ParsedDocument:
        """Convert and read; see `ports.Parser`."""
        kind = _kind(path)
        target = ".pptx" if kind in _SLIDES else ".docx"
        program = find_libreoffice()
        if not program:
            raise Unsupported(
                f"“{path.name}” is in an old format: install LibreOffice (free), then it is read, "
                f"or save it as {target.upper()[1:]} in its own program."
            )
        if path.stat().st_size > MAX_BYTES:
            raise TooLarge(
                f"“{path.name}” is too large for its old format; "
                f"save it as {target.upper()[1:]} and add that."
            )
        with tempfile.TemporaryDirectory(prefix="work-", dir=_profile()) as folder:
            source = shutil.copyfile(path, Path(folder) / f"in{kind}")
            converted = _converted(program, source, target, path.name)
            parser = PptxParser() if target == ".pptx" else DocxParser()
            document = parser.parse(converted)
        return replace(
            document,
            format=kind.lstrip("."),
            notes=("Read through LibreOffice.", *document.notes),
        )


def find_libreoffice() -> str:
    """Path of LibreOffice's program, on PATH or in the usual places; empty when not installed."""
    found = (shutil.which(name) for name in _NAMES)
    return next(filter(None, found), None) or next(_installed(), "")


def _installed() -> Iterator[str]:
    yield from (place for place in _PLACES if Path(place).is_file())
    for root in (Path("/opt"), *map(Path, _windows_roots())):
        for pattern in (*_PATTERNS, "LibreOffice*/program/soffice.com"):
            with suppress(OSError):
                yield from map(str, sorted(root.glob(pattern), reverse=True))


def _windows_roots() -> list[str]:
    names = ("PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432")
    return [os.environ[name] for name in names if os.environ.get(name)]


def _kind(path: Path) -> str:
    """The usual suffix of the file's content, else its own.

    Raises:
        Encrypted: told here, since LibreOffice only says that it cannot load the file.
    """
    suffix = path.suffix.lower()
    try:
        with olefile.OleFileIO(path) as container:
            is_locked = _is_locked(container)
            kinds = (("PowerPoint Document", ".ppt"), ("WordDocument", ".doc"))
            suffix = next((kind for name, kind in kinds if container.exists(name)), suffix)
    except (OSError, ValueError, IndexError, TypeError, AttributeError, struct.error):
        return _checked(path, suffix or ".doc")
    if is_locked:
        raise encrypted(path.name)
    return suffix or ".doc"


def _checked(path: Path, kind: str) -> str:
    """Refuse a file that does not begin like one of its kind."""
    with path.open("rb") as file:
        head = file.read(32)
    if not head.startswith((_CONTAINER, *_BEGINNINGS.get(kind, ()))):
        raise Damaged(
            f"“{path.name}” is not a whole {kind[1:].upper()} file; "
            "open it in its own program and save it again."
        )
    return kind


def _is_locked(container: olefile.OleFileIO) -> bool:
    if container.exists("WordDocument"):
        head = container.openstream("WordDocument").read(12)
        return bool(_OLD_WORD.unpack(head)[0] & _IS_ENCRYPTED)
    if container.exists("Current User"):
        head = container.openstream("Current User").read(16)
        return int.from_bytes(head[12:16], "little") == _ENCRYPTED_SLIDES
    return False


def _converted(program: str, source: Path, target: str, name: str) -> Path:
    """Let LibreOffice write a file as DOCX or PPTX beside itself.

    Args:
        source: a copy in a folder of our own: LibreOffice leaves lock files beside what it reads.
        name: of the original, for messages.

    Raises:
        Damaged: it cannot load the file.
        TooLarge: it takes too long.
    """
    result = source.parent / "out" / f"{source.stem}{target}"
    command = [
        program, f"-env:UserInstallation={_profile().as_uri()}", "--headless", "--norestore",
        "--nologo", "--nolockcheck", "--nodefault", "--convert-to", target[1:],
        "--outdir", str(result.parent), str(source),
    ]  # fmt: skip
    if not _run(command, source.parent):
        raise TooLarge(
            f"“{name}” took LibreOffice longer than {TIMEOUT_S} seconds; "
            f"save it as {target.upper()[1:]} and add that."
        )
    if not result.is_file() or not result.stat().st_size:
        raise Damaged(
            f"“{name}” cannot be opened by LibreOffice; open it in its own program "
            f"and save it as {target.upper()[1:]}."
        )
    return result


@functools.cache
def _profile() -> Path:
    """Settings of our own, made once a process: a fresh profile costs seconds.

    Files are converted in it as well. What killed processes left behind is removed first.
    """
    root = Path(tempfile.gettempdir())
    for old in root.glob("desktop-rag-libreoffice-*"):
        pid = old.name.rpartition("-")[2]
        if pid.isdecimal() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(old, ignore_errors=True)
    profile = root / f"desktop-rag-libreoffice-{os.getpid()}"
    atexit.register(shutil.rmtree, profile, ignore_errors=True)
    shutil.rmtree(profile, ignore_errors=True)
    (profile / "user").mkdir(mode=0o700, parents=True)
    items = "".join(_SETTING.format(*setting) for setting in _SETTINGS)
    (profile / "user" / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor='
        f'"http://openoffice.org/2001/registry">{items}</oor:items>',
        encoding="utf-8",
    )
    return profile


def _run(command: list[str], folder: Path) -> bool:
    """Run to the end; `False` if it had to be stopped, with everything it started."""
    nowhere = "http://127.0.0.1:9"
    environment = os.environ | {
        "HOME": str(folder), "http_proxy": nowhere, "https_proxy": nowhere, "ftp_proxy": nowhere,
        "no_proxy": "", "SAL_USE_VCLPLUGIN": "svp",
    }  # fmt: skip
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment,
        creationflags=_NO_WINDOW,
    )
    try:
        process.wait(TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return False
    else:
        return True
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and its children, and wait until they are gone."""
    with suppress(psutil.NoSuchProcess):
        family = psutil.Process(process.pid)
        for member in [*family.children(recursive=True), family]:
            with suppress(psutil.NoSuchProcess):
                member.kill()
    process.wait()
