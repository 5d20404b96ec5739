"""The best threshold: chosen on validation rows, reported on other rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from veracity.core.arguments import verb
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.words import percent
from veracity.curves.thresholds import (
    best_of_samples,
    choose_threshold,
    count_shared_rows,
    on_scale,
    scale_of,
    thresholds_of,
)
from veracity.designs.make_design import make_design
from veracity.designs.parameters import whole_number
from veracity.evidence.counts import Counts
from veracity.evidence.labels import text_codes
from veracity.evidence.looks import enter_look
from veracity.evidence.origin import require_one_model
from veracity.evidence.predictions import Predictions, check_predictions, subset
from veracity.findings.estimates import Estimates
from veracity.findings.interval import Interval, limits_of
from veracity.intervals.scored import notes_on_rows
from veracity.records.arrays import Array, as_numbers, freeze
from veracity.records.design import Rows
from veracity.risk.estimates import applicable_scores, estimate
from veracity.scores import scores
from veracity.scores.entry import values_on
from veracity.tables.cells import align_decimals
from veracity.tables.result import SentenceResult
from veracity.tables.table import Column, Table

DRAWS = 999  # samples that say how sure a threshold is
METHOD = "threshold_bootstrap"  # of its interval


class Rule(NamedTuple):
    """A rule by which rows could be predicted positive, and the score that it gives."""

    name: str
    threshold: float
    value: float


@dataclass(frozen=True, eq=False, repr=False)
class BestThreshold(SentenceResult):
    """A threshold and what it was chosen for. Its value here is optimistic: report it `.on` other rows.

    Where there are no others, `.cross_fit()` reports it honestly on these.
    """

    threshold: float  # infinite: predict nobody
    value: float
    score: Choice
    ties: int  # how many lower thresholds do equally well
    validation: Predictions
    notes: tuple[Note, ...] = field(default=())
    level: float = 0.95
    seed: int = 0

    @property
    def optimised(self) -> str:
        """What was optimised, as it would be typed."""
        return self.score.spelling

    @property
    def counts(self) -> Counts:
        """The confusion matrix at the threshold, of the rows that chose it."""
        return self.cut(self.validation).confusion()

    @cached_property
    def interval(self) -> Interval | None:
        """Where the best threshold of all rows of this kind lies; None where too few samples of these have one."""
        found = best_of_samples(self._scaled, self.score, DRAWS, self.seed)
        low, high = (np.sort(end[~np.isnan(end)]) for end in found)
        if len(low) < 0.95 * DRAWS:
            return None
        cut = int((1 - self.level) / 2 * len(low))
        limits = min(float(low[cut]), self.threshold), max(float(high[-1 - cut]), self.threshold)
        return Interval(*limits, self.level, METHOD)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The threshold chosen, and beside it the rules that need no choice."""
        cuts = {"chosen": self.threshold}
        if self._scaled.proba is not None:
            cuts["one half"] = 0.5
            positive = self.validation.named_positive
            false_alarm, miss = _costs_of_mistakes(self.score, positive) or (0.0, 0.0)
            if min(false_alarm, miss) > 0:  # the threshold that costs give to calibrated probabilities
                cuts["calibrated"] = float(false_alarm / (false_alarm + miss))
        cuts |= {"always": -np.inf, "never": np.inf}
        counts = {name: self._scaled.confusion(threshold=cut) for name, cut in cuts.items()}
        return tuple(Rule(name, cut, float(values_on(self.score, counts[name]))) for name, cut in cuts.items())

    @cached_property
    def _scaled(self) -> Predictions:
        return on_scale(self.validation, scale_of(self.validation))

    @verb
    def on(self, p: Predictions, *, level: float = 0.95, seed: int = 0) -> Estimates:
        """What the threshold does on other rows: the score it was chosen for, then every score of counts."""
        cut = self.cut(p)
        shared = count_shared_rows(self.validation, p)
        if 2 * shared > len(p):
            these = "these are" if shared == len(p) else f"{shared} of these {len(p)} rows are among"
            raise Refused(
                f"{these} the rows that chose the threshold: a report on them is optimistic, so give other rows,"
                f" or ask for `.cross_fit()`",
                "same-rows",
            )
        rows = self.validation.different_rows
        says = f"the threshold {self.threshold:.6g} was chosen on {rows} other rows, by {self.score}"
        notes: tuple[Note, ...] = (Note("chosen-elsewhere", "remark", says),)
        if shared:
            says = f"rows that are also among the rows that chose the threshold: {shared}, optimistic to that extent"
            notes += (Note("shared-rows", "caution", says),)
        return self._report(cut, notes, level, seed)

    @verb
    def cross_fit(self, folds: int = 10, *, level: float = 0.95, seed: int = 0) -> Estimates:
        """What thresholds chosen like this do on rows that did not choose them, as `.on`, from these rows alone.

        The rows are dealt into so many parts, and each part is cut at the threshold that is best on all others. Rows of
        a group, and a row that several models predicted, stay together.
        """
        folds = whole_number("folds", folds, 2)
        p = self._scaled
        if p.rarer < folds:
            says = f"the rarer class has {p.rarer:.6g} rows, too few for {folds} parts"
            raise Refused(f"{says}: `folds={max(2, int(p.rarer))}` or fewer", "few-rows")
        design = make_design(f"kfold(k={folds})", Rows(len(p), p.truth, _together(p), labels=p.classes), seed)
        labels, cuts = np.empty(len(p), np.int8), []
        for split in design.splits:
            cuts.append(choose_threshold(subset(p, split.train), self.score)[0])
            labels[split.test] = subset(p, split.test).labels(cuts[-1])
        honest = replace(p, label=freeze(labels), proba=None, value=None, threshold=None)
        says = f"each of {folds} parts of the rows was cut at the threshold that is best on all others, from"
        note = Note("cross-fit", "remark", f"{says} {min(cuts):.6g} to {max(cuts):.6g}")
        return self._report(honest, (note, *design.notes), level, seed)

    def _report(self, p: Predictions, notes: tuple[Note, ...], level: float, seed: int) -> Estimates:
        mine = self.optimised
        others = [one for one in applicable_scores(p) if one.reads == "confusion matrix" and one.spelling != mine]
        first, *rest = estimate(p, [self.score, *others], level=level, seed=seed).rows
        if all(self.score.name not in row.labels for row in rest):
            first = replace(first, asked=self.score.name)  # a cost can be asked for without its matrix
        return Estimates((first, *rest), notes)

    def cut(self, p: Predictions) -> Predictions:
        """Predictions of other rows, cut at this threshold; classes must be the same."""
        mine = self.validation
        check_predictions(p, "a threshold")
        if p.kind != "classes" or p.classes != mine.classes or p.positive not in (mine.positive, None):
            raise BadInput(
                f"the threshold was chosen for the classes {list(mine.classes)} with {self._positive!r} positive: "
                f"make these predictions with the same `classes=` and `positive=`"
            )
        return replace(on_scale(p, scale_of(mine)), threshold=self.threshold, positive=mine.positive, label=None)

    @property
    def _positive(self) -> Any:
        return self.validation.classes[self.validation.named_positive]

    @property
    def tables(self) -> tuple[Table, Table]:
        """The confusion matrix at the threshold, then the threshold beside the rules that need no choice."""
        return self.matrix_table(), self.table()

    def table(self) -> Table:
        """The threshold with its interval, and its score beside that of other rules, with the notes."""
        titles = ("rule", "threshold", "low", "high", "score", "value", "better")
        left = ("rule", "score", "better")
        limits: dict[str, Any] = dict.fromkeys(("always", "never"), (None, None, None))
        limits["chosen"] = align_decimals(self.threshold, *limits_of(self.interval))
        names = {"always": f"always {self._positive}", "never": f"never {self._positive}"}
        rows = tuple(
            (names.get(name, name), *limits.get(name, (cut, None, None)), self.optimised, *align_decimals(value))
            for name, cut, value in self.rules
        )
        rows = tuple((*row, self.score.better) for row in rows)
        columns = tuple(Column(title, "left" if title in left else "right") for title in titles)
        return Table(columns, rows, self.caption(), self.all_notes)

    def caption(self, where: str = "") -> str:
        """On which rows it was chosen, and what its limits are."""
        of = f" of {where}" if where else ""
        rows = f"chosen on {'the ' if where else ''}{self.validation.different_rows} rows{of}"
        limits = "" if self.interval is None else f"; low and high: {percent(self.level)} interval of the threshold"
        return f"{rows}, where its value is optimistic{limits}"

    def matrix_table(self) -> Table:
        """The confusion matrix at the threshold."""
        labels = list(map(str, self.validation.classes))
        columns = (Column("truth \\ predicted", "left"), *map(Column, labels))
        rows = tuple((label, *row) for label, row in zip(labels, self._cells, strict=True))
        return Table(columns, rows, f"confusion matrix from {self.threshold:.6g} on")

    @property
    def _cells(self) -> list[list[float]]:
        """The confusion matrix; whole numbers where rows count once each."""
        return [[int(cell) if cell == int(cell) else cell for cell in row] for row in self.counts.matrix.tolist()]

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """Those of the choice, and what is to be said of its interval."""
        if self.interval is None:
            says = "no interval of the threshold: too many samples of the rows lack one of the classes"
            return (*self.notes, Note("no-interval", "remark", says))
        says = f"{METHOD}: {DRAWS} samples of three quarters as many rows, with seed {self.seed}"
        return (*self.notes, Note("threshold-interval", "remark", f"the interval of the threshold is by {says}"))

    def json_fields(self) -> dict[str, Any]:
        """Return the threshold with its interval, its confusion matrix, and the score beside that of other rules."""
        p, between = self.validation, self.interval
        low, high = limits_of(between)
        limits = {"low": low, "high": high, "level": self.level, "method": METHOD}
        return {
            "threshold": self.threshold,
            "interval": None if between is None else limits,
            "score": self.optimised,
            "value": self.value,
            "better": self.score.better,
            "rows": p.different_rows,
            "classes": p.classes,
            "positive": p.classes[p.named_positive],
            "confusion": self._cells,
            "rules": {name: {"threshold": cut, "value": value} for name, cut, value in self.rules},
        }

    def sentence(self) -> str:
        """What to predict from where on, how sure that is, and what other rules give."""
        rule = f"{self._rule[0].upper()}{self._rule[1:]}"
        sure = f" ({percent(self.level)} interval {self.interval})" if self.interval else ""
        called = {"one half": "at 0.5", "calibrated": "at what calibrated probabilities would want"}
        others = ", ".join(f"{value:.4g} {called.get(name, name)}" for name, _, value in self.rules[1:])
        return f"{rule}{sure}: {self._value}; {others}."

    @property
    def _rule(self) -> str:
        nobody = np.isinf(self.threshold)
        return "predict nobody" if nobody else f"predict {self._positive!r} from {self.threshold:.6g} on"

    @property
    def _value(self) -> str:
        return f"{self.score} {self.value:.4g} on the {self.validation.different_rows} rows that chose it"

    def __repr__(self) -> str:
        return f"BestThreshold({self._rule}: {self._value})"


