"""Scores of probabilities: published answers and properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from veracity import BadInput, estimate, explain, predictions, score

F = predictions([1, 1, 3], proba=[[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.1, 0.1, 0.8]], classes=[1, 2, 3])
OF_F = {"brier": 0.3133, "brier_half": 0.1567, "log_loss": 0.5946, "informational_loss": 0.8578}
chances = st.floats(0.01, 0.99)


@pytest.mark.parametrize(("name", "expected"), OF_F.items())
def test_example_f(name, expected):
    assert score(F, name) == pytest.approx(expected, abs=0.5e-4)


def test_brier_of_each_row_of_example_f():
    from veracity.scores.probability import brier

    assert brier(F) == pytest.approx([0.14, 0.74, 0.06])


def test_informational_loss_is_log_loss_in_bits():
    assert score(F, "informational_loss") == pytest.approx(score(F, "log_loss") / np.log(2))


def test_probability_zero_on_the_truth_is_infinite_not_clipped():
    sure = predictions([0, 1], proba=[0.0, 0.0], positive=1)
    assert score(sure, "log_loss") == np.inf
    assert score(sure, "log_loss(clip=1e-6)") == pytest.approx(-np.log(1e-6) / 2)
    card = estimate(sure, "log_loss")
    assert card["log_loss"].interval is None
    assert "infinite" in {note.code for note in card["log_loss"].notes}


@pytest.mark.parametrize("clip", [0, 0.5, -1])
def test_clip_outside_its_range(clip):
    with pytest.raises(BadInput, match="clip must lie strictly between"):
        score(F, f"log_loss(clip={clip})")


@given(chances, chances)
def test_expected_brier_is_smallest_at_the_true_probability(said, true):
    def expected(p):
        return sum(
            q * score(predictions([y], proba=[p], classes=[0, 1], positive=1), "brier")
            for y, q in ((1, true), (0, 1 - true))
        )

    assert expected(said) == pytest.approx(2 * ((said - true) ** 2 + true * (1 - true)))
    assert expected(said) >= expected(true) - 1e-12


@given(chances)
def test_expected_informational_loss_at_the_true_probability_is_its_entropy(true):
    losses = [score(predictions([y], proba=[true], classes=[0, 1], positive=1), "informational_loss") for y in (1, 0)]
    assert true * losses[0] + (1 - true) * losses[1] == pytest.approx(
        -true * np.log2(true) - (1 - true) * np.log2(1 - true)
    )


@pytest.mark.parametrize("name", ["brier", "brier_half", "log_loss", "informational_loss", "calibration_error"])
def test_one_column_and_two_columns_say_the_same(name):
    random = np.random.default_rng(1)
    chance, truth = random.random(50), random.integers(0, 2, 50)
    one = predictions(truth, proba=chance, positive=1)
    two = predictions(truth, proba=np.stack([1 - chance, chance], 1), positive=1)
    assert score(one, name) == pytest.approx(score(two, name))


@pytest.mark.parametrize("name", ["brier", "log_loss"])
def test_swapping_classes_changes_nothing(name):
    chance, truth = [0.2, 0.9, 0.6], [0, 1, 0]
    one = predictions(truth, proba=chance, positive=1)
    other = predictions(truth, proba=[0.8, 0.1, 0.4], positive=0)
    assert score(one, name) == pytest.approx(score(other, name))


def test_single_precision_is_averaged_in_double():
    chance = np.full(1_000, 0.9, np.float32)
    p = predictions(np.ones(1_000, int), proba=chance, classes=[0, 1], positive=1)
    assert score(p, "log_loss") == pytest.approx(-np.log(float(chance[0])), rel=1e-12)


def test_perfect_probabilities_of_many_classes_give_exactly_zero():
    assert score(predictions([0, 1, 2], proba=np.eye(3)), "brier") == 0


def brier_notes(p, name):
    return [note.says for note in estimate(p, name)[name].notes if note.code == "two-brier"]


def test_two_classes_say_which_number_scikit_learn_calls_brier_score_loss():
    chance = np.random.default_rng(0).uniform(size=40)
    p = predictions(np.arange(40) % 2, proba=chance, positive=1)
    theirs = metrics.brier_score_loss(np.arange(40) % 2, chance)
    assert score(p, "brier_score_loss") == pytest.approx(theirs) == pytest.approx(score(p, "brier") / 2)
    (says,) = brier_notes(p, "brier")
    assert says == "of two classes scikit-learn's brier_score_loss is half of this: brier_half"
    assert brier_notes(p, "brier_score_loss") == []


def test_of_three_classes_it_is_not_halved_and_the_alias_says_so():
    pytest.importorskip("sklearn", "1.7")  # before, it was of two classes only
    truth, chances = np.arange(40) % 3, np.random.default_rng(0).dirichlet(np.ones(3), size=40)
    p = predictions(truth, proba=chances)
    assert score(p, "brier") == pytest.approx(metrics.brier_score_loss(truth, chances))
    (says,) = brier_notes(p, "brier_score_loss")
    assert says.endswith("brier_score_loss is not halved, and twice this: brier") and brier_notes(p, "brier") == []


@pytest.mark.parametrize("name", ["brier", "brier_half"])
def test_both_pages_name_the_number_of_scikit_learn(name):
    assert "[two-brier]" in str(explain(name)) and "brier_score_loss" in str(explain(name))
