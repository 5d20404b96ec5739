"""What the splits of one data set say about the mean difference of two learners, as probabilities."""

from __future__ import annotations

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.rope import all_at, checked
from veracity.comparisons.splits import SKEWED, SOUND, corrected_error
from veracity.core.notes import Note
from veracity.evidence.split_scores import SplitScores
from veracity.findings.posterior import Posterior, Student
from veracity.intervals.splits import FEW_SPLITS, UNEQUAL

NO_SPREAD = Note("no-spread", "caution", "the difference is the same in all splits: the posterior is that one number")


@comparison(
    "Correlated t posterior",
    reads=SplitScores,
    cite=("corani2015", "benavoli2017"),
    assumes=("RHO", "NORM", "PRIOR"),
    limits=(*SOUND, FEW_SPLITS, SKEWED, UNEQUAL),
)
def correlated_t_posterior(s: SplitScores, *, rope: float = 0.0) -> Verdict:
    """Probabilities that the mean difference is below -rope, inside [-rope, rope], and above.

    Student's law about the mean difference with the variance of corrected_t, under a flat prior: the same numbers,
    read as probabilities. The interval is that of the posterior.
    """
    from scipy.special import stdtr

    rope, error, df = checked(rope), corrected_error(s), len(s) - 1
    posterior = Posterior(rope, Student(s.mean, error, df))
    if error == 0:
        return Verdict(None, None, df, (NO_SPREAD,), s.mean, probabilities=all_at(s.mean, rope), posterior=posterior)
    left, right = (float(stdtr(df, (-rope + sign * s.mean) / error)) for sign in (-1, 1))
    inside = max(0.0, 1 - left - right) if rope else 0.0
    found = (left, inside, right)
    return Verdict(None, None, df, (), s.mean, error, probabilities=found, posterior=posterior)
