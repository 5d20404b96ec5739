"""Coverage and bias of learners by batches: as the public verbs give them, kept in a store, on the command line."""

import json
import sqlite3

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from tests.lab.test_plasmode import ROWS
from veracity import lab
from veracity.cli.main import cli
from veracity.comparisons import comparisons
from veracity.contests.score_sources import from_runs
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.evidence.score_matrix import SplitScores
from veracity.lab import measuring
from veracity.lab.claims import claim_of_learners
from veracity.lab.coverage import interval_of_learner
from veracity.lab.measuring import Task
from veracity.lab.simulate import Trials
from veracity.lab.worlds import make_world
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.scores import scores

INTERVALS = {
    "kfold(k=5)": ("corrected_t", "conservative_t", "cv_wald", "cv_wald(form='within_fold')", "naive_t"),
    "repeated_kfold(k=5, repeats=3)": ("corrected_t", "conservative_t", "cv_wald", "nested_cv"),
    "paired_subsampling(outer=4, inner=5)": ("conservative_z",),
    "nested_cv_bates(k=4, repeats=3)": ("nested_cv", "nested_cv(exponent=1.5)", "corrected_t"),
    "loo_bootstrap(draws=60)": ("loo_bootstrap_se", "corrected_t"),
}


@pytest.mark.parametrize("by", INTERVALS)
@pytest.mark.parametrize(("world", "learner"), [("gaussians", GaussianNB), ("clusters(clusters=10)", GaussianNB)])
def test_limits_are_those_of_estimate(world, learner, by):
    """NaN where `estimate` refuses; what is always refused is asked anyway."""
    place, methods, score = make_world(world), INTERVALS[by], scores.choose("error")
    task = task_of(place, interval_of_learner, methods, 30, by, (learner,))
    answers = task.ask(range(2))["answers"]
    for number, (run,) in Trials(place, by, 30, 0).runs((learner,), range(2)):
        for method, ends in zip(methods, answers[number], strict=True):
            request = EstimateRequest(score, str(score), Confidence(), method, anyway=method == "naive_t")
            try:
                interval = estimate_run(run, request).interval
            except Refused:
                assert np.isnan(ends).all()
            else:
                assert ends == (interval.low, interval.high)


def task_of(world, ask_of, methods, rows, by, learners, **how):
    return Task(
        world=world, name="", ask_of=ask_of, methods=methods, rows=rows, by=by, learners=learners, seed=0, **how
    )


def test_nested_cv_is_held_against_the_risk_at_all_rows_and_others_at_their_training_rows():
    by = "nested_cv_bates(k=4, repeats=2)"
    ours, other = lab.coverage("gaussians", GaussianNB, by=by, methods=("nested_cv", "corrected_t"), rows=40, trials=8)
    assert (ours.target, other.target) == ("all rows", "its training rows")
    assert ours.truth.value < other.truth.value and 0 < ours.truth.error < 0.05
    assert ours.fits == 8 * 2 * (4 + 6) and ours.at_all == ours.coverage
    assert ours.to_json()["learner"] == "GaussianNB()"


def test_632_on_noise_is_as_efron_and_tibshirani_say():
    """1-nearest-neighbour without information: .632 expects .632 x .5 = .316, and .632+ mends most of it."""
    plain, plus = lab.bias(
        "pure_noise", lab.NearestRow, by=["boot632(draws=50)", "boot632plus(draws=50)"], rows=20, trials=60
    )
    assert plain.mean == pytest.approx(0.316, abs=4 * plain.error)
    assert plain.bias < 2 * plus.bias < 0 and plus.mse < plain.mse / 2
    assert (plus.truth, plus.truth_error, plus.fits) == (0.5, 0.0, 60 * 51)


class Counted(GaussianNB):
    """Counts its fits."""

    fits = 0

    def fit(self, features, target):
        type(self).fits += 1
        return super().fit(features, target)


@pytest.fixture(autouse=True)
def small_truths(monkeypatch):
    monkeypatch.setattr("veracity.lab.simulate.TRUTH_DRAWS", 20)


@pytest.fixture
def parts_of_five(monkeypatch):
    monkeypatch.setattr(measuring, "PART", 5)


HOW = {"methods": "corrected_t", "rows": 20, "by": "kfold(k=4)"}


def test_what_was_interrupted_goes_on(tmp_path, parts_of_five):
    store = str(tmp_path / "lab.db")
    whole = lab.coverage("two_gaussians", Counted, **HOW, trials=12)
    told = []

    def stop(done, trials):
        told.append((done, trials))
        if done >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lab.coverage("two_gaussians", Counted, **HOW, trials=12, store=store, progress=stop)
    assert told == [(5, 12), (10, 12)]
    before = Counted.fits
    again = lab.coverage("two_gaussians", Counted, **HOW, trials=12, store=store)
    made = Counted.fits - before
    assert again[0] == whole[0]
    Counted.fits = 0
    assert lab.coverage("two_gaussians", Counted, **HOW, trials=12, store=store)[0] == whole[0]
    assert made - Counted.fits == 2 * 4  # the two trials that were missing, by four splits; their truths are known


