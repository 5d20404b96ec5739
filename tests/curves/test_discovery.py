import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.errors import BadInput
from veracity.curves.probabilities import posterior_fdr
from veracity.evidence.make_predictions import predictions

SAID = [0.99, 0.97, 0.95, 0.90, 0.80, 0.60, 0.30]


def found(said, alpha=0.05, **more):
    truth = np.arange(len(said)) % 2
    p = predictions(truth, proba=said, classes=[0, 1], positive=1, **more)
    return posterior_fdr({"m": p}, alpha=alpha)


def test_example():
    curve = found(SAID)
    four = curve.facts["discoveries"]["m"]
    assert (four.number, four.threshold) == (4, 0.90)
    assert four.rate == pytest.approx(0.0475)
    assert curve.only.y[5] == pytest.approx(0.078, abs=5e-4)
    assert four.observed == 0.5
    assert curve.notes[0].code == "needs-calibration"


def test_none_is_found_where_even_the_best_row_is_too_doubtful():
    none = found([0.9, 0.5]).facts["discoveries"]["m"]
    assert (none.number, none.rate, none.threshold, none.observed) == (0, 0, np.inf, None)


def test_equal_to_the_tolerance_is_within_it():
    assert found([0.95] * 3).facts["discoveries"]["m"].number == 3  # 1 - 0.95 is a little more than 0.05 in a computer


def test_tied_rows_are_taken_together_or_not_at_all():
    assert found([0.99, 0.90, 0.90]).facts["discoveries"]["m"].number == 1
    assert found([0.99, 0.90, 0.90], alpha=0.06).facts["discoveries"]["m"].number == 1  # one of the two would do
    assert found([0.99, 0.90, 0.90], alpha=0.07).facts["discoveries"]["m"].number == 3


@given(st.lists(st.integers(0, 20), min_size=1, max_size=30), st.floats(0, 1))
def test_agrees_with_trying_every_threshold(values, alpha):
    said = np.array(values) / 20
    best, rate = 0, 0.0
    for t in np.unique(said):
        chosen = said >= t
        expected = (1 - said[chosen]).mean()
        if expected <= alpha + 1e-12 and chosen.sum() > best:
            best, rate = int(chosen.sum()), expected
    curve = found(said, alpha)
    assert curve.facts["discoveries"]["m"].number == best
    assert curve.facts["discoveries"]["m"].rate == pytest.approx(rate)
    assert (np.diff(curve.only.y) >= -1e-12).all()


def test_decision_values_beside_probabilities_do_not_matter():
    assert found(SAID, value=[1.0, 2, 3, 4, 5, 6, 7]).facts["discoveries"]["m"].number == 4


def test_true_repeats_count():
    assert found(SAID, counts=[2] * 7).facts["discoveries"]["m"].number == 8


def test_positive_unlabelled_rows_have_no_observed_share():
    assert found(SAID, labelled="positives").facts["discoveries"]["m"].observed is None


def test_bad_calls():
    with pytest.raises(BadInput, match="alpha"):
        found(SAID, alpha=1.5)
    with pytest.raises(BadInput, match="proba="):
        posterior_fdr({"m": predictions([0, 1], value=[1.0, 2.0], positive=1)})


def some(truth, said, alpha=0.05, **more):
    p = predictions(truth, proba=said, positive=1, labelled="some", **more)
    curve = posterior_fdr({"m": p}, alpha=alpha)
    return curve, curve.facts["discoveries"]["m"]


def test_discoveries_are_among_rows_without_a_label():
    truth = [None] * len(SAID) + [1, 1, 0, 1]
    curve, four = some(truth, [*SAID, 0.95, 0.92, 0.91, 0.2])
    assert (four.number, four.threshold, four.rate) == (4, 0.90, pytest.approx(0.0475))
    assert (four.labelled, four.observed) == (3, pytest.approx(1 / 3))
    assert four.promised == pytest.approx((0.05 + 0.08 + 0.09) / 3)
    assert (four.interval.low, four.interval.high) == pytest.approx((0.0614919, 0.7923404))  # Wilson, 1 of 3
    assert [note.code for note in curve.notes] == ["needs-calibration", "labelled-discoveries"]


def test_no_truth_is_needed_and_that_is_said():
    curve, four = some(None, SAID)
    assert (four.number, four.observed, four.labelled, four.interval) == (4, None, 0, None)
    assert curve.notes[1].code == "labelled-discoveries" and curve.notes[1].weight == "caution"
    assert found(SAID).only.y.tolist() == curve.only.y.tolist()


def test_three_classes_are_read_by_the_one_looked_for():
    chance = np.array([[0.05, 0.9, 0.05], [0.5, 0.25, 0.25], [0.01, 0.98, 0.01]])
    p = predictions(["a", None, None], proba=chance, classes=list("abc"), positive="b", labelled="some")
    assert posterior_fdr({"m": p}, alpha=0.02).facts["discoveries"]["m"].number == 1


def test_repeats_and_groups_of_labelled_rows_count():
    truth, said = [None, 0, 1, 1, 1, 1], [0.99, 0.99, 0.99, 0.99, 0.99, 0.99]
    _, plain = some(truth, said)
    _, twice = some(truth, said, counts=[1, 2, 2, 2, 2, 2])
    _, grouped = some(truth, said, groups=[1, 2, 2, 2, 3, 3])
    assert (plain.observed, twice.observed, twice.labelled) == (0.2, 0.2, 10)
    assert twice.interval.width < plain.interval.width < grouped.interval.width


def world(random, rows, sharpness):
    """Chances that are calibrated, the truth drawn by them, and what an over-confident model says of the same rows."""
    chance = random.beta(0.4, 0.6, rows)
    odds = np.log(chance / (1 - chance))
    return random.random(rows) < chance, 1 / (1 + np.exp(-sharpness * odds))


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_of_calibrated_probabilities_the_share_promised_is_the_share_that_is_false(alpha):
    """2,000 samples of 300 unlabelled rows: the mean share of false ones is the mean rate, and at most alpha."""
    random = np.random.default_rng(3)
    false, rate = [], []
    for _ in range(2_000):
        truth, said = world(random, 300, 1.0)
        order = np.argsort(-said)
        running = np.cumsum(1 - said[order]) / np.arange(1, 301)
        number = int((running <= alpha).sum())
        false.append((~truth[order[:number]]).mean() if number else 0.0)
        rate.append(running[number - 1] if number else 0.0)
    _, first = some(None, said, alpha)
    assert first.number == number and first.rate == pytest.approx(rate[-1])  # the same as the sums above
    error = np.std(np.subtract(false, rate)) / np.sqrt(len(false))
    assert abs(np.mean(false) - np.mean(rate)) < 4 * error and np.mean(rate) <= alpha


def test_labelled_rows_find_out_probabilities_that_are_too_sure():
    """Of 200 samples, half of the rows labelled: seldom a caution where chances are true, nearly always else."""
    random = np.random.default_rng(5)
    cautioned = {}
    for sharpness in (1.0, 3.0):
        number = 0
        for _ in range(200):
            truth, said = world(random, 600, sharpness)
            labels = np.where(random.random(600) < 0.5, truth.astype(int), None)
            number += some(labels, said)[1].contradicted
        cautioned[sharpness] = number / 200
    assert cautioned[1.0] <= 0.1 and cautioned[3.0] >= 0.95
