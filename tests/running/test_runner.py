"""A run fits what is missing, keeps what it has, and goes on when a fit goes wrong."""

import threading
import time
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from veracity.core.errors import BadInput
from veracity.records.plan import Progress
from veracity.running.runner import BATCH_S, MAX_TRIAL_FITS, FitTimes, Runner
from veracity.running.worker import run_batch
from veracity.stores.open_store import open_store


@pytest.fixture(scope="module")
def finished(small, tmp_path_factory):
    """A store with a finished small study."""
    where = tmp_path_factory.mktemp("finished") / "results.db"
    small().run(where, progress=False)
    return where


@pytest.fixture
def copied(finished, tmp_path):
    """A store of one's own with the finished study."""
    where = tmp_path / "results.db"
    where.write_bytes(finished.read_bytes())
    return where


def ran(study, where, **how):
    """How many fits a run makes that were not there before."""
    before = study.plan().against(where)
    study.run(where, progress=False, **how)
    after = study.plan().against(where)
    assert after.left == 0
    return before.left


def test_all_fits_are_there_and_a_second_run_makes_none(small, finished, content):
    before = content(finished)
    assert small().plan().against(finished) == Progress(20, 20, 0)
    assert ran(small(), finished) == 0
    assert content(finished) == before


def test_two_workers_give_the_same_bits_as_one(small, finished, content, tmp_path):
    small().run(tmp_path / "two.db", workers=2, progress=False)
    assert content(tmp_path / "two.db") == content(finished)


def test_a_learner_a_data_set_and_a_repeat_more_fit_only_what_is_new(small, copied, content):
    before = content(copied)
    learners = {**small().learners, "dummy": DummyClassifier()}
    assert ran(small(learners=learners), copied) == 10
    data = {**small().data, "third": (small().data["iris"].features[::3], small().data["iris"].truth[::3])}
    assert ran(small(data=data), copied) == 10
    assert ran(small(by="repeated_kfold(k=5, repeats=2)"), copied) == 20
    after = content(copied)
    assert before.items() <= after.items()
    assert len(after) == 20 + 10 + 10 + 20


def test_a_fit_that_did_not_predict_all_rows_that_are_wanted_now_is_made_again(small, tmp_path):
    study = small(by="holdout(test=0.2)", final=True, learners={"nb": GaussianNB()})
    study.run(tmp_path / "results.db", progress=False)
    runs = small(by="resubstitution", learners={"nb": GaussianNB()}).run(tmp_path / "results.db", progress=False)
    assert len(runs.predictions("nb", "iris")) == 150
    with open_store(tmp_path / "results.db") as store:
        assert store.status().extra == 0 and len(store.finished()) == 4  # the final fit predicts all rows now


REASONS = {
    "raises": "fit raised RuntimeError: the learner is unwell",
    "nan": "predict_proba gave [nan nan nan] for the 1st of its rows",
    "length": "one value per row is needed",
    "kills": "the fit killed its process",
    "memory": "fit ran out of memory",
    "interrupts": "fit or predict raised KeyboardInterrupt",
}


def test_a_fit_that_goes_wrong_is_a_failure_with_its_reason_and_the_others_go_on(small, bad, tmp_path):
    learners = {**{how: bad(how) for how in REASONS}, "nb": GaussianNB()}
    study = small(data={"iris": small().data["iris"]}, learners=learners)
    runs = study.run(tmp_path / "results.db", progress=False)
    assert study.plan().against(runs.store) == Progress(35, 29, 6)
    for how, reason in REASONS.items():
        assert runs.run(how).failed == 1
        assert reason in runs.run(how).reason
    assert runs.run("nb").complete
    assert any("RuntimeError" in failure.traceback for failure in runs.failures())


@pytest.mark.slow
def test_a_fit_that_hangs_is_a_failure_and_the_others_go_on(small, bad, tmp_path):
    learners = {"hangs": bad("hangs"), "nb": GaussianNB()}
    study = small(data={"iris": small().data["iris"]}, learners=learners, timeout=10)
    runs = study.run(tmp_path / "results.db", progress=False)
    assert study.plan().against(runs.store) == Progress(10, 9, 1)
    assert (runs.run("hangs").failed, runs.run("nb").complete) == (1, True)
    assert "fit took longer than the timeout of 10 s" in runs.run("hangs").reason


def test_a_timeout_of_any_length_is_one(small, tmp_path):
    study = small(data={"iris": small().data["iris"]}, learners={"nb": GaussianNB()}, timeout=float("inf"))
    assert study.plan().against(study.run(tmp_path / "results.db", progress=False).store) == Progress(5, 5, 0)
    again = study.run(tmp_path / "again.db", timeout=1e300, progress=False)
    assert study.plan().against(again.store) == Progress(5, 5, 0)


def test_failed_fits_are_tried_again_only_when_asked(small, tmp_path):
    where = tmp_path / "results.db"
    marker = tmp_path / "healed"
    study = small(data={"iris": small().data["iris"]}, learners={"late": Late(str(marker))})
    study.run(where, progress=False)
    assert study.plan().against(where) == Progress(5, 0, 5)
    marker.touch()
    study.run(where, progress=False)
    assert study.plan().against(where).failed == 5
    study.run(where, retry="failed", progress=False)
    assert study.plan().against(where) == Progress(5, 5, 0)
    with pytest.raises(BadInput, match="retry is 'failed'"):
        study.run(where, retry="everything")


