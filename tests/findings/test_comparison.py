"""What a comparison prints: the numbers of its test, one-sided bounds, verdicts, in every form."""

import json

import numpy as np
import pytest

import veracity as vc
from veracity.comparisons import comparisons
from veracity.findings.significance import statistic_text

PAIRS = vc.pairs(n01=9, n10=22, of=1000)
RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.integers(0, 2, 200)
RIGHT = {name: RANDOM.random(200) < share for name, share in (("a", 0.9), ("b", 0.8), ("c", 0.7))}
MODELS = {n: vc.predictions(TRUTH, label=np.where(r, TRUTH, 1 - TRUTH), positive=1) for n, r in RIGHT.items()}


def test_mcnemar_tells_its_statistic_degrees_and_both_counts():
    found = vc.compare(PAIRS, "error", using="mcnemar")
    assert "p = 0.0311 (mcnemar: chi2(1) = 4.645, n01 = 9, n10 = 22): evidence" in found.sentence()
    assert "chi2(1) = 4.645, n01 = 9, n10 = 22" in found._repr_html_()
    assert "(mcnemar_midp: n01 = 9, n10 = 22)" in str(vc.compare(PAIRS, "error"))
    assert "chi2(1) = 4.645, n01 = 9, n10 = 22" in vc.report(found).html
    shape = found.to_json()
    assert (shape["n01"], shape["n10"], shape["df"]) == (9, 22, 1)


def test_wilcoxon_tells_both_sums():
    matrix = vc.score_matrix(RANDOM.random((10, 2)), learners=["x", "y"])
    found = vc.compare(matrix, using="wilcoxon")
    facts = dict(found.facts)
    sums = f"W+ = {facts['w_plus']:g}, W- = {facts['w_minus']:g}"
    assert f"(wilcoxon: W = {found.statistic:g}, {sums})" in str(found)
    assert facts["w_plus"] + facts["w_minus"] == 55
    table = vc.compare(matrix, using="wilcoxon", pairs=[("x", "y")]).table()
    row = dict(zip(table.titles, table.rows[0], strict=True))
    assert (row["W+"], row["W-"]) == (facts["w_plus"], facts["w_minus"])


def test_cochran_tells_q_with_its_degrees_everywhere():
    found = vc.compare(MODELS, "error", using="cochran_q")
    says = f"cochran_q: Q(2) = {found.omnibus.statistic:.4g}, p = {found.omnibus.p_value:.3g}"
    assert says in repr(found) and says in found._repr_html_() and says in vc.report(found).html
    assert found.to_json()["omnibus"]["df"] == [2]


def test_a_table_of_pairs_has_the_counts_as_columns():
    table = vc.compare(MODELS, "error").table()
    assert table.titles[-6:] == ("statistic", "n01", "n10", "p", "adjusted p", "verdict")
    row = dict(zip(table.titles, table.rows[0], strict=True))
    wrong = {name: ~right for name, right in RIGHT.items()}
    assert row["n01"] == (wrong["a"] & RIGHT["b"]).sum() and row["n10"] == (RIGHT["a"] & wrong["b"]).sum()


def test_a_ranking_tells_its_law():
    ranking = vc.rank(RANDOM.random((12, 4)), using="iman_davenport")
    assert f"iman_davenport: F(3, 33) = {ranking.omnibus.statistic:.4g}, p = " in ranking.sentence()
    assert "F(3, 33)" in ranking._repr_html_() and "F(3, 33)" in ranking.to_latex()
    assert "chi2(3) = " in vc.rank(RANDOM.random((12, 4)), using="friedman").sentence()


@pytest.mark.parametrize(("score", "words"), [("error", "at most"), ("accuracy", "at least")])
def test_a_one_sided_bound_has_no_infinity(score, words):
    found = vc.compare(MODELS["a"], score, using="one_sample(value=0.3)")
    assert f"95% bound on the difference: {words} " in str(found) and "inf" not in str(found)
    table = vc.compare({"a": MODELS["a"]}, score, using="one_sample(value=0.3)", pairs=None)
    shown = vc.report(table).html + table._repr_html_()
    assert "inf<" not in shown and ">inf" not in shown and "-inf" not in shown
    row = found.to_json()
    assert [row["low"], row["high"]].count(None) == 1
    assert json.loads(json.dumps(row, allow_nan=False))


def test_every_test_with_a_statistic_names_it():
    """The letter is declared where the statistic is made; tests without a statistic have none."""
    without = {one.name for one in comparisons if not one.letter}
    assert without == {
        *("mcnemar_exact", "mcnemar_midp", "paired_bootstrap", "paired_permutation", "tost", "non_inferiority"),
        *("correlated_t_posterior", "hierarchical_posterior", "sign_posterior", "signed_rank_posterior"),
        "plackett_luce",
    }


def test_a_statistic_is_written_as_papers_do():
    assert statistic_text("F", 45.561, (6, 114)) == "F(6, 114) = 45.56"
    assert statistic_text("z", -1.5, ()) == "z = -1.5"
    assert statistic_text("t", None, (9,)) == ""


def test_posteriors_side_by_side_have_a_verdict():
    better = np.column_stack([np.full(12, 0.9), np.full(12, 0.7), np.full(12, 0.7)]) + RANDOM.normal(0, 0.01, (12, 3))
    found = vc.compare(vc.score_matrix(better, learners=["x", "y", "z"]), using="signed_rank_posterior(rope=0.05)")
    verdicts = {(row.a, row.b): row.verdict for row in found}
    assert verdicts == {("x", "y"): "higher", ("x", "z"): "higher", ("y", "z"): "practically equal"}
    table = found.table()
    assert table.titles[-4:] == ("left", "rope", "right", "verdict")
    assert [row[-1] for row in table.rows] == list(verdicts.values())
    assert found[0].to_json()["verdict"] == "higher"
    few = vc.compare(vc.score_matrix(RANDOM.random((4, 2))), using="sign_posterior")
    assert few.verdict == "not resolved"


def test_degrees_of_freedom_are_whole_or_have_four_digits():
    random = np.random.default_rng(0)
    rows = random.normal(size=(2, 20_001))
    models = {name: vc.predictions(np.zeros(20_001), number=one) for name, one in zip("ab", rows, strict=True)}
    found = vc.compare(models, "mse")
    assert found.using == "paired_loss_t" and "t(20000) = " in found.sentence()
    truth = np.arange(60) % 2
    ordered = {
        name: vc.predictions(truth, value=truth + one[:60], positive=1) for name, one in zip("ab", rows, strict=True)
    }
    areas = vc.compare(ordered, ["auc", "average_precision"])
    shown = str(areas).splitlines()
    assert areas[0].df % 1 and f"  {areas[0].df:.4g}  " in next(line for line in shown if line.startswith("auc"))
    assert f",{areas[0].df!r}," in areas.to_csv()  # in full
