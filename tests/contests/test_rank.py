"""The verb rank: published answers through every word, and groups that agree with the p-values."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veracity as vc
from veracity.plots.rank_layout import rank_layout
from veracity.readers.scores_of_arrays import score_matrix
from veracity.tables.exports import json as written

REFERENCE = Path(__file__).parents[1] / "reference"
EXPECTED = json.loads((REFERENCE / "gh2008_expected.json").read_text("utf-8"))
NAMES = ("C4.5", "1NN", "NaiveBayes", "Kernel", "CN2")
GARCIA = score_matrix(
    np.loadtxt(REFERENCE / "gh2008_accuracy.csv", delimiter=",", skiprows=1, usecols=range(1, 6)), learners=NAMES
)
EXAMPLE = [
    (0.84, 0.79, 0.89, 0.43),
    (0.57, 0.78, 0.78, 0.93),
    (0.62, 0.87, 0.88, 0.71),
    (0.95, 0.55, 0.49, 0.72),
    (0.84, 0.67, 0.89, 0.89),
    (0.51, 0.63, 0.98, 0.55),
]


def codes(ranking):
    return [note.code for note in ranking.all_notes]


@pytest.mark.parametrize(("then", "column"), [("bonferroni", 2), ("holm", 3), ("shaffer", 4), ("bergmann_hommel", 5)])
def test_garcia_and_herrera(then, column):
    found = vc.rank(GARCIA, using="iman_davenport(tie_correction=False)", pairs="mean_ranks", then=then)
    assert list(found.average_ranks.values()) == pytest.approx(EXPECTED["average_ranks"], abs=5e-7)
    assert found.omnibus.p_value == pytest.approx(EXPECTED["iman_davenport"]["p"], rel=4e-4)
    for row in EXPECTED["recomputed_APVs_friedman"]["rows"]:
        pair = found[tuple(row[0].split(" vs "))]
        assert pair.p_value == pytest.approx(row[1])
        assert pair.adjusted_p_value == pytest.approx(row[column])


def test_bergmann_hommel_leaves_two_pairs_together():
    found = vc.rank(GARCIA, pairs="mean_ranks", then="bergmann_hommel")
    assert found.groups == (("C4.5", "NaiveBayes"), ("CN2", "1NN"), ("Kernel",))


def test_demsar_against_a_control():
    published = json.loads((REFERENCE / "demsar2006_expected.json").read_text("utf-8"))["ranks_published"]
    for then, expected in (
        ("holm", [0.0472, 0.6084, 0.0472]),
        ("hochberg", [0.0383, 0.6084, 0.0383]),
        ("hommel", [0.0383, 0.6084, 0.0314]),
    ):
        found = vc.rank(published, better="lower", pairs="mean_ranks", then=then, control="learner 1")
        assert [pair.adjusted_p_value for pair in found.pairs] == pytest.approx(expected, abs=5e-5)
        assert [(pair.a, pair.b) for pair in found.pairs] == [("learner 1", f"learner {j}") for j in (2, 3, 4)]
    assert found.groups == (("learner 3", "learner 1"),)


def test_where_the_omnibus_does_not_reject_no_pair_is_concluded():
    values = np.random.default_rng(14).random((12, 5))
    values[:, 1] = values[:, 0] + 0.02 * np.arange(1, 13) / 12  # one pair differs on every data set
    found = vc.rank(values)
    pair = found["learner 1", "learner 2"]
    assert found.omnibus.p_value > 0.05
    assert pair.adjusted_p_value < 0.05
    assert not any(pair.rejected for pair in found.pairs)
    assert found.all_notes[0].says.startswith("the omnibus test does not reject: no pair is concluded")
    assert len(found.groups) == 1
    assert set(found.groups[0]) == set(found.learners)
    assert "no pair is concluded" in repr(found)


def test_each_pair_is_the_comparison_of_its_two_columns():
    found = vc.rank(GARCIA)
    alone = vc.compare(GARCIA, using="wilcoxon", then="holm")
    for pair, one in zip(found.pairs, alone, strict=True):
        assert (pair.a, pair.b, pair.p_value) == (one.a, one.b, one.p_value)
        assert pair.adjusted_p_value == pytest.approx(one.adjusted_p_value)
        assert (pair.difference, pair.low, pair.high) == (one.difference, one.interval.low, one.interval.high)


def test_single_steps_decide_by_themselves():
    found = vc.rank(GARCIA, then="nemenyi")
    assert found.judged_by == "nemenyi"
    assert found.critical_difference == pytest.approx(1.1136, abs=5e-5)
    for pair in found.pairs:
        assert pair.rejected == (abs(pair.difference) >= found.critical_difference)
    assert "pool-dependent" in codes(found)
    assert vc.rank(GARCIA, using="anova", then="tukey").critical_difference > 0
    assert len(vc.rank(GARCIA, using="anova", then="dunnett", control="CN2").pairs) == 4


def test_what_a_single_step_judges_by_may_be_said():
    said, unsaid = (vc.rank(GARCIA, then="nemenyi", **more) for more in ({"pairs": "mean_ranks"}, {}))
    assert said.pairs == unsaid.pairs


@pytest.mark.parametrize("pairs", ["wilcoxon", "sign", "mean_ranks", "aligned_ranks", "quade", "paired_t"])
@given(seed=st.integers(0, 1000), then=st.sampled_from(["holm", "shaffer", "bergmann_hommel", "benjamini_hochberg"]))
@settings(max_examples=8)
def test_bars_agree_with_adjusted_p_values(pairs, seed, then):
    random = np.random.default_rng(seed)
    values = random.normal(size=(15, 5)) * random.uniform(0.2, 1, 5) + random.normal(size=5)
    found = vc.rank(values, pairs=pairs, then=then)
    rejects = found.omnibus.p_value < 0.05
    drawn = rank_layout(found).joins
    for pair in found.pairs:
        assert pair.adjusted_p_value >= pair.p_value
        assert pair.rejected == (pair.adjusted_p_value < 0.05 and rejects)
        assert any({pair.a, pair.b} <= set(bar.members) for bar in drawn) == (not pair.rejected)
    order = found.best_first
    for bar in drawn:
        places = [order.index(name) for name in bar.members]
        assert bool(bar.dots) == (len(bar.members) < max(places) - min(places) + 1)
        if pairs == "mean_ranks" and then == "holm":
            assert not bar.dots


@given(st.integers(0, 1000))
@settings(max_examples=15)
def test_names_and_order_do_not_matter(seed):
    random = np.random.default_rng(seed)
    values = random.normal(size=(12, 4)) + np.array([0, 0.4, 0.8, 1.5])
    columns = random.permutation(4)
    one = vc.rank(values)
    other = vc.rank(values[random.permutation(12)][:, columns])
    name = {f"learner {new + 1}": f"learner {old + 1}" for new, old in enumerate(columns)}
    assert {frozenset(name[x] for x in group) for group in other.groups} == set(map(frozenset, one.groups))
    for pair in other.pairs:
        assert one[name[pair.a], name[pair.b]].adjusted_p_value == pytest.approx(pair.adjusted_p_value)


def test_sources():
    table = REFERENCE / "gh2008_accuracy.csv"
    assert vc.rank(str(table)).omnibus.p_value == pytest.approx(vc.rank(GARCIA).omnibus.p_value)
    pandas = pytest.importorskip("pandas")
    assert vc.rank(pandas.read_csv(table)).omnibus == vc.rank(table).omnibus
    lower = vc.rank(1 - GARCIA.values, better="lower")
    assert list(lower.average_ranks.values()) == pytest.approx(list(vc.rank(GARCIA).average_ranks.values()))


def test_runs_on_several_data_sets(tmp_path):
    from sklearn.datasets import make_classification
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "majority": DummyClassifier()}
    data = {f"d{i}": make_classification(40, 5, random_state=i) for i in range(3)}
    runs = vc.Study(data=data, learners=learners, by="kfold(k=3)", seed=1).run(store=tmp_path / "study.db")
    found = vc.rank(runs, "error")
    assert found.matrix.better == "lower"
    assert found.best_first[-1] == "majority"
    assert vc.rank(runs, "error", pairs="two_level").pairs[0].low is not None
    with pytest.raises(vc.BadInput, match="error is better lower"):
        vc.rank(runs, "error", better="higher")


def test_missing_cells():
    holes = GARCIA.values.copy()
    holes[3, 1] = np.nan
    with pytest.raises(vc.Refused, match="that of learner 2 on data 4 is missing: `using='skillings_mack'`"):
        vc.rank(holes, using="iman_davenport")
    usual = vc.rank(holes)  # one missing score costs no table
    assert usual.omnibus.method == "skillings_mack" and "missing-cells" in codes(usual)
    random, worst = (vc.rank(holes, using=f"skillings_mack(missing='{way}')") for way in ("random", "worst"))
    assert "missing-cells" in codes(random)
    assert "a missing score ranks as the worst of its data set, infinitely far behind: 1 here" in [
        note.says for note in worst.notes
    ]
    assert worst.average_ranks["learner 2"] > random.average_ranks["learner 2"]
    assert worst.matrix.ranks[3, 1] == 5
    assert all(0 <= pair.p_value <= 1 for pair in worst.pairs + random.pairs)
    anyway = vc.rank(holes, using="iman_davenport", anyway=True)
    assert len(anyway.matrix) == 29
    assert "missing-cells" in codes(anyway)
    assert any("1 of 30 data sets did not count" in note.says for note in anyway.notes)
    with pytest.raises(vc.Refused, match="needs every score: `pairs='wilcoxon'`"):
        vc.rank(holes, using="skillings_mack", pairs="mean_ranks")


@pytest.mark.parametrize(
    ("datasets", "learners", "test"),
    [
        (3, 3, "friedman(exact=True)"),
        (50, 3, "friedman(exact=True)"),
        (51, 3, "iman_davenport"),
        (4, 6, "friedman(exact=True)"),
        (3, 7, "friedman(draws=9999)"),
        (9, 5, "friedman(draws=9999)"),
        (10, 5, "iman_davenport"),
    ],
)
def test_the_default_is_exact_where_that_is_had_at_once(datasets, learners, test):
    found = vc.rank(np.random.default_rng(0).random((datasets, learners)))
    assert found.omnibus.method == test
    assert found.omnibus.p_value == vc.rank(found.matrix, using=test).omnibus.p_value


def test_a_posterior_stands_beside_a_test():
    found = vc.rank(GARCIA, using="plackett_luce")
    assert found.omnibus.method == "iman_davenport"
    assert sum(found.omnibus.probabilities) == pytest.approx(1)
    assert "posterior" in codes(found)
    assert "best" in found.ranks_table().titles


def test_learners_that_are_always_tied():
    found = vc.rank(np.tile([[0.2], [0.5], [0.9]], (1, 3)))
    assert found.omnibus.p_value == 1
    assert "all-tied" in codes(found)
    assert all(pair.adjusted_p_value == 1 for pair in found.pairs)
    constant = vc.rank(np.column_stack([np.full(6, 0.5), np.random.default_rng(0).random((6, 2))]))
    assert 0 < constant.omnibus.p_value <= 1


def test_transitivity_is_doubted_for_pairs_of_their_own():
    assert "transitive" in codes(vc.rank(EXAMPLE, then="shaffer"))
    assert "transitive" not in codes(vc.rank(EXAMPLE, then="shaffer", pairs="mean_ranks"))


def test_every_format():
    found = vc.rank(GARCIA)
    shape = json.loads(written(found.to_json()))
    assert set(shape) == {
        "datasets",
        "learners",
        "better",
        "average_ranks",
        "omnibus",
        "pairs",
        "critical_difference",
        "groups",
        "notes",
    }
    assert set(shape["omnibus"]) == {"method", "statistic", "df", "p_value"}
    assert {"a", "b", "difference", "statistic", "p_value", "adjusted_p_value", "rejected"} <= set(shape["pairs"][0])
    assert r"\textbf{C4.5}" in found.to_latex()
    assert found.to_latex(scores=True).count(r"\begin{table") == 3
    assert "learners differ" in repr(found) and "differ" in found.to_csv()
    assert repr(found).startswith("C4.5 ranks best") and found.to_html().startswith("<p>C4.5 ranks best")
    assert found.to_html().count("<table") == 3  # scores, learners, pairs
    assert sum(pair.rejected for pair in found.pairs) == repr(found).count("  differ\n")


def test_all_data_sets_alike_give_no_infinity_in_json():
    found = vc.rank(np.tile([3.0, 2, 1], (7, 1)) + np.arange(7)[:, None], using="iman_davenport")
    assert found.omnibus.p_value == pytest.approx(6.0**-6)
    assert json.loads(written(found.to_json()))["omnibus"]["statistic"] is None
    assert "all-alike" in codes(found)
    assert [set(p) for p in combinations(found.learners, 2)] == [{p.a, p.b} for p in found.pairs]


def test_far_out_no_p_value_is_zero():
    m = score_matrix(np.arange(3) + np.random.default_rng(1).normal(0, 1e-3, (4000, 3)))
    for then in ("nemenyi", "holm"):
        found = vc.rank(m, using="friedman", pairs="mean_ranks", then=then)
        assert all(0 < p <= 1 for pair in found.pairs for p in (pair.p_value, pair.adjusted_p_value))
        assert found.omnibus.p_value > 0
