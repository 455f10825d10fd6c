"""Has the language model compared threads and batches once, while nobody waits for it."""

from __future__ import annotations

import logging
from collections.abc import Callable

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.ports import Generator

logger = logging.getLogger(__name__)

_TRIES = 3
"""Each ends without a result while somebody asks or other programs keep the processor busy."""


class SelfTuning:
    """For one run of the program. Used on the answerer's thread only."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self._left = _TRIES

    def attempt(self, is_cancelled: Callable[[], bool]) -> None:
        """Compare, unless that was done before, on any day; ends at once when it is cancelled."""
        if not self._left or is_cancelled():
            return
        self._left -= 1
        try:
            if self._generator.info().is_tuned:
                self._left = 0
                return
            for tuning in self._generator.tune(is_cancelled):
                logger.info("The language model %s", tuning.sentence)
                self._left = 0
        except DesktopRagError as error:
            logger.info("The language model was not tuned: %s", error.code)
