"""Estimates and intervals as records."""

import json
import math

from veracity import Estimate, Interval, Note, Undefined


def test_labels_are_all_by_which_a_row_can_be_asked_for():
    row = Estimate("fbeta(beta=2)", "fbeta(beta=2.0)", 0.5, data="iris", learner="nb")
    assert row.labels == ("iris", "nb", "fbeta(beta=2)", "fbeta(beta=2.0)")


def test_json_has_null_for_what_is_not_finite():
    interval = Interval(0.1, math.inf, 0.95, "wilson")
    row = Estimate("lift", "lift", Undefined("why"), interval)
    assert json.loads(json.dumps(row.to_json(), allow_nan=False)) == {
        "value": None,
        "low": 0.1,
        "high": None,
        "level": 0.95,
        "method": "wilson",
        "better": "higher",
    }


def test_prints_value_interval_and_method():
    row = Estimate("error", "error", 0.25, Interval(0.2, 0.3, 0.95, "wilson"))
    assert str(row) == "error 0.25 [0.2, 0.3] (95% wilson)"
    finer = Estimate("error", "error", 0.25, Interval(0.2, 0.3, 0.975, "wilson"))
    assert str(finer) == "error 0.25 [0.2, 0.3] (97.5% wilson)"
    bound = Estimate("error", "error", 0.25, Interval(-math.inf, 0.3, 0.95, "wilson", side="upper"))
    assert str(bound) == "error 0.25 at most 0.3 (95% wilson)"
    assert str(Estimate("auc", "auc", Undefined("one class"))) == "auc undefined (one class)"


def test_an_interval_contains_and_has_a_width():
    interval = Interval(0.2, 0.5, 0.9, "wald")
    assert 0.2 in interval and 0.51 not in interval
    assert interval.width == 0.3


def test_notes_of_value_and_interval_each_once():
    note = Note("few", "caution", "few rows")
    row = Estimate("error", "error", 0.2, Interval(0, 1, 0.9, "wald", notes=(note,)), notes=(note,))
    assert row.all_notes == (note,)
