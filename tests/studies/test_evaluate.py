"""One call from a learner to its risk."""

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.dummy import DummyRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.evidence.score_matrix import LossTraits, SplitScores
from veracity.intervals.resampled import conservative_t

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[::3], Y[::3]


@pytest.fixture(scope="module")
def runs():
    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    return vc.evaluate(learners, X, Y, by=["repeated_kfold(k=5,repeats=2)", "holdout(test=0.25)"], seed=7, positive=1)


def test_the_estimate_is_the_conservative_t_of_the_split_scores(runs):
    by = "repeated_kfold(k=5,repeats=2)"
    row = vc.estimate(runs, ["error", "auc"])["nb", "error", by]
    p, splits = runs.predictions("nb", by=by), runs.run("nb", by=by).design.splits
    scores = [(p.label != p.truth)[p.splits == split].mean() for split in range(10)]
    sizes = ([len(part) for part in parts] for parts in zip(*((one.train, one.test) for one in splits), strict=True))
    seen = SplitScores.of(scores, *sizes, np.arange(10) // 5)
    missed = (p.label != p.truth).astype(float)
    traits = LossTraits.of(p.rows, missed).with_classes(missed, p.truth, p.splits)
    low, high, *_ = conservative_t.function(replace(seen, losses=traits), Confidence())
    assert row.value == pytest.approx(np.mean(scores))
    assert row.interval.method == "conservative_t" and row.interval.high == pytest.approx(high)
    assert row.interval.low == pytest.approx(max(0.0, low))  # an error is never negative
    assert row.answers == "mean risk of the procedure trained on 80 % of the rows"


def test_rows_are_labelled_by_data_learner_design_and_score(runs):
    est = vc.estimate(runs, ["error", "auc"])
    assert len(est) == 2 * 2 * 2
    assert est["nb", "auc", "holdout(test=0.25)"].interval.method == "delta_logit"
    assert est["nb", "auc", "holdout(test=0.25)"].answers == "risk of the one model trained on 74.7 % of the rows"
    with pytest.raises(vc.BadInput, match="leaves 4 rows"):
        est["nb"]
    titles = est.table().titles
    assert titles[:4] == ("data", "learner", "by", "score")


def test_a_single_learner_goes_by_its_class():
    runs = vc.evaluate(GaussianNB(), X, Y, by="kfold(k=3)")
    assert vc.estimate(runs, "error")["GaussianNB"].by == "kfold(k=3)"
    assert vc.estimate(runs, "error")["error"].splits == 3


def test_predictions_disagreement_final_and_parquet(runs, tmp_path):
    p = runs.predictions("tree", by="repeated_kfold(k=5,repeats=2)")
    assert len(p) == 2 * len(Y)
    assert 0 < runs.disagreement("tree", by="repeated_kfold(k=5,repeats=2)") < 0.5
    assert runs.final("tree").tree_.node_count > 1
    runs.to_parquet(tmp_path / "p.parquet")
    import duckdb

    counted = duckdb.sql(f"select learner, count(*) from '{tmp_path}/p.parquet' group by 1 order by 1").fetchall()
    assert [name for name, _ in counted] == ["nb", "tree"]


@pytest.mark.parametrize("ending", ["parquet", "csv", "arff"])
def test_predictions_are_exported_by_way_of_a_folder_with_an_apostrophe(runs, tmp_path, monkeypatch, ending):
    """A TMPDIR with an apostrophe ended in a ParserException of duckdb."""
    temporary = tmp_path / "Anna's files"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    out = temporary / f"predictions.{ending}"
    runs.export(out)
    assert out.stat().st_size > 0


def test_a_numeric_target():
    features, target = load_diabetes(return_X_y=True)
    runs = vc.evaluate(DummyRegressor(), features, target, by="kfold(k=5)")
    est = vc.estimate(runs, ["rmse", "relative_squared_error"])
    assert est["relative_squared_error"].value == pytest.approx(1.0)
    with pytest.raises(vc.BadInput, match="error is for classes, but the target of data is of numbers"):
        vc.estimate(runs, "error")


def test_the_temporary_store_goes_with_the_runs():
    runs = vc.evaluate(GaussianNB(), X, Y, by="kfold(k=3)")
    folder = Path(runs.store.where).parent
    assert (folder / "runs.db").exists()
    del runs
    assert not folder.exists()


def test_a_store_keeps_the_runs(tmp_path):
    first = vc.evaluate(GaussianNB(), X, Y, by="kfold(k=3)", store=tmp_path / "runs.db")
    again = vc.read_runs(tmp_path / "runs.db")
    assert vc.estimate(again, "error")["error"].value == vc.estimate(first, "error")["error"].value
    with pytest.raises(vc.BadInput, match="call final"):
        again.final()


def test_a_hold_out_that_is_asked_again_says_so(tmp_path):
    runs = vc.evaluate(GaussianNB(), X, Y, by="holdout", store=tmp_path / "runs.db")
    codes = [[note.code for note in vc.estimate(runs, score).notes] for score in ("error", "error", "brier")]
    assert ["test-asked-again" in found for found in codes] == [False, False, True]
    again = next(note for note in vc.estimate(runs, "log_loss").notes if note.code == "test-asked-again")
    assert "asked 3 times" in again.says and again.weight == "caution"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"learners": GaussianNB}, "GaussianNB"),
        ({"learners": object()}, "has no fit"),
        ({"by": "kfld"}, "did you mean kfold"),
        ({"seed": "x"}, "`seed=` must be a whole number, not 'x'"),
        ({"timeout": -1}, "timeout is a number of seconds"),
        ({"workers": 0}, "workers is a whole number"),
        ({"positive": 5}, "5"),
    ],
)
def test_wrong_calls_are_told(wrong, says):
    given = {"learners": GaussianNB(), "by": "kfold(k=3)", **wrong}
    with pytest.raises(vc.VeracityError, match=says):
        vc.evaluate(given.pop("learners"), X, Y, **given)
