"""The page of each result: whatever a verb gives, and the methods behind it."""

import html
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.comparisons import comparisons
from veracity.comparisons.entry import error_rates_of
from veracity.core.errors import BadInput

GARCIA = Path(__file__).parents[1] / "reference" / "gh2008_accuracy.csv"
FLOWERS = load_iris(return_X_y=True)
KFOLD = {"by": "kfold(k=3)", "score": "error"}
SPLITS = {"train": 90, "test": 10, "k": 10, "repeats": 1, "better": "lower"}
TUNED = {"grid": {"max_depth": [1, 2]}, "by": "kfold(k=3)", "score": "error"}


def evaluated(**learners):
    return vc.evaluate(learners, *FLOWERS, by="kfold(k=3)", seed=1)


RESULTS = {
    "score matrix ranked": lambda p: vc.rank(GARCIA),
    "learners on splits ranked": lambda p: vc.rank(
        evaluated(nb=GaussianNB(), tree=DecisionTreeClassifier()), "error", using="corrected_t"
    ),
    "curve": lambda p: vc.curve(p, "roc"),
    "estimates": lambda p: vc.estimate(p, ["auc"]),
    "one estimate": lambda p: vc.estimate(p["plain"], "auc")["auc"],
    "scorecard": lambda p: vc.scorecard(p["plain"]),
    "comparison": lambda p: vc.compare(p, "error"),
    "comparisons": lambda p: vc.compare(vc.read_scores(GARCIA), using="wilcoxon", then="holm"),
    "slices": lambda p: vc.slices(p["plain"], by=np.arange(200) % 3),
    "worst": lambda p: vc.worst(p["plain"], 5),
    "best threshold": lambda p: vc.best_threshold(p["plain"], costs={"FP": 1, "FN": 5}),
    "dominance": lambda p: vc.dominance(*p.values()),
    "power": lambda p: vc.power("mcnemar", difference=0.03, discordant=0.10, power=0.8),
    "chance to conclude": lambda p: vc.power("sign", datasets=15, win=0.8),
    "smallest effect": lambda p: vc.power("paired_t", datasets=15, sd=0.03, power=0.8),
    "adjusted": lambda p: vc.adjust([0.01, 0.04, np.nan], "holm"),
    "adjusted pairs": lambda p: vc.adjust([[np.nan, 0.01, 0.2], [0.01, np.nan, 0.3], [0.2, 0.3, np.nan]], "shaffer"),
    "part of the adjusted": lambda p: vc.adjust([0.01, 0.04, 0.2], "holm")[1:],
    "catalogue": lambda p: vc.catalogue("designs"),
    "explained": lambda p: vc.explain("auc"),
    "explained with figures": lambda p: vc.explain("wilson"),
    "explained assumption": lambda p: vc.explain("IID"),
    "learning curve": lambda p: vc.learning_curve(GaussianNB(), *FLOWERS, sizes=[20, 60], **KFOLD),
    "validation curve": lambda p: vc.validation_curve(
        DecisionTreeClassifier(), *FLOWERS, parameter="max_depth", values=[1, 2], **KFOLD
    ),
    "bias and variance": lambda p: vc.bias_variance(GaussianNB(), *FLOWERS, draws=5),
    "permutation test": lambda p: vc.permutation_test(GaussianNB(), *FLOWERS, draws=9, **KFOLD),
    "optimism": lambda p: vc.optimism(evaluated(tree=vc.tuned(DecisionTreeClassifier(), **TUNED))),
    "plan": lambda p: vc.plan(vc.Study({"iris": "sklearn:load_iris"}, {"nb": GaussianNB()}, "kfold(k=3)")),
    "runs": lambda p: evaluated(nb=GaussianNB()),
    "one model": lambda p: p["plain"],
    "models": lambda p: p,
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_has_a_page(name, models, tmp_path):
    found = vc.report(RESULTS[name](models))
    page = found.save(tmp_path / "page.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and "veracity" in page
    assert found.material.question and found.material.answer and "nan" not in found.material.answer


@pytest.mark.parametrize("wrong", [3, {"a": 1}, "report"])
def test_what_is_no_result_is_refused(wrong):
    with pytest.raises(BadInput, match="a report is made of runs, predictions"):
        vc.report(wrong)


def test_the_page_of_power_is_its_sentence_its_numbers_and_the_test():
    found = vc.power("mcnemar", difference=0.03, discordant=0.10, power=0.8)
    report = vc.report(found)
    assert (report.material.title, report.material.answer) == ("Power of mcnemar", str(found))
    assert report.material.question == "How many rows does mcnemar need?"
    assert '<td class="right">870</td>' in report.html and "Typed as mcnemar (power)." in report.html


def test_the_page_of_adjusted_p_values_holds_both_and_cites_the_adjustment():
    found = vc.adjust([0.01, 0.04, np.nan, 0.03], "holm")
    report = vc.report(found, level=0.9)
    assert report.material.answer == "3 of 3 adjusted p-values by holm are at most 0.1."
    (table,) = report.material.tables
    assert table.titles == ("number", "p-value", "adjusted")
    assert table.rows[0][1:] == (0.01, pytest.approx(0.03))
    assert "missing-p" in report.html and "holm1979" in report.html
    assert vc.report(vc.adjust([0.01, 0.9])).material.answer == "1 of 2 adjusted p-values by holm is at most 0.05."
    assert vc.report(vc.adjust([0.8])).material.answer == "None of 1 adjusted p-value by holm is at most 0.05."


def methods(report):
    return {(entry.kind, entry.name) for entry in report.material.methods}


def test_the_page_of_a_ranking_describes_and_cites_every_test_in_it():
    found = vc.report(vc.rank(GARCIA, using="friedman", then="nemenyi"))
    assert methods(found) == {("comparison", "friedman"), ("post hoc test", "nemenyi")}
    assert "nemenyi1963" in found.html and found.html.count("Typed as nemenyi (post hoc test).") == 1
    found = vc.report(vc.rank(GARCIA, pairs="mean_ranks", then="shaffer"))
    assert methods(found) >= {("post hoc test", "mean_ranks"), ("adjustment", "shaffer")}
    found = vc.report(vc.rank(GARCIA, using="quade", pairs="quade", then="holm"))
    assert methods(found) == {("comparison", "quade"), ("post hoc test", "quade"), ("adjustment", "holm")}
    assert "the best of each data set in bold</p>" in found.html


def test_the_methods_say_how_often_a_test_was_measured_to_err():
    page = html.unescape(vc.report(vc.rank(GARCIA)).html)
    rates = error_rates_of("wilcoxon")
    worst = max(rates, key=lambda row: row.rejected)
    assert f"worst 4 of {len(comparisons['wilcoxon'].measurements())} worlds" in page
    assert worst.world in page and worst.text in page


def test_the_page_of_verdicts_describes_the_test_of_splits():
    scores = {"a": [0.1] * 9 + [0.2], "b": [0.3, 0.2] * 5}
    page = vc.report(vc.compare(vc.split_scores(scores, **SPLITS), using="corrected_t"))
    assert ("comparison", "corrected_t") in methods(page)
    ranked = vc.report(RESULTS["learners on splits ranked"](None))
    assert ("comparison", "corrected_t") in methods(ranked) and ranked.material.verdicts is not None


@vc.per_counts("Wrong per right", better="lower", undefined="nothing is right")
def wrong_per_right(counts):
    right = np.trace(counts.matrix, axis1=-2, axis2=-1)
    return (counts.matrix.sum((-2, -1)) - right) / right


def test_intervals_on_the_page_of_a_model_are_drawn_with_the_seed_given(models):
    one = models["plain"]
    for seed in (0, 7):
        page = vc.report(one, [wrong_per_right], seed=seed).material.estimates.rows[0].interval
        assert page == vc.estimate(one, wrong_per_right, seed=seed).rows[0].interval and page.method == "bca"
    assert vc.report(one, [wrong_per_right], seed=7).html != vc.report(one, [wrong_per_right]).html
