"""Checks on a study that compare outcomes of fits made for them alone: of the baseline, and of learners once more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.notes import Note
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.fit import OUTPUTS, Answer, Fit, Outcome, answer_key
from veracity.running.checks import CheckResult, Finding, check, notes
from veracity.running.make_plan import Setup, inner_of, split_rows

BASELINE = "(baseline)"  # in place of a learner's name


def baseline(kind: str) -> Any:
    """The learner that looks at no feature: class shares, or the mean."""
    from sklearn.dummy import DummyClassifier, DummyRegressor

    return DummyClassifier(strategy="prior") if kind == "classes" else DummyRegressor(strategy="mean")


def baselines(data: Iterable[Data]) -> dict[str, Any]:
    """The learner that sees no feature, by the name under which it is sent to workers."""
    return {f"{BASELINE} {kind}": baseline(kind) for kind in {table.kind for table in data}}


def baseline_fits(setup: Setup) -> Iterator[Fit]:
    """The baseline on every split."""
    for name, table in setup.data.items():
        recipe = setup.recipe(name, f"{BASELINE} {table.kind}")
        for design in setup.designs[name]:
            for split in design.splits:
                fit = recipe.fit(split_rows(split))
                yield fit.only((Answer(answer_key(fit.key, fit.predict), fit.predict),))


def second_fits(setup: Setup) -> Iterator[Fit]:
    """The first split of every learner once more."""
    for name in setup.data:
        first = setup.designs[name][0]
        for learner in setup.learners:
            fit = setup.recipe(name, learner, inner_of(first)).fit(split_rows(first.splits[0]))
            yield fit.only((Answer(second_key(fit.key, fit.predict), fit.predict),))


def second_key(key: str, rows: Any) -> str:
    """The key of what a fit says when it is made a second time."""
    return answer_key(f"{key} again", rows)


EXTRA = {"baseline": baseline_fits, "deterministic": second_fits}


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
    every = list(baseline_fits(setup))
    for name, table in setup.data.items():
        design = setup.designs[name][0]
        fits = [fit for fit in every if fit.data == name][: len(design)]
        theirs = _predictions(store, [fit.answers[0].key for fit in fits], fits, table, "the baseline")
        for learner in setup.learners:
            own = _predictions(store, store.cells(name, learner, design.name), fits, table, learner)
            yield no_better_than_baseline(learner, table, own, theirs)


def _predictions(store: Any, keys: Sequence[str], fits: Sequence[Fit], data: Data, learner: str) -> list[Outcome]:
    """What is stored under some keys, one for each split, if it can be about the rows that these fits predict."""
    outcomes = _outcomes(store, keys)
    done = [(outcome, fit.predict) for outcome, fit in zip(outcomes, fits, strict=False) if outcome.status == "done"]
    if len(outcomes) != len(fits) or not all(_is_about(rows, outcome, data) for outcome, rows in done):
        raise store.damage_error(f"predictions of {learner} on {data.name} are of other rows")
    return outcomes


def _is_about(rows: Array, outcome: Outcome, data: Data) -> bool:
    answer = outcome.number if data.kind == "numbers" else outcome.label
    wide = outcome.proba is not None and outcome.proba.shape != (len(rows), len(data.classes))
    return answer is not None and len(answer) == len(rows) and not wide and _are_same(outcome.rows, rows)


def _against_second_fit(store: Any, setup: Setup) -> Iterator[Finding]:
    for fit in second_fits(setup):
        rows = fit.answers[0].rows
        both = _outcomes(store, [answer_key(fit.key, rows), fit.answers[0].key])
        first, second = (replace(outcome, key=fit.key) for outcome in both)
        yield not_deterministic(f"{fit.learner} on {fit.data}", first, second)


def _outcomes(store: Any, keys: Sequence[str]) -> list[Outcome]:
    """In the order of the keys; one that is not there counts as failed."""
    there = {outcome.key: outcome for outcome in store.outcomes(set(keys))}
    return [there.get(key, Outcome(key, "failed", reason="it was not run")) for key in keys]
