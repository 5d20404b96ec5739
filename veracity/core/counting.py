"""Numbers of things in sentences."""

from __future__ import annotations


def many(number: int, what: str) -> str:
    """How many there are of something: "1 split", "2 splits"."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
