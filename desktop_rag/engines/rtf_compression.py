"""Unpacks the compressed RTF body of Outlook messages ([MS-OXRTFCP])."""

from __future__ import annotations

from collections.abc import Iterator

MAX_BYTES = 50_000_000
_WINDOW = 4096
_PREFIX = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n" + rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
"""What the window of both sides holds in the beginning."""


def unpacked_rtf(data: bytes) -> bytes:
    """The RTF, as far as the data goes; nothing when it is no compressed RTF."""
    size, kind = int.from_bytes(data[4:8], "little"), data[8:12]
    if kind == b"MELA":
        return data[16 : 16 + size]
    if kind != b"LZFu" or size > MAX_BYTES:
        return b""
    window = bytearray(_PREFIX.ljust(_WINDOW, b"\0"))
    position = len(_PREFIX)
    out = bytearray()
    for start, length, literal in _tokens(data[16:]):
        if len(out) >= size or (length and start == position):
            break
        for offset in range(length or 1):
            byte = window[(start + offset) % _WINDOW] if length else literal
            window[position] = byte
            position = (position + 1) % _WINDOW
            out.append(byte)
    return bytes(out[:size])


def _tokens(data: bytes) -> Iterator[tuple[int, int, int]]:
    """(start in the window, length, 0) for a run, (0, 0, byte) for a byte as it is."""
    read = 0
    while read < len(data):
        flags = data[read]
        read += 1
        for bit in range(8):
            is_run = flags >> bit & 1
            if read + is_run >= len(data):
                return
            if is_run:
                pair = int.from_bytes(data[read : read + 2], "big")
                yield pair >> 4, (pair & 15) + 2, 0
            else:
                yield 0, 0, data[read]
            read += 1 + is_run
