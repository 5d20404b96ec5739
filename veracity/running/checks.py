"""Checks of a study itself: what could make its answers look better than they are.

Each check returns a note where it finds something. Those of data, design and learner cost nothing;
`no_better_than_baseline` and `not_deterministic` compare outcomes of extra fits, which a study makes only when asked.
What nobody can see from a learner is on which rows its settings were chosen: `tuned_on_test` tells what can be told,
that it was fitted before the study began or carries a model that was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from veracity.core.notes import Note, unique
from veracity.core.words import plural
from veracity.designs.parameters import spread_groups
from veracity.learners.inspection import fit_keywords, last_step
from veracity.learners.seeding import shares_state
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design, Split
from veracity.records.fit import OUTPUTS, Outcome, repeat_key
from veracity.running.make_plan import BASELINE, Setup, SplitRows, first_keys, split_rows

HEAD_ROWS = 1000  # that are looked at before all others
MAX_FOLDS = 10  # of a design that is advised
CHECKS = ("baseline", "deterministic")  # those that a study must ask for, as they need fits


def check_study(data: Data, *designs: Design, learners: Mapping[str, Any] | None = None) -> tuple[Note, ...]:
    """Return the notes of every check that needs no fit: of data, of designs, and of learners by name if given."""
    notes: list[Note | None] = []
    for design in designs:
        found = [constant_target(data), target_in_features(data)]
        found += [check(data, design) for check in (duplicate_rows, group_on_both_sides, class_missing_in_training)]
        noted = {note.code for note in design.notes}  # by the design itself
        notes += [note for note in found if note is not None and note.code not in noted]
        for name, learner in (learners or {}).items():
            notes += [tuned_on_test(name, learner), weights_not_taken(name, learner, data)]
    return unique(tuple(filter(None, notes)))


def _caution(code: str, data: Data, says: str) -> Note:
    return Note(code, "caution", f"{data.name}: {says}")


def duplicate_rows(data: Data, design: Design) -> Note | None:
    """Find rows tested while a twin, another row with the same features, was in training."""
    twins = row_codes(data)
    if twins.max() + 1 == len(twins):
        return None
    met, splits = np.zeros(len(data), bool), 0
    for split in design.splits:
        tested = _unseen(split, len(data))
        hit = tested[np.isin(twins[tested], twins[split.train])]
        met[hit] = True
        splits += bool(len(hit))
    if not splits:
        return None
    says = f"{met.sum()} of {len(data)} rows were tested while a row with the same features was in training"
    return _caution("duplicate-rows", data, f"{says} ({splits} of {plural(len(design), 'split')})")


def constant_target(data: Data) -> Note | None:
    """Find a target that is the same in every row; of classes, readers refuse it."""
    if (data.truth != data.truth[0]).any():
        return None
    says = f"the target is constant, {data.target[0]} in every row: nothing can be learned, and no loss is no merit"
    return _caution("constant-target", data, says)


def target_in_features(data: Data) -> Note | None:
    """Find dense features that equal the target: one value per class, or for numbers a straight line."""
    if hasattr(data.features, "tocsr"):
        return None
    same = _is_class if data.kind == "classes" else _is_number
    guilty = [name for place, name in enumerate(data.columns) if same(data.column(place), data.truth)]
    if not guilty:
        return None
    shown = ", ".join(guilty[:5]) + (f" and {len(guilty) - 5} more" if len(guilty) > 5 else "")
    says = f"the target can be read off {shown}; leave it out if it is not known beforehand"
    return _caution("target-in-features", data, says)


def _is_class(column: Array, truth: Array) -> bool:
    """Return whether values and classes go together one to one, which the first rows mostly tell."""
    for rows in (HEAD_ROWS, len(truth)):
        values, classes = column[:rows].tolist(), truth[:rows].tolist()
        if not len({*zip(values, classes, strict=True)}) == len(set(values)) == len(set(classes)):
            return False
    return True


def _is_number(column: Array, truth: Array) -> bool:
    """Return whether the target is a straight line of the column, to within rounding."""
    if column.dtype.kind not in "iufb" or not np.isfinite(column).all() or len(truth) < 4:
        return False
    x, y = column - column.mean(), truth - truth.mean()
    size = np.sqrt((x @ x) * (y @ y))
    return bool(size > 0 and abs(x @ y) >= size * (1 - 1e-12))


def group_on_both_sides(data: Data, design: Design) -> Note | None:
    """Find groups with rows in training and rows in the test of the same split."""
    if data.groups is None:
        return None
    groups = data.groups
    guilty = sum(bool(np.isin(groups[_unseen(split, len(data))], groups[split.train]).any()) for split in design.splits)
    if not guilty:
        return None
    says = f"in {guilty} of {plural(len(design), 'split')} a group is in training and in the test"
    return _caution("group-on-both-sides", data, f"{says}; use a grouped design")


def class_missing_in_training(data: Data, design: Design) -> Note | None:
    """Find classes that some training part never shows, so that their probability there is 0."""
    if data.kind != "classes":
        return None
    counts = np.concatenate(list(design.training_counts(data.truth, len(data.classes))))
    missing = {label: int(lacks) for label, lacks in zip(data.classes, (counts == 0).sum(0), strict=True) if lacks}
    if not missing:
        return None
    listed = ", ".join(f"{label!r} in {number}" for label, number in missing.items())
    says = f"classes missing from the training part, and predicted with probability 0: {listed}"
    unit = np.arange(len(data)) if data.groups is None else data.groups
    rarest = min(len(np.unique(unit[data.truth == code])) for code in range(len(data.classes)))
    folds = min(rarest, MAX_FOLDS)
    by = f"`by='kfold(k={folds})'`" if data.groups is None else spread_groups(folds)
    way = f", but {by} spreads classes over all folds"
    if rarest < 2 or data.time is not None:
        way = ": join a rare class with another, or leave its rows out"
    says = f"{data.name}: {says} of {plural(len(design), 'split')}; more repeats or draws are no help{way}"
    return Note("class-missing-in-training", "remark", says)


def weights_not_taken(name: str, learner: Any, data: Data) -> Note | None:
    """Find a learner that cannot be given the weights of the rows."""
    if data.weights is None or _takes_weights(learner):
        return None
    says = f"the fit of {name} takes no sample_weight: it is trained without the weights of {data.name}"
    return Note("weights-not-taken", "caution", says)


def _takes_weights(learner: Any) -> bool:
    """A learner that chooses for itself hands weights on: the one inside must take them too."""
    last = last_step(learner)
    inside = _takes_weights(last.learner) if getattr(last, "chooses", False) is True else True
    return "sample_weight" in fit_keywords(learner) and inside


def tuned_on_test(name: str, learner: Any) -> Note | None:
    """Find a learner that had seen rows before the study began."""
    fitted = any(part.endswith("_") and not part.startswith("_") for part in getattr(learner, "__dict__", {}))
    carries = fitted  # whether copying the learner for a fit keeps what it has learned
    if hasattr(learner, "get_params"):
        parts = [part for part in learner.get_params(deep=True).values() if hasattr(part, "fit")]
        carries = any(map(shares_state, [learner, *parts]))
    if carries:
        says = f"{name} carries a model that was fitted before the study and is not fitted again"
        return Note("tuned-on-test", "caution", f"{says}: if it saw test rows, the estimates are too good")
    if fitted:
        says = f"{name} was fitted before the study: it is fitted anew here, but if its settings were chosen"
        says += " by looking at test rows, the estimates are too good; tune inside the study"
        return Note("tuned-on-test", "caution", says)
    return None


def _unseen(split: Split, rows: int) -> Array:
    """Return the test rows that are not training rows themselves."""
    inside = np.zeros(rows, bool)
    inside[split.train] = True
    return split.test[~inside[split.test]]


def row_codes(data: Data) -> Array:
    """Return a whole number per row, 0, 1, ..., equal for rows whose features are all equal; so are missing cells."""
    features = data.features
    if isinstance(features, np.ndarray) and features.dtype.kind in "biuf":
        rows = np.ascontiguousarray(features + 0.0 if features.dtype.kind == "f" else features)  # -0.0 and 0.0 alike
        return np.unique(rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel(), return_inverse=True)[1]
    if hasattr(features, "tocsr"):
        table = features.tocsr(copy=True)
        table.sum_duplicates()
        table.eliminate_zeros()
        spans = [slice(*span) for span in pairwise(table.indptr)]
        return _value_codes(table.indices[span].tobytes() + b"|" + table.data[span].tobytes() for span in spans)
    rows = np.zeros(len(data), np.int64)
    for place in range(len(data.columns)):
        codes = _value_codes(None if item != item else item for item in data.column(place).tolist())
        rows = np.unique(rows * (codes.max() + 1) + codes, return_inverse=True)[1]
    return rows


def _value_codes(values: Iterable[Any]) -> Array:
    seen: dict[Any, int] = {}
    return np.array([seen.setdefault(value, len(seen)) for value in values])


def baseline(kind: str) -> Any:
    """Return the learner that looks at no feature: class shares, or the mean."""
    from sklearn.dummy import DummyClassifier, DummyRegressor

    return DummyClassifier(strategy="prior") if kind == "classes" else DummyRegressor(strategy="mean")


def baselines(data: Iterable[Data]) -> dict[str, Any]:
    """Return the learners that look at no feature, by the names under which they are sent to workers."""
    return {f"{BASELINE} {kind}": baseline(kind) for kind in {table.kind for table in data}}


def no_better_than_baseline(name: str, data: Data, own: Sequence[Outcome], constant: Sequence[Outcome]) -> Note | None:
    """Find a learner whose loss is not below that of the baseline on the same test rows, split by split."""
    pairs = [(a, b) for a, b in zip(own, constant, strict=True) if a.status == b.status == "done"]
    if not pairs:
        return None
    ours, theirs = (np.concatenate([_losses(data, pair[side]) for pair in pairs], 1) for side in (0, 1))
    shared = min(len(ours), len(theirs))  # the probabilities count only where both have them
    if (ours[:shared].mean(1) < theirs[:shared].mean(1)).any():
        return None
    loss = "error" if data.kind == "classes" else "squared error"
    numbers = f"{loss} {ours[0].mean():.4g} against {theirs[0].mean():.4g}"
    says = f"{name} on {data.name} is no better than a baseline that sees no feature ({numbers})"
    return Note("no-better-than-baseline", "caution", says)


def _losses(data: Data, outcome: Outcome) -> Array:
    """Return losses of the predicted rows: 0-1, then the Brier score with probabilities; or the squared error."""
    truth = data.truth[outcome.rows]
    if data.kind == "numbers":
        return ((np.asarray(outcome.number) - truth) ** 2)[None]
    wrong = (np.asarray(outcome.label) != truth).astype(float)
    if outcome.proba is None:
        return wrong[None]
    return np.stack([wrong, ((outcome.proba - np.eye(len(data.classes))[truth]) ** 2).sum(1)])


def not_deterministic(name: str, first: Outcome, second: Outcome) -> Note | None:
    """Find a learner of which the same fit, made twice, does not say the same to the last bit."""
    same = first.status == second.status and all(
        np.array_equal(getattr(first, kind), getattr(second, kind)) for kind in OUTPUTS
    )
    says = f"{name} gave other predictions when the same fit was made again with the same seed"
    return None if same else Note("not-deterministic", "caution", says)


def check_notes(checks: Sequence[str], store: Any, setup: Setup) -> tuple[Note, ...]:
    """Return what the checks that were asked for found, from what the store holds."""
    found: list[Note | None] = []
    for name, table in setup.data.items() if "baseline" in checks else ():
        design = setup.designs[name][0]
        rows = [split_rows(split) for split in design.splits]
        keys = [setup.baseline_fit(name, part).key for part in rows]
        theirs = _predictions(store, keys, rows, table, "the baseline")
        for learner in setup.learners:
            own = _predictions(store, store.cells(name, learner, design.name), rows, table, learner)
            found.append(no_better_than_baseline(learner, table, own, theirs))
    for (name, learner), key in first_keys(setup).items() if "deterministic" in checks else ():
        first, second = _outcomes(store, [key, repeat_key(key)])
        if first.status == second.status == "done" and second.rows is not None:
            first = first.of_rows(second.rows)
        found.append(not_deterministic(f"{learner} on {name}", first, second))
    return tuple(filter(None, found))


def _predictions(store: Any, keys: Sequence[str], rows: Sequence[SplitRows], data: Data, learner: str) -> list[Outcome]:
    """Return what is stored under the keys of the fits of some splits, of the rows that each of them predicts."""
    try:
        every = [one.of_rows(part.predict) for one, part in zip(_outcomes(store, keys), rows, strict=True)]
        if all(_is_about(one, data) for one in every if one.status == "done"):
            return every
    except (LookupError, ValueError):
        pass
    raise store.damage_error(f"predictions of {learner} on {data.name} are of other rows")


def _is_about(outcome: Outcome, data: Data) -> bool:
    said = outcome.number if data.kind == "numbers" else outcome.label
    rows = len(outcome.rows) if outcome.rows is not None else 0
    wide = outcome.proba is not None and outcome.proba.shape != (rows, len(data.classes))
    return said is not None and len(said) == rows and not wide


def _outcomes(store: Any, keys: Sequence[str]) -> list[Outcome]:
    """Return outcomes in the order of the keys; one that is not there counts as failed."""
    there = {outcome.key: outcome for outcome in store.outcomes(set(keys))}
    return [there.get(key, Outcome(key, "failed", reason="it was not run")) for key in keys]
