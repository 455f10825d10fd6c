"""Guards against a defect of the Qt binding that would end the program at random."""

from __future__ import annotations

import ctypes
import sys

_SPARE_REFERENCES = 1 << 40


def keep_singletons_alive() -> None:
    """Give `None`, `True` and `False` more references than a defective binding can lose.

    WORKAROUND PySide6 6.12.0 (6.11.3 is sound): every `Signal.emit` drops a reference to `True` it
    does not own, every `QTimer.singleShot` one to `None`. After some thousand signals Python 3.11
    ends with "deallocating True or False"; from 3.12 on these objects are immortal and it does not
    matter. `ob_refcnt` is the first field of every object in CPython up to 3.11.
    """
    if sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return
    for singleton in (None, True, False):
        ctypes.c_ssize_t.from_address(id(singleton)).value += _SPARE_REFERENCES
