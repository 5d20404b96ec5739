"""Information scores: published answers, WEKA's conventions, what they do without priors."""

import numpy as np
import pytest

from veracity import BadInput, estimate, predictions, score
from veracity.scores import scores
from veracity.scores.entry import evidence_for
from veracity.scores.information import kb_information

PROBA = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.1, 0.1, 0.8]]
F = predictions([1, 1, 3], proba=PROBA, classes=[1, 2, 3], prior=(0.5, 0.3, 0.2))
UNKNOWN = predictions([1, 1, 3], proba=PROBA, classes=[1, 2, 3])


def test_rows_of_example_f():
    assert kb_information(F) == pytest.approx([0.4854, -0.4854, 2.0], abs=0.5e-4)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("kb_information", 0.6667), ("kb_information(relative=True)", 0.4488), ("sf_entropy_gain", 0.5828)],
)
def test_example_f(name, expected):
    assert score(F, name) == pytest.approx(expected, abs=0.5e-4)


@pytest.mark.parametrize("name", ["kb_information", "sf_entropy_gain"])
def test_without_training_shares_the_way_out_is_named(name):
    found = score(UNKNOWN, name)
    assert np.isnan(found)
    assert "prior=" in found.reason and "baseline='test'" in found.reason


@pytest.mark.parametrize("name", ["kb_information", "sf_entropy_gain"])
def test_test_shares_are_those_of_the_rows(name):
    told = predictions([1, 1, 3], proba=PROBA, classes=[1, 2, 3], prior=(2 / 3, 0, 1 / 3))
    assert score(UNKNOWN, f"{name}(baseline='test')") == pytest.approx(score(told, name))


def test_saying_the_class_shares_tells_nothing():
    p = predictions([0, 1, 1], proba=[2 / 3] * 3, positive=1)
    assert score(p, "kb_information(baseline='test')") == pytest.approx(0, abs=1e-12)
    assert score(p, "sf_entropy_gain(baseline='test')") == pytest.approx(0, abs=1e-12)


def test_one_more_row_of_each_class():
    found = score(F, "sf_entropy_gain(add_one=True, train_rows=10)")
    shares = np.array([6, 4, 3]) / 13
    assert found == pytest.approx(np.mean(np.log2([0.7, 0.3, 0.8]) - np.log2(shares[[0, 0, 2]])))
    with pytest.raises(BadInput, match="train_rows="):
        score(F, "sf_entropy_gain(add_one=True)")


def test_a_floor_makes_probability_zero_finite():
    p = predictions([0, 1], proba=[0.5, 0.0], positive=1, prior=(0.5, 0.5))
    assert score(p, "sf_entropy_gain") == -np.inf
    assert score(p, "sf_entropy_gain(floor=5e-324)") == pytest.approx((0 - 1074 + 1) / 2)


def test_the_baseline_is_printed():
    card = estimate(UNKNOWN, "kb_information(baseline='test')", interval="mean_t").values()[0]
    notes = {note.code: note.says for note in card.notes}
    assert "test rows" in notes["baseline"]


def test_an_unknown_baseline():
    with pytest.raises(BadInput, match="baseline is 'train' or 'test'"):
        score(F, "kb_information(baseline='rows')")


def test_a_class_of_share_zero_given_probability_zero_is_undefined():
    p = predictions([0, 1], proba=[0.0, 0.0], positive=1, prior=(1.0, 0.0))
    assert score(p, "kb_information").reason.startswith("a class has share 0")


@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("counts", [None, np.arange(120) % 3 + 1])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_what_a_row_adds_by_derivatives_is_what_differences_say(classes, counts, relative):
    random = np.random.default_rng(classes)
    truth, chance = random.integers(classes == 5, classes, size=120), random.dirichlet(np.ones(classes), 120)
    p = predictions(truth, proba=chance, classes=list(range(classes)), counts=counts)  # of five classes one is absent
    choice = scores.choose(f"kb_information(baseline='test', relative={relative})")
    evidence = evidence_for(choice, p)
    slope = choice.entry._slope(evidence, **choice.given)
    expected = slope @ evidence.columns.T - slope @ evidence.means
    assert choice.influence_of(evidence) == pytest.approx(expected, abs=1e-8)
    last_first = predictions(truth, proba=chance[:, ::-1], classes=list(range(classes))[::-1], counts=counts)
    again = choice.influence_of(evidence_for(choice, last_first))
    assert again == pytest.approx(expected, abs=1e-8)
