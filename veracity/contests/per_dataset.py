"""Tests of every pair on every data set: Weka's table of wins, ties and losses, and replicability over data sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from veracity.adjustments.adjust import adjust
from veracity.comparisons import comparisons
from veracity.contests.compare import ComparisonSpec, adjust_comparisons, compare, compare_pair
from veracity.contests.score_sources import OVER_SPLITS, from_split_scores
from veracity.contests.sources import list_pairs
from veracity.core.arguments import Table, verb
from veracity.core.confidence import Confidence, rejects
from veracity.core.entry import Choice, MethodLike, first_fit
from veracity.core.errors import BadInput, Refused, VeracityError, ask_each
from veracity.core.notes import Note, unique
from veracity.core.words import plural
from veracity.evidence.runs import Runs
from veracity.evidence.score_matrix import ScoreMatrix, SplitTable
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.dataset_tests import Replicability, Replication, Verdicts
from veracity.records.arrays import Array, as_numbers

NO_SPLITS = "this table holds one score per data set and learner: give those of the splits, a row for each"


def verdicts(
    matrix: ScoreMatrix,
    using: MethodLike = "corrected_t",
    *,
    control: str | None = None,
    then: MethodLike | None = None,
    level: float = 0.95,
    seed: int = 0,
    anyway: bool = False,
) -> Verdicts:
    """Win, tie or loss of every pair of learners on every data set, from the scores of its splits.

    With a `control` only its pairs are tested; without, the printed table holds the others against the first learner.
    `then` adjusts the p-values of all tested pairs on all data sets as one family; without it, as in Weka, none is.
    """
    test = comparisons.choose(using)
    if matrix.without_splits:
        raise Refused(matrix.without_splits, "wrong-design")
    if matrix.splits is None or not any(cell for row in matrix.splits for cell in row):
        why = next((note.says for note in matrix.notes if note.code == "no-sizes"), NO_SPLITS)
        raise Refused(f"{test.name} reads scores on splits: {why}", "no-splits")
    if len(matrix.learners) < 2:
        raise BadInput(f"there is one learner, {matrix.learners[0]}: verdicts need two")
    control = None if control is None else matrix.learner(control)
    tested = [pair for pair in combinations(matrix.learners, 2) if control in (None, *pair)]
    spec = ComparisonSpec(test, at=Confidence(level), seed=seed, anyway=anyway)
    rows = tuple(row for at in range(len(matrix)) for row in _compare_on(matrix, at, tested, test, spec))
    if any(row.probabilities is not None for row in rows):
        raise BadInput(f"{test.name} gives probabilities and no verdicts: `vc.compare` tells them")
    answered = [row for row in rows if row.p_value is not None]
    if not answered:  # there is nothing to tally
        note = rows[0].notes[0]
        raise Refused(note.says, note.code)
    adjusted, spelled = tuple[Note, ...](), ""
    if then is not None:  # pairs without a p-value belong to the family as tests that found nothing
        family = adjust_comparisons(answered, then, untested=len(rows) - len(answered))
        judged, adjusted, spelled = iter(family.rows), family.notes, family.then
        rows = tuple(row if row.p_value is None else next(judged) for row in rows)
    notes = unique((*matrix.notes, *adjusted, *_pair_notes(rows)))
    return Verdicts(matrix, rows, control or matrix.learners[0], notes, spelled, control)


def _compare_on(
    matrix: ScoreMatrix, at: int, pairs: Sequence[tuple[str, str]], test: Choice, spec: ComparisonSpec
) -> list[Comparison]:
    """Compare the pairs on one data set; one on which the test cannot be had is a tie, and a note says why."""
    assert matrix.splits is not None
    cells = {name: cell for name, cell in zip(matrix.learners, matrix.splits[at], strict=True) if cell is not None}
    source = from_split_scores(SplitTable(cells, matrix.better, matrix.score), matrix.datasets[at])

    def compare_here(pair: tuple[str, str]) -> Comparison:
        missing = next((name for name in pair if name not in cells), None)
        if missing is not None:
            raise Refused(f"{missing} has no scores", "no-scores")
        return compare_pair(source, spec, *pair)

    def tie(pair: tuple[str, str], why: VeracityError) -> Comparison:
        if not isinstance(why, Refused):
            raise why
        difference = source.difference(*pair) if cells.keys() >= {*pair} else float("nan")
        note = Note(why.code, "refuse", why.says)
        about: Any = {"better": source.better, "notes": (note,), "level": spec.at.level, "data": source.data}
        return Comparison(source.score, test.spelling, *pair, difference, None, None, **about)

    return ask_each(pairs, compare_here, tie)[0]


def _pair_notes(rows: tuple[Comparison, ...]) -> tuple[Note, ...]:
    """What was said of pairs, once for all of them; a refusal names the first place and becomes a caution."""
    refused: dict[str, list[tuple[Comparison, Note]]] = {}
    for row in rows:
        for note in row.notes:
            if note.weight == "refuse":
                refused.setdefault(note.code, []).append((row, note))
    notes = []
    for code, ((row, note), *others) in refused.items():
        more = f" and {plural(len(others), 'other pair')}" if others else ""
        place = f"{row.a} and {row.b} on {row.data}{more}"
        notes.append(Note(code, "caution", f"no verdict for {place}, counted as ties: {note.says}"))
    return unique((*notes, *(note for row in rows for note in row.all_notes if note.weight != "refuse")))


WAYS = {
    "bonferroni": "holds however data sets depend on each other",
    "fisher": "holds where data sets are independent, and sees small effects on many of them",
}


@verb
def replicability(
    source: Table,
    score: MethodLike | None = None,
    *,
    using: MethodLike | None = None,
    pairs: Iterable[Sequence[str]] | None = None,
    combine: str = "bonferroni",
    level: float = 0.95,
    by: str | None = None,
    seed: int = 0,
) -> Replicability:
    """On how many data sets one learner is better than another, at least, and which of them can be named.

    Better on u data sets of n is shown where, whichever u - 1 are left out, the others together still show a
    difference (the partial conjunction of Benjamini and Heller 2008): by `combine="bonferroni"` whatever data sets have
    to do with each other, by `"fisher"` where they are independent. The number is too large with a chance of at most
    1 - level, for both directions together (Dror et al. 2017). Single data sets are named by holm; they may be fewer
    than the number, which does not say which.

    `source` is runs on several data sets or scores of their splits (tested on each by `using`, the usual test of its
    splits unless said), comparisons of the same pair on several data sets, or p-values of "better" by the names of the
    data sets. More data sets make a mean difference surer; this asks how general it is.

    Parameters
    ----------
    source
        Runs or scores of splits of several data sets, comparisons, or p-values by data set.
    score
        A score by its name, such as 'error', or your own; the default of the target unless said.
    using
        The test by its name; the default for this kind of score and rows unless said.
    pairs
        The pairs of learners; all of them unless said.
    combine
        'bonferroni', whatever data sets have to do with each other, or 'fisher' where independent.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    by
        The design, where the runs have several.
    seed
        Where random numbers begin; the same seed gives the same numbers.

    Examples
    --------
    >>> vc.replicability({"wsj": 0.168, "email": 0.019, "web": 0.001})[0].better
    2
    """
    at = Confidence(level)
    if combine not in WAYS:
        raise BadInput(f"`combine=` is {' or '.join(map(repr, WAYS))}, not {combine!r}")
    says = Note("combine", "remark", f"{combine} {WAYS[combine]}")
    if isinstance(source, (Runs, ScoreMatrix, Comparisons, Verdicts)):
        rows, notes = _comparisons(source, score, using, pairs, level, by, seed)
        found = tuple(_of_pair(group, combine, at) for group in _by_pair(rows))
        return Replicability(found, combine, level, unique((says, *notes)))
    found = (_of_p_values(source, combine, at),)
    for word, value in (("score", score), ("using", using), ("pairs", pairs), ("by", by)):
        if value is not None:
            raise BadInput(f"`{word}=` chooses among comparisons, and these are p-values of one: leave it out")
    return Replicability(found, combine, level, (says,))


def _comparisons(
    source: Any, score: Any, using: Any, pairs: Any, level: float, by: str | None, seed: int
) -> tuple[list[Comparison], tuple[Note, ...]]:
    """Every pair on every data set by a test of its own."""
    pairs = None if pairs is None else list_pairs(pairs)
    if using is not None:
        _check_of_one_data_set(using)
    if isinstance(source, Runs):
        if len(source.names) < 2:
            raise BadInput("replicability is over several data sets, and there is one: use compare")
        places = list(source.names)
        source = compare(source, score, using=using, pairs=pairs, data=places, by=by, level=level, seed=seed)
    elif isinstance(source, ScoreMatrix):
        pairs = None if pairs is None else [(source.learner(a), source.learner(b)) for a, b in pairs]
        rounds = max((cell.rounds for row in source.splits or () for cell in row if cell is not None), default=1)
        usual = str(first_fit(OVER_SPLITS, rounds).name)
        source = verdicts(source, usual if using is None else using, level=level, seed=seed)
    rows = [row for row in source if pairs is None or (row.a, row.b) in pairs or (row.b, row.a) in pairs]
    sound = [row for row in rows if row.p_value is not None and not row.refused and not row.claims]
    if any(not row.better for row in sound):
        raise BadInput(
            f"neither high nor low {sound[0].score} is better, so no learner is better on any data set: use compare"
        )
    if not sound:
        raise BadInput("no pair was tested on any data set: name pairs that were compared, by a test of a difference")
    for row in sound:
        _check_of_one_data_set(row.using)
    notes = tuple(note for row in sound for note in row.notes if note.weight == "caution")
    if len(sound) < len(rows):
        lost = f"{len(rows) - len(sound)} of {len(rows)} comparisons have no p-value: their data sets count for nobody"
        notes += (Note("not-compared", "caution", lost),)
    return sound, notes


def _check_of_one_data_set(using: MethodLike) -> None:
    """Refuse a test whose p-value is of all data sets together, or of all learners."""
    test = comparisons.choose(using).entry
    if test.reads is ScoreMatrix or test.compares != 2:
        says = f"{test.name} is one test of all data sets or learners together"
        raise BadInput(f"{says}: use corrected_t, or another of two learners on one data set")


def _by_pair(rows: list[Comparison]) -> list[list[Comparison]]:
    groups: dict[tuple[str, str], list[Comparison]] = {}
    for row in rows:
        groups.setdefault((row.a, row.b), []).append(row)
    for (a, b), group in groups.items():
        names = [row.data for row in group]
        if len(set(names)) < len(names):
            raise BadInput(f"{a} and {b} are compared twice on {names[0]!r}: give one comparison for each data set")
    return list(groups.values())


def _of_pair(group: list[Comparison], combine: str, at: Confidence) -> Replication:
    """Half of a two-sided p-value is that of the side on which the difference lies."""
    names = [row.data or f"data {i}" for i, row in enumerate(group, 1)]
    sign = np.array([row.difference if row.better == "higher" else -row.difference for row in group])
    half = np.array([row.p_value for row in group], float) / 2
    better, worse = (np.where(side * sign > 0, half, 1 - half) for side in (1, -1))
    both = [partial_conjunction(p, combine) for p in (better, worse)]
    number, other = (int(rejects(found, 1 - at.tail).sum()) for found in both)
    a_on, b_on = (_names_by_holm(names, p, 1 - at.tail) for p in (better, worse))
    first, p_values = group[0], dict(zip(names, better.tolist(), strict=True))
    return Replication(first.a, first.b, p_values, number, other, a_on, b_on, tuple(both[0].tolist()))


def _of_p_values(source: Any, combine: str, at: Confidence) -> Replication:
    """One-sided p-values that the first is better, by data set or in a list."""
    if not isinstance(source, Mapping) and (
        isinstance(source, str) or not isinstance(source, (Sequence, np.ndarray)) or not np.ndim(source)
    ):
        kinds = "runs, scores of splits, comparisons, or p-values"
        raise BadInput(f"replicability reads {kinds} of several data sets, not {type(source).__name__}")
    pairs = source.items() if isinstance(source, Mapping) else enumerate(source, 1)
    by_name = {name if isinstance(name, str) else f"data {name}": p for name, p in pairs}
    p = as_numbers(list(by_name.values()), "p-values").astype(float)
    if p.ndim != 1 or not len(p) or not ((p >= 0) & (p <= 1)).all():
        raise BadInput("p-values are numbers between 0 and 1, one for each data set")
    found = partial_conjunction(p, combine)
    number = int(rejects(found, at.level).sum())
    named = _names_by_holm(list(by_name), p, at.level)
    p_values = dict(zip(by_name, p.tolist(), strict=True))
    return Replication("a", "b", p_values, number, None, named, (), tuple(found.tolist()))


def _names_by_holm(names: list[str], p: Array, level: float) -> tuple[str, ...]:
    return tuple(name for name, adjusted in zip(names, adjust(p, "holm"), strict=True) if rejects(adjusted, level))


def partial_conjunction(p: Array, combine: str) -> Array:
    """P-values of "better on at least 1, 2, ... of the data sets", which never fall."""
    from scipy.special import gammaincc

    ordered = np.sort(p)
    left = np.arange(len(p), 0, -1)  # data sets that remain when the u - 1 smallest p-values are left out
    if combine == "bonferroni":
        each = np.minimum(left * ordered, 1.0)
    else:
        with np.errstate(divide="ignore"):
            logs = -np.log(ordered)
        each = gammaincc(left, np.cumsum(logs[::-1])[::-1])
    return np.maximum.accumulate(each)
