"""The scripts that dpkg runs, from `packaging/linux/debian`."""

from __future__ import annotations

import re
import textwrap

from release.plan import PACKAGING

TEMPLATES = PACKAGING / "linux" / "debian"
SCRIPTS = ("preinst", "prerm", "postrm")


def script(name: str, needed_kib: int) -> str:
    """A script as it is put into a package that needs so much room."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    running = (TEMPLATES / "running.sh").read_text(encoding="utf-8")
    place = re.search(r"^( *)#RUNNING#\n", text, re.MULTILINE)
    if place is not None:
        text = text.replace(place[0], textwrap.indent(running, place[1]))
    return text.replace("@NEEDED_KIB@", str(needed_kib))
