"""A word on normality: what it finds, what it leaves open, and where it is said."""

import numpy as np
import pytest
from scipy import stats

import veracity as vc
from veracity.evidence.interval_evidence import departs, departure, shapiro_p


def test_the_p_value_is_that_of_shapiro_and_wilk():
    values = np.random.default_rng(0).exponential(size=30)
    assert shapiro_p(values) == pytest.approx(stats.shapiro(values).pvalue, rel=1e-6)
    assert shapiro_p(1e-12 * values) == pytest.approx(shapiro_p(values), rel=1e-6)  # whatever the unit


def test_normal_numbers_are_seldom_blamed_and_skewed_ones_often():
    random = np.random.default_rng(1)
    assert np.mean([departs(random.normal(size=20)) for _ in range(2000)]) < 0.01 + 3 * np.sqrt(0.01 * 0.99 / 2000)
    assert np.mean([departs(random.lognormal(sigma=1.5, size=20)) for _ in range(200)]) > 0.9


@pytest.mark.parametrize("values", [[0, 0, 0, 0, 0, 0, 9], [3.0] * 20, [np.inf, *range(20)], [], np.arange(6000) ** 3])
def test_what_cannot_show_a_departure_is_not_blamed(values):
    assert not departs(np.array(values, float))


def test_it_says_how_far_out_the_furthest_is():
    assert "the furthest lies 53.9 robust deviations out" in departure(np.r_[np.arange(-10.0, 11), 440])
    assert "robust" not in departure(np.r_[np.zeros(15), 1, 2])


def outlying(learners):
    values = np.random.default_rng(2).normal(size=(15, learners))
    values[4, 0] += 40
    return vc.score_matrix(values)


@pytest.mark.parametrize("using", ["paired_t", "averaged_t"])
def test_two_learners(using):
    note = next(n for n in vc.compare(outlying(2), using=using).notes if n.code == "not-normal")
    assert note.weight == "caution" and "wilcoxon does not" in note.says and "Shapiro-Wilk p" in note.says
    calm = vc.score_matrix(np.random.default_rng(3).normal(size=(15, 2)))
    assert not any(n.code == "not-normal" for n in vc.compare(calm, using=using).notes)


@pytest.mark.parametrize("how", [{"using": "anova"}, {"then": "tukey"}, {"then": "dunnett", "control": "learner 1"}])
def test_many_learners(how):
    notes = vc.rank(outlying(4), **how).all_notes
    assert "friedman does not" in next(n.says for n in notes if n.code == "not-normal")
    assert not any(n.code == "not-normal" for n in vc.rank(outlying(4)).all_notes)


def test_two_levels():
    random = np.random.default_rng(5)
    means = np.r_[random.normal(0, 0.01, 11), 5.0]
    data = {
        f"d{i}": vc.split_scores(
            {"x": mean + random.normal(0, 0.01, 10), "y": random.normal(0, 0.01, 10)}, train=9, test=1, k=10, repeats=1
        )
        for i, mean in enumerate(means)
    }
    notes = vc.compare(vc.score_matrix(data), using="two_level").notes
    assert any(n.code == "not-normal" for n in notes)
