"""Writes the source code and the checksums beside the packages.

The source code is what the licence (AGPL, section 6) asks to be offered at the same place.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
from pathlib import Path
from typing import Any

from release.plan import ROOT, BuildFailed, Plan, digest_of

NAME = "SHA256SUMS"
SIGNATURE = f"{NAME}.asc"
_OURS = re.compile(r"desktop-rag(?:-complete)?[-_](\d+(?:\.\d+)*)[-_.].+")
"""Names of what the other steps make, with the version."""


def run(plan: Plan) -> None:
    """Write both; an older signature goes, for it would be one of other sums.

    Raises:
        BuildFailed: the packages are not all of this version, or the program is not the listed one.
    """
    (plan.out / SIGNATURE).unlink(missing_ok=True)
    check_versions(plan)
    check_bill(plan)
    write_source(plan)
    text = sums_of(plan.out)
    (plan.out / NAME).write_text(text, encoding="utf-8", newline="\n")
    print(f"{NAME}: {len(text.splitlines())} files in {plan.out}")


def check_versions(plan: Plan) -> None:
    """What was built before the version changed must not be given away with the rest.

    Raises:
        BuildFailed: there is such a file.
    """
    named = [(path.name, _OURS.fullmatch(path.name)) for path in listed(plan.out)]
    others = [name for name, found in named if found and found[1] != plan.version]
    if others:
        raise BuildFailed(
            f"{', '.join(others)} in {plan.out} is not of version {plan.version}: delete it or lay "
            "it elsewhere, and run this step again."
        )


def check_bill(plan: Plan) -> None:
    """A step after `sbom` may have changed the program: then the list is not that of the packages.

    Raises:
        BuildFailed: it has.
    """
    bill = plan.out / f"desktop-rag-{plan.version}.cdx.json"
    if not bill.exists() or not plan.program.exists():
        return
    known = _listed_files(json.loads(bill.read_text(encoding="utf-8")))
    there = {
        path.relative_to(plan.program).as_posix(): path
        for path in plan.program.rglob("*")
        if path.is_file() and not path.name.endswith(".cdx.json")
    }
    other = known.keys() ^ there.keys()
    other |= {
        place for place in known.keys() & there.keys() if digest_of(there[place]) != known[place]
    }
    if other:
        raise BuildFailed(
            f"The program is not what {bill.name} lists ({', '.join(sorted(other)[:3])}): run the "
            "steps from `licences` on again."
        )


def _listed_files(bill: dict[str, Any]) -> dict[str, str]:
    """Checksums by place in the program."""
    return {
        inner["name"]: inner["hashes"][0]["content"]
        for part in [bill["metadata"]["component"], *bill["components"]]
        for inner in part.get("components", ())
        if inner["type"] == "file"
    }


def sums_of(folder: Path) -> str:
    """A line for each file, as sha256sum reads it."""
    return "".join(f"{digest_of(path)}  {path.name}\n" for path in listed(folder))


def listed(folder: Path) -> list[Path]:
    """What the sums are of."""
    ours = {NAME, SIGNATURE}
    return sorted(path for path in folder.iterdir() if path.is_file() and path.name not in ours)


def write_source(plan: Plan) -> None:
    """The commit that is built, as an archive without the time of packing in it.

    Raises:
        BuildFailed: this is no clone, or there is no git.
    """
    folder = f"desktop-rag-{plan.version}"
    command = ["git", "archive", "--format=tar", f"--prefix={folder}/", "HEAD"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        raise BuildFailed(
            "The source code cannot be packed: run this step in a clone, with git."
        ) from None
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=plan.epoch) as archive:
        archive.write(done.stdout)
    (plan.out / f"{folder}-source.tar.gz").write_bytes(packed.getvalue())
