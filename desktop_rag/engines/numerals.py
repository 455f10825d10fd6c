"""Numbers of lists and notes the way they are printed: 1, 01, a, iv."""

from __future__ import annotations

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
          (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip


def roman(number: int) -> str:
    """A number in small Roman letters; plain digits where there are none (0, 4000)."""
    if not 0 < number < 4000:
        return str(number)
    text = ""
    for worth, letters_of in _ROMAN:
        text += letters_of * (number // worth)
        number %= worth
    return text


def letters(number: int) -> str:
    """a … z, then aa, bb …, as word processors count."""
    if number < 1:
        return str(number)
    return chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 9)


def whole(text: str | None, otherwise: int, most: int = 1_000_000_000) -> int:
    """A number an attribute claims, at most `most`; `otherwise` for what is no whole number.

    Files hold "²", "-1" and a thousand digits where a program would have written "2".
    """
    if not text or not text.isdecimal():
        return otherwise
    return min(int(text), most) if len(text) < 10 else most
