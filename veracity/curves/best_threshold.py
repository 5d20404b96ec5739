"""The best threshold: chosen on validation rows, reported on other rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.verb import verb
from veracity.core.words import option, phrase
from veracity.curves.thresholds import Thresholds, count_shared_rows, on_scale, scale_of
from veracity.evidence.origin import require_one_model
from veracity.evidence.predictions import Predictions, check_predictions
from veracity.findings.estimates import Estimates
from veracity.records.arrays import Array, as_numbers
from veracity.risk.estimates import applicable_scores, estimate
from veracity.scores import scores
from veracity.scores.entry import UNLABELLED
from veracity.scores.on_counts import CountScore
from veracity.tables.cells import align_decimals
from veracity.tables.printable import PrintableSentence
from veracity.tables.table import Column, Table

ROUNDING = 1e-12  # relative: values closer than this are the same
CELLS = ("TP", "FP", "FN", "TN")
Costs = Mapping[str, float] | ArrayLike  # of each kind of row, or a matrix by truth and prediction


@dataclass(frozen=True, eq=False, repr=False)
class BestThreshold(PrintableSentence):
    """A threshold and what it was chosen for. Its value here is optimistic: report it `.on` other rows."""

    threshold: float  # infinite: predict nobody
    value: float
    score: Choice
    ties: int  # how many lower thresholds do equally well
    validation: Predictions
    notes: tuple[Note, ...] = field(default=())

    @property
    def optimised(self) -> str:
        """What was optimised, as it would be typed."""
        return self.score.spelling

    def on(self, p: Predictions, *, level: float = 0.95, seed: int = 0) -> Estimates:
        """What the threshold does on other rows: the score it was chosen for, then every score of counts."""
        cut = self.cut(p)
        shared = count_shared_rows(self.validation, p)
        if 2 * shared > len(p):
            these = "these are" if shared == len(p) else f"{shared} of these {len(p)} rows are among"
            raise Refused(
                f"{these} the rows that chose the threshold: a report on them is optimistic, so give other rows",
                "same-rows",
            )
        mine = self.optimised
        others = [one for one in applicable_scores(cut) if isinstance(one.entry, CountScore) and one.spelling != mine]
        first, *rest = estimate(cut, [self.score, *others], level=level, seed=seed).rows
        if all(self.score.entry.name not in row.labels for row in rest):
            first = replace(first, asked=self.score.entry.name)  # a cost can be asked for without its matrix
        return Estimates((first, *rest), self._notes_on(shared))

    def cut(self, p: Predictions) -> Predictions:
        """Predictions of other rows, cut at this threshold; classes must be the same."""
        mine = self.validation
        check_predictions(p, "a threshold")
        if p.kind != "classes" or p.classes != mine.classes or p.positive not in (mine.positive, None):
            raise BadInput(
                f"the threshold was chosen for the classes {list(mine.classes)} with {self._positive!r} positive: "
                f"make these predictions with the same {option('classes')} and {option('positive')}"
            )
        return replace(on_scale(p, scale_of(mine)), threshold=self.threshold, positive=mine.positive, label=None)

    def _notes_on(self, shared: int) -> tuple[Note, ...]:
        rows = self.validation.different_rows
        says = f"the threshold {self.threshold:.6g} was chosen on {rows} other rows, by {self.score}"
        chosen = Note("chosen-elsewhere", "remark", says)
        says = f"rows that are also among the rows that chose the threshold: {shared}, optimistic to that extent"
        return (chosen, Note("shared-rows", "caution", says)) if shared else (chosen,)

    @property
    def _positive(self) -> Any:
        return self.validation.classes[self.validation.named_positive]

    def table(self) -> Table:
        """The threshold and what it was chosen for, with the notes."""
        columns = (Column("threshold"), Column("score", "left"), Column("value"), Column("better", "left"))
        row = (self.threshold, self.optimised, *align_decimals(self.value), self.score.entry.better)
        caption = f"chosen on {self.validation.different_rows} rows, where its value is optimistic"
        return Table(columns, (row,), caption, self.notes)

    def sentence(self) -> str:
        """What to predict from where on."""
        return f"{self._rule[0].upper()}{self._rule[1:]}."

    @property
    def _rule(self) -> str:
        rule = (
            "predict nobody" if np.isinf(self.threshold) else f"predict {self._positive!r} from {self.threshold:.6g} on"
        )
        return f"{rule}: {self.score} {self.value:.4g} on the {self.validation.different_rows} rows that chose it"

    def __repr__(self) -> str:
        return f"BestThreshold({self._rule})"


@verb
def best_threshold(p: Predictions, score: MethodLike | None = None, *, costs: Costs | None = None) -> BestThreshold:
    """The threshold that is best on these validation rows, by a score of counts or by costs; the highest among equals.

    `costs` is the cost of each kind of mistake, such as `{"FP": 1, "FN": 5}` (also TP and TN; a benefit is a negative
    cost), or a matrix indexed by truth and prediction in the order of classes. Report the result with `.on(test)`.
    """
    if check_predictions(p, "best_threshold").provenance == "training rows":
        require_one_model(p, "a threshold", "choose it on rows that the model has not seen")
    choice = _choice(p, score, costs)
    p.permits(choice.entry.name, UNLABELLED)
    thresholds = Thresholds.of(on_scale(p, scale_of(p)))
    values = thresholds.values(choice)
    best = _best(values, choice)
    place = int(best[0])
    return BestThreshold(float(thresholds.at[place]), float(values[place]), choice, len(best) - 1, p, _notes(best, p))


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


def _best(values: Array, choice: Choice) -> Array:
    """The places of the best value, highest threshold first."""
    if np.isnan(values).all():
        raise Refused(f"{choice} is undefined at every threshold: {choice.entry.undefined}", "undefined")
    gain = values if choice.entry.better == "higher" else -values
    most = np.nanmax(gain)
    slack = ROUNDING * max(1.0, abs(most)) if np.isfinite(most) else 0.0
    return np.flatnonzero(gain >= most - slack)


def _notes(best: Array, p: Predictions) -> tuple[Note, ...]:
    way = phrase("report it with .on(other rows)", "name a second file to report it on")
    says = f"the value is that of the rows that chose the threshold, hence optimistic: {way}"
    notes = [Note("optimistic", "caution", says)]
    notes.extend(p.notes)
    if p.provenance == "several models":
        says = "the threshold is one for the models of several folds: another model may need another"
        notes.append(Note("several-models", "caution", says))
    if len(best) > 1:
        says = f"{len(best) - 1} lower threshold(s) do equally well: the highest is taken"
        notes.append(Note("tied-thresholds", "remark", says))
    if best[0] == 0:
        notes.append(Note("predict-nobody", "caution", "the best threshold is infinite: predict nobody"))
    return tuple(notes)
