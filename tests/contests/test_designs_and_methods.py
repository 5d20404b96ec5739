"""One table says which splits serve which method: estimate, compare, rank and the forms of the workbench agree."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.contests.method_refusals import method_refusals
from veracity.contests.score_sources import matrix_of_runs
from veracity.scores import scores

OF_SPLITS = ("corrected_t", "conservative_t", "kfold_t")
OF_DATA_SETS = ("hierarchical_posterior", "two_level")
READABLE = ("kfold(k=5)", "repeated_holdout(repeats=6)", "paired_subsampling(outer=2, inner=3)")
UNREADABLE = ("leave_one_out", "bootstrap(draws=15)", "loo_bootstrap(draws=15)", "boot632(draws=15)", "jackknife")


@pytest.fixture(scope="module")
def runs_by(tmp_path_factory):
    random = np.random.default_rng(3)
    data = {}
    for name in "abc":
        X = random.normal(size=(40, 2))  # noqa: N806
        data[name] = X, (X[:, 0] + random.normal(size=40) > 0).astype(int)
    learners = {"nb": GaussianNB(), "linear": LogisticRegression(), "strict": LogisticRegression(C=0.01)}
    study = vc.Study(data, learners, [*READABLE, *UNREADABLE], seed=0)
    runs = study.run(tmp_path_factory.mktemp("designs") / "results.db", progress=False)
    return {by: runs.only(by=by) for by in runs.designs}


def answers(ask):
    try:
        ask()
    except (vc.Refused, vc.BadInput):
        return False
    return True


def spelled(runs_by, by):
    return next(name for name in runs_by if name.startswith(by.removesuffix(")")))


@pytest.mark.parametrize("by", [*READABLE, *UNREADABLE])
@pytest.mark.parametrize("method", OF_SPLITS)
def test_a_test_of_splits_is_refused_everywhere_or_nowhere(runs_by, by, method):
    runs = runs_by[spelled(runs_by, by)]
    compared = answers(lambda: vc.compare(runs, "error", using=method, data="a"))
    forms = [method_refusals(runs, of, "error")["using"][method] is None for of in ("compare", "rank", "verdicts")]
    assert [answers(lambda: vc.rank(runs, "error", using=method)), *forms] == [compared] * 4
    if method != "kfold_t":
        assert answers(lambda: vc.estimate(runs, "error", interval=method)) is compared is (by in READABLE)


@pytest.mark.parametrize("by", UNREADABLE)
@pytest.mark.parametrize("method", OF_DATA_SETS)
def test_posteriors_over_data_sets_read_no_splits_that_others_refuse(runs_by, by, method):
    runs = runs_by[spelled(runs_by, by)]
    with pytest.raises(vc.Refused, match=r"the scores of these splits cannot be tested: .* use .*repeated_kfold"):
        vc.compare(runs, "error", using=method)
    assert method_refusals(runs, "compare", "error")["using"][method] is not None


@pytest.mark.parametrize("by", [*READABLE, *UNREADABLE])
@pytest.mark.parametrize("score", ["error", "fbeta", "auc", "log_loss"])
def test_a_ranking_is_of_the_values_that_estimate_tells(runs_by, by, score):
    runs = runs_by[spelled(runs_by, by)]
    if (by, score) == ("leave_one_out", "auc"):
        with pytest.raises(vc.Refused, match="nb has no auc and is left out: in 40 of 40 splits only one of the two"):
            matrix_of_runs(runs, scores.choose(score), score)
        return
    matrix = matrix_of_runs(runs, scores.choose(score), score)
    told = {(row.data, row.learner): row.value for row in vc.estimate(runs, score)}
    for at, data in enumerate(matrix.datasets):
        for column, learner in enumerate(matrix.learners):
            assert matrix.values[at, column] == pytest.approx(told[data, learner], rel=1e-12, nan_ok=True)


def test_leaving_one_out_has_one_rule_for_every_score(runs_by):
    found = vc.estimate(runs_by["leave_one_out"], ["error", "fbeta"])
    assert {row.interval.method for row in found if row.score == "error"} == {"cv_wald"}
    assert {row.interval.method for row in found if row.score == "fbeta" and row.interval} == {"percentile"}
