"""Speed of estimates of risk: beside another package, and beside a bare loop over the same fits."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mlxtend.evaluate import bootstrap_point632_score
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from bench.row import Measure, Row, faster, in_words, measure, measure_in_turn, within
from bench.studies import BOTH, CHANCES, LABELS, _warm
from veracity.readers.read_data import data_of
from veracity.records.plan import Plan
from veracity.running.engines import Local
from veracity.running.runner import Runner
from veracity.stores.open_store import open_store

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


def _estimated(data: Any, learner: Any, by: Any, engine: Local, found: list[Any]) -> Callable[[], None]:
    """Splits, fits, a store and estimates; only the worker has started before."""

    def job() -> None:
        with tempfile.TemporaryDirectory() as folder, open_store(str(Path(folder) / "runs.db")) as store:
            study = vc.Study({"data": data_of(*data, name="data")}, {"learner": learner}, by)
            study.register(store)
            Runner(study.plan().plan, study.data, study.learners, store, engine).run()
            found[:] = vc.estimate(study.runs(store), "error")

    return job


def boot632plus() -> Row:
    X, y = load_breast_cancer(return_X_y=True)  # noqa: N806
    engine, start = _warm(1)
    found: list[Any] = []
    ours = measure(_estimated((X, y), GaussianNB(), "boot632plus(draws=200)", engine, found), 5)
    engine.close()
    draws, theirs, seconds = 20, [], []
    for seed in range(3):
        began = time.perf_counter()
        theirs += list(bootstrap_point632_score(GaussianNB(), X, y, n_splits=draws, method=".632+", random_seed=seed))
        seconds.append(time.perf_counter() - began)
    peer = Measure(tuple(seconds), scale=200 / draws)
    print(f"error: ours {found[0].value:.5f}, mlxtend {1 - sum(theirs) / len(theirs):.5f} (mean of per-draw .632+)")
    name = f".632+ of GaussianNB, 200 draws, breast cancer (start-up {start:.2f} s apart); mlxtend"
    return faster(name, ours, peer, 25)


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

    engine, start = _warm(1)
    job = _estimated((X, y), learner, list(FOURTEEN), engine, [])
    job()  # the worker has imported the forest
    taken = measure_in_turn({"ours": job, "bare": bare})
    engine.close()
    name = f"14 estimators by {len(plan)} fits of a forest of 20 trees (start-up {start:.2f} s apart); bare loop"
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
            for answer in fit.stored:
                model.predict(X[answer.rows])
                model.predict_proba(X[answer.rows])

    engine, start = _warm(1)
    job, smaller = (_estimated((X, y), learner, list(by), engine, []) for by in (FOURTEEN, few))
    job()
    taken = measure_in_turn({"ours": job, LABELS: bare, CHANCES: chances, BOTH: full, "fewer": smaller}, 9)
    engine.close()
    ours = replace(taken["ours"], smaller=((in_words(len(fewer), "fits"), taken["fewer"].best),))
    name = f"14 estimators by {len(plan)} fits of GaussianNB (start-up {start:.2f} s apart)"
    return [
        within(f"{name}; {LABELS}", ours, taken[LABELS], 1.3),
        within(f"{name}; {CHANCES}", ours, taken[CHANCES], 1.3),
        within(f"{name}; {BOTH} of each answer", ours, taken[BOTH], 1.3),
    ]


ROWS = (boot632plus, fourteen_estimators, quick_learners)
