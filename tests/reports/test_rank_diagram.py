"""The diagram of a page has the layout of the figure."""

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest

import veracity as vc
from veracity.methods.describe import worst_measurements
from veracity.plots.rank_layout import rank_layout
from veracity.reports.svg.paper import WIDE
from veracity.reports.svg.rank_diagram import rank_diagram

GARCIA = Path(__file__).parents[1] / "reference" / "gh2008_accuracy.csv"


def test_a_bar_over_a_learner_that_differs_has_dots():
    found = vc.rank(GARCIA)
    layout = rank_layout(found)
    drawn = str(rank_diagram(found))
    assert [join.members for join in layout.joins if join.dots] == [("NaiveBayes", "k-NN(k=1)")]
    assert drawn.count('class="join"') == 2 and drawn.count('class="member"') == 2
    assert "CD =" not in drawn and "CD = 1.11" in str(rank_diagram(vc.rank(GARCIA, then="nemenyi")))


@pytest.mark.parametrize(
    "asked", [{"then": "nemenyi"}, {"pairs": "mean_ranks"}, {"pairs": "quade"}, {"pairs": "wilcoxon"}]
)
def test_the_page_of_a_ranking_describes_and_cites_the_test_of_pairs(asked):
    page = vc.report(vc.rank(GARCIA, **asked))
    (name,) = asked.values()
    described = [entry for entry in page.material.methods if entry.name == name]
    assert [entry.kind for entry in described] == ["comparison" if name == "wilcoxon" else "post hoc test"]
    assert described[0].sentence in unescape(page.html) and all(key in page.html for key in described[0].cite)
    worst = worst_measurements(described[0], 4)
    assert worst and all(m.world in unescape(page.html) for m in worst)


def test_names_are_escaped_and_all_is_inside():
    values = np.random.default_rng(0).normal(size=(12, 3)) + np.arange(3)
    drawn = str(rank_diagram(vc.rank(vc.score_matrix(values, learners=["<script>", "x" * 90, "b & c"]))))
    assert "<script>" not in drawn and "&lt;script&gt;" in drawn and "b &amp; c" in drawn
    places = [float(x) for x in re.findall(r' (?:x|x1|x2|cx)="([-\d.]+)"', drawn)]
    assert min(places) > 0 and max(places) < WIDE


def test_long_names_stand_whole_in_several_lines():
    names = [f"forest(trees=500, depth={depth}, criterion=entropy, features=all)" for depth in range(4)]
    values = np.random.default_rng(0).normal(size=(12, 4)) + np.arange(4)
    drawn = str(rank_diagram(vc.rank(vc.score_matrix(values, learners=names))))
    said = "".join(re.findall(r'class="words"[^>]*>([^<]*)<', drawn)).replace(" ", "")
    assert "…" not in drawn
    assert all(name.replace(" ", "") in said for name in names)
