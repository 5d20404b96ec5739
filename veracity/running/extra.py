"""Fits that only the checks of a study ask for: of the baseline, and of every learner a second time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from veracity.core.notes import Note
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.records.fit import Answer, Fit, Outcome, answer_key
from veracity.running.checks import baseline, no_better_than_baseline, not_deterministic, notes
from veracity.running.plan import Trained, inner_of, split_rows

BASELINE = "(baseline)"  # in place of a learner's name
Tables = Mapping[str, Data]
Makers = Mapping[str, Any]
Designs = Mapping[str, Sequence[Design]]


def baselines(data: Tables) -> dict[str, Any]:
    """The learner that sees no feature, by the name under which it is sent to workers."""
    return {f"{BASELINE} {kind}": baseline(kind) for kind in {table.kind for table in data.values()}}


def baseline_fits(data: Tables, learners: Makers, designs: Designs, seed: int) -> Iterator[Fit]:
    """The baseline on every split."""
    for name, table in data.items():
        trained = Trained.of(table, f"{BASELINE} {table.kind}", baseline(table.kind))
        for design in designs[name]:
            for split in design.splits:
                fit = trained.fit(name, split_rows(split), seed)
                yield fit.only((Answer(answer_key(fit.key, fit.predict), fit.predict),))


def second_fits(data: Tables, learners: Makers, designs: Designs, seed: int) -> Iterator[Fit]:
    """The first split of every learner once more."""
    for name, table in data.items():
        first = designs[name][0]
        for learner, maker in learners.items():
            trained = Trained.of(table, learner, maker, inner_of(first))
            fit = trained.fit(name, split_rows(first.splits[0]), seed)
            yield fit.only((Answer(again(fit.key, fit.predict), fit.predict),))


def again(key: str, rows: Any) -> str:
    """The key of what a fit says when it is made a second time."""
    return answer_key(f"{key} again", rows)


EXTRA = {"baseline": baseline_fits, "deterministic": second_fits}


def found(
    checks: Sequence[str], store: Any, data: Tables, learners: Makers, designs: Designs, seed: int
) -> tuple[Note, ...]:
    """What the checks that were asked for found, from what the store holds."""
    findings = []
    if "baseline" in checks:
        findings += list(_against_baseline(store, data, learners, designs, seed))
    if "deterministic" in checks:
        findings += list(_twice(store, data, learners, designs, seed))
    return notes(findings)


def _against_baseline(store: Any, data: Tables, learners: Makers, designs: Designs, seed: int) -> Iterator[Any]:
    constant = list(baseline_fits(data, learners, designs, seed))
    for name, table in data.items():
        for design in designs[name][:1]:
            keys = [fit.answers[0].key for fit in constant if fit.data == name][: len(design)]
            theirs = _outcomes(store, keys)
            for learner in learners:
                own = _outcomes(store, store.cells(name, learner, design.name))
                yield no_better_than_baseline(learner, table, own, theirs)


def _twice(store: Any, data: Tables, learners: Makers, designs: Designs, seed: int) -> Iterator[Any]:
    for fit in second_fits(data, learners, designs, seed):
        rows = fit.answers[0].rows
        first, second = _outcomes(store, [answer_key(fit.key, rows), fit.answers[0].key])
        yield not_deterministic(
            f"{fit.learner} on {fit.data}", replace(first, key=fit.key), replace(second, key=fit.key)
        )


def _outcomes(store: Any, keys: Sequence[str]) -> list[Outcome]:
    """In the order of the keys; one that is not there counts as failed."""
    there = {outcome.key: outcome for outcome in store.outcomes(set(keys))}
    return [there.get(key, Outcome(key, "failed", reason="it was not run")) for key in keys]
