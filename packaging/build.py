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
from pathlib import Path

from release.plan import BuildFailed, Plan, version_of_the_program
from release.steps import STEPS, chosen

_SET_UP = "run `python3 launch.py setup --dev`, and this with the Python of `.venv`."


def main(argv: list[str]) -> int:
    """Run the chosen steps; returns the exit code."""
    args = arguments().parse_args(argv)
    if args.list:
        for step in STEPS:
            print(f"{step.name:<12} {step.says}{step.where}")
        return 0
    plan = Plan(version_of_the_program(), model=args.model, key=args.key)
    try:
        for step in chosen(args.steps, has_key=bool(args.key)):
            started = time.monotonic()
            importlib.import_module(f"release.{step.name}").run(plan)
            print(f"{step.name}: {time.monotonic() - started:.0f} s", flush=True)
    except BuildFailed as exc:
        print(f"\n{exc}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as exc:
        if str(exc.name).startswith("release"):
            raise
        print(f"\n{exc.name} is not installed: {_SET_UP}", file=sys.stderr)
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
