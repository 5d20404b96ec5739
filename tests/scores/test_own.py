"""A user's own score: used at once, described, pickled, checked."""

import pickle
import types

import numpy as np
import pytest

import veracity as vc
from veracity.scores import scores
from veracity.scores.own import per_counts, per_ordering, per_row

NUMBERS = vc.predictions([1.0, 2, 4], number=[2.0, 2, 3])
CLASSES = vc.predictions([1, 0, 1, 0, 1], proba=[0.9, 0.2, 0.6, 0.7, 0.4], positive=1)


@per_row(title="Linex loss", needs="number", better="lower", cite=("varian1975",))
def linex(p, *, a=1.0):
    """Loss that grows exponentially on one side and linearly on the other."""
    gap = a * (p.number - p.truth)
    return np.exp(gap) - gap - 1


@per_row("Typical factor", needs="number", better="lower", link=np.exp, range=(1, np.inf), cite=("my own notes",))
def factor(p):
    """By what factor a prediction is typically off."""
    return np.abs(np.log(p.number / p.truth))


@per_counts("Wrong per right", better="lower", undefined="nothing is right")
def odds(c):
    """Rows predicted wrong for each row predicted right."""
    return np.where(c.correct > 0, (c.total - c.correct) / np.maximum(c.correct, 1), np.nan)


@per_counts("Half of recall", better="higher", one_class=True)
def half_recall(c):
    """Half of recall."""
    return c.tp / (c.tp + c.fn) / 2


@per_ordering("Area by hand", better="higher", range=(0, 1))
def area(o):
    """The area under the ROC curve by trapezoids."""
    x, y = o.fp / o.all_negatives[..., None], o.tp / o.all_positives[..., None]
    return ((x[..., 1:] - x[..., :-1]) * (y[..., 1:] + y[..., :-1]) / 2).sum(-1)


def test_a_row_score_is_the_mean_over_rows():
    gap = np.array([1.0, 0, -1])
    assert vc.score(NUMBERS, linex) == pytest.approx(np.mean(np.exp(gap) - gap - 1))
    assert vc.score(NUMBERS, linex(a=2)) == pytest.approx(np.mean(np.exp(2 * gap) - 2 * gap - 1))


def test_a_link_maps_the_mean():
    assert vc.score(NUMBERS, factor) == pytest.approx(np.exp((np.log(2) + 0 + np.log(4 / 3)) / 3))


def test_scores_of_counts_and_orderings():
    assert vc.score(CLASSES, odds) == pytest.approx(2 / 3)
    assert vc.score(CLASSES, half_recall) == pytest.approx(vc.score(CLASSES, "recall") / 2)
    assert vc.score(CLASSES, area) == pytest.approx(vc.score(CLASSES, "auc"))


def test_an_own_score_is_estimated_beside_others_and_found_by_name():
    random = np.random.default_rng(0)
    truth = random.normal(size=40)
    p = vc.predictions(truth, number=truth + random.normal(size=40))
    card = vc.estimate(p, [linex(a=0.5), "mae"], interval="mean_t")
    row = card["linex(a=0.5)"]
    assert row.interval.low < row.value < row.interval.high
    assert card["mae"].interval.method == "mean_t"


def test_an_own_score_has_bootstrap_intervals():
    truth = [0, 1] * 30
    p = vc.predictions(truth, proba=np.random.default_rng(0).random(60), positive=1)
    for own in (area, odds):
        interval = vc.estimate(p, own, interval="percentile(draws=1999)").values()[0].interval
        assert interval.low < vc.score(p, own) < interval.high


def test_nothing_was_registered():
    assert "linex" not in scores


@pytest.mark.parametrize("own", [linex, odds, area])
def test_pickled_as_a_load_by_name(own):
    assert pickle.loads(pickle.dumps(own)) is own


def test_citations_may_be_free_text():
    assert "real estate" in linex.references[0]
    assert factor.references == ("my own notes",)
    assert linex.sentence.startswith("Loss that grows")


def test_undefined_carries_the_reason():
    wrong = vc.predictions([0, 1], label=[1, 0])
    assert vc.score(wrong, odds).reason == "nothing is right"


def test_a_wrong_number_of_values_is_named():
    @per_row("Broken", needs="number", better="lower")
    def broken(p):
        return p.number.mean()

    with pytest.raises(vc.BadInput, match=r"broken gave numbers of shape \(\) for 3 rows"):
        vc.score(NUMBERS, broken)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"needs": "features", "better": "lower"}, "needs is one of label, proba, value, number"),
        ({"needs": "label", "better": "smaller"}, "better is one of higher, lower"),
        ({"needs": "label", "better": "lower", "range": (1, 0)}, "range is"),
        ({"needs": "label", "better": "lower", "cite": "varian1975"}, "cite is a tuple"),
    ],
)
def test_wrong_declarations_are_refused_where_they_are_written(fields, says):
    with pytest.raises(vc.BadInput, match=says):
        per_row("Wrong", **fields)


def test_an_own_score_needs_its_kind_of_predictions():
    with pytest.raises(vc.BadInput, match="linex needs predicted numbers"):
        vc.score(CLASSES, linex)


