import math

import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.intervals.compute import attach_default, attach_interval, available_intervals, default_name

EXAMPLE = [[40, 10], [20, 130]]


def codes(interval):
    return [note.code for note in interval.notes]


def test_one_sided_reaches_the_end_of_the_range(counted):
    m = counted("error", [[50, 8], [0, 42]])
    upper, lower = (attach_interval(m, "wilson", Confidence(0.95, side)) for side in ("upper", "lower"))
    assert upper.low == 0 and upper.high == pytest.approx(0.1365, abs=0.5e-4)
    assert lower.high == 1 and lower.low == attach_interval(m, "wilson", Confidence(0.9)).low
    assert (upper.side, upper.level) == ("upper", 0.95)


def test_anyway_is_recorded(counted):
    m = counted("error", [[50, 0], [0, 50]])
    with pytest.raises(Refused, match="use wilson") as refused:
        attach_interval(m, "wald", Confidence())
    assert refused.value.code == "zero-width"
    found = attach_interval(m, "wald", Confidence(), anyway=True)
    assert found.width == 0 and {"zero-width", "anyway"} <= set(codes(found))
    assert "anyway" not in codes(attach_interval(m, "wilson", Confidence(), anyway=True))


def test_clipped_limits_are_flagged(counted):
    found = attach_interval(counted("error", [[50, 2], [0, 48]]), "wald", Confidence())
    assert found.low == 0 and "clipped" in codes(found)


def test_method_is_spelled_with_its_parameters(counted):
    m = counted("error", EXAMPLE)
    assert attach_interval(m, "wald(divisor='m-1')", Confidence()).method == "wald(divisor='m-1')"
    assert attach_interval(m, "percentile", Confidence(), seed=3).method == "percentile"


def test_undefined_and_infinite_have_none(counted, of_rows):
    undefined = counted("precision", [[0, 5], [0, 5]])
    infinite = of_rows("log_loss", [0, 1], proba=[0.2, 0.0], positive=1)
    for m, word in ((undefined, "undefined"), (infinite, "infinite")):
        with pytest.raises(Refused, match=word):
            attach_interval(m, "wilson", Confidence())
    assert math.isinf(infinite.value)
    found, notes = attach_default(infinite, Confidence())
    assert found is None and [note.code for note in notes] == ["no-interval"]


def test_wrong_score_and_wrong_name(counted):
    m = counted("kappa", EXAMPLE)
    with pytest.raises(Refused, match="not a share of rows"):
        attach_interval(m, "wilson", Confidence())
    with pytest.raises(Refused, match="an interval for auc"):
        attach_interval(m, "delong", Confidence())
    with pytest.raises(BadInput, match="did you mean wilson"):
        attach_interval(m, "willson", Confidence())


def test_a_refused_default_is_a_note(counted):
    perfect = np.diag([30, 0, 70])
    found, (note,) = attach_default(counted("youden(average='micro')", perfect), Confidence())
    assert found is None and note.code == "no-interval" and "has no delta interval" in note.says


def test_assumptions_travel(counted):
    assert attach_interval(counted("error", EXAMPLE), "jeffreys", Confidence()).assumes == ("IID", "FIX", "PRIOR")


def test_above_the_limit_only_on_request(of_rows, monkeypatch):
    from veracity.intervals import compute as defaults

    monkeypatch.setattr(defaults, "BOOTSTRAP_ROWS", 50)
    m = of_rows("median_absolute_error", np.zeros(60), number=np.arange(60), groups=np.arange(60) // 2)
    object.__setattr__(m, "linear", None)  # as for a score without influence values
    found, (note,) = attach_default(m, Confidence())
    assert found is None and note.code == "on-request" and "interval='bca'" in note.says


def test_a_refusal_names_the_intervals_that_the_score_can_have(counted, of_rows, ordered):
    auc = ordered("auc", [4, 3, 2, 1, 5, 0], [1, 0, 1, 0, 1, 0])
    with pytest.raises(Refused, match=r"not a share of rows.*: use delta_logit, \w+ or \w+$"):
        attach_interval(auc, "wilson", Confidence())
    with pytest.raises(Refused, match=r"auc, not for brier: use hall_t, \w+ or \w+$"):
        attach_interval(of_rows("brier", [0, 1, 0], proba=[0.2, 0.6, 0.7], positive=1), "delong", Confidence())
    with pytest.raises(Refused, match=r"not for error: use wilson, \w+ or \w+$") as refused:
        attach_interval(counted("error", [[50, 0], [0, 50]]), "delong", Confidence())
    assert "wald" not in refused.value.says.replace(",", " ").split()  # refused itself: its width would be 0


def test_what_is_offered_can_be_had(counted, of_rows, ordered):
    truth = np.arange(60) % 2
    value = np.random.default_rng(0).normal(size=60)
    for m in (
        counted("error", EXAMPLE),
        ordered("auc", value + truth, truth),
        ordered("auc", truth * 1.0, truth),  # perfectly separated
        of_rows("rmse", truth * 1.0, number=value),
    ):
        names = available_intervals(m)
        assert 1 <= len(names) <= 3 and names[0] == default_name(m)
        assert all(attach_interval(m, name, Confidence(), seed=1).width > 0 for name in names)
