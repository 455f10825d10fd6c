"""The steps of a build, in the order of a build of everything, and which of them are run."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from release.plan import BuildFailed

ANYWHERE = ("linux", "win32", "darwin")


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a module of `release` with `run(plan)`."""

    name: str
    says: str
    systems: tuple[str, ...] = ANYWHERE
    is_usual: bool = True
    """Whether it belongs to a build of everything."""

    @property
    def where(self) -> str:
        """Its systems, when it does not run everywhere."""
        names = {"linux": "Linux", "win32": "Windows", "darwin": "macOS"}
        if self.systems == ANYWHERE:
            return ""
        return " on " + " and ".join(names[system] for system in self.systems)


STEPS = (
    Step("llama", "compile llama.cpp for every processor"),
    Step("freeze", "freeze the program with PyInstaller"),
    Step("licences", "put the licence texts of everything that is shipped into it"),
    Step("sbom", "list what is in it for machines (CycloneDX)"),
    Step("weigh", "tell what each part weighs, and hold the limit"),
    Step("check", "run the frozen program's own test"),
    Step("deb", "make the Debian packages", ("linux",)),
    Step("bundle", "make the installer for Linux that needs no root (.run)", ("linux",)),
    Step("models", "write the default language model into a file for the program to import"),
    Step("windows", "make the installers with Inno Setup", ("win32",)),
    Step("macos", "make the disk images, signed and notarised by hooks", ("darwin",)),
    Step("sums", "write the source code and the checksums beside the packages"),
    Step("sign", "sign the checksums with the key of --key"),
    Step(
        "prove",
        "install it in a clean root without a network, and use it",
        ("linux",),
        is_usual=False,
    ),
    Step("qemu", "run the frozen program as other processors", ("linux",), is_usual=False),
    Step("reproduce", "build again at another place and tell what differs", is_usual=False),
)
"""In the order of a build of everything."""


def chosen(names: list[str], *, has_key: bool) -> list[Step]:
    """The named steps, or those of this system; only who names a key wants everything signed.

    Raises:
        BuildFailed: there is no such step, or it cannot run on this system.
    """
    if not names:
        usual = [step for step in STEPS if step.is_usual and sys.platform in step.systems]
        return [step for step in usual if has_key or step.name != "sign"]
    known = {step.name: step for step in STEPS}
    for name in names:
        if name not in known:
            raise BuildFailed(f"There is no step `{name}`. There are: {', '.join(known)}.")
    steps = [known[name] for name in names]
    for step in steps:
        if sys.platform not in step.systems:
            raise BuildFailed(f"The step `{step.name}` runs{step.where}.")
    return steps
