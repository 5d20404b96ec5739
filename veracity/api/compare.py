"""Is one model really better than another?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veracity.comparisons import comparisons
from veracity.comparisons.difference import newcombe_paired
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import check
from veracity.records.comparison import Comparison
from veracity.records.interval import Interval
from veracity.records.pairs import Pairs
from veracity.records.predictions import Predictions
from veracity.scores import scores


def compare(
    models: Mapping[str, Predictions], score: Any = "error", *, using: Any = "mcnemar_midp", level: float = 0.95
) -> Comparison:
    """Compare two models on the same test rows: difference, interval, p-value and one plain sentence."""
    if len(models) != 2:
        raise BadInput(f"compare takes two models, not {len(models)}: give a mapping of two names to predictions")
    name, choice = scores.choose(score).entry.name, comparisons.choose(using)
    if name not in ("error", "accuracy"):
        raise BadInput(f"{choice.entry.name} compares error or accuracy, not {name}")
    (a, first), (b, second) = models.items()
    pairs = Pairs.of(first, second)
    notes = check(choice.entry.limits, pairs)
    verdict = choice(pairs)
    low, high, _ = newcombe_paired(pairs, Confidence(level))
    sign = -1 if name == "error" else 1
    limits = sorted((sign * low, sign * high))
    interval = Interval(limits[0], limits[1], level, "newcombe_paired", assumes=("IID", "FIX", "PAIR"))
    return Comparison(
        name,
        choice.spelling,
        a,
        b,
        sign * pairs.difference,
        interval,
        verdict.p_value,
        verdict.statistic,
        verdict.df,
        n01=int(pairs.second_only),
        n10=int(pairs.first_only),
        better=scores[name].better,
        notes=notes + verdict.notes,
    )
