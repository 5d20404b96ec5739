"""Bins of few rows do not look as sure as bins of many."""

import numpy as np
import pytest

import veracity as vc
from veracity.plots.chart_layout import MODELS_TOGETHER, is_crowded
from veracity.plots.draw import ABOUT_BINS, JOINED_ROWS

RANDOM = np.random.default_rng(4)
TRUTH = RANDOM.random(120) < 0.5


def models(k):
    chances = {f"m{i}": 1 / (1 + np.exp(-(1 + i) * (TRUTH - 0.5 + RANDOM.normal(size=120)))) for i in range(k)}
    return {name: vc.predictions(TRUTH, proba=chance, positive=True) for name, chance in chances.items()}


@pytest.mark.parametrize("k", [MODELS_TOGETHER, MODELS_TOGETHER + 1])
def test_intervals_and_a_strip_of_sizes_only_for_few_models(k):
    ax = vc.plot(models(k), "calibration")
    assert len(ax.containers) == (k if k <= MODELS_TOGETHER else 0)
    assert len(ax.child_axes) == (1 if k <= MODELS_TOGETHER else 0)
    said = " ".join(text.get_text() for text in ax.get_legend().get_texts()).replace("\n", " ")
    assert (ABOUT_BINS in said) is (k > MODELS_TOGETHER)


def test_areas_are_rows_and_lines_pass_bins_of_few_rows():
    curve = vc.curve(models(5), "calibration")
    assert is_crowded(curve) and not is_crowded(vc.curve(models(5), "roc"))
    ax = vc.plot(curve)
    for line, cloud in zip(curve.lines, ax.collections, strict=True):
        rows = np.array([each.rows for each in curve.facts["bins"][line.name]])
        assert cloud.get_offsets().tolist() == np.stack([line.x, line.y], 1).tolist()
        assert (np.diff(cloud.get_sizes()[np.argsort(rows, kind="stable")]) >= 0).all()
        through = [drawn for drawn in ax.lines if np.array_equal(drawn.get_xdata(), line.x[rows >= JOINED_ROWS])]
        assert len(through) == 1 and 0 < len(through[0].get_xdata()) < len(rows)
