"""The jackknife: what leaving out each row in turn says of a score on its own training rows."""

from __future__ import annotations

import math

from veracity.core.notes import caution
from veracity.designs.entry import Said
from veracity.risk.bootstraps import WHOLE
from veracity.risk.entry import RESUBSTITUTION, Found, Part, part, risk_estimator
from veracity.risk.resampling import Resampling
from veracity.risk.within import inside
from veracity.scores.on_rows import RowScore

OTHERS = "all others"


def one_left_out(grouped: Said) -> tuple[Part, ...]:
    """A model without each row (or group) on all rows, and the model of all rows."""
    return (part(OTHERS, "leave_one_out", every=True, grouped=grouped), RESUBSTITUTION)


def _jumps(r: Resampling) -> bool:
    """Whether the score is no smooth function of what rows give."""
    entry = r.score.entry
    return not isinstance(entry, RowScore) or entry.reduce is not None


@risk_estimator(
    "Jackknife",
    cite=("quenouille1949", "tukey1958"),
    answers=WHOLE,
    parts=one_left_out,
    limits=(
        caution(
            "not-smooth",
            "the jackknife is for scores that change smoothly with the rows; labels, orders and medians jump",
            _jumps,
        ),
    ),
    says="the jackknife gives a standard error beside the value, and no interval that is known to hold",
)
def jackknife(r: Resampling, *, grouped: Said = "auto") -> Found:
    """The score on the training rows less its bias, which leaving out each row in turn tells; n fits.

    Rows are deleted, not drawn: with theta the score of the model of all n rows on these, and theta_i that of the
    model without row i on the others, the bias is (n - 1)(mean theta_i - theta). Whole groups are left out where they
    are known. For smooth scores of smooth learners only; else use `boot632plus`.
    """
    each = r.scores(OTHERS, "trained", whole=True)
    theta, number = float(r.scores(RESUBSTITUTION.name, "all")[0]), len(each)
    bias = (number - 1) * (float(each.mean()) - theta)
    error = math.sqrt((number - 1) / number * float(((each - each.mean()) ** 2).sum()))
    facts = (("resubstitution", theta), ("bias", bias), ("standard_error", error))
    return inside(r.score, Found(theta - bias, facts=facts))
