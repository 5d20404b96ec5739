"""Evidence from counts in hand: so many errors of so many rows, or the rows on which two models disagree."""

from __future__ import annotations

from decimal import Decimal

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.evidence.counts import Errors
from veracity.evidence.same_rows import Pairs


@verb
def errors(number: float, *, of: int) -> Errors:
    """So many errors `of` so many rows; a rate between 0 and 1, such as a published one, is of whole rows too.

    `estimate(errors(12, of=40), "error")` and `compare({"a": errors(12, of=40), "b": errors(8, of=50)}, "error")`.
    """
    _check_rows(of)
    if 0 < number < 1:
        number = _errors_at_rate(number, of)
    if number != round(number) or not 0 <= number <= of:
        raise BadInput(f"{number:g} errors of {of}: give a whole number from 0 to {of}, or a rate between 0 and 1")
    return Errors(number, of - number)


def _errors_at_rate(rate: float, of: int) -> int:
    """The whole number of errors that was rounded to a rate."""
    digits = -int(Decimal(str(rate)).as_tuple().exponent)
    number = round(rate * of)
    if abs(number / of - rate) > 0.5000001 * 10.0**-digits:
        says = f"no whole number of {of} rows is a rate of {rate:g}: {number} are {number / of:.4g}"
        raise BadInput(f"{says}; check the number of rows, or give more digits")
    return number


@verb
def pairs(*, n01: int, n10: int, of: int | None = None, both: int | None = None, neither: int | None = None) -> Pairs:
    """What two models got right on the same rows: `n01` only the second, `n10` only the first.

    With `of`, how many rows there were; or with the rows that `both` and `neither` got right, which some intervals
    need. `compare(pairs(n01=9, n10=22, of=1000), "error", using="mcnemar")`.
    """
    given = {"n01": n01, "n10": n10, "both": both, "neither": neither}
    for name, number in given.items():
        if number is not None and number < 0:
            raise BadInput(f"`{name}=` counts rows: it is at least 0, not {number}")
    if of is not None:
        _check_rows(of)
    if of is None and (both is None or neither is None):
        raise BadInput("say how many rows there were, `of=`, or how many `both=` and `neither=` hold")
    agreed = (both or 0) + (neither or 0) if of is None else of - n01 - n10
    known = both is not None or neither is not None
    right = agreed - (neither or 0) if both is None else both
    if agreed < 0:
        raise BadInput(f"`n01=` and `n10=` are {n01 + n10} rows together, more than the {of} there were")
    if not 0 <= right <= agreed or (neither is not None and right + neither != agreed):
        raise BadInput(f"the four counts do not add up to the {of} rows that there were")
    return Pairs(float(right), float(n10), float(n01), float(agreed - right), known)


def _check_rows(of: int) -> None:
    if of < 1:
        raise BadInput(f"`of=` is how many rows there were: at least 1, not {of}")
