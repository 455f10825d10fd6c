"""Takes what a person thinks of the answers, and tells it again."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.answers import MessageId
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.feedback import Feedback, Rating, Reason
from desktop_rag.storage.feedback import FeedbackStore

MAX_COMMENT_CHARS = 2_000


class Judgements:
    """Thumbs up and down on stored answers. Usable from any thread; nothing leaves the library."""

    def __init__(self, store: FeedbackStore) -> None:
        self._store = store

    def rate(
        self,
        message: MessageId,
        *,
        is_good: bool,
        reason: Reason = Reason.NONE,
        comment: str = "",
    ) -> Rating:
        """Keep a verdict on an answer, in the place of an earlier one.

        Raises:
            InvalidInput: the comment is too long; nothing was changed.
            NotFound: there is no such answer any more.
        """
        comment = comment.strip()
        if len(comment) > MAX_COMMENT_CHARS:
            raise InvalidInput(
                f"Your comment has {len(comment):,} characters; shorten it to at most "
                f"{MAX_COMMENT_CHARS:,}."
            )
        rating = Rating(is_good, Reason.NONE if is_good else reason, comment)
        self._store.keep(message, rating)
        return rating

    def take_back(self, message: MessageId) -> None:
        """No verdict on this answer after all."""
        self._store.forget(message)

    def of(self, messages: Sequence[MessageId]) -> dict[MessageId, Rating]:
        """The verdicts on these answers, as far as there are any."""
        return self._store.of(messages)

    def all(self) -> list[Feedback]:
        """Every verdict with its question, the newest first."""
        return self._store.all()
