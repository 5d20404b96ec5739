import numpy as np
import pytest

from veracity.evidence.ordering import Ordering
from veracity.intervals import replicates


def total(parts):
    return np.concatenate([np.asarray(part.cells, float) for part in parts])


@pytest.mark.parametrize(
    ("positives", "negatives"),
    [([1, 0, 1, 0, 1], [0, 1, 0, 1, 0]), ([3, 0, 2], [1, 4, 0]), ([400, 100], [100, 400])],
    ids=["distinct", "tied", "few blocks"],
)
def test_orderings_are_drawn_by_the_multinomial_law(positives, negatives):
    o = Ordering(np.array(positives), np.array(negatives))
    found = total(replicates.bootstrap_replicates(o, 20_000, 1))
    cells, rows = o.cells.astype(float), o.rows
    assert (found.sum(1) == rows).all()
    assert found.mean(0) == pytest.approx(cells, abs=0.03 * np.sqrt(cells.max()))
    share = cells / rows
    expected = rows * (np.diag(share) - np.outer(share, share))
    assert np.cov(found.T) == pytest.approx(expected, abs=0.04 * expected.max())


def test_chunks_do_not_change_the_draws(monkeypatch, ordered, two_classes):
    truth, chance = two_classes(200)
    whole = ordered("auc", chance, truth).replicates(40, 3)
    monkeypatch.setattr(replicates, "CHUNK", 700)
    assert (ordered("auc", chance, truth).replicates(40, 3) == whole).all()


@pytest.mark.slow
def test_replicates_of_auc_are_those_of_resampled_rows(ordered, two_classes):
    from sklearn.metrics import roc_auc_score

    truth, chance = two_classes(300)
    random = np.random.default_rng(0)
    rows = random.integers(0, 300, (1500, 300))
    expected = np.array([roc_auc_score(truth[i], chance[i]) for i in rows])
    found = ordered("auc", chance, truth).replicates(6000, 1)
    assert (found.mean(), found.std()) == pytest.approx((expected.mean(), expected.std()), abs=0.003)
