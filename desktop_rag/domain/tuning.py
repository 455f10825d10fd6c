"""How a language model is run on this computer, and how quick it is; measured, not assumed."""

from __future__ import annotations

from dataclasses import dataclass, replace

DEFAULT_BATCH = 128
"""Measured as fast as 512 on two cores, with a quarter of the compute buffer."""
_SMOOTHING = 0.5
_TELLING = 64
"""Fewer tokens than these say little: starting a batch weighs too much."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """Threads, batch and speed of one model on one computer."""

    reading_threads: int
    """For prompts, which are limited by the processor."""
    writing_threads: int
    """For single tokens, which are limited by the memory."""
    batch: int = DEFAULT_BATCH
    """Prompt tokens that are evaluated at once."""
    reads_per_s: float = 0.0
    """Prompt tokens a second, as last seen; 0: nothing was read yet."""
    writes_per_s: float = 0.0
    """Tokens of an answer a second, as measured; 0 before."""
    is_measured: bool = False
    """Threads and batch were compared on this computer; else they are the usual ones."""

    def after_reading(self, tokens: int, seconds: float) -> Tuning:
        """With the speed of a prompt that was just read; short ones say nothing."""
        if tokens < _TELLING or seconds <= 0:
            return self
        seen = tokens / seconds
        known = self.reads_per_s or seen
        return replace(self, reads_per_s=_SMOOTHING * seen + (1 - _SMOOTHING) * known)

    @property
    def sentence(self) -> str:
        """For a person."""
        if not self.reads_per_s:
            return "not tried on this computer yet"
        threads = f"{self.reading_threads} thread{'s' if self.reading_threads > 1 else ''}"
        writing = f", writes {self.writes_per_s:.0f}" if self.writes_per_s else ""
        how = "measured best" if self.is_measured else "not compared with others yet"
        return (
            f"reads {self.reads_per_s:.0f} tokens/s{writing} with {threads} and batches of "
            f"{self.batch}, {how}"
        )


def usual(threads: int) -> Tuning:
    """What is tried before anything was measured."""
    return Tuning(threads, threads)
