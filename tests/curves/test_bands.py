"""Bootstrap bands around curves: reading replicates, ordering of limits, and coverage at one place."""

import numpy as np
import pytest

import veracity as vc
from veracity.curves.roc_pr import precision_at, recall_at


def drawn(rows, seed, **more):
    random = np.random.default_rng(seed)
    truth = random.random(rows) < 0.4
    return vc.predictions(truth.astype(int), value=random.normal(truth * 1.2), positive=1, **more)


def band_of(p, kind, **more):
    return next(guide for guide in vc.curve(p, kind, band=0.9, **more).guides if guide.style == "band")


def test_recall_is_read_at_the_top_of_a_step():
    assert recall_at(np.array([0, 0.25, 0.5, 1]), np.array([0, 1, 2, 2.0]), np.array([0, 0, 1, 2.0])).tolist() == [
        0.5,
        0.75,
        1,
        1,
    ]


def test_precision_is_read_from_interpolated_counts():
    true, false = np.array([0, 1, 4, 4, 5.0]), np.array([0, 0, 7, 9, 10.0])
    found = precision_at(np.array([0, 0.2, 0.4, 0.8, 1]), true, false)
    assert found == pytest.approx([1, 1, 2 / (2 + 7 / 3), 4 / 11, 5 / 15])


@pytest.mark.parametrize("kind", ["roc", "precision_recall"])
def test_a_band_surrounds_its_line_and_says_it_is_pointwise(kind):
    chart = vc.curve(drawn(300, 1), f"{kind}(band=0.9, draws=200)")
    band = next(guide for guide in chart.guides if guide.style == "band")
    assert band.of == "model" and (band.low <= band.high).all()
    assert ((band.low <= band.y + 1e-9) & (band.y <= band.high + 1e-9)).mean() > 0.95
    assert "pointwise" in band.name and "pointwise-band" in {note.code for note in chart.notes}


def test_a_seed_fixes_the_band_and_another_moves_it():
    one, same, other = (band_of(drawn(100, 1), "roc", draws=50, seed=seed) for seed in (3, 3, 4))
    assert np.array_equal(one.low, same.low) and not np.array_equal(one.low, other.low)


def test_groups_widen_the_band():
    plain = drawn(200, 2)
    twice = vc.predictions(
        np.repeat(plain.truth, 4), value=np.repeat(plain.value, 4), positive=1, groups=np.repeat(np.arange(200), 4)
    )
    alone = vc.predictions(np.repeat(plain.truth, 4), value=np.repeat(plain.value, 4), positive=1)
    wide, narrow = (band_of(p, "roc", draws=300) for p in (twice, alone))
    assert (wide.high - wide.low).mean() > 1.5 * (narrow.high - narrow.low).mean()


def test_groups_reach_each_class_of_three():
    random = np.random.default_rng(5)
    truth = np.repeat(random.integers(0, 3, 60), 4)
    proba = np.repeat(random.dirichlet([1, 1, 1], 60), 4, axis=0)
    grouped = vc.predictions(truth, proba=proba, groups=np.repeat(np.arange(60), 4))
    plain = vc.predictions(truth, proba=proba)
    wide, narrow = (band_of(p, "roc", draws=200) for p in (grouped, plain))
    assert (wide.high - wide.low).mean() > 1.5 * (narrow.high - narrow.low).mean()


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_outside_0_1_is_refused(level):
    with pytest.raises(vc.BadInput, match="level"):
        vc.curve(drawn(50, 1), "roc", band=level)


@pytest.mark.slow
def test_the_band_covers_at_one_place():
    """True positive rate of the population at a false positive rate of 0.3, from normal values 1.2 apart."""
    from scipy.special import ndtr, ndtri

    truth = ndtr(1.2 + ndtri(0.3))
    bands = [band_of(drawn(300, seed), "roc", draws=300) for seed in range(300)]
    inside = [band.low[60] <= truth <= band.high[60] for band in bands]
    assert 0.84 < np.mean(inside) < 0.95