class Late(GaussianNB):
    """Works once a file is there."""

    def __init__(self, marker=""):
        super().__init__()
        self.marker = marker

    def fit(self, features, target, sample_weight=None):
        if not Path(self.marker).exists():
            raise RuntimeError("not yet")
        return super().fit(features, target)


def test_two_runs_at_once_share_the_work_and_lose_nothing(small, content, finished, tmp_path):
    where = tmp_path / "results.db"
    studies = [small(), small()]
    threads = [threading.Thread(target=study.run, args=(where,), kwargs={"progress": False}) for study in studies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert content(where) == content(finished)


def test_whoever_watches_is_told(small, tmp_path):
    told = []
    small().run(tmp_path / "results.db", progress=lambda progress, left: told.append((progress, left)))
    assert told[0][0] == Progress(20, 0, 0)
    assert told[-1][0] == Progress(20, 20, 0)


def test_the_predictions_are_those_of_the_learner_itself(small, finished):
    study = small()
    runs = study.runs(open_store(finished))
    p = runs.predictions("nb", "iris")
    table, split = study.data["iris"], study.designs["iris"][0].splits[0]
    rows = np.sort(split.train)
    model = GaussianNB().fit(table.features[rows], table.target[rows])
    first = p.splits == 0
    np.testing.assert_array_equal(p.proba[first], model.predict_proba(table.features[p.rows[first]]))


def test_a_batch_is_about_a_tenth_of_a_second_and_grows_with_the_number_of_workers():
    """However many workers there are, about as many batches a second are sent and stored."""
    kind = ("data", "learner")
    sizes = [FitTimes(workers, {kind: 0.02}).batch_size(kind, 10_000_000) for workers in (1, 2, 20, 200, 1000)]
    assert sizes == [5, 5, 20, 200, 1000]
    assert [FitTimes(workers, {kind: 3.0}).batch_size(kind, 10_000_000) for workers in (1, 100, 1000)] == [1, 1, 6]
    assert FitTimes(1, {kind: 1e-9}).batch_size(kind, 10_000) == 200


def test_the_last_fits_are_shared_by_all_workers():
    kind = ("data", "learner")
    assert [FitTimes(2, {kind: 0.001}).batch_size(kind, left) for left in (10_000, 400, 80)] == [100, 50, 20]
    assert FitTimes(100, {kind: 0.02}).batch_size(kind, 12_000) == 30


def test_a_few_fits_are_tried_where_nothing_is_known():
    kind = ("data", "new")
    assert [FitTimes(2).batch_size(kind, waiting) for waiting in (1, 16, 24, 10_000)] == [1, 2, 3, MAX_TRIAL_FITS]
    assert FitTimes(1000).batch_size(kind, 1000) == 1
    assert FitTimes(2).seconds_left({kind: 10}) is None
    assert FitTimes(2, {("data", "a"): 0.1, ("data", "b"): 0.3}).seconds_left({kind: 10}) == pytest.approx(1.0)


class Sleeper(GaussianNB):
    """Takes longer than a batch should."""

    def fit(self, features, target, sample_weight=None):
        time.sleep(2.5 * BATCH_S)
        return super().fit(features, target)


def test_a_batch_of_slow_fits_comes_back_after_the_first_and_all_are_made(small, tmp_path):
    study = small(learners={"slow": Sleeper()}, by="repeated_kfold(k=5, repeats=2)")
    name = next(iter(study.data))
    fits = [fit for fit in study.plan().plan.fits if fit.data == name]
    assert len(run_batch(study.data[name], Sleeper(), fits, max_seconds=BATCH_S).outcomes) == 1
    assert len(run_batch(study.data[name], GaussianNB(), fits, max_seconds=60).outcomes) == len(fits)
    assert ran(study, tmp_path / "slow.db") == 20


class ManyWorkers:
    """An engine with room for two thousand batches, which fits each in this process at once."""

    workers, folder = 1000, None

    def __init__(self):
        self.sizes = []

    def share(self, thing):
        return thing

    def submit(self, function, data, learner, fits, *others):
        self.sizes.append(len(fits))
        future = Future()
        future.set_result(function(data, learner, fits, *others))
        return future

    def is_well(self):
        return True


def test_many_workers_claim_what_they_are_sent_in_one_transaction(small, tmp_path, content, monkeypatch):
    study = small(learners={"nb": GaussianNB()}, by="repeated_kfold(k=5, repeats=20)")
    engine, claims = ManyWorkers(), []
    with open_store(tmp_path / "many.db") as store:
        study.register(store)
        claim = store.claim
        monkeypatch.setattr(store, "claim", lambda keys, *rest: claims.append(len(keys)) or claim(keys, *rest))
        Runner(study.plan().plan, study.data, study.learners, store, engine).run()
    assert engine.sizes == [1] * 200 and claims == [200]
    study.run(tmp_path / "plain.db", progress=False)
    assert content(tmp_path / "many.db") == content(tmp_path / "plain.db")
