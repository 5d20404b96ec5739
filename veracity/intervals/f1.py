"""The exact interval of F1, which is a share of rows in disguise."""

from __future__ import annotations

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import Refused
from veracity.core.notes import refuse
from veracity.evidence.counts import Counts
from veracity.evidence.proportion import Proportion
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval
from veracity.intervals.scored import Scored
from veracity.intervals.shares import limits_of

EXAMPLE = {"score": "fbeta", "matrix": ((40, 10), (20, 130)), "level": 0.95}
PLAIN = refuse(
    "not-iid",
    "f1_exact counts plain rows, but these are weighted or grouped: use delta or bca",
    lambda m: m.evidence.sampling is not None,
)


@interval(
    "Exact interval of F1",
    reads=Scored,
    only=("fbeta",),
    cite=("clopper1934",),
    assumes=("IID", "FIX"),
    limits=(PLAIN,),
    known=(
        Known(EXAMPLE, (0.6183, 0.8160)),
        Known({**EXAMPLE, "of": "wilson"}, (0.6252, 0.8100)),
    ),
)
def f1_exact(m: Scored, at: Confidence, *, of: str = "clopper_pearson") -> Limits:
    """The interval of TP / (TP + FP + FN), a share of the rows that are not true negatives, carried over to F1."""
    c = m.evidence
    assert isinstance(c, Counts)
    if m.score.value("beta") != 1 or m.score.entry.averaging(c, m.score.value("average")) != "none":
        raise Refused("f1_exact is for F1 (beta=1) of one class: use delta or bca", "wrong-score")
    found = limits_of(Proportion(float(c.tp), float(c.tp + c.fp + c.fn)), at, of)
    return Limits(f1_of(found.low), f1_of(found.high), found.notes)


def f1_of(jaccard: float) -> float:
    """F1 as a function of the Jaccard index."""
    return 2 * jaccard / (1 + jaccard)
