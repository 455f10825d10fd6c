"""Sizes as people read them."""

from __future__ import annotations

from PySide6.QtCore import QLocale


def size(n_bytes: int) -> str:
    """`491 MB`, `1.1 GB`."""
    digits = 1 if n_bytes >= 1_000_000_000 else 0
    return QLocale().formattedDataSize(n_bytes, digits, QLocale.DataSizeFormat.DataSizeSIFormat)