def of_name(name, score):
    """The same score under another name."""
    function = score.function
    renamed = types.FunctionType(function.__code__, function.__globals__, name, None, function.__closure__)
    renamed.__kwdefaults__, renamed.__doc__ = function.__kwdefaults__, function.__doc__
    make = {per_counts: {"one_class": getattr(score, "one_class", False)}, per_ordering: {}}
    kind = per_counts if hasattr(score, "one_class") else per_ordering
    return kind(score.title, better=score.better, range=score.range, **make[kind])(renamed)


@per_ordering("Share of positives in the top tenth", better="higher")
def top_tenth(o):
    """The share of positive rows among the tenth of highest value."""
    rows = o.tp + o.fp
    at = np.argmax(rows >= rows[..., -1:] / 10, axis=-1)
    return np.take_along_axis(o.tp / np.maximum(rows, 1), at[..., None], axis=-1)[..., 0]


def two_models(rows):
    random = np.random.default_rng(0)
    y = random.integers(0, 2, rows)
    return {
        name: vc.predictions(y, proba=1 / (1 + np.exp(-y * shift - random.normal(size=rows))), positive=1)
        for name, shift in (("a", 2.0), ("b", 1.0))
    }


@pytest.mark.parametrize(("rows", "using"), [(300, None), (20_000, "paired_bootstrap(draws=100)")])
def test_a_score_that_bears_the_name_of_another_is_compared_as_itself(rows, using):
    """Once many rows of a score called auc got DeLong's standard error of the area under the curve."""
    models = two_models(rows)
    mine, same = (vc.compare(models, score, using=using) for score in (top_tenth, of_name("auc", top_tenth)))
    assert mine.using == same.using != "delong_t"
    assert str(same).replace("auc", "top_tenth") == str(mine)


@pytest.mark.parametrize(
    "name",
    ["fbeta", "youden", "balanced_error", "balanced_accuracy", "kappa", "mcc", "cost", "recall", "error", "accuracy"],
)
def test_an_interval_does_not_depend_on_the_name_of_a_score(name):
    """Each of these names chose an interval of its own, which then was that of another score."""
    p = vc.predictions([1, 0, 1, 0, 1, 1, 0, 0] * 20, proba=np.linspace(0.05, 0.95, 160), positive=1)
    mine, same = (vc.estimate(p, score, seed=1).rows[0] for score in (odds, of_name(name, odds)))
    assert same.value == mine.value
    assert str(same.interval).replace(name, "odds") == str(mine.interval)


@pytest.mark.parametrize("name", ["positive_likelihood_ratio", "fbeta", "recall"])
def test_an_interval_for_one_score_is_refused_for_another_of_its_name(name):
    for method in ("log_ratio", "f1_exact"):
        with pytest.raises(vc.VeracityError, match="is an interval for"):
            vc.estimate(CLASSES, of_name(name, half_recall), interval=method)


def test_a_threshold_is_chosen_by_a_score_called_cost_as_by_any_other():
    """It has no matrix of costs that could be refused."""
    mine, same = (vc.best_threshold(CLASSES, score) for score in (odds, of_name("cost", odds)))
    assert str(same).replace("cost", "odds") == str(mine)


@pytest.mark.parametrize("name", ["error", "accuracy"])
def test_a_score_called_error_is_not_tested_by_mcnemar(name):
    truth, score = [1, 0, 1, 0, 1, 0], of_name(name, odds)
    models = {
        "a": vc.predictions(truth, label=[1, 0, 1, 1, 0, 0]),
        "b": vc.predictions(truth, label=[0, 0, 1, 0, 1, 0]),
    }
    for method in ("mcnemar", "clustered_mcnemar"):
        with pytest.raises(vc.VeracityError, match="error or accuracy, not"):
            vc.compare(models, score, using=method)
    with pytest.raises(vc.VeracityError):
        vc.score(vc.predictions(correct=[1, 0, 1]), score)
    with pytest.raises(vc.VeracityError):
        vc.score(vc.errors(3, of=9), score)


@pytest.mark.parametrize(("name", "using"), [("auc", "delong_t"), ("error", "mcnemar_midp")])
def test_a_refusal_tells_an_own_score_from_the_one_whose_name_it_bears(name, using):
    def half(p):
        """Half of the probability."""
        return p.proba / 2

    half.__name__ = half.__qualname__ = name
    own = per_row("Half", needs="proba", better="higher")(half)
    with pytest.raises(vc.VeracityError, match=f"not your own {name}"):
        vc.compare({"a": CLASSES, "b": CLASSES}, own, using=using)


def test_a_score_called_recall_needs_the_negatives_that_it_reads():
    p = vc.predictions([1, None, 1, None], proba=[0.9, 0.2, 0.6, 0.7], positive=1, labelled="positives")
    assert vc.score(p, "recall") == 1
    with pytest.raises(vc.VeracityError, match="needs the true negatives"):
        vc.score(p, of_name("recall", odds))
    assert not of_name("auc", top_tenth).measurements()


@pytest.mark.parametrize("given", [5, None, (0,), (0, 1, 2), (1, 0), ("low", "high")])
def test_a_range_is_two_numbers(given):
    with pytest.raises(vc.BadInput, match="range is \\(lowest, highest\\), such as"):
        per_row("Loss", needs="number", better="lower", range=given)
