"""The scores of every split: the rows, the files they are written to, and times as scores."""

import re
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.stores.open_store import temporary_store

WEKA = Path("/usr/share/java/weka.jar")
BY = "repeated_kfold(k=3, repeats=2)"


class Sleeper(ClassifierMixin, BaseEstimator):
    """Takes at least its time for fitting and for predicting, of which half is that."""

    def __init__(self, seconds=0.02):
        self.seconds = seconds

    def fit(self, X, y):  # noqa: N803
        self.classes_ = np.unique(y)
        time.sleep(self.seconds)
        return self

    def predict(self, X):  # noqa: N803
        time.sleep(self.seconds / 2)
        return np.repeat(self.classes_[0], len(X))


class Breaks(Sleeper):
    """Fails where an odd number of rows trains."""

    def fit(self, X, y):  # noqa: N803
        if len(X) % 2:
            raise ValueError("odd")
        return super().fit(X, y)


@pytest.fixture(scope="module")
def runs():
    study = vc.Study(
        {"iris": load_iris(return_X_y=True), "wine's": load_wine(return_X_y=True)},
        {"nb": GaussianNB(), "tree 0.5": DecisionTreeClassifier(max_depth=2, random_state=0)},
        BY,
        scores=["error"],
        seed=3,
    )
    return study.run(temporary_store(), progress=False)


def test_a_row_for_each_split_with_the_score_of_its_own_rows(runs):
    rows = list(runs.scores("error"))
    assert len(rows) == 2 * 2 * 6
    places = {(row.data, row.learner, row.by, row.repeat, row.fold) for row in rows}
    assert len(places) == len(rows) and {place[2] for place in places} == {BY}
    for row in rows:
        p = runs.predictions(row.learner, row.data)
        design = runs.design(row.data, BY)
        number = next(n for n, s in enumerate(design.splits) if (s.repeat, s.fold) == (row.repeat, row.fold))
        mine = np.asarray(p.splits) == number
        assert row.value == pytest.approx(float(np.mean(p.labels()[mine] != p.truth[mine])))
        assert row.test == mine.sum() and row.train + row.test == design.rows


def test_without_a_name_the_scores_of_the_study_and_several_at_once(runs):
    assert {row.score for row in runs.scores()} == {"error"}
    found = runs.scores("f1(average='macro')", "error")
    assert [row.score for row in found if row.fold == row.repeat == 0][:2] == ["fbeta(average='macro')", "error"]
    assert len(runs.scores(["error", "log_loss"])) == 48


def test_the_summary_is_mean_deviation_and_number(runs):
    table = runs.scores("error").summary()
    first = dict(zip(table.titles, table.rows[0], strict=True))
    values = [row.value for row in runs.scores("error") if (row.data, row.learner) == ("iris", "nb")]
    assert first["mean"].value == pytest.approx(np.mean(values))
    assert first["standard deviation"].value == pytest.approx(np.std(values, ddof=1))
    assert (first["splits"], first["without"]) == (6, 0)


def test_files_are_read_again_as_they_were(runs, tmp_path):
    found = runs.scores("error")
    (tmp_path / "scores.csv").write_text(found.to_csv())
    (tmp_path / "scores.arff").write_text(found.to_weka())
    found.to_parquet(tmp_path / "scores.parquet")
    there = vc.rank(runs, "error", using="corrected_t")
    for name in ("scores.csv", "scores.arff", "scores.parquet"):
        matrix = vc.read_scores(tmp_path / name, "error")
        assert (matrix.score, matrix.better) == ("error", "lower")
        assert (matrix.datasets, matrix.learners) == (("iris", "wine's"), ("nb", "tree 0.5"))
        again = vc.rank(matrix, using="corrected_t")
        assert [pair.p_value for pair in again] == pytest.approx([pair.p_value for pair in there])
    frame = found.to_frame("pandas")
    assert " ".join(frame.columns[:9]) == "data learner by repeat fold score value seconds_fit seconds_predict"
    assert frame["value"].tolist() == [row.value for row in found]


def test_a_table_of_several_scores_must_be_asked_for_one(runs, tmp_path):
    (tmp_path / "scores.csv").write_text(runs.scores("error", "log_loss").to_csv())
    with pytest.raises(vc.BadInput, match="name a score, `score=`; there are 'error', 'log_loss'"):
        vc.read_scores(tmp_path / "scores.csv")
    with pytest.raises(vc.BadInput, match="has no score 'auc'"):
        vc.read_scores(tmp_path / "scores.csv", "auc")
    assert vc.read_scores(tmp_path / "scores.csv", "log_loss").better == "lower"


@pytest.mark.parametrize(
    "name", ["it's", 'say "so"', "a,b", "{x}", "100 % of it", "back\\slash", "tab\tnew\nline", "?", "é", " "]
)
def test_any_name_survives_wekas_layout(name, tmp_path):
    both = {name: GaussianNB(), "other": DecisionTreeClassifier()}
    runs = vc.evaluate(both, *load_iris(return_X_y=True), by="kfold(k=2)", name=name)
    (tmp_path / "r.arff").write_text(runs.scores("error").to_weka())
    matrix = vc.read_scores(tmp_path / "r.arff", "error")
    assert matrix.datasets == (name,) and matrix.learners == (name, "other")


