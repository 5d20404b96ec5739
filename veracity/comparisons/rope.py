"""The region of practical equivalence: differences that nobody cares about."""

from __future__ import annotations

from veracity.core.errors import BadInput

Three = tuple[float, float, float]


def checked(rope: float) -> float:
    """Half the width of the region, in units of the score; 0 for no region."""
    if not 0 <= rope < float("inf"):
        raise BadInput(f"rope must be 0 or more, in units of the score, not {rope!r}")
    return float(rope)


def all_at(point: float, rope: float) -> Three:
    """Left, inside and right of the region when the difference is known to be `point`; without a region 0 is half."""
    if rope == 0 and point == 0:
        return 0.5, 0.0, 0.5
    return float(point < -rope), float(abs(point) <= rope), float(point > rope)
