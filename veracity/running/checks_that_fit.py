"""Fits that only the checks of a study ask for: of the baseline, and of every learner a second time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from veracity.core.notes import Note
from veracity.records.data import Data
from veracity.records.fit import Answer, Fit, Outcome, answer_key
from veracity.running.checks import Finding, baseline, no_better_than_baseline, not_deterministic, notes
from veracity.running.make_plan import Setup, inner_of, split_rows

BASELINE = "(baseline)"  # in place of a learner's name


def baselines(data: Iterable[Data]) -> dict[str, Any]:
    """The learner that sees no feature, by the name under which it is sent to workers."""
    return {f"{BASELINE} {kind}": baseline(kind) for kind in {table.kind for table in data}}


def baseline_fits(setup: Setup) -> Iterator[Fit]:
    """The baseline on every split."""
    for name, table in setup.data.items():
        trained = setup.trained(name, f"{BASELINE} {table.kind}")
        for design in setup.designs[name]:
            for split in design.splits:
                fit = trained.fit(name, split_rows(split), setup.seed)
                yield fit.only((Answer(answer_key(fit.key, fit.predict), fit.predict),))


def second_fits(setup: Setup) -> Iterator[Fit]:
    """The first split of every learner once more."""
    for name in setup.data:
        first = setup.designs[name][0]
        for learner in setup.learners:
            fit = setup.trained(name, learner, inner_of(first)).fit(name, split_rows(first.splits[0]), setup.seed)
            yield fit.only((Answer(again(fit.key, fit.predict), fit.predict),))


def again(key: str, rows: Any) -> str:
    """The key of what a fit says when it is made a second time."""
    return answer_key(f"{key} again", rows)


EXTRA = {"baseline": baseline_fits, "deterministic": second_fits}


def found(checks: Sequence[str], store: Any, setup: Setup) -> tuple[Note, ...]:
    """What the checks that were asked for found, from what the store holds."""
    findings = []
    if "baseline" in checks:
        findings += list(_against_baseline(store, setup))
    if "deterministic" in checks:
        findings += list(_twice(store, setup))
    return notes(findings)


def _against_baseline(store: Any, setup: Setup) -> Iterator[Finding]:
    constant = list(baseline_fits(setup))
    for name, table in setup.data.items():
        design = setup.designs[name][0]
        keys = [fit.answers[0].key for fit in constant if fit.data == name][: len(design)]
        theirs = _outcomes(store, keys)
        for learner in setup.learners:
            own = _outcomes(store, store.cells(name, learner, design.name))
            yield no_better_than_baseline(learner, table, own, theirs)


def _twice(store: Any, setup: Setup) -> Iterator[Finding]:
    for fit in second_fits(setup):
        rows = fit.answers[0].rows
        first, second = _outcomes(store, [answer_key(fit.key, rows), fit.answers[0].key])
        yield not_deterministic(
            f"{fit.learner} on {fit.data}", replace(first, key=fit.key), replace(second, key=fit.key)
        )


def _outcomes(store: Any, keys: Sequence[str]) -> list[Outcome]:
    """In the order of the keys; one that is not there counts as failed."""
    there = {outcome.key: outcome for outcome in store.outcomes(set(keys))}
    return [there.get(key, Outcome(key, "failed", reason="it was not run")) for key in keys]