def test_what_has_no_score_has_a_row_and_a_note(tmp_path):
    rows = [part[:103] for part in load_iris(return_X_y=True)]
    by = "kfold(k=4, stratified=False)"  # of 103 rows: training sets of 77 and of 78
    runs = vc.evaluate({"breaks": Breaks(0.0), "svm": LinearSVC(), "nb": GaussianNB()}, *rows, by=by)
    found = runs.scores("log_loss")
    mine = {name: [row.value for row in found if row.learner == name] for name in ("breaks", "svm", "nb")}
    assert np.isnan(mine["svm"]).all() and not np.isnan(mine["nb"]).any() and np.isnan(mine["breaks"]).all()
    assert any(note.code == "score-undefined" and "svm" in note.says for note in found.notes)
    error = [row.value for row in runs.scores("error") if row.learner == "breaks"]
    assert 0 < np.isnan(error).sum() < 4
    out = found.to_json()["scores"]
    assert {row["value"] for row in out if row["learner"] == "svm"} == {None}
    found.to_parquet(tmp_path / "s.parquet")
    import duckdb

    nulls = duckdb.sql(f"select count(*) from '{tmp_path}/s.parquet' where value is null").fetchall()
    assert nulls == [(8,)]
    assert "?" in found.to_weka()
    with pytest.raises(vc.BadInput, match="needs probabilities"):
        vc.evaluate({"svm": LinearSVC()}, *rows, by=by).scores("log_loss")


def test_several_designs_do_not_fit_wekas_layout(runs):
    both = vc.evaluate({"nb": GaussianNB()}, *load_iris(return_X_y=True), by=["kfold(k=2)", "kfold(k=3)"])
    assert len(both.scores("error")) == 5 and len(both.scores("error", by="kfold(k=3)")) == 3
    with pytest.raises(vc.BadInput, match="one design, and these are"):
        both.scores("error").to_weka()
    assert "kfold" in both.scores("error", by="kfold(k=3)").to_weka()


def test_numbers_and_classes_each_have_their_scores():
    features = load_iris().data
    runs = vc.evaluate({"line": LinearRegression()}, features, features[:, 0], by="kfold(k=2)")
    assert {row.score for row in runs.scores()} == {"rmse"}
    with pytest.raises(vc.BadInput, match="auc: no data set here has a target"):
        runs.scores("auc")


# --- times


@pytest.fixture(scope="module")
def slow_and_fast():
    both = {"slow": Sleeper(0.03), "fast": Sleeper(0.003)}
    return vc.evaluate(both, *load_iris(return_X_y=True), by="kfold(k=5)", name="iris")


def test_times_are_at_least_what_was_slept(slow_and_fast):
    for row in slow_and_fast.scores("error"):
        least = 0.03 if row.learner == "slow" else 0.003
        assert row.seconds_fit >= least and row.seconds_predict >= least / 2


def test_times_are_scores(slow_and_fast):
    found = slow_and_fast.scores("seconds_fit", "training_time", "predict_time")
    assert all(row.value == row.seconds_fit for row in found if row.score == "seconds_fit")
    assert {row.score for row in found} == {"seconds_fit", "seconds_predict"}
    estimates = vc.estimate(slow_and_fast, ["seconds_fit", "seconds_predict"], deviations=True)
    row = estimates["slow", "seconds_fit"]
    mine = [one.value for one in found if (one.learner, one.score) == ("slow", "seconds_fit")]
    assert row.value == pytest.approx(np.mean(mine)) and row.deviation == pytest.approx(np.std(mine, ddof=1))
    assert row.better == "lower" and row.interval is None
    assert any("no interval by default" in note.says for note in row.notes)


def test_an_interval_of_times_is_there_for_who_asks(slow_and_fast):
    row = vc.estimate(slow_and_fast, "seconds_fit", interval="corrected_t")["slow"]
    assert row.interval.low < row.value < row.interval.high
    assert "times" in [note.code for note in row.all_notes]
    with pytest.raises(vc.Refused):
        vc.estimate(slow_and_fast, "seconds_fit", interval="wilson")


def test_times_are_compared_and_ranked(slow_and_fast):
    found = vc.compare(slow_and_fast, "seconds_predict", using="corrected_t")
    rows = slow_and_fast.scores("seconds_predict")
    slow, fast = (np.mean([row.value for row in rows if row.learner == name]) for name in ("slow", "fast"))
    assert found.better == "lower" and found.difference == pytest.approx(slow - fast)
    assert "times" in [note.code for note in found.notes]
    verdicts = vc.rank(slow_and_fast, "seconds_fit", using="corrected_t")
    means = [row.value for row in vc.estimate(slow_and_fast, "seconds_fit")]
    assert verdicts.matrix.better == "lower" and verdicts.matrix.values[0].tolist() == pytest.approx(means)


