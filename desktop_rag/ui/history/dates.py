"""When a chat was used, in the words of the list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from PySide6.QtCore import QDateTime, QLocale

from desktop_rag.domain.answers import Conversation
from desktop_rag.ui.translation import _


def local(moment: str) -> datetime:
    """A stored UTC time on the clock on the wall; long ago where it cannot be read."""
    try:
        return datetime.fromisoformat(moment).astimezone()
    except ValueError:
        return datetime(1970, 1, 1).astimezone()


def group(chat: Conversation, today: date) -> str:
    """The heading a chat stands under."""
    if chat.is_pinned:
        return _("Pinned")
    days = (today - local(chat.updated_at).date()).days
    if days <= 0:
        return _("Today")
    if days == 1:
        return _("Yesterday")
    return _("This week") if days <= _days_of_week(today) else _("Earlier")


def headings(chats: Sequence[Conversation], today: date) -> list[str]:
    """For each chat the heading above it; empty where it stands under that of the one before."""
    groups = [group(chat, today) for chat in chats]
    return [
        one if one != before else "" for one, before in zip(groups, ["", *groups], strict=False)
    ]


def short(moment: str, today: date) -> str:
    """The time of today, or the day."""
    when = local(moment)
    locale = QLocale()
    if when.date() == today:
        return locale.toString(_qt(when).time(), QLocale.FormatType.ShortFormat)
    return locale.toString(_qt(when).date(), QLocale.FormatType.ShortFormat)


def full(moment: str) -> str:
    """Day and time."""
    return QLocale().toString(_qt(local(moment)), QLocale.FormatType.ShortFormat)


def _days_of_week(today: date) -> int:
    """How many days of this week are over, in the country of the person."""
    return (today.isoweekday() - QLocale().firstDayOfWeek().value) % 7


def _qt(when: datetime) -> QDateTime:
    return QDateTime.fromSecsSinceEpoch(int(when.timestamp()))
