"""ROC, precision-recall and DET curves, with bootstrap bands."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import Note, seed_note
from veracity.core.seeds import derive
from veracity.curves import CRISP_TOO, Models, curve
from veracity.curves.costs import hull_over_lines
from veracity.curves.operating_points import (
    UNIT,
    Point,
    RocPoints,
    crisp_marks,
    defined_points,
    diagonal,
    guide_lines,
    mirror_below_diagonal,
    score_marks,
    score_of_each,
    title,
    way_between,
)
from veracity.evidence.ordering import Ordering
from veracity.findings.curve import Curve, Line
from veracity.intervals.replicates import bootstrap_replicates
from veracity.kernels import sweep
from veracity.records.arrays import Array, ratio

FAR = 9.0  # deviates: beyond any rate that can be counted
DRAWS = 1_999
PLACES = np.linspace(0.0, 1.0, 201)
BANDED = (("band", 0.95),)  # what a drawing of one model's rows adds
Read = Callable[[Array, Array, Array], Array]  # places, true and false positives of one replicate


@curve("ROC curve", needs=CRISP_TOO, cite=("fawcett2006",), labelled_by=("AUC", "auc"), drawn=BANDED)
def roc(models: Models, *, band: float | None = None, draws: int = DRAWS, seed: int = 0) -> Curve:
    """True positive rate against false positive rate, one point per distinct value.

    `band=0.95` adds a pointwise bootstrap band. More than two classes give one line per class against the rest. A model
    that gives labels only is one point, joined to the corners; below the diagonal, its inversion is shown too. Several
    models get one hull over all of them; `best_for` among the facts names the best one for each cost and prior. Where
    both errors are equally frequent is marked. A drawing of one model's rows has the band unless told otherwise.
    """
    every, notes = defined_points(models, "roc", negatives=True)
    areas = score_of_each("auc", every)
    lines = tuple(Line(one.name, one.fpr, one.tpr, one.thresholds, says=f"AUC {areas[one.name]:.3f}") for one in every)
    equal = score_of_each("equal_error_rate", every)
    marks = crisp_marks(every, lines)
    upside_down, mirrored = mirror_below_diagonal(marks)
    around, band_notes = bands_around(every, recall_at, band, draws, seed)
    facts: dict[str, Any] = {"auc": areas, "equal_error_rate": equal}
    hull: tuple[Line, ...] = ()
    if 1 < len(every) == len(models):  # several models, one class
        line, facts["best_for"] = hull_over_lines(every)
        hull = (line,)
    return Curve(
        "roc",
        title("ROC curve", models),
        "False positive rate",
        "True positive rate",
        lines,
        (diagonal(), *hull, *upside_down, *around),
        marks
        + mirrored
        + score_marks("equal error", every, equal, lambda one: (equal[one.name], 1 - equal[one.name], None)),
        facts,
        UNIT,
        UNIT,
        notes=notes + band_notes,
    )


@curve(
    "Precision-recall curve",
    needs=CRISP_TOO,
    cite=("davis2006",),
    labelled_by=("AP", "average_precision"),
    drawn=BANDED,
)
def precision_recall(models: Models, *, band: float | None = None, draws: int = DRAWS, seed: int = 0) -> Curve:
    """Precision against recall, from the first block of rows on.

    Between points the counts are interpolated, not the ratios: the way there is curved. `band=0.95` adds a pointwise
    bootstrap band, which a drawing of one model's rows has unless told otherwise. Marked are the break-even point and
    where F is largest.
    """
    every, notes = defined_points(models, "precision_recall")
    means, even, best = (score_of_each(name, every) for name in ("average_precision", "break_even", "max_fbeta"))
    lines = tuple(_precision_line(one, f"AP {means[one.name]:.3f}") for one in every)
    around, band_notes = bands_around(every, precision_at, band, draws, seed)
    return Curve(
        "precision_recall",
        title("Precision-recall curve", models),
        "Recall",
        "Precision",
        lines,
        (*guide_lines(every, lambda one: (UNIT, (one.prevalence, one.prevalence)), "chance"), *around),
        crisp_marks(every, lines, point=0)
        + score_marks("break-even", every, even, lambda one: (even[one.name], even[one.name], None))
        + score_marks("best F", every, best, _best_f_point),
        {
            "average_precision": means,
            "break_even": even,
            "max_fbeta": best,
            "prevalence": {one.name: one.prevalence for one in every},
        },
        UNIT,
        UNIT,
        notes=notes + band_notes,
    )


def _best_f_point(one: RocPoints) -> Point:
    """Where F is largest: recall, precision, threshold."""
    o, thresholds = one.ordering, one.thresholds
    _, block, hits, selected = o.sweep(sweep.best_f, o.all_positives, 1.0).tolist()
    threshold = None if thresholds is None else float(thresholds[int(block) + 1])
    return hits / float(o.all_positives), hits / selected, threshold


def _precision_line(one: RocPoints, says: str) -> Line:
    """From the first block on: with nothing selected there is no precision."""
    true, false = one.ordering.tp[1:], one.ordering.fp[1:]
    thresholds = None if one.thresholds is None else one.thresholds[1:]
    way = way_between(one, first=1)
    path = None if way is None else (way[0] / true[-1], ratio(way[0], way[0] + way[1]))
    return Line(one.name, true / true[-1], ratio(true, true + false), thresholds, says=says, path=path)


@curve(
    "Detection error trade-off", needs=CRISP_TOO, cite=("martin1997",), labelled_by=("equal error", "equal_error_rate")
)
def det(models: Models) -> Curve:
    """False negative rate against false positive rate, both as normal deviates.

    A rate of 0 or 1 is infinitely far away: it is kept as such, and drawn at the limit of the axis.
    """
    every, notes = defined_points(models, "det", negatives=True)
    rates = score_of_each("equal_error_rate", every)
    lines = []
    for one in every:
        way, says = way_between(one), f"equal error {rates[one.name]:.3f}"
        path = None if way is None else _deviates(*way)
        points = _deviates(one.ordering.tp, one.ordering.fp)
        lines.append(Line(one.name, *points, one.thresholds, says=says, path=path))
    ends = np.concatenate([np.stack([line.x, line.y]) for line in lines], 1)
    finite = ends[:, np.isfinite(ends).all(0)]  # both axes show all of these, and at least from 1 % to 50 %
    low = float(finite.min(initial=NormalDist().inv_cdf(0.01)) - 0.25)
    reach = (low, float(finite.max(initial=0.0) + 0.25))
    number = sum(int((np.isinf(line.x) | np.isinf(line.y)).sum()) for line in lines)
    says = f"points with a rate of 0 or 1, infinite here and drawn at the axis limit: {number}"
    return Curve(
        "det",
        title("Detection error trade-off", models),
        "False positive rate (%)",
        "False negative rate (%)",
        tuple(lines),
        (Line("chance", np.array([-FAR, FAR]), np.array([FAR, -FAR])),),
        crisp_marks(every, tuple(lines)),
        {"equal_error_rate": rates},
        reach,
        reach,
        "normal",
        (*notes, Note("infinite", "remark", says)),
    )


def _deviates(true: Array, false: Array) -> tuple[Array, Array]:
    from scipy.special import ndtri

    return ndtri(false / false[-1]), ndtri((true[-1] - true) / true[-1])  # not 1 - rate: small rates keep their digits


def recall_at(places: Array, true: Array, false: Array) -> Array:
    """The true positive rate at false positive rates; on a vertical step, its top."""
    return np.interp(places, false / false[-1], true / true[-1])


def precision_at(places: Array, true: Array, false: Array) -> Array:
    """Precision at recalls, by interpolated counts; where precision falls at one recall, before the fall."""
    wanted = places * true[-1]
    after = np.maximum(np.searchsorted(true, wanted, "left"), int(np.argmax(true > 0)))  # from the first hit on
    rise = true[after] - true[after - 1]
    share = np.where(rise > 0, (wanted - true[after - 1]) / np.where(rise > 0, rise, 1), 1.0)
    alarms = false[after - 1] + share * (false[after] - false[after - 1])
    hits = true[after - 1] + share * rise
    whole = hits + alarms
    at_start = true[after] / (true[after] + false[after])  # nothing selected yet: the block that comes next
    return np.where(whole > 0, hits / np.where(whole > 0, whole, 1), at_start)


def bands_around(
    every: tuple[RocPoints, ...], read: Read, level: float | None, draws: int, seed: int
) -> tuple[tuple[Line, ...], tuple[Note, ...]]:
    """A band for every line, and the note that says what it promises; none without a level."""
    if level is None:
        return (), ()
    at = Confidence(level)
    if draws < 2:
        raise BadInput(f"draws must be at least 2, not {draws!r}; {DRAWS} are advised")
    bands = [_band(one, read, at, draws, seed) for one in every]
    lines = tuple(line for line, _ in bands)
    says = f"bands are pointwise: each covers {level:.4g} at every place by itself, not the whole curve at once"
    lost = tuple(note for _, notes in bands for note in notes)
    return lines, (Note("pointwise-band", "caution", says), seed_note(draws, seed), *lost)


def _band(one: RocPoints, read: Read, at: Confidence, draws: int, seed: int) -> tuple[Line, tuple[Note, ...]]:
    rows = []  # what `read` sees in each replicate; NaN where it lacks a class
    with np.errstate(invalid="ignore"):
        for part in bootstrap_replicates(one.ordering, draws, derive(seed, "band", one.name)):
            assert isinstance(part, Ordering)  # replicates are of the kind they resample
            rows += [read(PLACES, true, false) for true, false in zip(part.tp, part.fp, strict=True)]
    replicated = np.array(rows)
    known = replicated[np.isfinite(replicated).all(1)]
    if len(known) < 0.95 * draws:
        raise BadInput(f"too few rows for a band around {one.name}: many bootstrap samples lack one of the classes")
    low, high = np.quantile(known, [at.tail, 1 - at.tail], axis=0)
    middle = read(PLACES, one.ordering.tp, one.ordering.fp)
    name = f"{100 * at.level:.4g} % band, pointwise"
    lost = draws - len(known)
    says = f"{lost} of {draws} bootstrap samples of {one.name} lacked one of the classes and did not count"
    notes = (Note("undefined-replicates", "caution", says),) if lost else ()
    return Line(name, PLACES, middle, low=low, high=high, style="band", of=one.name), notes
