"""Keeps count of what lies on the shelves of the workshop."""

from dataclasses import dataclass


@dataclass
class Shelf:
    """A place in the store room, with what lies in it."""

    name: str
    pieces: dict[str, int]


def reserve_part(shelf: Shelf, part_number: str, count: int) -> bool:
    """Set pieces aside for a repair; false when fewer are there than wanted."""
    if shelf.pieces.get(part_number, 0) < count:
        return False
    shelf.pieces[part_number] -= count
    return True


def reorder_point(daily_use: float, lead_time_days: int, safety_stock: int) -> int:
    """How many pieces are left when new ones must be ordered."""
    return round(daily_use * lead_time_days) + safety_stock


class StockTakeError(Exception):
    """What was counted differs from what the books say by more than five percent."""


def compare_count(booked: int, counted: int) -> None:
    """Raise StockTakeError when the yearly count is too far from the books."""
    if abs(booked - counted) > 0.05 * booked:
        raise StockTakeError(f"{booked} in the books, {counted} on the shelf")