def test_another_question_is_asked_anew_and_more_trials_add_to_what_there_is(tmp_path, parts_of_five):
    store = str(tmp_path / "lab.db")
    for trials, level in ((10, 0.95), (15, 0.95), (10, 0.5)):
        found = lab.coverage("two_gaussians", GaussianNB, **HOW, trials=trials, level=level, store=store)
        assert found[0] == lab.coverage("two_gaussians", GaussianNB, **HOW, trials=trials, level=level)[0]
    with sqlite3.connect(store) as base:
        assert base.execute("SELECT COUNT(*) FROM answers").fetchone() == (3 + 2,)


@pytest.mark.slow  # processes start
def test_several_workers_give_the_same(parts_of_five):
    alone, two = (lab.bias("xor", GaussianNB, by="kfold(k=2)", rows=20, trials=10, workers=n) for n in (1, 2))
    assert alone[0] == two[0]


def test_a_store_of_another_seed_or_of_something_else(tmp_path, parts_of_five):
    store, other = tmp_path / "lab.db", tmp_path / "other.db"
    lab.coverage("two_gaussians", GaussianNB, **HOW, trials=2, seed=3, store=str(store))
    other.write_text("these are words, and no base of data at all")
    cases = (
        (store, "holds measurements of seed 3, and not of seed 0: ask with `seed=3`, or name another file"),
        (other, "holds no measurements of the lab: name another file as `store=`"),
        (tmp_path / "none" / "x.db", "there is no folder"),
    )
    for file, says in cases:
        with pytest.raises(BadInput, match=says) as told:
            lab.coverage("two_gaussians", GaussianNB, **HOW, trials=2, store=str(file))
        assert "\n" not in str(told.value)


def test_an_interval_that_does_not_read_splits_is_refused_at_once():
    class Once(GaussianNB):
        """Is fitted for one trial only."""

        fits = 0

        def fit(self, features, target):
            type(self).fits += 1
            assert self.fits <= 5, "nobody should wait for this"
            return super().fit(features, target)

    with pytest.raises(Refused, match="wilson does not read what a learner does on splits"):
        lab.coverage("two_gaussians", Once, by="kfold(k=5)", methods="wilson", rows=30, trials=1000)


def run(*words):
    return CliRunner().invoke(cli, ["lab", *words])


BAYES = ("--learner", "sklearn.naive_bayes:GaussianNB")


def test_bias_on_the_command_line(tmp_path):
    words = ("bias", "--world", "xor", *BAYES, "--by", "kfold(k=2)", "--by", "resubstitution", "--rows", "20")
    found = json.loads(run(*words, "--trials", "3", "--json").output)
    same = lab.bias("xor", GaussianNB, by=["kfold(k=2)", "resubstitution"], rows=[20], trials=3).to_json()
    assert found == json.loads(json.dumps(same))
    assert set(found["rows"][0]) >= {"by", "world", "rows", "truth", "bias", "error", "spread", "mse", "trials", "fits"}
    picture = tmp_path / "bias.svg"
    assert run(*words, "--rows", "30", "--trials", "2", "--out", str(picture)).exit_code == 0 and picture.exists()
    assert "--learner is needed" in run("bias", "--world", "xor", "--by", "kfold", "--rows", "20").output
    assert "--world and --by and --rows are needed" in run("bias").output


def test_coverage_of_ones_own_data_on_the_command_line(tmp_path):
    file, store = tmp_path / "mine.csv", str(tmp_path / "lab.db")
    lines = "\n".join(f"{x},{y},{'ab'[int(x + z > 0)]}" for x, y, z in ROWS)
    file.write_text(f"one,two,class\n{lines}\n")
    words = ("coverage", "--data", str(file), "--target", "class", *BAYES, "--method", "corrected_t", "--rows", "30")
    how = ("--by", "kfold(k=2)", "--by", "kfold(k=5)", "--trials", "3", "--store", store)
    found = json.loads(run(*words, *how, "--json").output)
    assert [row["by"] for row in found["rows"]] == ["kfold(k=2)", "kfold(k=5)"]
    assert found["notes"][0]["code"] == "plasmode" and found["rows"][0]["world"] == "plasmode(mine)"
    picture = tmp_path / "width.png"
    assert run(*words, *how, "--out", str(picture)).exit_code == 0 and picture.stat().st_size > 1000
    assert "holds measurements of seed 0" in run(*words, *how, "--seed", "1").output
    assert "--target is needed: which column of" in run(*(w for w in words if w not in ("--target", "class"))).output
    assert (
        "--target is a column of --data"
        in run("coverage", "--world", "xor", "--target", "y", "--method", "corrected_t", "--rows", "20").output
    )


