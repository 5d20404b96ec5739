"""How the pairs of a ranking were judged: what their differences are of, by what, and who is the better of two."""

from __future__ import annotations

from veracity.core.spelling import read
from veracity.findings.standing import RankedPair, Standing
from veracity.posthoc import posthocs


def judged_in(standing: Standing) -> str:
    """Mean ranks of some kind, mean scores, or the score itself."""
    name = read(standing.judged_by).name
    return posthocs[name].about if name in posthocs else standing.matrix.score


def winner_first(standing: Standing, pair: RankedPair) -> tuple[str, str]:
    """The better learner of a pair, then the other, by the difference that was judged; equals by their mean ranks."""
    lower = "ranks" in judged_in(standing) or standing.matrix.better == "lower"
    ahead = -pair.difference if lower else pair.difference
    ahead = ahead or standing.average_ranks[pair.b] - standing.average_ranks[pair.a]
    return (pair.a, pair.b) if ahead > 0 else (pair.b, pair.a)


def procedure(standing: Standing) -> str:
    """The test of pairs and the adjustment, or the one that does both, and the level."""
    both = dict.fromkeys((standing.judged_by, standing.then))
    return f"{', '.join(both)}, {1 - standing.level:.2g}"
