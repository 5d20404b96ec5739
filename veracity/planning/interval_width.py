"""How wide an interval will be, or how many rows make it so narrow."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from veracity.core.arguments import matches_type, verb
from veracity.core.confidence import Confidence
from veracity.core.distributions import beta_quantiles, root
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.index import own_name
from veracity.core.notes import Note
from veracity.core.spelling import read
from veracity.core.words import phrase
from veracity.findings.planned import Planned
from veracity.planning import MANY, WidthOf, width_of, widths
from veracity.planning.power import choose_planned
from veracity.planning.tests import check_positive

REACH = 9.0  # standard deviations of a count: 1e-19 lies beyond
BLOCKS = 4_000  # of counts, over these standard deviations
BOTH = phrase(" (both, and level=None, answer the level)", "")
EXACT = ("wilson", "clopper_pearson")
SCORE = ": a score that is a share of rows, such as error or recall, is a share, another mean over rows a mean"


@verb
def interval_width(
    of: MethodLike, /, *, rows: int | None = None, width: float | None = None, level: float | None = 0.95, **given: Any
) -> Planned:
    """The expected width of an interval of so many rows, or the rows that it takes for an expected width.

    `interval_width("share", value=0.1, width=0.04)` answers the rows; with `rows` in place of `width` the width. With
    both and `level=None` it answers the level. `catalogue("widths")` lists what it can be of, and what each is told.
    """
    asked = f"{of}_width" if isinstance(of, str) and of not in widths and f"{of}_width" in widths else of
    if isinstance(asked, str) and read(asked).name not in widths:
        raise _no_width(asked)
    choice = choose_planned(widths, asked, given, ("rows", "width", "level"))
    if [rows, width, level].count(None) != 1:
        either = "`rows=` or `width=`"
        raise BadInput(f"interval_width needs {either}, and answers the other{BOTH}")
    entry: WidthOf = choice.entry
    if rows is not None and not entry.least <= rows <= MANY:
        raise BadInput(f"`rows=` is a whole number from {entry.least} to {MANY:,}, not {rows}")
    if width is not None:
        check_positive("width", width)

    def width_at(rows: int, level: float) -> float:
        return float(entry.function(rows, Confidence(level), **choice.given))

    if rows is None and width is not None and level is not None:
        rows, solved = _rows_for(partial(width_at, level=level), width, entry), "rows"
    elif level is None and width is not None and rows is not None:
        level, solved = _level_for(partial(width_at, rows), width), "level"
    else:
        solved = "width"
    assert rows is not None and level is not None
    return _answer(choice, solved, rows, width_at(rows, level), level)


def _answer(choice: Choice, solved: str, rows: int, width: float, level: float) -> Planned:
    entry: WidthOf = choice.entry
    told = {one.name: choice.value(one.name) for one in entry.parameters}
    about = f"{entry.name} ({', '.join(f'{name} {value}' for name, value in told.items())})"
    wide = f"expected width {width:.4g} at level {level:.4g}"
    says = f"{about} needs {rows:,} rows for {wide}." if solved == "rows" else f"{rows:,} rows give {about} {wide}."
    plain = {name: value for name, value in told.items() if matches_type("float", value)}
    numbers = {"rows": rows, "width": width, "level": level, **plain}
    return Planned(entry.name, solved, numbers, says, (Note("expected", "remark", entry.remark),))


def _rows_for(width_at: Callable[[int], float], wanted: float, entry: WidthOf) -> int:
    """The smallest number of rows, by doubling and halving."""
    low, high = entry.least - 1, entry.least
    while width_at(high) > wanted:
        if high >= MANY:
            raise Refused(f"even {MANY:,} rows make the interval {width_at(MANY):.3g} wide", "too-narrow")
        low, high = high, min(2 * high, MANY)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if width_at(middle) <= wanted else (middle, high)
    return high


def _level_for(width_at: Callable[[float], float], wanted: float) -> float:
    lowest, highest = 1e-6, 1 - 1e-12
    if not width_at(lowest) < wanted < width_at(highest):
        raise Refused(f"no level makes the interval {wanted:g} wide: it is {width_at(lowest):.3g} at least", "no-level")
    return root(lambda level: width_at(level) - wanted, lowest, highest, xtol=1e-12)


def _no_width(asked: str) -> BadInput:
    """What the width of an interval is planned of; a share may have one of several."""
    can = ", ".join(sorted(one.name.removesuffix("_width") for one in widths))
    interval = read(asked).name
    of_share = phrase(f"interval_width('share', interval={interval!r}, ...)", f"share --interval {interval}")
    way_out = f": for this one of a share, {of_share}" if interval in EXACT else ""
    way_out = SCORE if own_name("scores", interval) is not None else way_out
    return BadInput(f"the width of an interval is planned of one of {can}, not of {interval!r}{way_out}")


@width_of(
    "Width of the interval of a share",
    cite=("wilson1927", "clopper1934"),
    assumes=("IID", "FIX"),
    remark="the mean over all counts that may turn up: half of all samples have a wider interval",
    aliases="proportion_width",
    keywords="sample size, rows needed, how many rows, how many test cases, precision of an estimate, margin of error",
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
    counts, chance = _counts(rows, value)
    low, high = _limits(counts, rows, at, interval)
    return float(chance @ (high - low))


def _counts(rows: int, value: float) -> Any:
    """The counts that matter and their chances; of very many one stands for its block, in which limits are alike."""
    from scipy.special import bdtr

    centre, reach = rows * value, REACH * math.sqrt(rows * value * (1 - value)) + 10
    first, last = max(0, math.floor(centre - reach)), min(rows, math.ceil(centre + reach))
    step = 1 + (last - first) // BLOCKS
    starts = np.arange(first, last + 1, step)
    ends = np.minimum(starts + step - 1, last)
    below = np.where(starts > 0, bdtr(np.maximum(starts - 1, 0), rows, value), 0.0)
    chance = bdtr(ends, rows, value) - below
    return (starts + ends) / 2, chance / chance.sum()


def _limits(hits: Any, rows: int, at: Confidence, interval: str) -> Any:
    share = hits / rows
    if interval == "clopper_pearson":
        low = np.where(hits > 0, beta_quantiles(np.maximum(hits, 1e-9), rows - hits + 1, at.tail), 0.0)
        return low, np.where(hits < rows, beta_quantiles(hits + 1, np.maximum(rows - hits, 1e-9), 1 - at.tail), 1.0)
    extra = at.z**2 / rows
    centre = (share + extra / 2) / (1 + extra)
    half = np.sqrt(share * (1 - share) * extra + extra**2 / 4) / (1 + extra)
    return centre - half, centre + half


@width_of(
    "Width of the interval of a mean",
    least=2,
    cite=("student1908",),
    assumes=("IID", "FIX", "NORM"),
    remark="the mean over samples of normal losses: about half of all samples have a wider interval",
    keywords="sample size, rows needed, how many rows, margin of error",
)
def mean_width(rows: int, at: Confidence, *, sd: float) -> float:
    """Expected width of Student's interval of a mean loss; `sd` is the standard deviation of a row's loss.

    Exact for normal losses; of others the spread is right and the width nearly so where rows are many.
    """
    check_positive("sd", sd)
    df = rows - 1
    spread = sd * math.sqrt(2 / df) * math.exp(math.lgamma(rows / 2) - math.lgamma(df / 2))
    return 2 * at.t(df) * spread / math.sqrt(rows)


@width_of(
    "Width of the interval of an AUC",
    least=4,
    cite=("hanley1982",),
    assumes=("IID", "FIX", "BIG"),
    remark="by Hanley and McNeil's standard error at the true area, which is rough where a class has few rows",
    keywords="sample size, rows needed, how many rows, area under the curve, power.roc.test",
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
    of_positives, of_negatives = value / (2 - value) - value**2, 2 * value**2 / (1 + value) - value**2
    spread = value * (1 - value) + (positives - 1) * of_positives + (negatives - 1) * of_negatives
    return 2 * at.z * math.sqrt(spread / (positives * negatives))
