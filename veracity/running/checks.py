"""Checks on a study itself: what could make its answers look better than they are.

Each check is a pure function that says found, clear or not applicable. Those of data, design and learner cost nothing;
`no-better-than-baseline` and `not-deterministic` compare outcomes of extra fits, which a study makes only when asked.
What nobody can see from a learner is on which rows its settings were chosen: `tuned-on-test` tells what can be told,
that it was fitted before the study began or carries a model that was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, ParamSpec

import numpy as np

from veracity.core.notes import Note, Weight, unique
from veracity.core.words import plural, sentence
from veracity.designs.parameters import spread_groups
from veracity.learners.fit_arguments import fit_keywords, last_step
from veracity.learners.seeding import shares_state
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design, Split

WEIGHTS: dict[str, Weight] = {}  # of every check, by its code
CheckResult = tuple[Literal["found", "clear", "not applicable"], str]
P = ParamSpec("P")
HEAD = 1000  # rows that are looked at before all others
FOLDS = 10  # of a design that is advised
CHECKS = {"baseline": "no-better-than-baseline", "deterministic": "not-deterministic"}  # by the word that asks for them


@dataclass(frozen=True)
class Finding:
    """What one check says of one thing."""

    code: str
    result: Literal["found", "clear", "not applicable"]
    says: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "says", sentence(self.says))

    @property
    def weight(self) -> Weight:
        return WEIGHTS[self.code]

    @property
    def note(self) -> Note | None:
        """The note for the reader of the results, where something was found."""
        return Note(self.code, self.weight, self.says) if self.result == "found" else None


def check(code: str, weight: Weight = "caution") -> Callable[[Callable[P, CheckResult]], Callable[P, Finding]]:
    """Make a function that says what it found a check with a code."""
    WEIGHTS[code] = weight
    return lambda function: lambda *given, **named: Finding(code, *function(*given, **named))


def notes(findings: Iterable[Finding]) -> tuple[Note, ...]:
    """The notes of all that was found."""
    return tuple(note for finding in findings if (note := finding.note) is not None)


def check_study(data: Data, *designs: Design, learners: Mapping[str, Any] | None = None) -> tuple[Note, ...]:
    """The notes of every check that needs no fit: those of data and designs, and of learners by name if given."""
    of_data = [constant_target(data), target_in_features(data)]
    of_learners = []
    for name, learner in (learners or {}).items():
        of_learners += [tuned_on_test(name, learner), weights_not_taken(name, learner, data)]
    findings = []
    for design in designs:
        of_design = [each(data, design) for each in (duplicate_rows, group_on_both_sides, class_missing_in_training)]
        noted = {note.code for note in design.notes}  # by the design itself
        findings += [finding for finding in of_data + of_design if finding.code not in noted] + of_learners
    return unique(notes(findings))


@check("duplicate-rows")
def duplicate_rows(data: Data, design: Design) -> CheckResult:
    """Rows tested while a twin, another row with the same features, was in training."""
    twins = row_codes(data)
    if twins.max() + 1 == len(twins):
        return "clear", f"{data.name}: no two rows have the same features"
    met, splits = np.zeros(len(data), bool), 0
    for split in design.splits:
        tested = _unseen(split, len(data))
        hit = tested[np.isin(twins[tested], twins[split.train])]
        met[hit] = True
        splits += bool(len(hit))
    if not splits:
        return "clear", f"{data.name}: no row was tested with a twin in training"
    says = f"{met.sum()} of {len(data)} rows were tested while a row with the same features was in training"
    return "found", f"{data.name}: {says} ({splits} of {plural(len(design), 'split')})"


@check("constant-target")
def constant_target(data: Data) -> CheckResult:
    """A target that is the same in every row; of classes, readers refuse it."""
    if (data.truth != data.truth[0]).any():
        return "clear", f"{data.name}: the target differs between rows"
    says = f"the target is constant, {data.target[0]} in every row: nothing can be learned, and no loss is no merit"
    return "found", f"{data.name}: {says}"


@check("target-in-features")
def target_in_features(data: Data) -> CheckResult:
    """A feature that equals the target: one value per class, or for numbers a straight line."""
    if hasattr(data.features, "tocsr"):
        return "not applicable", f"{data.name}: sparse features are not searched for the target"
    same = _is_class if data.kind == "classes" else _is_number
    guilty = [name for place, name in enumerate(data.columns) if same(data.column(place), data.truth)]
    if not guilty:
        return "clear", f"{data.name}: no single feature equals the target"
    shown = ", ".join(guilty[:5]) + (f" and {len(guilty) - 5} more" if len(guilty) > 5 else "")
    return "found", f"{data.name}: the target can be read off {shown}; leave it out if it is not known beforehand"


def _is_class(column: Array, truth: Array) -> bool:
    """Whether values and classes go together one to one, which the first rows mostly tell."""
    return all(_is_one_to_one(column[:rows], truth[:rows]) for rows in (HEAD, len(truth)))


def _is_one_to_one(column: Array, truth: Array) -> bool:
    pairs = {*zip(column.tolist(), truth.tolist(), strict=True)}
    return len(pairs) == len({value for value, _ in pairs}) == len({klass for _, klass in pairs})


def _is_number(column: Array, truth: Array) -> bool:
    """Whether the target is a straight line of the column, to within rounding."""
    if column.dtype.kind not in "iufb" or not np.isfinite(column).all() or len(truth) < 4:
        return False
    x, y = column - column.mean(), truth - truth.mean()
    size = np.sqrt((x @ x) * (y @ y))
    return bool(size > 0 and abs(x @ y) >= size * (1 - 1e-12))


@check("group-on-both-sides")
def group_on_both_sides(data: Data, design: Design) -> CheckResult:
    """A group with rows in training and rows in the test of the same split."""
    if data.groups is None:
        return "not applicable", f"{data.name} has no groups"
    groups = data.groups
    guilty = [np.isin(groups[_unseen(split, len(data))], groups[split.train]).any() for split in design.splits]
    if not any(guilty):
        return "clear", f"{data.name}: no group is on both sides of a split"
    says = f"in {sum(guilty)} of {plural(len(design), 'split')} a group is in training and in the test"
    return "found", f"{data.name}: {says}; use a grouped design"


@check("class-missing-in-training", "remark")
def class_missing_in_training(data: Data, design: Design) -> CheckResult:
    """A class that some training part never shows, so that its probability there is 0."""
    if data.kind != "classes":
        return "not applicable", f"{data.name} has a numeric target"
    counts = np.concatenate(list(design.training_counts(data.truth, len(data.classes))))
    missing = {label: int(lacks) for label, lacks in zip(data.classes, (counts == 0).sum(0), strict=True) if lacks}
    if not missing:
        return "clear", f"{data.name}: every training part shows every class"
    listed = ", ".join(f"{label!r} in {number}" for label, number in missing.items())
    says = f"classes missing from the training part, and predicted with probability 0: {listed}"
    return "found", f"{data.name}: {says} of {plural(len(design), 'split')}; {_every_class_trains(data)}"


def _every_class_trains(data: Data) -> str:
    """A design that shows every class in every training part, or what to do where there is none."""
    unit = np.arange(len(data)) if data.groups is None else data.groups
    rarest = min(len(np.unique(unit[data.truth == code])) for code in range(len(data.classes)))
    if rarest < 2 or data.time is not None:
        return "more repeats or draws are no help: join a rare class with another, or leave its rows out"
    folds = min(rarest, FOLDS)
    by = f"`by='kfold(k={folds})'`" if data.groups is None else spread_groups(folds)
    return f"more repeats or draws are no help, but {by} spreads classes over all folds"


@check("weights-not-taken")
def weights_not_taken(name: str, learner: Any, data: Data) -> CheckResult:
    """A learner that cannot be given the weights of the rows."""
    if data.weights is None:
        return "not applicable", f"{data.name} has no weights"
    if _takes_weights(learner):
        return "clear", f"{name} is trained with the weights of {data.name}"
    return "found", f"the fit of {name} takes no sample_weight: it is trained without the weights of {data.name}"


def _takes_weights(learner: Any) -> bool:
    """A learner that chooses for itself hands weights on: the one inside must take them too."""
    last = last_step(learner)
    inside = _takes_weights(last.learner) if getattr(last, "chooses", False) is True else True
    return "sample_weight" in fit_keywords(learner) and inside


@check("tuned-on-test")
def tuned_on_test(name: str, learner: Any) -> CheckResult:
    """A learner that had seen rows before the study began."""
    if _holds_model(learner):
        says = f"{name} carries a model that was fitted before the study and is not fitted again"
        return "found", f"{says}: if it saw test rows, the estimates are too good"
    if _is_fitted(learner):
        says = f"{name} was fitted before the study: it is fitted anew here, but if its settings were chosen"
        return "found", f"{says} by looking at test rows, the estimates are too good; tune inside the study"
    return "clear", f"{name} had not been fitted before the study"


def _is_fitted(learner: Any) -> bool:
    return any(name.endswith("_") and not name.startswith("_") for name in getattr(learner, "__dict__", {}))


def _holds_model(learner: Any) -> bool:
    """Whether copying the learner for a fit keeps what it has learned."""
    if not hasattr(learner, "get_params"):
        return _is_fitted(learner)
    parts = learner.get_params(deep=True).values()
    return shares_state(learner) or any(shares_state(part) for part in parts if hasattr(part, "fit"))


def _unseen(split: Split, rows: int) -> Array:
    """The test rows that are not training rows themselves."""
    inside = np.zeros(rows, bool)
    inside[split.train] = True
    return split.test[~inside[split.test]]


def row_codes(data: Data) -> Array:
    """One whole number per row, 0, 1, ..., equal for rows whose features are all equal; so are missing cells."""
    if isinstance(data.features, np.ndarray) and data.features.dtype.kind in "biuf":
        return _number_codes(data.features)
    if hasattr(data.features, "tocsr"):
        return _sparse_codes(data.features.tocsr(copy=True))
    rows = np.zeros(len(data), np.int64)
    for place in range(len(data.columns)):
        codes = _column_codes(data.column(place))
        rows = np.unique(rows * (codes.max() + 1) + codes, return_inverse=True)[1]
    return rows


def _number_codes(table: Array) -> Array:
    """Rows compared as bytes; adding 0 makes -0.0 and 0.0 alike."""
    rows = np.ascontiguousarray(table + 0.0 if table.dtype.kind == "f" else table)
    return np.unique(rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel(), return_inverse=True)[1]


def _sparse_codes(table: Any) -> Array:
    table.sum_duplicates()
    table.eliminate_zeros()
    seen: dict[bytes, int] = {}
    spans = [slice(*span) for span in pairwise(table.indptr)]
    rows = (table.indices[span].tobytes() + b"|" + table.data[span].tobytes() for span in spans)
    return np.array([seen.setdefault(row, len(seen)) for row in rows])


def _column_codes(column: Array) -> Array:
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(None if item != item else item, len(seen)) for item in column.tolist()])
