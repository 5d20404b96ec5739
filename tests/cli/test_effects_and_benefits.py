"""Net benefit and other words of the field on the command line."""

import numpy as np
import pytest


@pytest.fixture
def probabilities(here):
    random = np.random.default_rng(0)
    chance = random.beta(1, 3, 60).round(4)
    truth = (random.random(60) < chance).astype(int)
    (here / "p.csv").write_text("y,q\n" + "".join(f"{y},{q}\n" for y, q in zip(truth, chance, strict=True)))
    return ("p.csv", "--truth", "y", "--proba", "q", "--positive", "1"), truth, chance


def test_net_benefit_and_its_curve(said, run, probabilities):
    file, truth, chance = probabilities
    acts = chance >= 0.2
    by_hand = (truth[acts].sum() - 0.25 * (1 - truth[acts]).sum()) / 60
    one = said("score", *file, "net_benefit(threshold=0.2)")["scores"]["net_benefit(threshold=0.2)"]
    assert one["value"] == pytest.approx(by_hand) and one["low"] < by_hand < one["high"]
    chart = said("curve", *file, "--kind", "decision_curve", "--level", "0.9")
    assert chart["lines"][0]["y"][19] == pytest.approx(by_hand)
    assert chart["lines"][0]["low"][19] < by_hand
    assert run("curve", *file, "--kind", "dca", "--out", "dca.png").exit_code == 0


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("net benefit", "Net benefit"),
        ("decision curve", "Decision curve"),
        ("decision curve analysis", "Decision curve"),
        ("DCA", "Decision curve"),
        ("cohens d", "Cohen's d"),
        ("Hedges' g", "Cohen's d"),
        ("cliffs delta", "Cliff's delta"),
        ("a12", "Vargha and Delaney"),
        ("vargha delaney", "Vargha and Delaney"),
        ("effect size", "Effect sizes"),
        ("bbc cv", "Bbc cv"),
        ("rows needed", "Interval width"),
        ("intervals for ranks", "Intervals of ranks"),
        ("replicability", "Replicability"),
        ("partial conjunction", "Replicability"),
        ("how many data sets", "Replicability"),
        ("margin of error", "Interval width"),
        ("sample complexity", "Finite class"),
        ("bootstrap bias corrected cross-validation", "Bbc cv"),
    ],
)
def test_explain_finds_it(run, words, first):
    assert first in run("explain", words).stdout.splitlines()[0]


def test_sets_for_single_predictions_are_said_to_be_out_of_scope(run):
    for words in (("conformal",), ("conformal", "prediction"), ("prediction", "interval")):
        assert "conformal" in run("explain", *words).stdout.lower()
    assert "are out of scope" in run("explain", "conformal").stdout


@pytest.fixture
def table(here):
    random = np.random.default_rng(5)
    lines = [
        f"d{i},{a:.3f},{b:.3f},{c:.3f}" for i, (a, b, c) in enumerate(random.random((12, 3)) + np.array([0, 0.2, 0.5]))
    ]
    (here / "scores.csv").write_text("data,a,b,c\n" + "\n".join(lines))
    return "scores.csv"


def test_effect_sizes_of_compare_and_rank(said, run, table):
    ranked = said("rank", table, "--effect", "cohens_d", "--effect", "a12(paired=True)")["pairs"]
    assert [set(pair["effects"]) for pair in ranked] == [{"cohens_d", "a12(paired=True)"}] * 3
    pair = said("compare", table, "--pair", "a,c", "--effect", "cohens_d", "--level", "0.9")
    d = pair["effects"]["cohens_d"]
    assert d["low"] < d["value"] < d["high"] and d["level"] == 0.9
    assert (
        d["value"] == next(one for one in ranked if (one["a"], one["b"]) == ("a", "c"))["effects"]["cohens_d"]["value"]
    )
    assert "cohens_d -" in run("compare", table, "--pair", "a,c", "--effect", "cohens_d").stdout
    bad = run("rank", table, "--effect", "cohens")
    assert bad.exit_code == 2 and "there is no effect size called 'cohens'" in bad.stderr
    assert run("rank", table, "--using", "corrected_t", "--effect", "a12").exit_code == 2


