import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from veracity.core.errors import BadInput
from veracity.curves.gains import profit
from veracity.evidence.make_predictions import predictions

money = st.integers(-5, 20)


def response():
    """100,000 people of whom 0.1 % answer: a tenth answers 0.4 % (lift 4), four tenths answer 0.2 % (lift 2)."""
    parts = [(10_000, 40, 3.0), (30_000, 40, 2.0), (60_000, 20, 1.0)]
    truth = np.concatenate([np.repeat([1, 0], [hits, people - hits]) for people, hits, _ in parts])
    value = np.concatenate([np.repeat(level, people) for people, _, level in parts])
    return predictions(truth, value=value, positive=1)


@pytest.mark.parametrize(("benefit", "share", "lift", "brings"), [(500, 0.1, 4, 10_000), (1_000, 0.4, 2, 40_000)])
def test_which_of_two_lifts_pays_more_depends_on_the_numbers(benefit, share, lift, brings):
    found = profit({"m": response()}, benefit_tp=benefit, cost_selected=1).facts["best"]["m"]
    assert (found.share, found.lift, found.profit) == pytest.approx((share, lift, brings))


def test_a_population_scales_the_profit():
    small, large = (profit({"m": response()}, benefit_tp=500, cost_selected=1, population=n) for n in (None, 1e6))
    assert large.only.y == pytest.approx(10 * small.only.y)
    assert large.facts["best"]["m"].share == small.facts["best"]["m"].share


@given(
    st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=25),
    st.tuples(money, money, money, money, money),
)
def test_best_share_is_that_of_trying_every_threshold(data, amounts):
    value, truth = (np.array(column) for column in zip(*data, strict=True))
    assume(0 < truth.sum() < len(truth))
    p = predictions(truth.astype(int), value=value.astype(float), positive=1)
    tp, tn, fp, fn, each = amounts
    tried = []
    for t in [np.inf, *np.unique(value)[::-1]]:
        said = value >= t
        brought = tp * (said & truth).sum() + tn * (~said & ~truth).sum()
        spent = fp * (said & ~truth).sum() + fn * (~said & truth).sum() + each * said.sum()
        tried.append((brought - spent, -said.mean(), t))
    best = max(tried)  # among equals the smallest share
    found = profit({"m": p}, benefit_tp=tp, benefit_tn=tn, cost_fp=fp, cost_fn=fn, cost_selected=each)
    assert found.only.y.tolist() == pytest.approx([amount for amount, *_ in tried])
    (mark,) = found.marks
    assert (mark.y, -mark.x, mark.threshold) == pytest.approx(best)


def test_guide_is_selection_at_random():
    found = profit({"m": response()}, benefit_tp=500, cost_selected=1)
    (guide,) = found.guides
    assert guide.y.tolist() == [0, 100 * 500 - 100_000]


def test_several_models_and_a_crisp_one():
    y = [1, 1, 0, 0, 0]
    found = profit(
        {
            "good": predictions(y, value=[5.0, 4, 3, 2, 1], positive=1),
            "label": predictions(y, label=[1, 0, 0, 0, 0], positive=1),
        },
        benefit_tp=2,
        cost_selected=1,
    )
    assert found.facts["best_model"] == "good"
    assert found.facts["best"]["label"].share == 0.2 and found.facts["best"]["label"].threshold is None
    assert len(found.guides) == 1


def test_amounts_must_be_numbers():
    with pytest.raises(BadInput, match="cost_fp"):
        profit({"m": response()}, benefit_tp=1, cost_fp=np.nan)
    with pytest.raises(BadInput, match="population"):
        profit({"m": response()}, benefit_tp=1, population=0)
