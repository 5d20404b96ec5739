"""Worlds made from rows that somebody has."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB

from veracity import lab
from veracity.core.errors import BadInput, Refused


@pytest.fixture(autouse=True)
def small_truths(monkeypatch):
    monkeypatch.setattr("veracity.lab.simulate.TRUTH_DRAWS", 20)


ROWS = np.random.default_rng(0).normal(size=(80, 3))


def test_a_plasmode_draws_rows_of_the_data_and_targets_of_its_model():
    labels = np.where(ROWS[:, 0] + ROWS[:, 1] > 0, "yes", "no")
    world = lab.plasmode(ROWS, labels, name="mine")
    sample = world.draw(20_000)
    places = (sample.features[:, None, 0] == ROWS[None, :, 0]).argmax(1)
    shares = np.bincount(places, sample.target) / np.bincount(places)
    assert np.array_equal(sample.features, ROWS[places])
    assert shares == pytest.approx(world.chances[:, 1], abs=0.15)
    found = lab.coverage(world, GaussianNB, methods="corrected_t", by="kfold(k=5)", rows=40, trials=4)
    assert found[0].world == "plasmode(mine)" and found.to_json()["notes"][0]["code"] == "plasmode"


def test_a_plasmode_of_numbers_and_of_three_classes():
    number = lab.plasmode(ROWS, ROWS[:, 0] + 0.1 * ROWS[:, 2] ** 2)
    sample = number.draw(5_000)
    assert np.mean((sample.target - sample.features[:, 0]) ** 2) < 0.1 and number.best < 0.1
    three = lab.plasmode(ROWS, np.digitize(ROWS[:, 0], [-0.5, 0.5]))
    assert set(three.draw(100).target) == {0, 1, 2}
    assert lab.coverage(three, GaussianNB, methods="corrected_t", by="kfold(k=3)", rows=40, trials=3)[0].fits == 9


def test_few_rows_make_no_plasmode():
    with pytest.raises(Refused, match=r"data has 20 rows, too few to fit the model .*: 50 are needed"):
        lab.plasmode(ROWS[:20], ROWS[:20, 0] > 0)
    with pytest.raises(BadInput, match="Ridge gives no probabilities"):
        lab.plasmode(ROWS, ROWS[:, 0] > 0, model=Ridge())