def test_a_hold_out_has_one_time_and_no_test():
    runs = vc.evaluate({"a": GaussianNB(), "b": Sleeper(0.0)}, *load_iris(return_X_y=True), by="holdout")
    assert len(runs.scores("seconds_fit")) == 2
    assert vc.estimate(runs, "seconds_fit")["a"].interval is None
    with pytest.raises(vc.Refused):
        vc.compare(runs, "seconds_fit")


@pytest.mark.parametrize("by", ["boot632plus(draws=10)", "leave_one_out", "resubstitution"])
def test_times_of_any_design_are_means_over_its_main_splits(by):
    rows = [part[::5] for part in load_iris(return_X_y=True)]
    runs = vc.evaluate({"nb": GaussianNB()}, *rows, by=by)
    mine = [row.value for row in runs.scores("seconds_fit")]
    assert vc.estimate(runs, "seconds_fit").rows[0].value == pytest.approx(np.mean(mine))


def test_predictions_and_tuning_have_no_times():
    p = vc.predictions([0, 1, 1], label=[0, 1, 0])
    for ask in (vc.score, vc.estimate):
        with pytest.raises(vc.BadInput, match="predictions do not tell it: give runs"):
            ask(p, "seconds_fit")
    assert "seconds_fit" not in [row.score for row in vc.scorecard(p)]
    with pytest.raises(vc.BadInput, match="seconds_fit is of fits"):
        vc.tuned(DecisionTreeClassifier(), {"max_depth": [1, 2]}, score="seconds_fit")


def test_a_store_from_before_times_says_so(tmp_path):
    import gzip

    old = Path(__file__).parents[1] / "stores" / "assets" / "study_of_0.1.0.db.gz"
    (tmp_path / "old.db").write_bytes(gzip.decompress(old.read_bytes()))
    runs = vc.read_runs(tmp_path / "old.db")
    assert all(np.isnan(row.seconds_fit) for row in runs.scores("error"))
    with pytest.raises(vc.Refused, match="stored before times were"):
        runs.scores("seconds_fit")


def test_times_stand_on_the_page_and_in_a_study(tmp_path):
    data = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
    both = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    study = vc.Study(data, both, "kfold(k=3)", scores=["error", "seconds_fit"])
    assert study.foreseen == ()
    page = vc.report(study.run(tmp_path / "r.db", progress=False))
    assert "seconds_fit" in page.html


def test_deviations_are_shown_where_they_are_asked_for(runs):
    plain, asked = vc.estimate(runs, "error"), vc.estimate(runs, "error", deviations=True)
    assert "standard deviation" not in plain.table().titles
    row = dict(zip(asked.table().titles, asked.table().rows[0], strict=True))
    values = [one.value for one in runs.scores("error") if (one.data, one.learner) == ("iris", "nb")]
    assert row["standard deviation"].value == pytest.approx(np.std(values, ddof=1)) and row["splits"] == 6
    shape = asked.to_json()["estimates"]["iris"]["nb"]["error"]
    assert shape["deviation"] == pytest.approx(np.std(values, ddof=1))
    assert "deviation" not in plain.to_json()["estimates"]["iris"]["nb"]["error"]
    with pytest.raises(vc.BadInput, match="leave out deviations"):
        vc.estimate(vc.predictions([0, 1], label=[0, 1]), "error", deviations=True)


@pytest.mark.slow
@pytest.mark.skipif(not WEKA.exists() or not shutil.which("java"), reason="needs Weka: apt-get install weka")
def test_weka_itself_reads_the_layout_and_comes_to_the_same_verdicts(runs, tmp_path):
    (tmp_path / "r.arff").write_text(runs.scores("error").to_weka())
    tester = ["java", "-cp", str(WEKA), "weka.experiment.PairedCorrectedTTester", "-t", str(tmp_path / "r.arff")]
    # columns of Weka count from 1: data set 1, run 2, fold 3, scheme 4 to 6, the score 9
    places = ["-D", "1", "-R", "2", "-F", "3", "-G", "4-6", "-c", "9", "-b", "1", "-S", "0.05", "-V"]
    said = subprocess.run([*tester, *places], capture_output=True, text=True, timeout=120, check=False)
    assert said.returncode == 0, said.stderr
    theirs = re.findall(
        r"^'?(iris|wine)\S* +\((\d+)\) +([\d.]+)\(([\d.]+)\) \| +([\d.]+)\(([\d.]+)\) ([v* ])", said.stdout, re.M
    )
    found = vc.rank(runs, "error", using="corrected_t").with_look(deviations=True, counts=True, digits=2)
    assert [row[0] for row in theirs] == ["iris", "wine"]
    for (_, count, *numbers, mark), row in zip(theirs, found.table().rows, strict=False):
        mine = [number for cell in row[2:] for number in re.findall(r"[\d.]+", cell)]
        assert (
            f"({count})" == row[1]
            and mine == numbers
            and row[3].endswith("v*"["v*".index(mark)] if mark != " " else ")")
        )
