"""One call reads, fingerprints and builds each thing once."""

from collections import Counter

import pytest
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.evidence.runs import Runs
from veracity.running import make_plan
from veracity.stores import plan as stored
from veracity.stores.store import Store

DATA = make_classification(60, 4, random_state=0)


def learners():
    return {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}


@pytest.fixture
def counted(monkeypatch):
    """How often runs were built, learners fingerprinted and the stored study read."""
    counts = Counter()

    def count(owner, name, word):
        before = getattr(owner, name)

        def call(*arguments, **named):
            counts[word] += 1
            return before(*arguments, **named)

        monkeypatch.setattr(owner, name, call)

    count(Runs, "__init__", "runs")
    count(make_plan, "fingerprint", "fingerprints")
    count(stored, "read_study", "studies")
    count(Store, "study", "studies")
    count(Store, "data", "data")
    count(Store, "design", "designs")
    return counts


def test_evaluate(counted):
    vc.evaluate(learners(), *DATA, by="kfold(k=3)")
    assert counted == {"runs": 1, "fingerprints": 2, "studies": 1}


def test_run_and_run_again(counted, tmp_path):
    study = vc.Study({"data": DATA}, learners(), ["kfold(k=3)", "holdout"])
    for _ in range(2):
        study.run(tmp_path / "results.db", progress=False)
        assert counted == {"runs": 1, "fingerprints": 2, "studies": 1}
        counted.clear()


def test_run_with_checks_that_fit(counted, tmp_path):
    study = vc.Study({"data": DATA}, learners(), "kfold(k=3)", checks=["baseline", "deterministic"], final=True)
    study.run(tmp_path / "results.db", progress=False)
    assert counted == {"runs": 1, "fingerprints": 3, "studies": 2}  # one of the baseline; what checks found is added


def test_read_runs(counted, tmp_path):
    study = vc.Study({"data": DATA}, learners(), "kfold(k=3)")
    study.run(tmp_path / "results.db", progress=False)
    for selected in (None, study):
        counted.clear()
        vc.read_runs(tmp_path / "results.db", selected)
        assert counted == {"runs": 1, "studies": 1}


def test_a_learner_changed_between_two_runs_is_another_learner(tmp_path):
    study = vc.Study({"data": DATA}, learners(), "kfold(k=3)")
    study.run(tmp_path / "results.db", progress=False)
    study.learners["tree"].set_params(max_depth=1)
    with pytest.raises(vc.BadInput, match="the learner 'tree' changed since"):
        study.run(tmp_path / "results.db", progress=False)
    study.run(tmp_path / "other.db", progress=False)
    assert study.plan().against(tmp_path / "results.db").left == 3


def test_estimates_and_comparisons_share_what_was_read(counted):
    runs = vc.evaluate(learners(), *DATA, by="kfold(k=3)")
    vc.estimate(runs, ["error", "auc"])
    vc.compare(runs, "error")
    assert (counted["data"], counted["designs"]) == (1, 1)
