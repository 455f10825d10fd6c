"""Sizes as people read them."""

from __future__ import annotations

from PySide6.QtCore import QLocale

_MB, _GB = 1_000_000, 1_000_000_000


def size(n_bytes: int) -> str:
    """`812 kB`, `3.4 MB`, `491 MB`, `1.1 GB`, in the language's way."""
    is_fine = _MB <= n_bytes < 100 * _MB or n_bytes >= _GB
    return QLocale().formattedDataSize(
        n_bytes, int(is_fine), QLocale.DataSizeFormat.DataSizeSIFormat
    )
