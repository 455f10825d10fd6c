"""What tells a Linux desktop about the program: menu entry, icons, file type, AppStream, manual.

The same files for every package. The menu entry starts the command by its name; the installer
without root (`linux/installer`) writes the command's place into it.
"""

from __future__ import annotations

import gzip
import time
from pathlib import Path

from release import icons, manual
from release.plan import PACKAGING, Plan

TEMPLATES = PACKAGING / "linux"
ENTRY = "desktop-rag.desktop"
METAINFO = "org.desktop_rag.DesktopRAG.metainfo.xml"
MIME = "desktop-rag-mime.xml"


def write_share(plan: Plan, share: Path) -> None:
    """Fill a `share` folder (`/usr/share`, `~/.local/share`), which is made if it is missing."""
    icons.write_hicolor(share / "icons" / "hicolor")
    _write(share / "applications" / ENTRY, template(ENTRY))
    _write(share / "mime" / "packages" / "desktop-rag.xml", template(MIME))
    _write(share / "metainfo" / METAINFO, metainfo(plan))
    text = manual.page(manual.program_parser(), f"Desktop RAG {plan.version}", day_of(plan))
    write_gzip(share / "man" / "man1" / "desktop-rag.1.gz", text)


def template(name: str) -> str:
    """The text of a file of `packaging/linux`."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def metainfo(plan: Plan) -> str:
    """The AppStream description with this version."""
    return template(METAINFO).replace("@VERSION@", plan.version).replace("@DATE@", day_of(plan))


def day_of(plan: Plan) -> str:
    """The day of everything in this build, e.g. 2026-11-30."""
    return time.strftime("%Y-%m-%d", time.gmtime(plan.epoch))


def write_gzip(path: Path, text: str) -> None:
    """Compress without name and time, so that the same text is the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
