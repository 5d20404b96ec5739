"""Several intervals of one score stand side by side, in the table and in JSON."""

import pytest
from sklearn.linear_model import LogisticRegression

import veracity as vc

BOTH = ["wilson", "finite_class_bound(size_h=1000)"]


@pytest.fixture(scope="module")
def p():
    return vc.predictions([0, 1] * 500, label=[0, 1] * 400 + [1, 0] * 100, positive=1)


def test_a_row_for_each(p):
    found = vc.estimate(p, ["error", "accuracy"], interval=BOTH)
    assert [(row.score, row.interval.method) for row in found] == [
        (score, method) for score in ("error", "accuracy") for method in BOTH
    ]
    measured, bound = found["error", "wilson"].interval, found["error", BOTH[1]].interval
    assert bound.low < measured.low < 0.2 < measured.high < bound.high
    assert bound.high - 0.2 == pytest.approx(0.0728, abs=5e-5)


def test_json_says_with_which(p):
    assert list(vc.estimate(p, "error", interval=BOTH).to_json()["scores"]) == [f"error with {name}" for name in BOTH]
    assert list(vc.estimate(p, "error", interval="wilson").to_json()["scores"]) == ["error"]
    by_model = vc.estimate({"a": p, "b": p}, "error", interval=BOTH).to_json()["models"]
    assert len(by_model["a"]["scores"]) == len(by_model["b"]["scores"]) == 2
    assert list(vc.estimate({"a": p, "b": p}, "error").to_json()["models"]["a"]["scores"]) == ["error"]


def test_of_runs():
    x, y = [[i % 7 + (i % 2), i % 5] for i in range(60)], [i % 2 for i in range(60)]
    runs = vc.evaluate({"logit": LogisticRegression()}, x, y, by="kfold(k=5)")
    found = vc.estimate(runs, "error", interval=["corrected_t", "cv_wald"])
    assert found["corrected_t"].answers.startswith("mean risk") and found["cv_wald"].answers.startswith("average risk")
    assert list(found.to_json()["estimates"]["data"]["logit"]) == ["error with corrected_t", "error with cv_wald"]


def test_no_interval_at_all_is_told(p):
    with pytest.raises(vc.BadInput, match="leave it out"):
        vc.estimate(p, "error", interval=[])
