"""Checks on a study that compare outcomes of fits made for them alone: of the baseline, and of learners once more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.notes import Note
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.fit import OUTPUTS, Outcome, repeat_key
from veracity.running.checks import CheckResult, Finding, check, notes
from veracity.running.make_plan import BASELINE, Setup, SplitRows, first_keys, split_rows


def baseline(kind: str) -> Any:
    """The learner that looks at no feature: class shares, or the mean."""
    from sklearn.dummy import DummyClassifier, DummyRegressor

    return DummyClassifier(strategy="prior") if kind == "classes" else DummyRegressor(strategy="mean")


def baselines(data: Iterable[Data]) -> dict[str, Any]:
    """The learner that sees no feature, by the name under which it is sent to workers."""
    return {f"{BASELINE} {kind}": baseline(kind) for kind in {table.kind for table in data}}


@check("no-better-than-baseline")
def no_better_than_baseline(name: str, data: Data, own: Sequence[Outcome], constant: Sequence[Outcome]) -> CheckResult:
    """A learner whose loss is not below that of the baseline on the same test rows, split by split."""
    pairs = [(a, b) for a, b in zip(own, constant, strict=True) if a.status == b.status == "done"]
    if not pairs:
        return "not applicable", f"{name} on {data.name}: no split where both it and the baseline succeeded"
    ours, theirs = (np.concatenate([_losses(data, pair[side]) for pair in pairs], 1) for side in (0, 1))
    shared = min(len(ours), len(theirs))  # the probabilities count only where both have them
    better = (ours[:shared].mean(1) < theirs[:shared].mean(1)).any()
    loss = "error" if data.kind == "classes" else "squared error"
    numbers = f"{loss} {ours[0].mean():.4g} against {theirs[0].mean():.4g}"
    says = f"{name} on {data.name} is {'' if better else 'no '}better than a baseline that sees no feature ({numbers})"
    return "clear" if better else "found", says


def _losses(data: Data, outcome: Outcome) -> Array:
    """Losses of the predicted rows: 0-1, then the Brier score where there are probabilities; or squared error."""
    truth = data.truth[outcome.rows]
    if data.kind == "numbers":
        return ((np.asarray(outcome.number) - truth) ** 2)[None]
    wrong = (np.asarray(outcome.label) != truth).astype(float)
    if outcome.proba is None:
        return wrong[None]
    return np.stack([wrong, ((outcome.proba - np.eye(len(data.classes))[truth]) ** 2).sum(1)])


@check("not-deterministic")
def not_deterministic(name: str, first: Outcome, second: Outcome) -> CheckResult:
    """The same fit made twice, which must say the same to the last bit."""
    if first.key != second.key:
        raise ValueError("only two outcomes of the same fit can be compared")
    if first.status == second.status == "failed":
        return "not applicable", f"{name} failed both times"
    pairs = [(getattr(first, kind), getattr(second, kind)) for kind in OUTPUTS]
    if first.status == second.status and all(_are_same(*pair) for pair in pairs):
        return "clear", f"{name} gave the same predictions when it was fitted again"
    return "found", f"{name} gave other predictions when the same fit was made again with the same seed"


def _are_same(first: Array | None, second: Array | None) -> bool:
    return first is second if first is None or second is None else np.array_equal(first, second)


def check_notes(checks: Sequence[str], store: Any, setup: Setup) -> tuple[Note, ...]:
    """What the checks that were asked for found, from what the store holds."""
    of_check = {"baseline": _against_baseline, "deterministic": _against_second_fit}
    return notes(finding for name, of in of_check.items() if name in checks for finding in of(store, setup))


def _against_baseline(store: Any, setup: Setup) -> Iterator[Finding]:
    for name, table in setup.data.items():
        design = setup.designs[name][0]
        rows = [split_rows(split) for split in design.splits]
        recipe = setup.baseline_recipe(name)
        theirs = _predictions(store, [recipe.key(part) for part in rows], rows, table, "the baseline")
        for learner in setup.learners:
            own = _predictions(store, store.cells(name, learner, design.name), rows, table, learner)
            yield no_better_than_baseline(learner, table, own, theirs)


def _predictions(store: Any, keys: Sequence[str], rows: Sequence[SplitRows], data: Data, learner: str) -> list[Outcome]:
    """What is stored under the keys of the fits of some splits, of the rows that each of them predicts."""
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


def _against_second_fit(store: Any, setup: Setup) -> Iterator[Finding]:
    for (name, learner), key in first_keys(setup).items():
        first, second = _outcomes(store, [key, repeat_key(key)])
        if first.status == second.status == "done" and second.rows is not None:
            first = first.of_rows(second.rows)
        yield not_deterministic(f"{learner} on {name}", first, replace(second, key=key))


def _outcomes(store: Any, keys: Sequence[str]) -> list[Outcome]:
    """In the order of the keys; one that is not there counts as failed."""
    there = {outcome.key: outcome for outcome in store.outcomes(set(keys))}
    return [there.get(key, Outcome(key, "failed", reason="it was not run")) for key in keys]