def test_the_best_of_many(said, run, here):
    random = np.random.default_rng(6)
    truth = random.integers(0, 2, 40)
    said_by = [np.where(random.random(40) < 0.6, truth, 1 - truth) for _ in range(4)]
    rows = zip(truth, *said_by, np.arange(40) % 5, strict=True)
    (here / "folds.csv").write_text("y,a,b,c,d,fold\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    models = ("--truth", "y", *(word for name in "abcd" for word in ("--label", name)))
    found = said("bbc_cv", "folds.csv", *models, "--fold", "fold", "error", "--draws", "200")
    one = found["estimates"]["predictions"]["best of 4"]["error"]
    assert one["method"] == "bbc_cv" and one["low"] < one["value"] < one["high"] and one["naive"] < one["value"]
    assert "of 4 on these rows" in run("bbc_cv", "folds.csv", *models, "error").stdout
    bad = run("bbc_cv", "folds.csv", *models, "error", "accuracy")
    assert bad.exit_code == 2 and "chooses by one score" in bad.stderr


def test_rows_for_a_width(said, run):
    found = said("interval_width", "share", "--value", "0.1", "--width", "0.04")
    assert (found["rows"], found["solved"]) == (865, "rows") and found["width"] <= 0.04
    assert said("interval_width", "mean", "--sd", "0.4", "--rows", "500")["width"] == pytest.approx(0.07026, abs=1e-5)
    of_auc = ("interval_width", "auc", "--value", ".85", "--prevalence", ".2", "--width", ".1")
    assert "needs 484 rows" in run(*of_auc).stdout
    bad = run("interval_width", "share", "--value", "0.1")
    assert bad.exit_code == 2 and "interval_width needs --rows or --width" in bad.stderr
    assert run("interval_width", "share", "--value", "0.1", "--rows", "9", "--out", "w.html").exit_code == 0


def test_the_finite_class_bound(said, run):
    assert said("finite_class", "--epsilon", "0.05", "--delta", "0.05", "--size-h", "1000")["rows"] == 2120
    assert "2,120 rows" in run("finite_class", "--epsilon", "0.05", "--delta", "0.05", "--size-h", "1000").stdout
    bad = run("finite_class", "--rows", "9")
    assert bad.exit_code == 2 and "needs three of --rows, --epsilon, --delta, --size-h" in bad.stderr


def test_on_how_many_data_sets(said, run, here):
    (here / "p.csv").write_text("data,p\na,0.168\nb,0.297\nc,0.357\nd,0.019\ne,0.218\nf,0.001\n")
    (pair,) = said("replicability", "p.csv", "--p-values", "p")["pairs"]
    assert (pair["better"], pair["datasets"]) == (1, 6)
    assert said("replicability", "p.csv", "--p-values", "p", "--combine", "fisher")["pairs"][0]["better"] == 2
    lines = [
        f"{data},{learner},0,{fold},{0.1 + 0.001 * fold * (learner == 'x') + gain * (learner == 'y'):.4f},90,10"
        for data, gain in (("d1", 0.2), ("d2", 0.2), ("d3", 0.0))
        for learner in "xy"
        for fold in range(10)
    ]
    (here / "long.csv").write_text("data,learner,repeat,fold,error,train,test\n" + "\n".join(lines))
    (pair,) = said("replicability", "long.csv", "error")["pairs"]
    assert (pair["a"], pair["b"], pair["better"], pair["better_on"]) == ("x", "y", 2, ["d1", "d2"])
    assert "at least so many data sets, by bonferroni" in run("replicability", "long.csv", "error").stdout
    assert run("replicability", "p.csv", "--p-values", "q").exit_code == 2


def test_intervals_of_ranks(said, run, table):
    found = said("rank", table, "--intervals", "simultaneous")["rank_intervals"]
    assert all(1 <= one["low"] <= one["high"] <= 3 and one["first"] <= one["last"] for one in found.values())
    assert "rank low  rank high" in run("rank", table, "--intervals", "simultaneous").stdout  # not of the mean score
