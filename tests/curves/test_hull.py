from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

import veracity as vc
from veracity.core.errors import BadInput, Refused
from veracity.curves.costs import roc_hull
from veracity.evidence.make_predictions import predictions
from veracity.scores.ordering import hull_auc

SCORES = [0.99, 0.90, 0.85, 0.80, 0.78, 0.70, 0.60, 0.45, 0.40, 0.30, 0.20, 0.15, 0.10, 0.05]
TRUTH = [1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0]
D = predictions(TRUTH, value=SCORES, positive=1)

rows = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.booleans()), min_size=3, max_size=30)
rates = st.floats(0.01, 0.99)


def two_models(data):
    first, second, truth = (np.array(column) for column in zip(*data, strict=True))
    assume(0 < truth.sum() < len(truth))
    return {
        "a": predictions(truth.astype(int), value=first.astype(float), positive=1),
        "b": predictions(truth.astype(int), value=second.astype(float), positive=1),
    }


def rates_of(said, truth):
    return said[truth == 0].mean(), said[truth == 1].mean()


def points(models):
    """(fpr, tpr) of every model at every threshold, counted anew for each; inverted too if worse than chance."""
    found = []
    for name, p in models.items():
        found += [(name, t, *rates_of(p.value >= t, p.truth)) for t in [np.inf, *np.unique(p.value)]]
        above = (p.value[p.truth == 1][:, None] > p.value[p.truth == 0]).mean()
        below = (p.value[p.truth == 1][:, None] < p.value[p.truth == 0]).mean()
        if above < below:
            found += [(f"{name} inverted", t, *rates_of(p.value <= t, p.truth)) for t in [-np.inf, *np.unique(p.value)]]
    return found


def hull_of(found):
    return next(line for line in found.guides if line.name == "hull")


def test_example_d():
    found = roc_hull({"model": D})
    hull = hull_of(found)
    assert np.trapezoid(hull.y, hull.x) == pytest.approx(0.8854, abs=5e-5)
    assert found.facts["hull_area"] == pytest.approx(0.8854, abs=5e-5)
    assert [row.threshold for row in found.facts["best_for"]] == [0.85, 0.60, 0.20]
    assert [row.slope_low for row in found.facts["best_for"]] == pytest.approx([4 / 3, 4 / 9, 0])


def test_ranges_join_without_gaps():
    best = roc_hull({"model": D}, cost_fn=3).facts["best_for"]
    assert best[0].slope_high == np.inf and best[-1].slope_low == 0
    assert best[0].prior_low == 0 and best[-1].prior_high == 1
    for one, other in pairwise(best):
        assert one.slope_low == other.slope_high
        assert one.prior_high == other.prior_low
        slope = (1 - one.prior_high) / (3 * one.prior_high)  # by the definition of the slope
        assert slope == pytest.approx(one.slope_low)


def test_equal_costs_at_the_slope_of_an_edge_tie_the_whole_edge():
    found = roc_hull({"model": D})  # 8 negative and 6 positive rows: slope 4/3, that of an edge
    assert [row.threshold for row in found.facts["optimal"]] == [0.85, 0.60]
    assert "tied-edge" in {note.code for note in found.notes}
    assert "tied-edge" not in {note.code for note in roc_hull({"model": D}, prior=0.5).notes}


def test_crisp_models_are_named_points_and_may_win():
    crisp = predictions(TRUTH, label=[1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0], positive=1)
    found = roc_hull({"curve": D, "point": crisp}, prior=0.5)
    assert [line.name for line in found.lines] == ["curve"]
    mark = next(mark for mark in found.marks if mark.name == "point")
    assert (mark.x, mark.y) == (1 / 8, 1.0)
    assert [row.model for row in found.facts["best_for"]] == ["curve", "point"]
    assert found.facts["optimal"][0].model == "point" and found.facts["optimal"][0].threshold is None
    assert found.facts["dominance"].relation == "cross"


def test_line_of_equal_cost_touches_the_best_point():
    found = roc_hull({"model": D}, prior=0.4, cost_fp=2)
    line = next(guide for guide in found.guides if guide.name == "equal cost")
    slope = 2 * 0.6 / 0.4
    assert np.diff(line.y) / np.diff(line.x) == pytest.approx(slope)
    best = found.facts["optimal"][0]
    assert np.interp(best.fpr, line.x, line.y) == pytest.approx(best.tpr)
    assert all(tpr - slope * fpr <= best.tpr - slope * best.fpr + 1e-12 for _, _, fpr, tpr in points({"m": D}))


@given(rows)
def test_hull_is_that_of_all_points(data):
    models = two_models(data)
    found = roc_hull(models)
    hull = hull_of(found)
    every = np.array([(fpr, tpr) for *_, fpr, tpr in points(models)] + [(0, 0), (1, 1), (1, 0)])
    assert (np.interp(every[:, 0], hull.x, hull.y) >= every[:, 1] - 1e-12)[every[:, 0] > 0].all()
    # the hull with the corner (1, 0) consists of our hull and that corner
    assert ConvexHull(every).volume == pytest.approx(found.facts["hull_area"])
    assert set(zip(hull.x.tolist(), hull.y.tolist(), strict=True)) <= {tuple(point) for point in every.tolist()}


