"""A page asks many questions of its runs and reads each of them once."""

from collections import Counter
from dataclasses import replace

import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.reports import gather

TUNED = {"grid": {"max_depth": [1, 2]}, "by": "kfold(k=3)", "score": "error"}


class CountedStore:
    """A store that counts how often each of its verbs is called, and how often each fit is read."""

    def __init__(self, store):
        self.store, self.calls, self.fits = store, Counter(), Counter()

    def __getattr__(self, verb):
        def call(*arguments):
            self.calls[verb] += 1
            return getattr(self.store, verb)(*arguments)

        return call

    def answers(self, *place):
        for one in self.store.answers(*place):
            self.fits.update(one.keys)
            yield one


def counted(runs):
    """The same runs, which have read nothing yet."""
    return replace(runs, store=CountedStore(runs.store), memory=type(runs.memory)())


@pytest.fixture(scope="module")
def runs():
    """One data set, two learners, one of which tunes itself."""
    learners = {"nb": GaussianNB(), "tree": vc.tuned(DecisionTreeClassifier(random_state=0), **TUNED)}
    return vc.evaluate(learners, *load_breast_cancer(return_X_y=True), by="repeated_kfold(k=5, repeats=2)", seed=7)


def test_a_page_reads_every_prediction_once_and_data_and_designs_few_times(runs):
    read = counted(runs)
    vc.report(read, ["error", "auc", "log_loss"], questions={"compare": {}, "rank": {"using": "corrected_t"}})
    assert set(read.store.fits.values()) == {1} and len(read.store.fits) == 20
    assert read.store.calls["data"] <= 2 and read.store.calls["design"] <= 2 and read.store.calls["cells"] == 0


def test_what_has_no_room_is_read_again_and_the_page_is_the_same(runs, monkeypatch):
    whole = vc.report(runs, ["error"]).html
    monkeypatch.setattr(gather, "ROOM", gather.size(runs.run("nb")))
    read = counted(runs)
    assert vc.report(read, ["error"]).html == whole
    assert {read.store.fits[key] for key in runs.store.cells("data", "nb", runs.designs[0])} == {1}
    assert min(read.store.fits[key] for key in runs.store.cells("data", "tree", runs.designs[0])) > 1
