"""How the parts of the program do, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt, qVersion

from desktop_rag.domain.health import WorkerFacts
from desktop_rag.services.upkeep import Outcome
from desktop_rag.ui.byte_size import size
from desktop_rag.ui.privacy.network_words import process
from desktop_rag.ui.translation import _, counted

if TYPE_CHECKING:
    from desktop_rag.services.health import HealthReport
    from desktop_rag.services.upkeep import Finding
    from desktop_rag.storage.index_age import IndexAge


def lines(report: HealthReport) -> list[tuple[str, str]]:
    """Everything, a line each."""
    return [
        *((process(one.role), worker(one)) for one in report.workers),
        (_("Index"), index(report.index)),
        (_("Free disk"), size(report.free)),
        *versions(report),
    ]


def versions(report: HealthReport) -> list[tuple[str, str]]:
    """Names and versions; the window knows its own toolkit."""
    return [*report.versions, ("Qt", qVersion())]


def worker(facts: WorkerFacts) -> str:
    """State, memory and restarts of one worker."""
    parts = [state(facts.state)]
    if facts.memory:
        parts.append(_("{size} of memory").format(size=size(facts.memory)))
    restarts = max(0, facts.starts - 1)
    if restarts:
        parts.append(counted("started {n} more time", "started {n} more times", restarts))
    if facts.crashes:
        parts.append(counted("crashed {n} time", "crashed {n} times", facts.crashes))
    return " · ".join(parts)


def state(name: str) -> str:
    """What a worker does."""
    return {
        "starting": _("Starting"),
        "ready": _("Running"),
        "stopped": _("Not running; starts when it is needed"),
        "unavailable": _("Switched off for a while, because it crashed repeatedly"),
    }.get(name, name)


def index(age: IndexAge) -> str:
    """Age and state of what is searched."""
    if not (age.ready or age.waiting or age.failed):
        return _("Empty: no file was read yet")
    parts = [counted("{n} file searchable", "{n} files searchable", age.ready)]
    if age.newest:
        parts.append(_("last read {time}").format(time=moment(age.newest)))
    if age.waiting:
        parts.append(counted("{n} file waits", "{n} files wait", age.waiting))
    if age.failed:
        parts.append(counted("{n} file failed", "{n} files failed", age.failed))
    if age.changes:
        parts.append(
            counted("{n} passage to be taken over", "{n} passages to be taken over", age.changes)
        )
    return " · ".join(parts)


def moment(time: str) -> str:
    """A time of the catalog (UTC, ISO 8601) on the person's clock."""
    parsed = QDateTime.fromString(time, Qt.DateFormat.ISODate).toLocalTime()
    return QLocale().toString(parsed, QLocale.FormatType.ShortFormat)


def outcome(of: Outcome) -> str:
    """The mark before a finding."""
    return {
        Outcome.OK: _("Fine"),
        Outcome.NOTE: _("Note"),
        Outcome.PROBLEM: _("Problem"),
        Outcome.SKIPPED: _("Not checked"),
    }[of]


def remedy(finding: Finding) -> str:
    """What to do about a finding; what Repair does needs no more words."""
    if finding.outcome is Outcome.OK:
        return ""
    if finding.repair is not None:
        return _("Repair does it.")
    return finding.remedy


def verdict(findings: Sequence[Finding]) -> str:
    """The check-up in a sentence."""
    problems = sum(one.outcome is Outcome.PROBLEM for one in findings)
    if not problems:
        return counted("{n} check, nothing wrong.", "{n} checks, nothing wrong.", len(findings))
    return counted("{n} problem was found.", "{n} problems were found.", problems)


def as_text(report: HealthReport, findings: Sequence[Finding]) -> str:
    """For whoever helps: everything but names of files, which are left out by the caller."""
    told = [f"{name}: {value}" for name, value in lines(report)]
    told += [f"{outcome(one.outcome)}  {one.check}: {one.message}" for one in findings]
    return "\n".join(told)
