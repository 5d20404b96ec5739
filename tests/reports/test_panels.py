"""Calibration of many models on a page: a panel for each, with all its bins."""

import re

import numpy as np

import veracity as vc
from veracity.reports.svg.chart import panels

RANDOM = np.random.default_rng(4)
TRUTH = RANDOM.random(120) < 0.5


def models(*names):
    return {name: vc.predictions(TRUTH, proba=RANDOM.random(120), positive=True) for name in names}


def test_every_bin_has_its_point_its_interval_and_its_bar():
    curve = vc.curve(models("a", "b", "c", "d"), "calibration")
    each = panels(curve)
    assert list(each) == ["a", "b", "c", "d"]
    drawn = "".join(map(str, each.values()))
    bins = sum(map(len, curve.facts["bins"].values()))
    assert drawn.count('class="dot s0"') == drawn.count("whisker limit") == drawn.count('class="bar s5"') == bins
    rows = [int(found) for found in re.findall(r"<title>(\d+) rows", drawn)]
    assert sum(rows) == 4 * len(TRUTH)


def test_names_are_escaped():
    drawn = "".join(map(str, panels(vc.curve(models("<b>", "b", "c"), "calibration")).values()))
    assert "<b>" not in drawn and "&lt;b&gt;" in drawn


def test_a_page_shows_panels_from_three_models_on():
    two, three = (vc.report(models(*names), ["error"]).html for names in ("ab", "abc"))
    assert "Calibration of each model with 95% intervals" in three
    assert "Calibration of each model" not in two
