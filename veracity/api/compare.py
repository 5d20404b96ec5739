"""Is one model, or one learner, really better than another?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from veracity.api.contests.contest import Contest
from veracity.api.contests.sources import contest
from veracity.api.judged import Question, judged
from veracity.comparisons import comparisons
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.records.comparison import Comparison
from veracity.tables.comparisons import Comparisons


def compare(
    source: Any,
    score: Any = None,
    *,
    using: Any = None,
    pairs: Any = None,
    then: Any = None,
    interval: Any = None,
    level: float = 0.95,
    data: str | None = None,
    by: str | None = None,
    seed: int = 0,
    anyway: bool = False,
) -> Comparison | Comparisons:
    """Compare two models or learners: difference, interval, p-value and one plain sentence.

    `source` is a mapping of models to predictions, runs, split scores or a matrix of scores. More than two are
    compared in pairs (all, or `pairs`), with p-values adjusted by `then` (holm unless another is named).
    """
    found = contest(source, score, using, data, by)
    question = Question(comparisons.choose(using or found.default), interval, Confidence(level), seed, anyway)
    asked = _asked(found, pairs, question)
    each = [judged(found, question, a, b) for a, b in asked]
    if len(each) == 1 and pairs is None:
        return each[0]
    return adjusted(each, then, found)


def _asked(found: Contest, pairs: Any, question: Question) -> list[tuple[str, str]]:
    if question.test.entry.compares == 1 and len(found.names) == 1:
        return [(found.names[0], found.names[0])]
    if len(found.names) < 2:
        raise BadInput(f"compare needs two models or learners, not {len(found.names)}: one_sample(value=...) takes one")
    return found.pairs(pairs)


def adjusted(each: list[Comparison], then: Any, found: Contest) -> Comparisons:
    """Several comparisons as one family: their p-values adjusted together."""
    import numpy as np

    from veracity.api.adjust import adjust

    if all(one.p_value is None for one in each):  # posteriors make no claims that add up
        if then is not None:
            raise BadInput("posterior probabilities are not adjusted: leave out then=")
        return Comparisons(tuple(each))
    names = tuple(dict.fromkeys(name for one in each for name in (one.a, one.b)))
    matrix = np.full((len(names), len(names)), np.nan)
    for one in each:
        i, j = names.index(one.a), names.index(one.b)
        matrix[i, j] = matrix[j, i] = np.nan if one.p_value is None else one.p_value
    method = "holm" if then is None else then
    values = adjust(matrix, method)
    rows = tuple(replace(one, adjusted_p_value=float(values[names.index(one.a), names.index(one.b)])) for one in each)
    kept = tuple(note for note in values.notes if note.code != "missing-p")
    return Comparisons(rows, kept + _family(len(rows), method))


def _family(size: int, method: Any) -> tuple[Note, ...]:
    return (Note("family", "remark", f"{size} comparisons are one family, adjusted by {method}"),)
