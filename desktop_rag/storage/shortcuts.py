"""Where a shortcut leads to: `.desktop`, `.url`, `.webloc`, `.lnk` and symbolic links."""

from __future__ import annotations

import os
import plistlib
import re
import struct
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.parsers.expat import ExpatError

SHORTCUTS = frozenset({".desktop", ".url", ".webloc", ".lnk"})
_MAX_BYTES = 100_000
_URL_LINE = re.compile(r"^URL(?:\[\w+\])?\s*=\s*(\S.*)$", re.MULTILINE | re.IGNORECASE)
_HAS_LINK_TARGET, _HAS_LINK_INFO = 1, 2


def target_of(path: Path) -> str:
    """A path or an address; empty when it leads nowhere that can be added.

    Raises:
        OSError: it cannot be read.
    """
    suffix = path.suffix.lower()
    with path.open("rb") as file:
        contents = file.read(_MAX_BYTES)
    if suffix == ".lnk":
        return _windows_target(contents)
    if suffix == ".webloc":
        return _local(_webloc_target(contents))
    found = _URL_LINE.search(contents.decode("utf-8", errors="replace"))
    return _local(found[1].strip()) if found else ""


def _local(address: str) -> str:
    """The path of a `file:` address; any other as it is, empty for what is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if parts.scheme.lower() != "file":
        return address
    path = unquote(parts.path)
    return path.lstrip("/") if os.name == "nt" and re.match(r"/[A-Za-z]:", path) else path


def _webloc_target(contents: bytes) -> str:
    try:
        found = plistlib.loads(contents)
    except (ExpatError, ValueError, ArithmeticError, AttributeError, LookupError, TypeError):
        return ""
    return str(found.get("URL", "")) if isinstance(found, dict) else ""


def _windows_target(contents: bytes) -> str:
    """The local path of a shell link, see [MS-SHLLINK]."""
    try:
        flags = struct.unpack_from("<I", contents, 20)[0]
        start = 76
        if flags & _HAS_LINK_TARGET:
            start += 2 + struct.unpack_from("<H", contents, start)[0]
        if not flags & _HAS_LINK_INFO:
            return ""
        offset = struct.unpack_from("<I", contents, start + 16)[0]
    except struct.error:
        return ""
    raw = contents[start + offset :].split(b"\0", 1)[0] if offset else b""
    return raw.decode("mbcs" if os.name == "nt" else "cp1252", errors="replace")
