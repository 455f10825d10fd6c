"""Where the computer's power comes from."""

from __future__ import annotations

import psutil


def is_on_battery() -> bool:
    """Whether it runs on battery now; false where there is none or nobody can tell."""
    read = getattr(psutil, "sensors_battery", None)  # missing on some systems
    try:
        battery = read() if read is not None else None
    except (OSError, ValueError, NotImplementedError):
        return False
    # `None` stands for "unknown" on some laptops.
    return battery is not None and battery.power_plugged is False
