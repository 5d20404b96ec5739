"""Work that is refused before it begins, and how it is asked for all the same."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.core.bounds import MOST
from veracity.designs.make_design import make_design
from veracity.records.design import Rows
from veracity.risk.design_for import design_for

P = vc.predictions([0, 1] * 20, proba=np.linspace(0.01, 0.99, 40), positive=1)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: make_design("repeated_kfold(k=10, repeats=100000000)", Rows(150), 0), "repeats=100,000,000, more"),
        (lambda: make_design("repeated_kfold(k=100, repeats=9000)", Rows(150), 0), "about 900,000 splits"),
        (lambda: make_design("leave_one_out", Rows(50_000), 0), "2,500,000,000 rows in all"),
        (lambda: make_design("nested(outer=repeated_holdout(repeats=99999), inner=kfold(k=5))", Rows(50), 0), "99,999"),
        (lambda: vc.estimate(P, "auc", interval="bca(draws=1000000000000)"), r"write bca\(draws=10+, anyway=True\)"),
        (lambda: vc.curve(P, "calibration", bins=10**12), "bins=1,000,000,000,000"),
        (lambda: vc.tuned(GaussianNB(), {"a": range(10**6), "b": range(10**6)}), "the grid has 1,000,000,000,000"),
        (lambda: vc.permutation_test(GaussianNB(), np.eye(6), [0, 1] * 3, by="holdout", draws=10**12), "draws are as"),
        (lambda: vc.power("wilcoxon", difference=0.1, sd=0.2, power=0.8, draws=10**9), "draws=1,000,000,000"),
        (lambda: vc.rank(np.random.default_rng(0).random((12, 200)), pairs="signed_rank_posterior"), "19,900 pairs by"),
        (lambda: vc.compare({f"m{i}": P for i in range(250)}, "error", using="paired_bootstrap"), "31,125 pairs"),
    ],
)
def test_too_much_is_refused_with_its_cost(ask, says):
    with pytest.raises(vc.Refused, match=says) as why:
        ask()
    assert why.value.code == "too-much"


def test_anyway_asks_for_it_and_is_recorded(monkeypatch):
    monkeypatch.setitem(MOST, "draws", 50)
    with pytest.raises(vc.Refused, match="draws=60, more than 50"):
        vc.estimate(P, "error", interval="percentile(draws=60)")
    row = vc.estimate(P, "error", interval="percentile(draws=60, anyway=True)").rows[0]
    assert "anyway=True" in row.interval.method
    design = design_for("boot632(draws=60, anyway=True)", Rows(20), 0)
    assert design.name == "boot632(draws=60, anyway=True)" and len(design) == 61
    again = make_design(make_design("bootstrap(draws=60, anyway=True)", Rows(20), 0).name, Rows(20), 0)
    assert len(again) == 60


def test_anyway_is_true_or_false():
    with pytest.raises(vc.BadInput, match="anyway is True or False, not 3"):
        vc.estimate(P, "error", interval="percentile(anyway=3)")
