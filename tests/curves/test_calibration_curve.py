import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.curves.probabilities import calibration
from veracity.evidence.interval_evidence import Proportion
from veracity.evidence.make_predictions import predictions
from veracity.intervals.proportions import wilson

SAID = [0.1, 0.1, 0.3, 0.3, 0.3, 0.7, 0.7, 0.9, 0.9, 0.9]
TRUTH = [0, 0, 0, 1, 0, 1, 1, 1, 1, 0]
P = predictions(TRUTH, proba=SAID, positive=1)


def test_example_of_five_bins():
    found = calibration({"m": P}, bins=5)
    bins = found.facts["bins"]["m"]
    assert found.facts["calibration_error"]["m"] == pytest.approx(0.16)
    assert [each.rows for each in bins] == [2, 3, 2, 3]  # the bin around 0.5 is empty and left out
    assert [each.confidence for each in bins] == pytest.approx([0.1, 0.3, 0.7, 0.9])
    assert [each.frequency for each in bins] == pytest.approx([0, 1 / 3, 1, 2 / 3])
    parts = [each.rows / 10 * abs(each.confidence - each.frequency) for each in bins]
    assert parts == pytest.approx([0.02, 0.01, 0.06, 0.07])


def test_each_bin_has_its_wilson_interval():
    line = calibration({"m": P}, bins=5, level=0.9).only
    expected = [wilson(Proportion(h, n), Confidence(0.9)) for h, n in [(0, 2), (1, 3), (2, 2), (2, 3)]]
    assert line.low == pytest.approx([max(0, limits.low) for limits in expected])
    assert line.high == pytest.approx([min(1, limits.high) for limits in expected])


def test_more_classes_use_the_likeliest_one():
    proba = [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6], [0.6, 0.2, 0.2]]
    p = predictions(["a", "b", "b", "c"], proba=proba, classes=["a", "b", "c"])
    found = calibration({"m": p}, bins=10)
    assert found.only.x == pytest.approx([0.6, 0.7])
    assert found.only.y == pytest.approx([1 / 3, 1])
    assert "top-class" in {note.code for note in found.notes}


def test_weights_count_as_repeats_and_clusters_widen():
    twice = predictions(TRUTH, proba=SAID, positive=1, weights=np.full(10, 2.0))
    plain, weighted = calibration({"m": P}, bins=5), calibration({"m": twice}, bins=5)
    assert weighted.only.y == pytest.approx(plain.only.y)
    assert weighted.only.low == pytest.approx(plain.only.low, abs=1e-6)  # equal weights tell no more than no weights
    groups = np.repeat(np.arange(5), 2)
    truth = np.repeat([0, 1, 1, 0, 1], 2)
    alone, clustered = (
        calibration({"m": predictions(truth, proba=np.full(10, 0.6), positive=1, groups=g)}, bins=1)
        for g in (None, groups)
    )
    assert clustered.only.high - clustered.only.low > alone.only.high - alone.only.low
    assert "clustered-rows" in {note.code for note in clustered.notes}


def test_few_rows_per_bin_are_said():
    assert "few-rows-per-bin" in {note.code for note in calibration({"m": P}).notes}
    many = predictions(TRUTH * 20, proba=SAID * 20, positive=1)
    assert "few-rows-per-bin" not in {note.code for note in calibration({"m": many}).notes}


@pytest.mark.parametrize("bad", [{"bins": 0}, {"bins": 2.5}, {"strategy": "mean"}])
def test_bad_bins(bad):
    with pytest.raises(BadInput):
        calibration({"m": P}, **bad)


def test_needs_probabilities():
    with pytest.raises(BadInput, match="proba="):
        calibration({"m": predictions(TRUTH, value=SAID, positive=1)})
