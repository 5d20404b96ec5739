"""Where a formula has no value a method says so; what goes wrong in a method is no refusal."""

import numpy as np
import pytest

import veracity as vc
from veracity.evidence.interval_evidence import Proportion
from veracity.intervals import interval, intervals

METHODS = [entry.name for entry in intervals if not any(p.name == "draws" or p.required for p in entry.parameters)]
SCORES = ["error", "auc", "brier", "fbeta", "youden", "positive_likelihood_ratio", "negative_likelihood_ratio"]


def test_a_mistake_in_a_method_is_not_taken_for_a_refusal():
    """Every ZeroDivisionError was told as: gives no limits here, whatever is accepted."""

    @interval("Of one's own", reads=Proportion)
    def mistaken(p, at):
        """Divides by nothing."""
        return p.share / (p.rows - p.rows)

    with pytest.raises(ZeroDivisionError):
        vc.estimate(vc.errors(3, of=9), "error", interval=mistaken)


@pytest.mark.parametrize("method", METHODS)
def test_a_method_says_itself_where_it_has_no_limits(method):
    for rows in (1, 2, 3, 5):
        truth = np.arange(rows) % 2
        for proba in (truth, 1 - truth, np.full(rows, 0.5), truth * 0.2 + 0.4):
            for more in ({}, {"weights": np.arange(1, rows + 1)}, {"groups": np.zeros(rows)}):
                p = vc.predictions(truth, proba=proba, positive=1, classes=[0, 1], **more)
                for score in SCORES:
                    try:
                        found = vc.estimate(p, score, interval=method, anyway=True)[score].interval
                    except vc.VeracityError:
                        continue
                    assert found is None or found.low <= found.high


@pytest.mark.parametrize(("number", "of"), [(0, 1), (1, 1)])
def test_student_has_no_limits_of_one_row(number, of):
    with pytest.raises(vc.VeracityError, match="student_t gives no limits"):
        vc.estimate(vc.errors(number, of=of), "error", interval="student_t", anyway=True)
