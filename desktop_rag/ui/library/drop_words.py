"""What came of dropping or adding things, in one sentence."""

from __future__ import annotations

from pathlib import PurePath

from desktop_rag.domain.library import AddReport, DropKind, Dropped, Intake
from desktop_rag.ui.byte_size import size
from desktop_rag.ui.translation import _, counted


def outcome(intake: Intake, report: AddReport | None) -> tuple[str, str]:
    """The sentence and its kind (`info` or `warning`); without a report nothing was added."""
    refused = refusals(intake, report)
    added = _added(intake) if report is not None and intake.wanted else ""
    if not added and len(refused) == 1:
        is_fine = refused[0].kind is DropKind.ALREADY
        return refused[0].sentence, "info" if is_fine else "warning"
    if not refused:
        return added, "info"
    left_out = counted("{n} thing was left out", "{n} things were left out", len(refused))
    if all(one.kind is DropKind.ALREADY for one in refused):
        left_out = counted("{n} was there already", "{n} were there already", len(refused))
    first = refused[0].sentence
    if not added:
        sentence = _("Nothing was added: {left_out}. {first}").format(
            left_out=left_out, first=first
        )
        return sentence, "warning"
    sentence = _("{added} {left_out}: {first}").format(added=added, left_out=left_out, first=first)
    return sentence, "warning"


def refusals(intake: Intake, report: AddReport | None) -> list[Dropped]:
    """What was not added, each with its sentence."""
    late = report.skipped if report is not None else ()
    return [
        *intake.refused,
        *(Dropped(path, DropKind.UNREADABLE, sentence=reason) for path, reason in late),
    ]


def _added(intake: Intake) -> str:
    """`Added 3 folders with 120 files.`"""
    wanted = intake.wanted
    folders = [one for one in wanted if one.kind is not DropKind.FILE]
    if len(wanted) == 1 and wanted[0].kind is DropKind.EMPTY:
        return _("Added {name}.").format(name=_name(wanted[0])) + " " + wanted[0].sentence
    if len(wanted) == 1:
        name = _name(wanted[0])
        if not folders:
            return _("Added {name}.").format(name=name)
        files = counted("{n} file", "{n} files", intake.files)
        return _("Added {name} with {files}.").format(name=name, files=files)
    files = counted("{n} file", "{n} files", intake.files)
    if not folders:
        return _("Added {files}.").format(files=files)
    named = counted("{n} folder", "{n} folders", len(folders))
    return _("Added {folders} with {files}.").format(folders=named, files=files)


def question(intake: Intake) -> str:
    """Asked before many files are added."""
    files = counted("{n} file", "{n} files", intake.files)
    return _("Add {files} ({size})?").format(files=files, size=size(intake.size))


def _name(item: Dropped) -> str:
    return PurePath(item.path).name or item.path
