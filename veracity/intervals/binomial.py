"""Intervals for a share of rows, in closed form."""

from __future__ import annotations

from math import nan, sqrt

from veracity.core.confidence import Confidence
from veracity.core.entry import RECOMPUTED, Known
from veracity.core.errors import BadInput
from veracity.core.notes import caution, refuse
from veracity.evidence.proportion import Proportion
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval

NEWCOMBE = "Newcombe 1998, Table I"


def known_share(hits: float, rows: float, low: float, high: float, source: str = RECOMPUTED, digits: int = 4) -> Known:
    """A known two-sided 95 % interval of a share."""
    return Known({"hits": hits, "rows": rows, "level": 0.95, "side": "two"}, (low, high), source, digits)


def known_upper(hits: float, rows: float, high: float, source: str = RECOMPUTED, **parameters: str) -> Known:
    """A known one-sided 95 % upper bound of a share."""
    return Known({"hits": hits, "rows": rows, "level": 0.95, "side": "upper", **parameters}, (0.0, high), source)


def _constant(p: Proportion) -> bool:
    return min(p.hits, p.misses) <= 0


def _few(p: Proportion) -> bool:
    return min(p.hits, p.misses) < 10


NO_ROWS = refuse("no-rows", "there is no row to count: an interval needs at least one", lambda p: p.rows <= 0)
ONE_ROW = refuse("one-row", "one row has no standard error: use wilson or clopper_pearson", lambda p: p.rows < 2)
ZERO_WIDTH = refuse(
    "zero-width", "all rows are alike, so its width would be 0: use wilson or clopper_pearson", _constant
)
FEW_HITS = caution("few-hits", "fewer than 10 rows of one kind: the normal approximation is poor, use wilson", _few)


@interval(
    "Wald",
    reads=Proportion,
    cite=("newcombe1998",),
    assumes=("IID", "FIX", "NORM", "BIG"),
    limits=(NO_ROWS, ZERO_WIDTH, FEW_HITS),
    known=(known_share(12, 40, 0.1580, 0.4420), known_upper(8, 100, 0.1248, divisor="m-1")),
    aliases="normal_approximation, normal_interval, wald_interval, asymptotic, z_interval",
    keywords="textbook interval, standard interval, confidence interval of a proportion",
)
def wald(p: Proportion, at: Confidence, *, divisor: str = "m") -> Limits:
    """Share plus or minus a normal quantile times its standard error; kept for teaching and comparison.

    `divisor="m-1"` divides the variance by one less than the number of rows.
    """
    if divisor not in ("m", "m-1"):
        raise BadInput(f"wald: divisor is 'm' or 'm-1', not {divisor!r}")
    of = p.rows if divisor == "m" else p.rows - 1
    half = at.z * sqrt(p.share * (1 - p.share) / of)
    return Limits(p.share - half, p.share + half)


@interval(
    "Student t of a share",
    reads=Proportion,
    cite=("student1908",),
    assumes=("IID", "FIX", "NORM"),
    limits=(NO_ROWS, ONE_ROW, ZERO_WIDTH, FEW_HITS),
    known=(known_share(12, 40, 0.1516, 0.4484),),
    aliases="student",
)
def student_t(p: Proportion, at: Confidence) -> Limits:
    """Share plus or minus a Student quantile with one degree less than rows; exact only for normal losses."""
    if not p.rows > 1:
        return Limits(nan, nan)
    half = at.t(p.rows - 1) * sqrt(p.share * (1 - p.share) / (p.rows - 1))
    return Limits(p.share - half, p.share + half)


@interval(
    "Wilson",
    reads=Proportion,
    cite=("wilson1927", "korn1998"),
    assumes=("IID", "FIX"),
    limits=(NO_ROWS,),
    known=(
        known_share(12, 40, 0.1807, 0.4543),
        known_share(81, 263, 0.2553, 0.3662, NEWCOMBE),
        known_share(15, 148, 0.0624, 0.1605, NEWCOMBE),
        known_share(0, 20, 0.0, 0.1611, NEWCOMBE),
        known_share(1, 29, 0.0061, 0.1718, NEWCOMBE),
        known_upper(8, 100, 0.1365),
    ),
    aliases="wilson_score, score_interval, wilson_interval",
    keywords="confidence interval of a proportion, confidence interval of the error, binconf, confidence interval for"
    " a proportion",
)
def wilson(p: Proportion, at: Confidence) -> Limits:
    """The shares that a score test at this level would not reject.

    Weighted or grouped rows count as the plain rows with the same variance, and Student's quantile, with one degree
    less than groups or rows in effect, stands for the normal one.
    """
    m, q, z = p.rows, p.share, at.z
    centre = q + z**2 / (2 * m)
    half = z * sqrt(q * (1 - q) / m + z**2 / (4 * m**2))
    below, above = (centre - half) / (1 + z**2 / m), (centre + half) / (1 + z**2 / m)
    return Limits(below if p.hits > 0 else 0.0, above if p.misses > 0 else 1.0)  # exact there, rounding aside


@interval(
    "Wilson with continuity correction",
    reads=Proportion,
    cite=("newcombe1998",),
    assumes=("IID", "FIX"),
    limits=(NO_ROWS,),
    known=(
        known_share(12, 40, 0.1709, 0.4671),
        known_share(81, 263, 0.2535, 0.3682, NEWCOMBE),
        known_share(15, 148, 0.0598, 0.1644, NEWCOMBE),
        known_share(0, 20, 0.0, 0.2005, NEWCOMBE),
        known_share(1, 29, 0.0018, 0.1963, NEWCOMBE),
    ),
    aliases="wilson_corrected",
)
def wilson_cc(p: Proportion, at: Confidence) -> Limits:
    """Wilson's interval made wider by half a row on each side; conservative."""
    return Limits(_corrected_lower(p.hits, p.rows, at.z), 1 - _corrected_lower(p.misses, p.rows, at.z))


def _corrected_lower(hits: float, m: float, z: float) -> float:
    """The lower limit; the upper one mirrors it."""
    if hits <= 0:
        return 0.0
    inside = z**2 - 2 - 1 / m + 4 * (hits / m) * (m - hits + 1)
    return max(0.0, (2 * hits + z**2 - 1 - z * sqrt(max(inside, 0.0))) / (2 * (m + z**2)))


@interval(
    "Agresti-Coull",
    reads=Proportion,
    cite=("agresti1998",),
    assumes=("IID", "FIX"),
    limits=(NO_ROWS,),
    known=(known_share(12, 40, 0.1797, 0.4553),),
    aliases="adjusted_wald, plus_four",
)
def agresti_coull(p: Proportion, at: Confidence) -> Limits:
    """Wald's interval after adding half a squared normal quantile to the rows of each kind."""
    m, z = p.rows + at.z**2, at.z
    q = (p.hits + z**2 / 2) / m
    half = z * sqrt(q * (1 - q) / m)
    return Limits(q - half, q + half)
