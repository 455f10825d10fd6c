"""What a package says about itself: control, changelog, checksums."""

from __future__ import annotations

import email.utils
import hashlib
import os
import platform
import re
import subprocess
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path

from release.needs import external_libraries, symbol_version
from release.plan import PACKAGING, ROOT, BuildFailed, Plan

SMALL, COMPLETE = "desktop-rag", "desktop-rag-complete"

_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_LIBC = {"ld-linux-x86-64", "ld-linux-aarch64", "libc", "libm", "libdl", "libpthread", "librt"}
_LIBC |= {"libresolv", "libutil", "libanl", "libnsl"}
_PACKAGES = {
    "libstdc++.so.6": "libstdc++6",
    "libgcc_s.so.1": "libgcc-s1",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libXext.so.6": "libxext6",
    "libXau.so.6": "libxau6",
    "libXdmcp.so.6": "libxdmcp6",
    "libxcb.so.1": "libxcb1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libdrm.so.2": "libdrm2",
    "libgbm.so.1": "libgbm1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
}
"""By table, as these names are the same in every release; others are looked up on this system."""
_GCC = (((3, 4, 33), "14"), ((3, 4, 31), "13.1"), ((3, 4, 30), "12"), ((3, 4, 29), "11"))
"""Which version of libstdc++6 brings which symbols, newest first."""

_SYNOPSIS = "ask your own documents, entirely on this computer"
_DESCRIPTION = """\
You add files and folders; the program reads them, finds the passages that answer a question, lets
a small language model write the answer from those passages only, and shows for every statement
where it stands: file, page, section, quote. When the documents do not hold the answer, it says so.

It reads PDF, Word, PowerPoint, Excel, OpenDocument, mail, e-books, scans and pictures, web pages,
text and source code. Documents, questions and answers never leave the computer, and it makes no
connection on its own.
"""
_ENDINGS = {
    SMALL: "This package has no language model; one can be taken from a file.",
    COMPLETE: "This package has a language model: it answers without any network.",
}


def maintainer() -> str:
    """Who answers for the package: `DEBFULLNAME` and `DEBEMAIL`, as for all of Debian's tools.

    The project has no address of its own; the one here reaches nobody.
    """
    name = os.environ.get("DEBFULLNAME") or "The Desktop RAG contributors"
    return f"{name} <{os.environ.get('DEBEMAIL') or 'desktop-rag@localhost'}>"


def other(package: str) -> str:
    """The package that cannot be installed beside this one."""
    return COMPLETE if package == SMALL else SMALL


def architecture() -> str:
    """The name that Debian has for this machine."""
    return _ARCHITECTURES.get(platform.machine(), platform.machine())


def control(plan: Plan, package: str, installed_kib: int, depends: Iterable[str]) -> str:
    """The file `control`."""
    fields = {
        "Package": package,
        "Version": plan.version,
        "Architecture": architecture(),
        "Maintainer": maintainer(),
        "Installed-Size": str(installed_kib),
        "Depends": ", ".join(depends),
        # No recommendations: apt would look for them on a network.
        "Suggests": "xdg-utils, libreoffice-writer, libreoffice-impress",
        "Conflicts": other(package),
        "Replaces": other(package),
        "Section": "text",
        "Priority": "optional",
        "Description": f"{_SYNOPSIS}\n" + _long(_DESCRIPTION + "\n" + _ENDINGS[package]),
    }
    if package == COMPLETE:
        fields["Provides"] = f"{SMALL} (= {plan.version})"
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def _long(text: str) -> str:
    """Paragraphs as in a control file: indented, with dots between them."""
    parts = (textwrap.fill(part, 78) for part in re.split(r"\n\s*\n", text.strip()))
    return textwrap.indent("\n.\n".join(parts), " ")


def depends(plan: Plan) -> list[str]:
    """The packages that bring what the frozen program takes from the system.

    Raises:
        BuildFailed: nobody knows which package brings a library.
    """
    found = {package_of(name) for name in external_libraries(plan)}
    versions = {
        "libc6": symbol_version(plan, "GLIBC"),
        "libstdc++6": gcc_of(symbol_version(plan, "GLIBCXX")),
    }
    return sorted(_at_least(name, versions) for name in found)


def _at_least(name: str, versions: Mapping[str, str]) -> str:
    version = versions.get(name)
    return f"{name} (>= {version})" if version else name


def package_of(soname: str) -> str:
    """The package that brings a library.

    Raises:
        BuildFailed: neither the table nor dpkg knows.
    """
    if soname.partition(".so")[0] in _LIBC:
        return "libc6"
    if soname in _PACKAGES:
        return _PACKAGES[soname]
    asked = subprocess.run(
        ["dpkg-query", "-S", f"*/{soname}"], capture_output=True, text=True, check=False
    )
    names = {line.partition(":")[0] for line in asked.stdout.splitlines()}
    if len(names) != 1:
        raise BuildFailed(
            f"It is not known which package brings {soname}: add it to the table in "
            "packaging/release/debian_control.py."
        )
    return names.pop()


def gcc_of(symbols: str) -> str:
    """The oldest libstdc++6 with these symbols (`3.4.30`)."""
    wanted = tuple(int(part) for part in symbols.split("."))
    return next((version for least, version in _GCC if wanted >= least), "")


def changelog(plan: Plan, package: str) -> str:
    """The entries of `CHANGELOG.md` in the form of Debian."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(
        rf"^## \[{re.escape(plan.version)}\].*?$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    )
    entries = re.findall(r"^- (.+?)(?=^- |^#|\Z)", found[1] if found else "", re.M | re.S)
    entries = entries or [f"Version {plan.version}."]
    lines = [
        textwrap.fill(" ".join(one.split()), 78, initial_indent="  * ", subsequent_indent="    ")
        for one in entries
    ]
    when = email.utils.formatdate(plan.epoch)
    head = f"{package} ({plan.version}) unstable; urgency=medium"
    return "\n".join([head, "", *lines, "", f" -- {maintainer()}  {when}", ""])


def overrides(package: str) -> str:
    """What lintian is told, without what holds for the other package only."""
    text = (PACKAGING / "linux" / "debian" / "lintian-overrides").read_text(encoding="utf-8")
    return "".join(
        line
        for line in text.splitlines(keepends=True)
        if not line.startswith(f"{other(package)}: ")
    )


def md5sums(root: Path) -> str:
    """A line for each file of a package, from its root."""
    lines = []
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.is_file() and not path.is_symlink() and name.parts[0] != "DEBIAN":
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "md5").hexdigest()
            lines.append(f"{digest}  {name}\n")
    return "".join(lines)


def installed_kib(root: Path) -> int:
    """As dpkg-gencontrol counts it: whole KiB for each file, one for everything else."""
    total = 0
    for path in root.rglob("*"):
        is_file = path.is_file() and not path.is_symlink()
        total += -(-path.stat().st_size // 1024) if is_file else 1
    return total
