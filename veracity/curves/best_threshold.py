"""The best threshold: chosen on validation rows, reported on other rows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.verb import verb
from veracity.core.words import phrase
from veracity.curves.chosen_threshold import BestThreshold
from veracity.curves.thresholds import Thresholds, choose_threshold, on_scale, scale_of
from veracity.evidence.looks import enter_look
from veracity.evidence.origin import require_one_model
from veracity.evidence.predictions import Predictions, check_predictions
from veracity.intervals.evidence_from_score import notes_on_rows
from veracity.records.arrays import Array, as_numbers
from veracity.scores import scores
from veracity.scores.on_counts import CountScore

CELLS = ("TP", "FP", "FN", "TN")
Costs = Mapping[str, float] | ArrayLike  # of each kind of row, or a matrix by truth and prediction


@verb
def best_threshold(
    p: Predictions, score: MethodLike | None = None, *, costs: Costs | None = None, level: float = 0.95, seed: int = 0
) -> BestThreshold:
    """The threshold that is best on these validation rows, by a score of counts or by costs; the highest among equals.

    `costs` is the cost of each kind of mistake, such as `{"FP": 1, "FN": 5}` (also TP and TN; a benefit is a negative
    cost; what is not named costs 0), or a matrix indexed by truth and prediction in the order of classes. Report the
    result with `.on(test)`, or from these rows alone with `.cross_fit()`. `level` is of the interval of the threshold.
    """
    Confidence(level)
    if check_predictions(p, "best_threshold").provenance == "training rows":
        require_one_model(p, "a threshold", "choose it on rows that the model has not seen")
    choice = _choice(p, score, costs)
    choice.entry.check_labelled(p)
    rows = on_scale(p, scale_of(p))
    _refuse_free_mistakes(choice, p.named_positive)
    threshold, value, best = choose_threshold(rows, choice)
    notes = (*_notes(best, p), *_paid_mistakes(choice, p.named_positive))
    enter_look(p, "best_threshold", [choice.spelling], thresholds=len(Thresholds.of(rows).at))
    return BestThreshold(threshold, value, choice, len(best) - 1, p, notes, level, seed)


def _choice(p: Predictions, score: MethodLike | None, costs: Costs | None) -> Choice:
    """The score to optimise; costs are the mean cost under their matrix."""
    if (score is None) == (costs is None):
        raise BadInput("say what to optimise: either costs= such as {'FP': 1, 'FN': 5}, or score= such as 'youden'")
    if costs is not None:
        scale_of(p)  # two classes, before a matrix is made for them
        return scores["cost"].choose(matrix=_matrix(costs, p.named_positive))
    choice = scores.choose(score)
    if not isinstance(choice.entry, CountScore):
        raise BadInput(
            f"{choice.entry.name} does not depend on a threshold: choose a score of counts, such as 'youden'"
        )
    return choice


def _refuse_free_mistakes(choice: Choice, positive: int) -> None:
    """Refuse costs by which one class is never the dearer one to predict, so that no row can change the answer."""
    if not choice.entry.is_one_of("cost"):
        return
    table = np.asarray(choice.value("matrix"))
    cheaper = [k for k in (positive, 1 - positive) if (table[:, k] <= table[:, 1 - k]).all()]
    if not cheaper:
        return
    called, mistake = ("positive", "FP") if cheaper[0] == positive else ("negative", "FN")
    costs = {"FP": 1, "FN": 5}
    way = phrase(f"costs={costs}", "--costs FP=1 --costs FN=5")
    says = f"by these costs calling every row {called} is never dearer, whatever the rows are: {mistake} must cost more"
    raise BadInput(f"{says} than being right; give the cost of both mistakes, such as {way} (is a sign wrong?)")


def _matrix(costs: Costs, positive: int) -> tuple[tuple[float, float], ...]:
    """Costs by truth and prediction, in the order of classes."""
    if not isinstance(costs, Mapping):
        table = as_numbers(costs, "costs")
        if table.shape != (2, 2):
            raise BadInput(f"costs: a matrix for two classes is 2 x 2, not of shape {table.shape}")
    else:
        unknown = [key for key in costs if key not in CELLS]
        if unknown or not costs:
            raise BadInput(f"costs: name what each of {', '.join(CELLS)} costs, not {list(costs)}")
        tp, fp, fn, tn = as_numbers([costs.get(cell, 0.0) for cell in CELLS], "costs").ravel()
        table = np.array([[tn, fp], [fn, tp]])
        table = table if positive == 1 else table[::-1, ::-1]
    if not np.isfinite(table).all():
        raise BadInput("costs: every cost must be a finite number")
    return tuple((float(row[0]), float(row[1])) for row in table)


def _paid_mistakes(choice: Choice, positive: int) -> tuple[Note, ...]:
    """A benefit is a negative cost; of a mistake it is more likely a sign that was typed wrong."""
    if not choice.entry.is_one_of("cost"):
        return ()
    table = np.asarray(choice.value("matrix"))
    kinds = {"false positive": 1 - positive, "false negative": positive}
    paid = [kind for kind, truth in kinds.items() if table[truth, 1 - truth] < table[truth, truth]]
    if not paid:
        return ()
    says = f"by these costs a {' and a '.join(paid)} costs less than being right: is a sign wrong?"
    return (Note("mistake-pays", "caution", says),)


def _notes(best: Array, p: Predictions) -> tuple[Note, ...]:
    way = phrase(
        "report it with .on(other rows), or with .cross_fit()", "name a second file to report it on, or say --folds 10"
    )
    says = f"the value is that of the rows that chose the threshold, hence optimistic: {way}"
    notes = [Note("optimistic", "caution", says)]
    notes.extend(p.notes)
    notes.extend(note for note in notes_on_rows(p) if note.weight == "caution")
    if p.provenance == "several models":
        says = "the threshold is one for the models of several folds: another model may need another"
        notes.append(Note("several-models", "caution", says))
    if len(best) > 1:
        says = f"{len(best) - 1} lower threshold(s) do equally well: the highest is taken"
        notes.append(Note("tied-thresholds", "remark", says))
    if best[0] == 0:
        notes.append(Note("predict-nobody", "caution", "the best threshold is infinite: predict nobody"))
    return tuple(notes)
