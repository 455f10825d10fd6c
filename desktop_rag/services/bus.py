"""Publishes events to whoever subscribed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from desktop_rag.domain.events import Event

logger = logging.getLogger(__name__)

Listener = Callable[[Event], None]


class Bus:
    """Calls every listener with every event, on the thread that publishes.

    A listener must be quick and must not publish. One that raises is logged and keeps its place:
    a broken view never stops indexing.
    """

    def __init__(self) -> None:
        # Held only while the list changes; never while a listener runs.
        self._lock = threading.Lock()
        self._listeners: tuple[Listener, ...] = ()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Add a listener; the returned function removes it again."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = tuple(one for one in self._listeners if one is not listener)

        return unsubscribe

    def publish(self, event: Event) -> None:
        """Hand the event to all listeners."""
        for listener in self._listeners:
            try:
                listener(event)
            except Exception:  # supervisor: one listener never hurts the others
                logger.exception("A listener failed on %s", type(event).__name__)
