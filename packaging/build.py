"""Builds what is given away. Needs the development environment (`launch.py setup --dev`).

    .venv/bin/python packaging/build.py                 everything that this system can make
    .venv/bin/python packaging/build.py STEP [STEP …]   these steps, in this order
    .venv/bin/python packaging/build.py --list          what there is

What people get lies in `packaging/dist/out` in the end.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from release.plan import BuildFailed, Plan, version_of_the_program

ANYWHERE = ("linux", "win32", "darwin")


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a module of `release` with `run(plan)`."""

    name: str
    says: str
    systems: tuple[str, ...] = ANYWHERE
    is_usual: bool = True
    """Whether it belongs to a build of everything."""


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


def main(argv: list[str]) -> int:
    """Run the chosen steps; returns the exit code."""
    args = arguments().parse_args(argv)
    if args.list:
        for step in STEPS:
            print(f"{step.name:<12} {step.says}{where(step)}")
        return 0
    plan = Plan(version_of_the_program(), model=args.model, key=args.key)
    try:
        for step in chosen(args.steps, has_key=bool(args.key)):
            started = time.monotonic()
            importlib.import_module(f"release.{step.name.replace('-', '_')}").run(plan)
            print(f"{step.name}: {time.monotonic() - started:.0f} s", flush=True)
    except BuildFailed as exc:
        print(f"\n{exc}", file=sys.stderr)
        return 1
    return 0


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or ""), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("steps", nargs="*", metavar="STEP", help="see --list")
    parser.add_argument("--list", action="store_true", help="tell what the steps do")
    parser.add_argument("--model", type=Path, help="a language model (GGUF) to put into packages")
    parser.add_argument("--key", default="", help="the key that the step `sign` signs with")
    return parser


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
            raise BuildFailed(f"The step `{step.name}` runs{where(step)}.")
    return steps


def where(step: Step) -> str:
    """The systems of a step, when it does not run everywhere."""
    names = {"linux": "Linux", "win32": "Windows", "darwin": "macOS"}
    if step.systems == ANYWHERE:
        return ""
    return " on " + " and ".join(names[system] for system in step.systems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
