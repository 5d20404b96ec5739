"""Speed of estimates of risk: beside another package, and beside a bare loop over the same fits."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from mlxtend.evaluate import bootstrap_point632_score
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from bench.row import Measure, Row, faster, in_words, measure, measure_in_turn, within
from bench.studies import BOTH, CHANCES, LABELS
from veracity.readers.read_data import data_of
from veracity.records.plan import Plan

FOURTEEN = (
    "resubstitution",
    "holdout",
    "repeated_holdout",
    "kfold(k=10)",
    "repeated_kfold(k=10, repeats=10)",
    "leave_one_out",
    "bootstrap(draws=200)",
    "loo_bootstrap(draws=200)",
    "boot632(draws=200)",
    "boot632plus(draws=200)",
    "optimism_bootstrap(draws=200)",
    "corrected_holdout",
    "corrected_kfold(k=10)",
    "jackknife",
)


def _estimated(data: Any, learner: Any, by: Any, found: list[Any]) -> Callable[[], None]:
    """What a user types: splits, fits, a store of their own and estimates. A worker waits for the next call."""

    def job() -> None:
        found[:] = vc.estimate(vc.evaluate(learner, *data, by=by, progress=False), "error")

    return job


def boot632plus() -> Row:
    X, y = load_breast_cancer(return_X_y=True)  # noqa: N806
    found: list[Any] = []
    job = _estimated((X, y), GaussianNB(), "boot632plus(draws=200)", found)
    first, ours = measure(job, 1), measure(job, 5)
    draws, theirs, seconds = 20, [], []
    for seed in range(3):
        began = time.perf_counter()
        theirs += list(bootstrap_point632_score(GaussianNB(), X, y, n_splits=draws, method=".632+", random_seed=seed))
        seconds.append(time.perf_counter() - began)
    peer = Measure(tuple(seconds), scale=200 / draws)
    print(f"error: ours {found[0].value:.5f}, mlxtend {1 - sum(theirs) / len(theirs):.5f} (mean of per-draw .632+)")
    name = f".632+ of GaussianNB, 200 draws, breast cancer ({_start_up(first, ours)}); mlxtend"
    return faster(name, ours, peer, 25)


def _start_up(first: Measure, later: Measure) -> str:
    """How long the first call took besides, until a worker had started and imported."""
    return f"start-up {first.best - later.best:.2f} s apart"


def _fits(data: Any, learner: Any, by: Sequence[str]) -> Plan:
    return vc.Study({"data": data_of(*data, name="data")}, {"learner": learner}, list(by)).plan().plan


def fourteen_estimators() -> Row:
    """A forest of 20 trees; the bare loop trains each model once and asks it once for all rows that are wanted.

    Learners that train in a millisecond or two cost more here: every answer is stored, and each question of a model
    other than trees and Gaussian naive Bayes is put to it by itself, so that its answer is the same to the last bit
    whatever else is asked.
    """
    X, y = load_wine(return_X_y=True)  # noqa: N806
    learner = RandomForestClassifier(20, random_state=0)
    plan = _fits((X, y), learner, FOURTEEN)

    def bare() -> None:
        for fit in plan.fits:
            clone(learner).fit(X[fit.train], y[fit.train]).predict_proba(X[fit.predict])

    job = _estimated((X, y), learner, list(FOURTEEN), [])
    first = measure(job, 1)
    taken = measure_in_turn({"ours": job, "bare": bare})
    about = f"14 estimators by {len(plan)} fits of a forest of 20 trees"
    name = f"{about} ({_start_up(first, taken['ours'])}); bare loop"
    return within(name, taken["ours"], taken["bare"], 1.15)


def quick_learners() -> list[Row]:
    """Models that train in a millisecond, beside loops that train each once and ask it once for all rows: for labels
    alone, and for probabilities, as beside the forest. And beside one that asks for labels and probabilities of the
    rows of each estimator by themselves, which are the answers that are stored.

    What a study does besides, once: splits, plan, a file that survives a kill, 14 estimates with their intervals.
    """
    X, y = load_wine(return_X_y=True)  # noqa: N806
    learner = GaussianNB()
    few = tuple(by.replace("draws=200", "draws=20") for by in FOURTEEN)
    plan, fewer = _fits((X, y), learner, FOURTEEN), _fits((X, y), learner, few)

    def bare() -> None:
        for fit in plan.fits:
            clone(learner).fit(X[fit.train], y[fit.train]).predict(X[fit.predict])

    def chances() -> None:
        for fit in plan.fits:
            clone(learner).fit(X[fit.train], y[fit.train]).predict_proba(X[fit.predict])

    def full() -> None:
        for fit in plan.fits:
            model = clone(learner).fit(X[fit.train], y[fit.train])
            model.predict(X[fit.predict])
            model.predict_proba(X[fit.predict])

    job, smaller = (_estimated((X, y), learner, list(by), []) for by in (FOURTEEN, few))
    first = measure(job, 1)
    taken = measure_in_turn({"ours": job, LABELS: bare, CHANCES: chances, BOTH: full, "fewer": smaller}, 9)
    ours = replace(taken["ours"], smaller=((in_words(len(fewer), "fits"), taken["fewer"].best),))
    name = f"14 estimators by {len(plan)} fits of GaussianNB ({_start_up(first, ours)})"
    return [
        within(f"{name}; {LABELS}", ours, taken[LABELS], 1.3),
        within(f"{name}; {CHANCES}", ours, taken[CHANCES], 1.3),
        within(f"{name}; {BOTH}", ours, taken[BOTH], 1.3),
    ]


ROWS = (boot632plus, fourteen_estimators, quick_learners)
