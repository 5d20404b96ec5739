"""The finite-class bound, solved for any of its parts."""

from __future__ import annotations

import math

from veracity.core.arguments import verb
from veracity.core.errors import BadInput, Refused
from veracity.core.words import option
from veracity.findings.planned import Planned

SIDES = {"two": 2, "upper": 1}
MOST_ROWS = 2**53  # beyond, a row more or less is lost in floating point


@verb
def finite_class(
    *,
    rows: int | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    size_h: float | None = None,
    side: str = "two",
) -> Planned:
    """Rows, epsilon, delta or number of hypotheses of the finite-class (PAC) bound, from the other three.

    With chance 1 - `delta` the error on the `rows` of each of `size_h` hypotheses lies within `epsilon` of its risk,
    also of the one chosen on these rows: 2 H exp(-2 m epsilon^2) is at most delta (Hoeffding and the union bound; with
    `side="upper"`, where only the risk's upper end matters, H in place of 2 H). Whole numbers are those that suffice:
    the fewest rows, the most hypotheses.
    """
    given = {"rows": rows, "epsilon": epsilon, "delta": delta, "size_h": size_h}
    open_ones = [name for name, value in given.items() if value is None]
    if len(open_ones) != 1:
        raise BadInput(f"finite_class needs three of {', '.join(map(option, given))}, and answers the fourth")
    if side not in SIDES:
        raise BadInput(f"`side=` is 'two' or 'upper', not {side!r}")
    _check(given)
    solved, sides = open_ones[0], SIDES[side]
    if epsilon is None:
        epsilon = math.sqrt(math.log(sides * _number(size_h) / _number(delta)) / (2 * _number(rows)))
    elif delta is None:
        delta = sides * _number(size_h) * math.exp(-2 * _number(rows) * epsilon**2)
    elif size_h is None:
        size_h = _most_hypotheses(_number(rows), epsilon, delta, sides)
    else:
        needed = (math.log(sides * size_h) - math.log(delta)) / 2 / epsilon / epsilon
        if not needed <= MOST_ROWS:
            raise Refused(f"it takes {needed:.3g} rows, which nobody has: a larger epsilon takes fewer", "many-rows")
        rows = math.ceil(needed)
    numbers = {"rows": _number(rows), "epsilon": epsilon, "delta": _number(delta), "size_h": _number(size_h)}
    if numbers["delta"] >= 1:
        raise Refused("so few rows promise nothing: the bound on the chance to fail is 1 or more", "vacuous")
    end = "within" if side == "two" else "at most"
    more = "of" if side == "two" else "below"
    says = (
        f"{numbers['rows']:,.0f} rows: with chance {1 - numbers['delta']:.6g} the error on them of each of"
        f" {numbers['size_h']:,.6g} hypotheses lies {end} {numbers['epsilon']:.4g} {more} its risk."
    )
    return Planned("finite_class", solved, numbers, says)


def _number(number: float | None) -> float:
    assert number is not None  # as three are given and the fourth is solved for
    return number


def _most_hypotheses(rows: float, epsilon: float, delta: float, sides: int) -> float:
    exponent = 2 * rows * epsilon**2 + math.log(delta / sides)
    if exponent < 0:
        raise Refused("so few rows are not enough for a single hypothesis: more rows, or a larger epsilon", "vacuous")
    return float(math.floor(math.exp(exponent) * (1 + 1e-12))) if exponent < 700 else math.inf


def _check(given: dict[str, float | None]) -> None:
    for name, least, what in (("rows", 1, "a whole number of rows, at least 1"), ("size_h", 1, "a number from 1")):
        value = given[name]
        if value is not None and not (value >= least and math.isfinite(value)):
            raise BadInput(f"`{name}=` is {what}, not {value:g}")
    for name in ("epsilon", "delta"):
        value = given[name]
        if value is not None and not 0 < value < 1:
            raise BadInput(f"`{name}=` lies strictly between 0 and 1, not {value:g}")
