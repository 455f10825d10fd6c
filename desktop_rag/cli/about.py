"""`about`: what the program is, what it consists of, and under which licences."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from desktop_rag.cli.arguments import Subparsers, add_command
from desktop_rag.cli.output import print_json, show
from desktop_rag.domain.shipped_parts import Build, Part
from desktop_rag.services.about import LICENCE, About

RIGHTS = """\
Free software under the GNU Affero General Public License, version 3 or later: you may use, study,
share and change it. It comes without any warranty. Whoever gives you the program must also offer
you its source code at no further charge, and so must whoever lets you use a changed one over a
network."""


def register(subparsers: Subparsers) -> None:
    """Add the command of this module."""
    command = add_command(
        subparsers, "about", "Tell version, licence and all parts of the program.", _about
    )
    command.add_argument("name", metavar="NAME", nargs="?", help="show the licence of this part")


def _about(args: argparse.Namespace) -> int:
    about = About()
    if args.name:
        _show_part(about, about.find(args.name), is_json=args.json)
        return 0
    build, parts = about.build(), about.parts()
    if args.json:
        bill = about.bill_of_materials()
        print_json(
            {
                "version": build.version,
                "commit": build.commit or None,
                "date": build.date or None,
                "installed": build.is_frozen,
                "licence": LICENCE,
                "bill_of_materials": str(bill) if bill else None,
                "parts": [_described(part) for part in parts],
            }
        )
        return 0
    show(f"{_line(build)}\n\n{RIGHTS}\n")
    _show_parts(parts)
    show("\n`desktop-rag about NAME` shows the licence text of a part.")
    return 0


def _line(build: Build) -> str:
    if not build.is_frozen:
        return f"Desktop RAG {build.version}, run from its source code"
    return f"Desktop RAG {build.version}, built from commit {build.commit} of {build.date}"


def _show_parts(parts: Sequence[Part]) -> None:
    widths = [max(len(part.name) for part in parts), max(len(part.version) for part in parts)]
    for part in parts:
        show(f"{part.name:<{widths[0]}}  {part.version:<{widths[1]}}  {part.licence or '-'}")


def _show_part(about: About, part: Part, *, is_json: bool) -> None:
    text = about.text(part)
    if is_json:
        print_json({**_described(part), "text": text})
        return
    lines = [f"{part.name} {part.version}: {part.licence or 'licence not named'}"]
    lines += [line for line in (part.summary, part.home, part.note) if line]
    show("\n".join(lines) + f"\n\n{text or 'It brought no licence text.'}")


def _described(part: Part) -> dict[str, str]:
    return {
        "name": part.name,
        "version": part.version,
        "licence": part.licence,
        "kind": part.kind,
        "home": part.home,
    }