def _together(p: Predictions) -> Array | None:
    """What keeps rows in one part: their group, or the row itself where several models predicted it."""
    if p.groups is not None or p.rows is None or p.different_rows == len(p):
        return p.groups
    return text_codes(np.asarray(p.rows).astype(object))


def _costs_of_mistakes(score: Choice, positive: int) -> tuple[float, float] | None:
    """Return what a false positive and a false negative cost beyond being right; None where no costs are known."""
    if not score.is_one_of("cost"):
        return None
    matrix = np.asarray(score.value("matrix"), float)
    false_alarm = matrix[1 - positive, positive] - matrix[1 - positive, 1 - positive]
    return false_alarm, matrix[positive, 1 - positive] - matrix[positive, positive]


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

    Parameters
    ----------
    p
        Predictions on rows that are not reported on, with probabilities or decision values.
    score
        A score of counts to be made best, such as 'youden' or 'fbeta(beta=2)'; or give costs.
    costs
        What each kind of mistake costs, {'FP': 1, 'FN': 5}, or a matrix of truth x prediction.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    seed
        Where random numbers begin; the same seed gives the same numbers.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> vc.best_threshold(p, costs={"FP": 1, "FN": 5}).threshold
    0.4
    """
    Confidence(level)
    if check_predictions(p, "best_threshold").provenance == "training rows":
        require_one_model(p, "a threshold", "choose it on rows that the model has not seen")
    choice = _choice(p, score, costs)
    choice.check_labelled(p)
    rows = on_scale(p, scale_of(p))
    _refuse_free_mistakes(choice, p.named_positive)
    threshold, value, best = choose_threshold(rows, choice)
    notes = (*_notes(best, p), *_paid_mistakes(choice, p.named_positive))
    enter_look(p, "best_threshold", [choice.spelling], thresholds=len(thresholds_of(rows.ordering)))
    return BestThreshold(threshold, value, choice, len(best) - 1, p, notes, level, seed)


def _choice(p: Predictions, score: MethodLike | None, costs: Costs | None) -> Choice:
    """The score to optimise; costs are the mean cost under their matrix."""
    if (score is None) == (costs is None):
        raise BadInput("say what to optimise: either costs= such as {'FP': 1, 'FN': 5}, or score= such as 'youden'")
    if costs is not None:
        scale_of(p)  # two classes, before a matrix is made for them
        return scores["cost"].choose(matrix=_matrix(costs, p.named_positive))
    choice = scores.choose(score)
    if choice.reads != "confusion matrix":
        raise BadInput(f"{choice.name} does not depend on a threshold: choose a score of counts, such as 'youden'")
    return choice


def _refuse_free_mistakes(choice: Choice, positive: int) -> None:
    """Refuse costs by which one class is never the dearer one to predict, so that no row can change the answer."""
    if not choice.is_one_of("cost"):
        return
    table = np.asarray(choice.value("matrix"))
    cheaper = [k for k in (positive, 1 - positive) if (table[:, k] <= table[:, 1 - k]).all()]
    if not cheaper:
        return
    called, mistake = ("positive", "FP") if cheaper[0] == positive else ("negative", "FN")
    way = "`costs={'FP': 1, 'FN': 5}`"
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
    costs = _costs_of_mistakes(choice, positive) or (0.0, 0.0)
    paid = [kind for kind, cost in zip(("false positive", "false negative"), costs, strict=True) if cost < 0]
    if not paid:
        return ()
    says = f"by these costs a {' and a '.join(paid)} costs less than being right: is a sign wrong?"
    return (Note("mistake-pays", "caution", says),)


def _notes(best: Array, p: Predictions) -> tuple[Note, ...]:
    way = "report it with `.on(other rows)`, or with `.cross_fit()`"
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
