"""The Qt binding itself: a release that loses references would end the program at random."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject, Signal


class _Talker(QObject):
    said = Signal()


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None, True and False are immortal there")
def test_a_signal_gives_back_every_reference_it_takes() -> None:
    """PySide 6.12.0 loses one reference to True with every `emit`: abort after some thousands."""
    talker = _Talker()
    before = sys.getrefcount(True)
    for _ in range(50):
        talker.said.emit()
    assert sys.getrefcount(True) > before - 25
