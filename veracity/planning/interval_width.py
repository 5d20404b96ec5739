"""How wide an interval will be, or how many rows make it so narrow; and the finite-class bound, solved for any part."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from veracity.core.arguments import matches_type, verb
from veracity.core.confidence import Confidence
from veracity.core.distributions import beta_quantiles, root
from veracity.core.entry import MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.index import own_name
from veracity.core.notes import Note
from veracity.core.spelling import read
from veracity.core.words import option
from veracity.findings.planning import Planned
from veracity.intervals.auc import hanley_mcneil_error
from veracity.intervals.proportions import wilson_limits
from veracity.planning import MANY, WidthOf, width_of, widths
from veracity.planning.power import choose_planned, smallest_size
from veracity.planning.tests import blocks_of_counts, check_positive

EXACT = ("wilson", "clopper_pearson")
LEVELS = (1e-6, 1 - 1e-12)  # between which a level is looked for
SCORE = ": a score that is a share of rows, such as error or recall, is a share, another mean over rows a mean"


@verb
def interval_width(
    of: MethodLike, /, *, rows: int | None = None, width: float | None = None, level: float | None = 0.95, **given: Any
) -> Planned:
    """The expected width of an interval of so many rows, or the rows that it takes for an expected width.

    `interval_width("share", value=0.1, width=0.04)` answers the rows; with `rows` in place of `width` the width. With
    both and `level=None` it answers the level. `catalogue("widths")` lists what it can be of, and what each is told.

    Parameters
    ----------
    of
        'share', 'mean' or 'auc'.
    rows
        How many rows there will be.
    width
        How wide the interval may be.
    level
        The level of the interval; None if rows and width are given and the level is sought.
    **given
        What the interval is of: value, sd, prevalence, interval.

    Examples
    --------
    >>> vc.interval_width("share", value=0.1, width=0.04).rows
    865
    """
    asked = f"{of}_width" if isinstance(of, str) and of not in widths and f"{of}_width" in widths else of
    if isinstance(asked, str) and (name := read(asked).name) not in widths:
        names = ", ".join(sorted(one.name.removesuffix("_width") for one in widths))
        way_out = SCORE if own_name("scores", name) is not None else ""
        if name in EXACT:
            way_out = f": for this one of a share, `vc.interval_width('share', ..., interval={name!r})`"
        raise BadInput(f"the width of an interval is planned of one of {names}, not of {name!r}{way_out}")
    choice = choose_planned(widths, asked, given, ("rows", "width", "level"))
    if [rows, width, level].count(None) != 1:
        either = "`rows=` or `width=`"
        raise BadInput(f"interval_width needs {either}, and answers the other")
    entry: WidthOf = choice.entry
    if rows is not None and not entry.least <= rows <= MANY:
        raise BadInput(f"`rows=` is a whole number from {entry.least} to {MANY:,}, not {rows}")
    if width is not None:
        check_positive(width=width)

    def width_at(rows: int | None, level: float | None) -> float:
        assert rows is not None and level is not None  # as one of three was left out
        return float(choice.function(rows, Confidence(level)))

    solved, wanted = "width", width or 0.0
    if rows is None:
        solved, rows = "rows", smallest_size(lambda size: width_at(size, level) <= wanted, entry.least, MANY)
        if rows is None:
            raise Refused(f"even {MANY:,} rows make the interval {width_at(MANY, level):.3g} wide", "too-narrow")
    elif level is None:
        if not (least := width_at(rows, LEVELS[0])) < wanted < width_at(rows, LEVELS[1]):
            raise Refused(f"no level makes the interval {wanted:g} wide: it is {least:.3g} at least", "no-level")
        solved, level = "level", root(lambda level: width_at(rows, level) - wanted, *LEVELS, xtol=1e-12)
    width = width_at(rows, level)
    parameters = {one.name: choice.value(one.name) for one in entry.parameters}
    about = f"{entry.name} ({', '.join(f'{name} {value}' for name, value in parameters.items())})"
    wide = f"expected width {width:.4g} at level {level:.4g}"
    says = f"{about} needs {rows:,} rows for {wide}." if solved == "rows" else f"{rows:,} rows give {about} {wide}."
    numbers: dict[str, Any] = {"rows": rows, "width": width, "level": level}
    numbers |= {name: value for name, value in parameters.items() if matches_type("float", value)}
    return Planned(entry.name, solved, numbers, says, (Note("expected", "remark", entry.remark),))


@width_of(
    "Width of the interval of a share",
    cite=("wilson1927", "clopper1934"),
    assumes=("IID", "FIX"),
    remark="the mean over all counts that may turn up: half of all samples have a wider interval",
)
def share_width(rows: int, at: Confidence, *, value: float, interval: str = "wilson") -> float:
    """Expected width of the interval of a share of rows, such as an error or a recall, whose true value is `value`.

    Exact, by enumeration of all counts, for `interval` wilson or clopper_pearson. For a recall or a precision the
    rows are the positive ones, or those predicted so.
    """
    if not 0 <= value <= 1:
        raise BadInput(f"`value=` is a share of rows between 0 and 1, not {value:g}")
    if interval not in EXACT:
        raise BadInput(f"share_width: interval is one of {', '.join(EXACT)}, not {interval!r}")
    counts, chance = blocks_of_counts(rows, value)
    if interval == "wilson":
        low, high = wilson_limits(counts, rows, at.z)
    else:
        low = np.where(counts > 0, beta_quantiles(np.maximum(counts, 1e-9), rows - counts + 1, at.tail), 0.0)
        misses = rows - counts
        high = np.where(misses > 0, beta_quantiles(counts + 1, np.maximum(misses, 1e-9), 1 - at.tail), 1.0)
    return float(chance @ (high - low) / chance.sum())


@width_of(
    "Width of the interval of a mean",
    least=2,
    cite=("student1908",),
    assumes=("IID", "FIX", "NORM"),
    remark="the mean over samples of normal losses: about half of all samples have a wider interval",
)
def mean_width(rows: int, at: Confidence, *, sd: float) -> float:
    """Expected width of Student's interval of a mean loss; `sd` is the standard deviation of a row's loss.

    Exact for normal losses; of others the spread is right and the width nearly so where rows are many.
    """
    check_positive(sd=sd)
    df = rows - 1
    spread = sd * math.sqrt(2 / df) * math.exp(math.lgamma(rows / 2) - math.lgamma(df / 2))
    return 2 * at.t(df) * spread / math.sqrt(rows)


@width_of(
    "Width of the interval of an AUC",
    least=4,
    cite=("hanley1982",),
    assumes=("IID", "FIX", "BIG"),
    remark="by Hanley and McNeil's standard error at the true area, which is rough where a class has few rows",
)
def auc_width(rows: int, at: Confidence, *, value: float, prevalence: float = 0.5) -> float:
    """Width of the interval of an area under the ROC curve whose true value is `value`.

    `prevalence` is the share of positive rows. By the standard error of Hanley and McNeil, for classes whose values are
    exponential, which is close for others.
    """
    if not 0.5 <= value < 1:
        raise BadInput(f"`value=` is an area from 0.5 to below 1, not {value:g}")
    if not 0 < prevalence < 1:
        raise BadInput(f"`prevalence=` is a share of rows between 0 and 1, not {prevalence:g}")
    positives, negatives = max(rows * prevalence, 1.0), max(rows * (1 - prevalence), 1.0)
    return 2 * at.z * hanley_mcneil_error(value, positives, negatives)


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

    Parameters
    ----------
    rows
        How many rows the error is counted on.
    epsilon
        How far the error on the rows may lie from the risk.
    delta
        The chance that it lies farther for some hypothesis.
    size_h
        How many hypotheses one is chosen from.
    side
        'two', or 'upper' where only a risk above the error matters.

    Examples
    --------
    >>> vc.finite_class(epsilon=0.05, delta=0.05, size_h=1000).rows
    2120
    """
    given = {"rows": rows, "epsilon": epsilon, "delta": delta, "size_h": size_h}
    open_ones = [name for name, value in given.items() if value is None]
    if len(open_ones) != 1:
        raise BadInput(f"finite_class needs three of {', '.join(map(option, given))}, and answers the fourth")
    if side not in SIDES:
        raise BadInput(f"`side=` is 'two' or 'upper', not {side!r}")
    counts = {"rows": "is a whole number of rows, at least 1", "size_h": "is a number from 1"}
    for name, value in given.items():
        sound = value is None or (1 <= value < math.inf if name in counts else 0 < value < 1)
        if not sound:
            raise BadInput(f"`{name}=` {counts.get(name, 'lies strictly between 0 and 1')}, not {value:g}")
    solved, sides = open_ones[0], SIDES[side]
    m, e, d, h = (math.nan if value is None else float(value) for value in given.values())
    if solved == "epsilon":
        e = math.sqrt(math.log(sides * h / d) / (2 * m))
    elif solved == "delta":
        d = sides * h * math.exp(-2 * m * e**2)
    elif solved == "size_h":
        exponent = 2 * m * e**2 + math.log(d / sides)
        if exponent < 0:
            says = "so few rows are not enough for a single hypothesis: more rows, or a larger epsilon"
            raise Refused(says, "vacuous")
        h = float(math.floor(math.exp(exponent) * (1 + 1e-12))) if exponent < 700 else math.inf
    else:
        m = (math.log(sides * h) - math.log(d)) / 2 / e / e
        if not m <= MOST_ROWS:
            raise Refused(f"it takes {m:.3g} rows, which nobody has: a larger epsilon takes fewer", "many-rows")
        m = math.ceil(m)
    if d >= 1:
        raise Refused("so few rows promise nothing: the bound on the chance to fail is 1 or more", "vacuous")
    end, more = ("within", "of") if side == "two" else ("at most", "below")
    says = (
        f"{m:,.0f} rows: with chance {1 - d:.6g} the error on them of each of"
        f" {h:,.6g} hypotheses lies {end} {e:.4g} {more} its risk."
    )
    numbers = {"rows": m if rows is None else rows, "epsilon": e, "delta": d, "size_h": h if size_h is None else size_h}
    return Planned("finite_class", solved, numbers, says)
