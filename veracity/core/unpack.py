"""How far what is compressed may be unpacked, so that a small file cannot fill a disk or a memory."""

from __future__ import annotations

RATIO = 100  # times its packed size: rows of labels and probabilities reach 5 to 30
ALWAYS = 1 << 28  # bytes that are never too many


def unpacked_limit(packed: int) -> int:
    """The bytes that so many packed ones may become."""
    return max(ALWAYS, RATIO * packed)
