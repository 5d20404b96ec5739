"""Which test is taken where none is named: the rules that decide are those that are printed, and results say which."""

import numpy as np
import pytest

import veracity as vc
from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.contests.rank import OF_ALL_LEARNERS
from veracity.contests.score_sources import OVER_SPLITS
from veracity.contests.sources import OF_MODELS
from veracity.intervals import intervals
from veracity.methods.catalogue import catalogue

ROWS = 285


def two_models(**how):
    random = np.random.default_rng(0)
    truth = np.arange(ROWS) % 2
    chances = [np.clip(0.4 + 0.2 * truth + random.normal(0, s, ROWS), 0.01, 0.99) for s in (0.2, 0.4)]
    return {name: vc.predictions(truth, proba=p, positive=1, **how) for name, p in zip("ab", chances, strict=True)}


def two_regressions():
    random = np.random.default_rng(0)
    truth = random.normal(size=60)
    return {name: vc.predictions(truth, number=truth + random.normal(size=60)) for name in "ab"}


def split_scores(rounds):
    random = np.random.default_rng(0)
    scores = {name: random.normal(0.8, 0.02, 10 * rounds) for name in "ab"}
    return vc.split_scores(scores, train=90, test=10, k=10, repeats=rounds)


def data_sets(number, learners=2):
    return vc.score_matrix(np.random.default_rng(0).normal(size=(number, learners)))


def why(found):
    return [note.says for note in found.all_notes if note.code == "default"]


GROUPS = np.arange(ROWS) // 5
CASES = {
    "share": (two_models, "error", "mcnemar_midp: two models, the same 285 rows, a share of them (error, accuracy)"),
    "grouped share": (
        lambda: two_models(groups=GROUPS),
        "accuracy",
        "paired_loss_t: two models, the same 285 rows, weighted or in groups, a share of them (error, accuracy)",
    ),
    "weighted share": (
        lambda: two_models(weights=1.0 + GROUPS),
        "error",
        "paired_loss_t: two models, the same 285 rows, weighted or in groups, a share of them (error, accuracy)",
    ),
    "repeated rows": (
        lambda: two_models(counts=np.full(ROWS, 4)),
        "error",
        "mcnemar_midp: two models, the same 1,140 rows, a share of them (error, accuracy)",
    ),
    "area": (two_models, "auc", "delong_t: two models, the same 285 rows, the auc of two classes"),
    "mean": (two_models, "brier", "paired_loss_t: two models, the same 285 rows, a mean over them"),
    "influence": (
        two_models,
        "mcc",
        "paired_delta: two models, the same 285 rows, a score with influence values that is no mean",
    ),
    "median": (
        two_regressions,
        "median_absolute_error",
        "paired_bootstrap: two models, the same 60 rows, a score without influence values, such as a median",
    ),
    "disagreements": (
        lambda: vc.pairs(n01=9, n10=22, of=1000),
        "error",
        "mcnemar_midp: two models, the rows that only one of them got right",
    ),
    "counts": (
        lambda: {"a": vc.errors(12, of=40), "b": vc.errors(20, of=50)},
        "error",
        "two_proportion_z: two models, counts of each, taken to be of different rows",
    ),
    "one k-fold": (lambda: split_scores(1), None, "corrected_t: 10 splits of one repeat, as by a k-fold"),
    "repeats": (lambda: split_scores(3), None, "conservative_t: 30 splits in several repeats, each hold-out being one"),
    "data sets": (lambda: data_sets(12), None, "wilcoxon: 12 data sets, one score of each learner on each"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_comparison_says_why_its_test_was_taken(case):
    make, score, says = CASES[case]
    source = make()
    found = vc.compare(source, score)
    assert why(found) == [says] and found.using == says.split(": ")[0]
    assert {"code": "default", "weight": "remark", "says": says} in found.to_json()["notes"]


@pytest.mark.parametrize("case", CASES)
def test_it_does_not_when_the_test_was_named(case):
    make, score, says = CASES[case]
    assert why(vc.compare(make(), score, using=says.split(": ")[0])) == []


def test_several_pairs_say_it_once():
    models = two_models()
    found = vc.compare({**models, "c": models["b"]}, "brier")
    assert len(found) == 3 and len(why(found)) == 1
    assert why(vc.compare({**models, "c": models["b"]}, "error", using="cochran_q")) == []


def test_several_slices_say_it_once():
    found = vc.compare(two_models(), "error", slices=GROUPS % 3)
    assert len(found) == 3 and why(found) == [CASES["share"][2]]
    assert why(vc.compare(two_models(), "error", slices=GROUPS % 3, using="mcnemar_midp")) == []


@pytest.mark.parametrize(
    ("by", "name", "number"),
    [
        ("kfold(k=5)", "corrected_t", 5),
        ("repeated_kfold(k=5, repeats=2)", "conservative_t", 10),
        ("paired_subsampling(inner=2, outer=2)", "conservative_z", 2),
        ("holdout(test=0.25)", "mcnemar_midp", 15),
    ],
)
def test_learners_by_a_design(by, name, number):
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    random = np.random.default_rng(1)
    truth = np.arange(60) % 2
    learners = {"nb": GaussianNB(), "logit": LogisticRegression()}
    runs = vc.evaluate(learners, random.normal(size=(60, 2)) + truth[:, None], truth, by=by, progress=False)
    (says,) = why(vc.compare(runs, "error"))
    assert says.startswith(f"{name}: ") and f"{number} " in says


@pytest.mark.parametrize(
    ("shape", "using"),
    [((50, 3), "friedman(exact=True)"), ((9, 5), "friedman(draws=9999)"), ((51, 3), "iman_davenport")],
)
def test_a_ranking_says_why(shape, using):
    found = vc.rank(data_sets(*shape))
    (says,) = why(found)
    assert found.omnibus.method == using and says.startswith(f"{using}: {shape[0]} data sets, ")
    assert says in [note["says"] for note in found.to_json()["notes"]]
    assert why(vc.rank(data_sets(*shape), using=using)) == []


def test_a_ranking_of_scores_some_of_which_are_missing_says_why():
    values = np.random.default_rng(0).normal(size=(12, 4))
    values[3, 1] = np.nan
    (says,) = why(vc.rank(values))
    assert says == "skillings_mack: 12 data sets, on some of which scores are missing"


def test_the_table_has_every_rule():
    rows = list(catalogue("defaults"))
    printed = {(row.of, row.default, row.why) for row in rows}
    for rule in (*OF_MODELS, *OVER_SPLITS, *OF_ALL_LEARNERS):
        assert (rule.where, rule.name, rule.why) in printed and "{" not in rule.where
    by_question = {row.asked: row.default for row in rows}
    assert (by_question["rank: pairs"], by_question["rank, compare: then"]) == ("wilcoxon", "holm")


def test_every_default_is_a_method_and_has_a_reason():
    for row in catalogue("defaults"):
        assert row.why, row
        if row.asked.startswith("interval"):
            assert row.default in ("own", "none") or row.default in intervals
        else:
            (adjustments if "then" in row.asked else comparisons).choose(row.default)


def test_what_a_ranking_takes_for_its_pairs_is_printed():
    found = vc.rank(data_sets(12, 3))
    by_question = {row.asked: row.default for row in catalogue("defaults")}
    assert (found.judged_by, found.then) == (by_question["rank: pairs"], by_question["rank, compare: then"])
