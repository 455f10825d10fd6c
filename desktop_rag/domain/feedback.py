"""What a person thinks of an answer: thumbs up or down, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.domain.answers import MessageId


class Reason(StrEnum):
    """What was wrong with an answer."""

    NONE = ""
    """Not said, or nothing."""
    WRONG = "wrong"
    NOT_IN_SOURCE = "not in the source"
    INCOMPLETE = "incomplete"
    TOO_SLOW = "too slow"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Rating:
    """The person's verdict on one answer."""

    is_good: bool
    reason: Reason = Reason.NONE
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Feedback:
    """A verdict with the question that it is about."""

    time: str
    """When it was given, UTC, ISO 8601."""
    message: MessageId
    question: str
    """Empty when the chat has lost it."""
    rating: Rating
