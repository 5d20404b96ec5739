"""Effect sizes against definitions, other implementations and simulation."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import check
from veracity.effects.effect_sizes import a12, cliffs_delta, cohens_d, effects, hedges_factor, noncentral_limits
from veracity.evidence.same_rows import PairedScores

AT = Confidence(0.95)
number = st.integers(-20, 20)
pairs = st.lists(st.tuples(number, number), min_size=3, max_size=25)


def scores(data):
    return PairedScores(*(np.array(column, float) for column in zip(*data, strict=True)))


def brute_delta(first, second):
    return np.mean([np.sign(x - y) for x in first for y in second])


@given(pairs)
def test_cliffs_delta_counts_all_pairs_of_scores(data):
    s = scores(data)
    found = cliffs_delta.function(s, AT)
    assert found.value == pytest.approx(brute_delta(s.first, s.second), abs=1e-12)
    paired = cliffs_delta.function(s, AT, paired=True)
    assert paired.value == pytest.approx(np.sign(s.difference).mean(), abs=1e-12)
    for one in (found, paired):
        assert -1 <= one.limits.low <= one.value + 1e-9 and one.value - 1e-9 <= one.limits.high <= 1


@given(pairs)
def test_a12_is_the_u_statistic_over_all_pairs(data):
    s = scores(data)
    u = stats.mannwhitneyu(s.first, s.second).statistic
    assert a12.function(s, AT).value == pytest.approx(u / len(s) ** 2, abs=1e-12)


@given(pairs)
def test_the_other_way_round_they_turn(data):
    s = scores(data)
    turned = PairedScores(s.second, s.first)
    for method in (cliffs_delta, *((cohens_d,) if s.difference.std() > 0 else ())):
        one, other = method.function(s, AT), method.function(turned, AT)
        assert (one.value, one.limits.low, one.limits.high) == pytest.approx(
            (-other.value, -other.limits.high, -other.limits.low), abs=1e-7
        )


@given(pairs, st.floats(0.1, 100))
def test_they_have_no_unit(data, unit):
    s = scores(data)
    scaled = PairedScores(unit * s.first, unit * s.second)
    assert cliffs_delta.function(scaled, AT).value == pytest.approx(cliffs_delta.function(s, AT).value)
    assume(s.difference.std() > 0)
    assert cohens_d.function(scaled, AT).value == pytest.approx(cohens_d.function(s, AT).value)


@given(pairs)
def test_cohens_d_is_students_t_over_the_root_of_the_pairs(data):
    s = scores(data)
    assume(s.difference.std() > 0)
    t = stats.ttest_rel(s.first, s.second).statistic
    assert cohens_d.function(s, AT, corrected=False).value == pytest.approx(t / np.sqrt(len(s)), abs=1e-9)


@pytest.mark.parametrize(("t", "df"), [(0.0, 9), (2.1, 9), (-3.3, 29), (8.0, 4), (25.0, 60)])
def test_its_limits_are_those_of_scipys_noncentral_t(t, df):
    low, high = noncentral_limits(t, df, 0.025)
    assert stats.nct.cdf(t, df, low) == pytest.approx(0.975, abs=1e-6)
    assert stats.nct.cdf(t, df, high) == pytest.approx(0.025, abs=1e-6)


@pytest.mark.parametrize(
    ("df", "factor"), [(2, 0.5642), (3, 0.7236), (4, 0.7979), (5, 0.8408), (10, 0.9228), (20, 0.9619)]
)
def test_hedges_factor_is_that_of_his_table(df, factor):
    assert hedges_factor(df) == pytest.approx(factor, abs=1e-4)


def test_no_overlap_leaves_open_what_as_many_wins_do():
    s = PairedScores(np.arange(10.0) + 100, np.arange(10.0))
    found, t = cliffs_delta.function(s, AT), AT.t(9)
    assert (found.value, found.limits.high) == (1, 1) and found.limits.low == pytest.approx((10 - t * t) / (10 + t * t))
    assert cliffs_delta.function(s, AT, paired=True).limits.low == pytest.approx((10 - AT.z**2) / (10 + AT.z**2))


def test_infinite_scores_are_ordered_and_have_no_mean():
    m = vc.score_matrix([[1.0, np.inf], [2, 3], [2, 2], [np.inf, np.inf]], better="lower")
    found = vc.compare(m, using="sign", effect=["cliffs_delta(paired=True)", "cohens_d"])
    assert [one.value for one in found.effects] == [-0.5]
    assert "no cohens_d here: some scores are infinite" in next(n.says for n in found.notes if n.code == "no-effect")


def coverage(method, trials, rows, shift, rho, **arguments):
    """Of normal scores: the true d, and the true chance of two scores that belong to different units."""
    random = np.random.default_rng(trials)
    truth = shift / np.sqrt(2 * (1 - rho)) if method is cohens_d else 2 * stats.norm.cdf(shift / np.sqrt(2)) - 1
    held = 0
    for _ in range(trials):
        shared = np.sqrt(rho) * random.normal(size=rows)
        first, second = (shared + np.sqrt(1 - rho) * random.normal(size=rows) for _ in range(2))
        low, high, *_ = method.function(PairedScores(first + shift, second), AT, **arguments).limits
        held += low <= truth <= high
    return held / trials


def test_the_interval_of_d_is_exact_for_normal_differences():
    assert coverage(cohens_d, 600, 8, 0.8, 0.5) == pytest.approx(0.95, abs=3 * np.sqrt(0.95 * 0.05 / 600))


def test_the_interval_of_delta_holds():
    assert coverage(cliffs_delta, 1000, 12, 0.5, 0.5) > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 1000)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [8, 12, 20, 30])
@pytest.mark.parametrize("rho", [0, 0.7, 0.95])
@pytest.mark.parametrize("shift", [0, 0.5, 1.5])
def test_the_interval_of_delta_holds_everywhere(rows, rho, shift):
    assert coverage(cliffs_delta, 3000, rows, shift, rho) > 0.93


def matrix():
    random = np.random.default_rng(4)
    return vc.score_matrix(random.random((12, 3)) + np.array([0, 0.2, 0.5]), learners=["a", "b", "c"])


def test_compare_and_rank_show_them_when_asked():
    asked = ["cohens d", "Cliff's delta", "a12(paired=True)"]
    pair = vc.compare(matrix(), effect=asked, pairs=[("a", "c")])[0]
    ranked = vc.rank(matrix(), effect=asked)["a", "c"]
    assert [one.method for one in pair.effects] == ["cohens_d", "cliffs_delta", "a12(paired=True)"]
    assert pair.effects == ranked.effects
    d, delta, a = pair.effects
    assert d.low < d.value < d.high < 0 and str(delta) in str(pair.sentence()) and 0 < a.value < 0.5
    assert pair.to_json()["effects"]["cohens_d"] == {"value": d.value, "low": d.low, "high": d.high, "level": 0.95}
    assert ranked.to_json()["effects"] == pair.to_json()["effects"]
    assert "cohens_d" in str(vc.rank(matrix(), effect="cohens_d"))
    assert "effects" not in vc.compare(matrix(), pairs=[("a", "c")])[0].to_json()
    assert any(note.code == "across-datasets" for note in pair.notes)


def test_of_two_models_on_the_same_rows():
    """Of 0/1 losses Cliff's delta is the difference of the error rates, whichever pairs are counted."""
    y = np.array([0, 1] * 20)
    models = {
        "a": vc.predictions(y, label=np.r_[1 - y[:10], y[10:]]),
        "b": vc.predictions(y, label=np.r_[y[:36], 1 - y[36:]]),
    }
    found = vc.compare(models, "error", effect=["cliffs_delta", "cliffs_delta(paired=True)"])
    assert [one.value for one in found.effects] == pytest.approx([0.15, 0.15])
    with_groups = {name: vc.predictions(y, label=p.label, groups=np.arange(40) // 4) for name, p in models.items()}
    assert "groups" in next(
        n.says for n in vc.compare(with_groups, "error", effect="a12").notes if n.code == "no-effect"
    )


def test_splits_have_a_size_and_no_interval():
    random = np.random.default_rng(0)
    table = vc.split_scores({"a": random.random(10), "b": random.random(10) + 0.2}, train=90, test=10, k=10, repeats=1)
    found = vc.compare(table, using="corrected_t", effect="cohens_d")
    (d,) = found.effects
    assert (d.low, d.high) == (None, None) and d.value < 0
    assert any(note.code == "correlated-splits" and note.weight == "caution" for note in found.notes)


def test_differences_that_are_not_normal_are_told():
    values = np.random.default_rng(1).normal(size=20) * 0.01
    values[3] = 3.0
    m = vc.score_matrix(np.stack([values, np.zeros(20)], 1))
    found = vc.compare(m, effect="cohens_d")
    assert "Shapiro-Wilk p" in next(note.says for note in found.notes if note.code == "not-normal")


def test_what_has_no_pairs_of_scores_is_refused():
    with pytest.raises(
        BadInput, match="cohens_d is of scores of two on the same rows or data sets, and these are counts"
    ):
        vc.compare({"a": vc.errors(3, of=9), "b": vc.errors(4, of=9)}, effect="cohens_d")
    with pytest.raises(BadInput, match="there is no effect size called 'cohen_e'"):
        vc.compare(matrix(), effect="cohen_e")
    with pytest.raises(Refused, match="three pairs"):
        check(cohens_d.limits, PairedScores(np.zeros(2), np.ones(2)))
    y = np.array([0, 1, 1, 0] * 5)
    p = vc.predictions(y, proba=np.linspace(0, 1, 20), positive=1)
    found = vc.compare({"a": p, "b": vc.predictions(y, proba=np.linspace(1, 0, 20), positive=1)}, "auc", effect="a12")
    assert not found.effects and any("no mean over rows" in note.says for note in found.notes)


@pytest.mark.parametrize("name", ["cohens_d", "cliffs_delta", "a12"])
def test_what_was_measured_is_told(name):
    rows = effects[name].measurements()
    assert len(rows) == 5 and all(row.figure > 0.93 for row in rows) and {row.trials for row in rows} == {1000}
    assert vc.explain(name).to_json()["measured"][0]["what"] == "coverage at 95% of the effect size"
