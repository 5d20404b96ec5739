"""Every threshold that tells rows apart, with its confusion matrix, and every score of that matrix as a curve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import generator
from veracity.curves import Models, curve
from veracity.evidence.counts import Counts
from veracity.evidence.evidence import Sampling
from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Curve, Line
from veracity.intervals.replicates import chunks
from veracity.records.arrays import Array
from veracity.scores import scores
from veracity.scores.entry import UNLABELLED, values_on

FEW = ("precision", "recall", "specificity", "accuracy", "fbeta")
CHUNK = 1_000_000  # matrices made at once, to bound memory
BLOCKS = 2_000  # of rows next to each other: finer steps of a threshold do not matter to how sure it is
SHARE = 0.75  # of the rows, in a sample that says how sure a threshold is
ROUNDING = 1e-12  # relative: values closer than this are the same
Scale = Literal["proba", "value"]


def thresholds_of(o: Ordering) -> Array:
    """Return infinity, which selects nobody, then the distinct values downwards."""
    if o.values is None:
        raise BadInput("the values were not kept for lack of memory, so there are no thresholds: give fewer rows")
    return np.concatenate([[np.inf], o.values])


def values_at_thresholds(o: Ordering, p: Predictions, score: Choice) -> Array:
    """Return a score of counts at every threshold of rows in their order, all or samples of them on a leading axis.

    Two classes stay in their order; of several the one named positive stands against all others.
    """
    classes, yes = (p.classes, p.named_positive) if p.binary else (("rest", p.classes[p.named_positive]), 1)
    no, parts, all_tp, all_fp = 1 - yes, [], o.tp, o.fp
    for start in range(0, all_tp.shape[-1], CHUNK):
        tp, fp = (counts[..., start : start + CHUNK] for counts in (all_tp, all_fp))
        matrix = np.empty((*tp.shape, 2, 2))
        matrix[..., yes, yes], matrix[..., yes, no] = tp, all_tp[..., -1:] - tp
        matrix[..., no, yes], matrix[..., no, no] = fp, all_fp[..., -1:] - fp
        parts.append(values_on(score, Counts.of_arrays(matrix, classes, yes)))
    return np.concatenate(parts, axis=-1)


def are_best(values: Array, score: Choice) -> Array:
    """Return which thresholds are best by a score at each; none where it is undefined at all of them."""
    gain = values if score.better == "higher" else -values
    most = np.where(np.isnan(gain), -np.inf, gain).max(axis=-1, keepdims=True)
    slack = np.where(np.isfinite(most), ROUNDING * np.maximum(1.0, np.abs(most)), 0.0)
    return gain >= most - slack


def choose_threshold(p: Predictions, score: Choice) -> tuple[float, float, Array]:
    """Return the best threshold, its value, and the places of all that are as good, highest threshold first."""
    at = thresholds_of(p.ordering)
    values = values_at_thresholds(p.ordering, p, score)
    places = np.flatnonzero(are_best(values, score))
    if not len(places):
        raise Refused(f"{score} is undefined at every threshold: {score.undefined}", "undefined")
    return float(at[places[0]]), float(values[places[0]]), places


def best_of_samples(p: Predictions, score: Choice, draws: int, seed: int) -> tuple[Array, Array]:
    """Between which thresholds the best one lies on samples of these rows or groups; NaN where a sample has none.

    All that lie there select the same rows of the sample. The samples are of three quarters as many rows, drawn with
    replacement: a best threshold settles with the cube root of their number, where samples of as many are too sure.
    """
    o = _coarse(p.ordering)
    low, high, at = [], [], thresholds_of(o)
    below = np.append(at[1:], -np.inf)
    for part in _samples(o, draws, seed):
        best = are_best(values_at_thresholds(o.reweigh(part), p, score), score)
        there, last = best.any(axis=-1), best.shape[-1] - 1 - best[..., ::-1].argmax(axis=-1)
        low.append(np.where(there, below[last], np.nan))
        high.append(np.where(there, at[best.argmax(axis=-1)], np.nan))
    return np.concatenate(low), np.concatenate(high)


def _coarse(o: Ordering) -> Ordering:
    """The ordering in blocks of about equally many rows, each down to its lowest value, where it is finer."""
    number = o.positives.size
    if number <= BLOCKS or o.values is None:
        return o
    before = np.cumsum(o.positives + o.negatives) - o.positives - o.negatives
    block = np.unique((before / (o.all_positives + o.all_negatives) * BLOCKS).astype(int), return_inverse=True)[1]
    positives, negatives = (np.bincount(block, part) for part in (o.positives, o.negatives))
    last = np.append(np.flatnonzero(np.diff(block)), number - 1)
    sampling = o.sampling
    if sampling is not None:
        cell = np.concatenate([block, block + len(positives)])[sampling.cell]
        sampling = Sampling(cell, sampling.weight, sampling.group)
    return Ordering(positives, negatives, o.values[last], sampling)


def _samples(o: Ordering, draws: int, seed: int) -> Iterator[Array]:
    """The weights of all cells in samples of some rows or groups, some samples at a time."""
    random, cells, sampling = generator(seed, "samples of a threshold"), o.cells, o.sampling
    units = round(float(cells.sum())) if sampling is None else sampling.units
    size = max(1, int(SHARE * units))
    for _, number in chunks(draws, 4 * max(cells.size, 0 if sampling is None else units)):
        if sampling is None:
            yield random.multinomial(size, cells / cells.sum(), size=number)
            continue
        unit = np.arange(units) if sampling.group is None else sampling.group
        drawn = random.multinomial(size, np.full(units, 1 / units), size=number)
        yield np.array([np.bincount(sampling.cell, times[unit] * sampling.row_weight, cells.size) for times in drawn])


def count_scores() -> tuple[str, ...]:
    """Every score of a confusion matrix that needs no parameter."""
    every = (score for score in scores if score.reads == "confusion matrix")
    return tuple(score.name for score in every if not any(parameter.required for parameter in score.parameters))


@curve("Scores by threshold", needs="value", by_fold=False, drawn=(("scores", FEW),), cite=("fawcett2006",))
def threshold(models: Models, *, scores: Any = None) -> Curve:
    """Scores of the confusion matrix against the threshold from which on a row is predicted positive.

    `scores` names them (one or several, such as `["recall", "fbeta(beta=2)"]`); without it, the data holds every one
    and a drawing shows five.
    """
    lines = tuple(line for name, p in models.items() for line in _lines(name, p, scores, len(models) > 1))
    low, high = min(float(line.x[-1]) for line in lines), max(float(line.x[1]) for line in lines)
    margin = 0.03 * (high - low) or 0.5
    x_range = (0.0, 1.0) if low >= 0 and high <= 1 else (low - margin, high + margin)
    return Curve(
        "threshold",
        "Scores by threshold",
        "Threshold",
        lines[0].name.capitalize() if len(lines) == 1 else "Score",
        lines,
        x_range=x_range,
    )


def _lines(name: str, p: Predictions, asked: Any, among_others: bool) -> list[Line]:
    lines, at = [], thresholds_of(p.ordering)
    for one in _score_names(asked, p):
        choice = scores.choose(one)
        if choice.reads != "confusion matrix":
            raise BadInput(f"{choice.name} is no score of a confusion matrix: choose among {', '.join(count_scores())}")
        values, text = values_at_thresholds(p.ordering, p, choice), str(choice)
        line_name, hue = (f"{name}: {text}", text) if among_others else (text, "")
        lines.append(Line(line_name, at, values, at, style="step", hue=hue))
    return lines


def _score_names(asked: Any, p: Predictions) -> list[Any]:
    """The scores typed, or all that these rows can tell."""
    if asked is None:
        return [name for name in count_scores() if p.labelled == "all" or name in UNLABELLED]
    names = [asked] if isinstance(asked, str) or not isinstance(asked, Iterable) else list(asked)
    for one in names:
        scores.choose(one).check_labelled(p)
    return names


def scale_of(p: Predictions) -> Scale:
    """What a threshold cuts: probabilities where there are any, else decision values."""
    if p.kind != "classes" or not p.binary:
        raise BadInput("a threshold separates two classes: these predictions are of another kind")
    if p.proba is None and p.value is None:
        raise BadInput("a threshold needs probabilities or decision values to cut: give `proba=` or `value=`")
    return "value" if p.proba is None else "proba"


def on_scale(p: Predictions, scale: Scale) -> Predictions:
    """The predictions with only what a threshold on this scale cuts; refused where that is missing."""
    if getattr(p, scale) is None:
        raise BadInput(f"the threshold was chosen on `{scale}=`, which these predictions do not hold")
    if p.proba is None or p.value is None:
        return p
    return replace(p, value=None) if scale == "proba" else replace(p, proba=None)


def count_shared_rows(a: Predictions, b: Predictions) -> int:
    """How many rows of b are also in a: by their ids, else by truth and prediction, where those tell rows apart."""
    if a is b:
        return len(b)
    if _names_rows(a) and _names_rows(b):
        return len(set(np.asarray(a.rows).tolist()) & set(np.asarray(b.rows).tolist()))
    columns = [name for name in ("proba", "value") if getattr(a, name) is not None]
    if any(getattr(b, name) is None for name in columns):
        return 0
    both = [np.column_stack([p.truth, *(getattr(p, name) for name in columns)]) for p in (a, b)]
    if both[0].shape[1] != both[1].shape[1]:
        return 0
    distinct, kind = np.unique(np.concatenate(both), axis=0, return_inverse=True)
    first, second = (np.bincount(part, minlength=len(distinct)) for part in np.split(kind.reshape(-1), [len(a)]))
    told_apart = 2 * np.count_nonzero(first) > len(a)  # a few values that come again and again are alike by chance
    return int(np.minimum(first, second).sum()) if told_apart or np.array_equal(first, second) else 0


def _names_rows(p: Predictions) -> bool:
    """Whether rows go by names, or by their numbers in a data set, and not by their places in a file of folds."""
    return p.rows is not None and (p.origin is None or p.origin.ids is not None or bool(p.origin.data))
