"""What is said about the network: what happened, what protects, and what cannot be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale

from desktop_rag.network import Use, UseKind
from desktop_rag.services.update_check import PURPOSE as UPDATE_CHECK
from desktop_rag.ui.translation import _, counted

if TYPE_CHECKING:
    from desktop_rag.services.connections import Activity, Protection


def headline(activity: Activity) -> str:
    """The one line that says it all."""
    if not activity.count:
        return _("Offline: 0 connections since start")
    return counted("{n} connection since start", "{n} connections since start", activity.count)


def since(activity: Activity) -> str:
    """When counting began, and what was refused."""
    moment = QLocale().toString(_moment(activity.since), QLocale.FormatType.ShortFormat)
    sentence = _("Counted in the window and all its workers since {time}.").format(time=moment)
    if not activity.refused:
        return sentence
    refused = counted("{n} attempt was refused.", "{n} attempts were refused.", activity.refused)
    return f"{sentence} {refused}"


def protection(now: Protection) -> list[tuple[str, str]]:
    """Which part is kept from the network, and by what; a line each."""
    window = (
        _("Connections are refused.")
        if now.is_forbidden
        else _("Connects only when you ask for it: to fetch a model, or for the update check.")
    )
    lines = [(_("Window"), window)]
    if now.sealed:
        sealed = _("{workers}: the system refuses them every connection.")
        lines.append((_("Workers"), sealed.format(workers=_roles(now.sealed))))
    if now.hooked:
        hooked = _(
            "{workers}: connections of Python code are refused. This system offers no way to hold "
            "native code to it."
        )
        lines.append((_("Workers"), hooked.format(workers=_roles(now.hooked))))
    if not (now.sealed or now.hooked):
        lines.append((_("Workers"), _("None is running now. They never have the network.")))
    return lines


def explanation() -> str:
    """What is counted and what cannot be."""
    return _(
        "Counted are connections, look-ups of names, listening and datagrams of this program and "
        "its workers, as they happen in Python code, and what native code has open in the "
        "system's table, which is looked at every quarter of a minute. A connection that native "
        "code opens and closes in between is not seen. Programs that you open from here, such as "
        "your browser or a viewer, and what the system itself does are not counted."
    )


def line(use: Use) -> tuple[str, str]:
    """One use: when and who; what, where and why."""
    moment = QLocale().toString(_moment(use.at), "HH:mm:ss")
    where = _("the package index of your system") if use.target == "pip" else use.target
    what = f"{kind(use.kind)}: {where}"
    parts = [what, *([reason(use.reason)] if use.reason else [])]
    if use.is_refused:
        parts.append(_("refused"))
    return f"{moment}  {process(use.process)}", " · ".join(parts)


def kind(of: UseKind) -> str:
    """What was done."""
    return {
        UseKind.CONNECTION: _("Connection"),
        UseKind.LOOK_UP: _("Look-up of a name"),
        UseKind.LISTENING: _("Listening"),
        UseKind.DATAGRAM: _("Datagrams"),
        UseKind.PROGRAM: _("Download by pip"),
    }[of]


def reason(why: str) -> str:
    """What the person wanted."""
    if why == UPDATE_CHECK:
        return _("update check")
    return _("model {model}").format(model=why)


def process(name: str) -> str:
    """Who it was, for a person."""
    return {
        "program": _("Window"),
        "parse": _("Document reader"),
        "view": _("Page viewer"),
        "ocr": _("Text recognition"),
        "index": _("Search index"),
        "llm": _("Language model"),
        "probe": _("Trial of a model"),
    }.get(name, name)


def _roles(roles: tuple[str, ...]) -> str:
    return QLocale().createSeparatedList([process(role) for role in roles])


def _moment(seconds: float) -> QDateTime:
    return QDateTime.fromMSecsSinceEpoch(round(seconds * 1000))