@pytest.mark.parametrize(
    ("world", "by"), [("gaussians(distance=0.5, share=0.3)", "repeated_kfold(k=5, repeats=4)"), ("xor", "kfold(k=4)")]
)
def test_tests_of_two_learners_are_those_of_their_runs(world, by):
    """As `compare` judges two runs of a study, with what class shares add; several at once, from the same fits."""
    first, second = GaussianNB, (lambda: KNeighborsClassifier(1))
    methods = ("corrected_t", "conservative_t", "resampled_t")
    place = make_world(world)
    task = task_of(place, claim_of_learners, methods, 40, by, (first, second), level=0.6, anyway=True)
    found = task.ask(range(4))
    for number, runs in Trials(place, by, 40, 0).runs((first, second), range(4)):
        source = from_runs(dict(zip("ab", runs, strict=True)), scores.choose("error"), "error")
        evidence = source.evidence[SplitScores]("a", "b")
        p_values = [comparisons.choose(name)(evidence).p_value for name in methods]
        assert [share for share, _ in found["answers"][number]] == [float(p <= 0.4) for p in p_values]
        assert evidence.losses.spread_away > 0 or world == "xor"
    assert found["fits"] == 4 * 2 * len(runs[0].design)


def test_plain_t_by_repeats_claims_far_too_much():
    first, second, by = GaussianNB, lab.NearestRow, "repeated_kfold(k=5, repeats=4)"
    methods = ("corrected_t", "conservative_t", "resampled_t")
    how = {"methods": methods, "by": by, "rows": 40, "trials": 60}
    found = lab.size("pure_noise", [first, second], **how, anyway=True)
    assert [one.method for one in found] == list(methods) and {one.fits for one in found} == {60 * 2 * 20}
    assert found[2].rejected > 0.25 > found[0].rejected + 2 * found[0].error >= found[1].rejected
    with pytest.raises(Refused, match="resampled_t was refused on every sample"):
        lab.size("pure_noise", [first, second], **how)


def test_tests_by_pairs_of_halves_and_tests_that_read_none():
    how = {"by": "paired_subsampling(outer=4, inner=5)", "rows": 40, "trials": 6}
    (found,) = lab.size("pure_noise", [GaussianNB, Ridge01], methods="conservative_z", **how)
    assert 0 <= found.rejected <= 1 and found.refused == 0
    for method, score, says in (
        ("mcnemar", None, "mcnemar does not read the splits of one design"),
        ("conservative_z", "auc", "the risk in pure_noise is error, not auc: leave out `score=`"),
    ):
        with pytest.raises(BadInput, match=says):
            lab.size("pure_noise", [GaussianNB, GaussianNB], methods=method, score=score, **how)


class Ridge01(Ridge):
    """Classes 0 and 1 by least squares."""

    def predict(self, features):
        return (super().predict(features) > 0.5).astype(int)


def test_two_data_sets_of_one_name_have_answers_of_their_own(tmp_path):
    """The same store, and the truths that are known already, keep them apart."""
    kept, found = str(tmp_path / "lab.db"), []
    for times in (1, 50, 1):
        world = lab.plasmode(ROWS, times * ROWS[:, 0] + ROWS[:, 1])
        how = {"methods": "corrected_t", "rows": 30, "by": "kfold(k=5)", "trials": 4, "store": kept}
        (row,) = lab.coverage(world, LinearRegression, **how)
        (off,) = lab.bias(world, LinearRegression, by="kfold(k=5)", rows=30, trials=4, store=kept)
        found.append((row.width, row.truth.value, off.truth, off.mean))
    assert found[0] == found[2] and all(np.array(found[1]) > 20 * np.array(found[0]))
    with sqlite3.connect(kept) as base:
        assert base.execute("SELECT count(DISTINCT question) FROM answers").fetchone() == (4,)


def test_wrong_labels_are_of_two_classes():
    world = lab.plasmode(ROWS, np.digitize(ROWS[:, 0], [-0.5, 0.5]))
    with pytest.raises(BadInput, match="turns one of two classes into the other"):
        lab.LabelNoise(of=world)
    two = [lab.LabelNoise(of=lab.plasmode(ROWS, ROWS[:, column] > 0)) for column in (0, 1)]
    assert two[0] != two[1] and two[0].digest != two[1].digest
