"""What a page of runs costs: how often it reads what the store holds, and its time beside that of its estimates."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from bench.row import Row, measure_growth, within

SCORES = ["error", "auc", "log_loss"]
LEARNERS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


class CountedStore:
    """A store that counts how often each of its verbs is called, and how often each fit is read."""

    def __init__(self, store: Any) -> None:
        self.store, self.calls, self.fits = store, Counter[str](), Counter[str]()

    def __getattr__(self, verb: str) -> Any:
        def call(*arguments: Any) -> Any:
            self.calls[verb] += 1
            return getattr(self.store, verb)(*arguments)

        return call

    def answers(self, *place: Any) -> Any:
        for one in self.store.answers(*place):
            self.fits.update(one.keys)
            yield one


def _page(runs: vc.Runs) -> str:
    return vc.report(runs, SCORES).html


def page_of_runs() -> list[Row]:
    data = load_breast_cancer(return_X_y=True)
    by_splits = {
        10 * repeats: vc.evaluate(LEARNERS, *data, by=f"repeated_kfold(k=10, repeats={repeats})", seed=7)
        for repeats in (1, 3, 10)
    }
    runs = by_splits[100]
    _page(runs)  # imports and compiled loops
    store = CountedStore(runs.store)
    counted = replace(runs, store=store, **({"memory": type(runs.memory)()} if hasattr(runs, "memory") else {}))
    _page(counted)
    most = max(store.fits.values())
    ours = f"{most} of each prediction, {store.calls['data']} of data, {store.calls['design']} of designs"
    name = "reads by the page of 1 data set x 2 learners, 100 splits each; each prediction once"
    whole = measure_growth(lambda splits: _page(by_splits[splits]), 100, 5, smaller=(10, 30), of="splits")
    alone = measure_growth(lambda splits: vc.estimate(by_splits[splits], SCORES), 100, 5, smaller=(10, 30), of="splits")
    return [
        Row(name, ours, "1 of each prediction", most, 1, at_most=True, unit=" reads"),
        within("that page of 100 splits with its 3 scores; their estimates alone", whole, alone, 4),
    ]


ROWS = [page_of_runs]