@given(rows, rates, st.floats(0.1, 10), st.floats(0.1, 10))
def test_best_point_has_the_least_expected_cost_of_all(data, prior, cost_fp, cost_fn):
    models = two_models(data)
    facts = roc_hull(models, prior=prior, cost_fp=cost_fp, cost_fn=cost_fn).facts

    def cost(fpr, tpr):
        return prior * cost_fn * (1 - tpr) + (1 - prior) * cost_fp * fpr

    least = min(cost(fpr, tpr) for *_, fpr, tpr in points(models))
    assert facts["expected_cost"] == pytest.approx(least)
    for best in facts["optimal"]:
        assert cost(best.fpr, best.tpr) == pytest.approx(least)
        p = models.get(best.model.removesuffix(" inverted"))
        if p is not None:
            said = p.value <= best.threshold if best.model.endswith(" inverted") else p.value >= best.threshold
            assert rates_of(said, p.truth) == (best.fpr, best.tpr)


@given(rows, rates)
def test_best_for_agrees_with_the_best_point(data, prior):
    models = two_models(data)
    facts = roc_hull(models, prior=prior).facts
    inside = [row for row in facts["best_for"] if row.prior_low - 1e-9 <= prior <= row.prior_high + 1e-9]
    assert set(facts["optimal"]) <= set(inside)


def test_large_input_is_compiled_and_agrees_with_the_area_score():
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 20_000)
    value = truth + random.normal(size=20_000)
    p = predictions(truth, value=value, positive=1)
    assert roc_hull({"m": p}).facts["hull_area"] == pytest.approx(float(hull_auc.evaluate(p.ordering)))


def test_models_on_other_rows_share_one_hull():
    other = predictions([1, 0, 0], value=[2.0, 1.0, 0.0], positive=1)
    found = roc_hull({"d": D, "perfect": other})
    assert [row.model for row in found.facts["best_for"]] == ["perfect"]
    assert found.facts["prior"] == pytest.approx(7 / 17)


def test_weights_are_repeats():
    weight = np.arange(1, 15)
    heavy = predictions(TRUTH, value=SCORES, positive=1, weights=weight.astype(float))
    long = predictions(np.repeat(TRUTH, weight), value=np.repeat(SCORES, weight), positive=1)
    assert roc_hull({"m": heavy}).facts["expected_cost"] == pytest.approx(roc_hull({"m": long}).facts["expected_cost"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [({"prior": 0}, "prior"), ({"prior": 1.5}, "prior"), ({"cost_fp": 0}, "cost_fp"), ({"cost_fn": np.inf}, "cost_fn")],
)
def test_impossible_conditions_are_named(arguments, says):
    with pytest.raises(BadInput, match=says):
        roc_hull({"m": D}, **arguments)


def test_one_class_only():
    with pytest.raises(BadInput, match="no negative rows"):
        roc_hull({"m": predictions([1, 1], value=[1.0, 2.0], classes=[0, 1], positive=1)})


def test_positive_unlabelled_rows_are_refused():
    with pytest.raises(Refused, match="true negatives"):
        roc_hull({"m": predictions(TRUTH, value=SCORES, positive=1, labelled="positives")})


def test_several_models_on_a_roc_chart_have_one_hull_over_all():
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 200)
    models = {
        name: vc.predictions(truth, value=random.normal(size=200) + shift * truth, positive=1)
        for name, shift in {"a": 1.0, "b": 1.2}.items()
    }
    chart, alone = vc.curve(models, "roc"), vc.curve(models["a"], "roc")
    hull = next(guide for guide in chart.guides if guide.name == "hull")
    for line in chart.lines:
        assert (np.interp(line.x, hull.x, hull.y) >= line.y - 1e-12).all()
    assert {best.model for best in chart.facts["best_for"]} & {"a", "b"}
    assert not any(guide.name == "hull" for guide in alone.guides)


def test_a_model_below_the_diagonal_is_shown_inverted():
    upside_down = predictions([1 - one for one in TRUTH], value=SCORES, positive=1)
    labels = predictions(TRUTH, label=[1 - one for one in TRUTH], positive=1)
    found = roc_hull({"fine": D, "bad": upside_down, "opposite": labels})
    names = {guide.name: guide for guide in found.guides}
    assert names["bad inverted"].of == "bad" and "fine inverted" not in names
    assert np.trapezoid(names["bad inverted"].y, names["bad inverted"].x) == pytest.approx(1 - hull_auc_of(upside_down))
    mark = next(mark for mark in found.marks if mark.name == "opposite inverted")
    assert (mark.x, mark.y) == (
        0,
        1,
    ) and "best for priors 0 to 1" in mark.says  # always wrong, so inverted always right
    assert {row.model for row in found.facts["best_for"]} == {"opposite inverted"}
    assert [note.code for note in found.notes].count("inverted") == 2


def hull_auc_of(p):
    return vc.score(p, "auc")


def test_the_hull_names_what_each_model_is_best_for():
    worse = predictions(TRUTH, value=[-abs(one - 0.5) for one in SCORES], positive=1)
    found = roc_hull({"fine": D, "worse": worse})
    best = {row.model for row in found.facts["best_for"]}
    says = {mark.name: mark.says for mark in found.marks}
    assert says["fine"].startswith("best for priors 0 to ") and ("worse" in says) == ("worse" in best)


def test_the_hull_of_one_model_needs_no_name():
    assert [mark.name for mark in roc_hull({"fine": D}).marks] == ["least cost"]
