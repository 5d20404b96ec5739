"""Runs made by hand (truth, what was predicted, and the splits), and studies run in this very process."""

from concurrent.futures import Future

import numpy as np
import pytest

from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.readers.read_data import data_of
from veracity.records.design import Design, Split
from veracity.running.runner import Runner
from veracity.stores.open_store import open_store
from veracity.studies.study import Study


class Here:
    """An engine that fits in this process, which saves the start of a worker."""

    workers = 1
    folder = None

    def is_well(self):
        return True

    def share(self, thing):
        return thing

    def submit(self, function, *arguments):
        future = Future()
        future.set_result(function(*arguments))
        return future


@pytest.fixture(scope="session")
def evaluated(tmp_path_factory):
    """As veracity.evaluate, without a worker process."""

    def evaluate(learners, features, target, by, seed=0, **how):
        learners = learners if isinstance(learners, dict) else {type(learners).__name__: learners}
        table = data_of(features, target, name="data", **how)
        study = Study({"data": table}, learners, by, seed=seed)
        store = open_store(str(tmp_path_factory.mktemp("runs") / "runs.db"))
        study.register(store)
        Runner(study.plan().plan, study.data, study.learners, store, Here()).run()
        return study.runs(store)

    return evaluate


@pytest.fixture(scope="session")
def designed():
    """A design from (train, test) pairs, or triples with the number of the repeat."""

    def make(rows, *pairs, name="kfold(k=3)"):
        splits = [Split(np.asarray(train), np.asarray(test), *rest) for train, test, *rest in pairs]
        return Design(name, 0, rows, tuple(splits))

    return make


@pytest.fixture(scope="session")
def numeric_run():
    """The run of a learner that predicts one number in each split."""

    def make(truth, design, guesses, failed=0):
        truth = np.asarray(truth, float)
        splits = design.splits[: len(guesses)]
        rows = np.concatenate([split.test for split in splits])
        sizes = [len(split.test) for split in splits]
        p = Predictions(
            "numbers",
            truth[rows],
            number=np.repeat(np.asarray(guesses, float), sizes),
            rows=rows,
            splits=np.repeat(np.arange(len(splits)), sizes),
        )
        return Run("data", "mean", design, p, truth, failed, reason="it broke" if failed else "")

    return make


@pytest.fixture(scope="session")
def class_run():
    """The run of a learner of classes 0 and 1 whose probabilities of class 1 are given per row and split."""

    def make(truth, design, chances):
        truth = np.asarray(truth)
        rows = np.concatenate([split.test for split in design.splits])
        number = np.repeat(np.arange(len(design)), [len(split.test) for split in design.splits])
        chance = np.concatenate([np.asarray(part, float) for part in chances])
        p = Predictions(
            "classes",
            truth[rows],
            (0, 1),
            1,
            label=(chance >= 0.5).astype(int),
            proba=np.stack([1 - chance, chance], 1),
            rows=rows,
            splits=number,
        )
        return Run("data", "coin", design, p, truth)

    return make
