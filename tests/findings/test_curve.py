"""A chart as data: its table and its JSON."""

import json

import numpy as np
import pytest

import veracity as vc
from veracity.findings.curve import Curve, Line, Mark

CHART = Curve(
    "roc",
    "Title",
    "x",
    "y",
    (
        Line("a", np.array([0.0, 1.0]), np.array([0.0, np.nan]), np.array([np.inf, 0.5])),
        Line("b", np.array([2.0]), np.array([3.0])),
    ),
    marks=(Mark("best", 1.0, np.inf, None, "here"),),
    facts={"auc": {"a": np.float64(0.5)}, "ends": (np.nan, 2)},
)


def test_columns_are_one_long_table():
    table = CHART.columns()
    assert table["name"].tolist() == ["a", "a", "b"]
    assert table["x"].tolist() == [0, 1, 2]
    assert table["y"] == pytest.approx([0, np.nan, 3], nan_ok=True)
    assert table["threshold"] == pytest.approx([np.inf, 0.5, np.nan], nan_ok=True)


def test_json_has_no_infinity_and_says_so():
    found = json.loads(json.dumps(CHART.to_json(), allow_nan=False))
    assert found["lines"][0] == {"name": "a", "x": [0, 1], "y": [0, None], "threshold": [None, 0.5]}
    assert found["marks"] == [{"name": "best", "x": 1, "y": None, "threshold": None, "says": "here"}]
    assert found["facts"] == {"auc": {"a": 0.5}, "ends": [None, 2]}
    says = {note["code"]: note["says"] for note in found["notes"]}
    assert says["infinite"].endswith("threshold of a") and says["undefined"].endswith("y of a")


def test_lines_are_taken_by_name():
    assert CHART.line("b").x.tolist() == [2]
    with pytest.raises(vc.BadInput, match="there are a, b"):
        CHART.line("c")
    with pytest.raises(vc.BadInput, match="2 lines"):
        CHART.x  # noqa: B018


@pytest.mark.parametrize("kind", ["roc", "det", "precision_recall", "threshold", "roc_hull", "cost_curve"])
def test_every_curve_can_be_written_as_json(kind):
    p = vc.predictions([0, 1, 0, 1, 1], proba=[0.2, 0.8, 0.5, 0.5, 0.9], positive=1)
    assert json.dumps(vc.curve(p, kind).to_json(), allow_nan=False)
