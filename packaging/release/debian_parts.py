"""Libraries that were copied from a Debian system, as parts."""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from release.known_parts import debian_licence
from release.parts import Kind, Part, Text

_FIELDS = ("Package", "Version", "Architecture", "source:Package", "source:Version", "Homepage")
_COMMON = Path("/usr/share/common-licenses")


def packages_of(paths: Iterable[Path]) -> dict[Path, str]:
    """Which package brought a file; those that none brought are left out."""
    asked = {form: path for path in paths for form in _forms(path)}
    if not asked:
        return {}
    found: dict[Path, str] = {}
    for line in _said(["dpkg", "-S", *asked]):
        owners, _colon, place = line.rpartition(": ")
        if place in asked and not line.startswith("diversion"):
            found[asked[place]] = owners.split(", ")[0]
    return found


def _forms(path: Path) -> set[str]:
    """The file and what it leads to, with and without the `/usr` that Debian merged."""
    made = set()
    for one in (str(path), str(path.resolve())):
        bare = one.removeprefix("/usr")
        made |= {one, bare, f"/usr{bare}"}
    return made


def _said(command: Sequence[str]) -> list[str]:
    """Lines of a program that fails when one of the things asked for is unknown."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return []
    return done.stdout.splitlines()


def debian_part(package: str) -> Part:
    """A package that is installed here."""
    command = ["dpkg-query", "-W", "-f", "\t".join(f"${{{one}}}" for one in _FIELDS), package]
    name, version, architecture, source, source_version, home = _said(command)[0].split("\t")
    texts = _texts(name)
    return Part(
        key=f"deb:{name}",
        name=name,
        version=version,
        kind=Kind.SYSTEM,
        licence=debian_licence(source, texts[0].path.read_text("utf-8") if texts else ""),
        texts=texts,
        summary=f"From the Debian source package {source} {source_version}",
        home=home,
        purl=f"pkg:deb/{_system()}/{name}@{version}?arch={architecture}{_release()}",
    )


def _texts(name: str) -> tuple[Text, ...]:
    """Its copyright file, and the common licences which that refers to."""
    path = Path("/usr/share/doc") / name / "copyright"
    if not path.is_file():
        return ()
    pattern = rf"{_COMMON}/([A-Za-z0-9.+-]*[A-Za-z0-9])"
    named = sorted(set(re.findall(pattern, path.read_text(encoding="utf-8"))))
    common = [_COMMON / one for one in named if (_COMMON / one).is_file()]
    return (
        Text(path.resolve(), f"system/{name}/copyright.txt"),
        *(Text(one.resolve(), f"common/{one.resolve().name}.txt") for one in common),
    )


def _system() -> str:
    return platform.freedesktop_os_release().get("ID", "debian")


def _release() -> str:
    about = platform.freedesktop_os_release()
    number = about.get("VERSION_ID")
    return f"&distro={about.get('ID', 'debian')}-{number}" if number else ""
