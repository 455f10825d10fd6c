"""The Qt binding itself: a release that loses references must not end the program."""

from __future__ import annotations

import os
import subprocess
import sys

# In a process of its own: where the guard fails, Python aborts.
_TALK = """
import desktop_rag.ui
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal
class Talker(QObject):
    said = Signal()
application, talker = QCoreApplication([]), Talker()
for _ in range(20_000):
    talker.said.emit()
    QTimer.singleShot(0, lambda: None)
application.processEvents()
print("still here", None, True)
"""


def test_many_thousand_signals_and_timers_do_no_harm() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", _TALK], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "still here None True", done.stderr
