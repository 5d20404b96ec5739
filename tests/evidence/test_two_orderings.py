"""Two models of many plain rows: their areas, what rows do to the difference, as the general way tells of the same."""

import numpy as np
import pytest
from scipy.stats import rankdata

import veracity as vc
from tests.evidence.test_packed_ordering import draw
from veracity.core.entry import Choice
from veracity.evidence import predictions as rows_of_predictions
from veracity.evidence.same_rows import SameRows
from veracity.evidence.sort_rows import MANY_ROWS
from veracity.intervals.auc import error_by_class
from veracity.scores import scores

NUMBER = MANY_ROWS + 123
AREA = Choice(scores["auc"], {})


def models(kind, positives=0.3):
    chance, positive = draw(1, NUMBER, kind, positives)
    other = np.random.default_rng(2).permutation(chance) if kind == "tiny" else np.clip(chance[::-1], 0, 1)
    other = np.where(np.random.default_rng(3).random(NUMBER) < 0.7, chance, other)
    truth = positive.astype(int)
    return [vc.predictions(truth, proba=p, positive=1) for p in (chance, other)], truth, (chance, other)


def brute_force(truth, *chances):
    """DeLong's difference and its standard error from midranks."""
    placed = []
    for chance in chances:
        rank, own = rankdata(chance), np.empty(len(chance))
        for label in (0, 1):
            mine = truth == label
            own[mine] = (rank[mine] - rankdata(chance[mine])) / (~mine).sum()
        placed.append(own)
    apart = [placed[0][truth == 1] - placed[1][truth == 1], placed[0][truth == 0] - placed[1][truth == 0]]
    return apart[0].mean(), np.sqrt(sum(part.var(ddof=1) / len(part) for part in apart))


@pytest.mark.parametrize("kind", ["spread", "tied", "few", "crowded", "tiny", "single"])
def test_the_fast_way_tells_what_midranks_tell(kind):
    pair, truth, chances = models(kind)
    found = vc.compare({"one": pair[0], "other": pair[1]}, "auc", using="delong_test")
    difference, error = brute_force(truth, *chances)
    np.testing.assert_allclose(found.difference, difference, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found.statistic, difference / error, rtol=1e-9)


@pytest.mark.parametrize("positives", [0.3, 0.0002, 0.9998])
@pytest.mark.parametrize("kind", ["spread", "tied", "tiny"])
def test_the_general_way_gives_the_same(kind, positives, monkeypatch):
    pair, _, _ = models(kind, positives)
    fast = SameRows.of(AREA, *pair)
    assert fast.areas is not None
    found = fast.difference, *error_by_class(fast)
    monkeypatch.setattr(rows_of_predictions, "MANY_ROWS", 2 * NUMBER)
    general = SameRows.of(AREA, *pair)
    assert general.areas is None
    np.testing.assert_allclose(found, [general.difference, *error_by_class(general)], rtol=1e-9)


def test_two_threads_change_no_bit(monkeypatch):
    pair, _, _ = models("tied")
    found = []
    for threads in "12":
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        areas = SameRows.of(AREA, *pair)
        found.append((areas.values, error_by_class(areas)))
    assert found[0] == found[1]


def test_models_that_order_rows_alike_are_told():
    (one, _), truth, (chance, _) = models("spread")
    other = vc.predictions(truth, proba=chance / 2, positive=1)
    with pytest.raises(vc.Refused, match="order the rows alike"):
        vc.compare({"one": one, "other": other}, "auc", using="delong_test")
