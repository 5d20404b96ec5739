"""Comparing two models on the same rows."""

import numpy as np
import pytest

import veracity as vc
from veracity.contests.compare import compare
from veracity.core.errors import BadInput, Refused
from veracity.evidence.make_predictions import predictions


def models():
    truth = np.repeat([0, 1, 0, 1], [60, 15, 5, 20])
    first = np.concatenate([truth[:75], 1 - truth[75:]])
    second = np.where((np.arange(100) < 60) | ((np.arange(100) >= 75) & (np.arange(100) < 80)), truth, 1 - truth)
    return predictions(truth, label=first), predictions(truth, label=second)


def test_error_difference_is_first_minus_second():
    first, second = models()
    found = compare({"old": first, "new": second}, "error")
    assert found.difference == pytest.approx(-0.10)
    assert (found.interval.low, found.interval.high) == pytest.approx((-0.1933, -0.0125), abs=5e-5)
    assert found.interval.method == "mcnemar_midp"
    assert (found.n01, found.n10) == (5, 15)
    assert "lower (better)" in str(found)


def test_accuracy_turns_the_sign():
    first, second = models()
    assert compare({"old": first, "new": second}, "accuracy").difference == pytest.approx(0.10)


def test_json_has_the_keys_of_the_contract():
    first, second = models()
    found = compare({"a": first, "b": second}, "error", using="mcnemar").to_json()
    keys = "score using a b difference low high level statistic p_value df n01 n10 alternative notes"
    assert list(found) == keys.split()


@pytest.mark.parametrize("using", ["mcnemar", "mcnemar_z", "mcnemar_exact", "mcnemar_midp"])
@pytest.mark.parametrize(
    ("interval", "limits"),
    [
        ("newcombe_paired", (0.0120, 0.1866)),
        ("tango", (0.0134, 0.1924)),
        ("bonett_price", (0.0099, 0.1861)),
        ("paired_wald", (0.0146, 0.1854)),
    ],
)
def test_every_form_of_mcnemar_has_counts_and_an_interval(using, interval, limits):
    first, second = models()
    found = compare({"old": first, "new": second}, "accuracy", using=using, interval=interval)
    assert (found.n01, found.n10) == (5, 15)
    assert (found.interval.low, found.interval.high) == pytest.approx(limits, abs=5e-5)
    assert found.interval.method == interval
    own = compare({"old": first, "new": second}, "accuracy", using=using).interval
    assert own.method == using and (own.low > 0) is (found.p_value < 0.05)


def test_identical_models():
    first, _ = models()
    found = compare({"a": first, "b": first}, "error")
    assert (found.difference, found.p_value, found.n01, found.n10) == (0, 1, 0, 0)
    assert found.interval.low < 0 < found.interval.high
    assert "equals that of b" in str(found)


def test_limits_beyond_possible_differences_are_clipped_and_said_so():
    truth = np.arange(6) % 2
    found = compare(
        {"a": predictions(truth, label=truth), "b": predictions(truth, label=np.abs(truth - [1, 1, 1, 1, 1, 0]))},
        "accuracy",
        interval="paired_wald",
        level=0.999,
    )
    assert found.interval.high == 1 and "clipped" in {note.code for note in found.all_notes}


def test_rows_of_another_order_are_told_from_other_rows():
    first, second = (predictions(p.truth, label=p.label, rows=np.arange(100)) for p in models())
    turned = predictions(second.truth[::-1], label=second.label[::-1], rows=np.arange(100)[::-1])
    with pytest.raises(BadInput, match="same row ids in another order: sort both"):
        compare({"a": first, "b": turned}, "error")
    others = predictions(second.truth, label=second.label, rows=np.arange(1, 101))
    with pytest.raises(BadInput, match="row ids of the two models differ"):
        compare({"a": first, "b": others}, "error")


@pytest.mark.parametrize("extra", ["weights", "groups"])
def test_rows_that_are_not_plain_are_refused_by_what_counts_them(extra):
    first, second = (predictions(p.truth, label=p.label, **{extra: np.arange(1, 101)}) for p in models())
    for using in ("mcnemar_midp", "cochran_q"):
        with pytest.raises(Refused, match="counts independent rows, and these are weighted or in groups: use"):
            compare({"a": first, "b": second}, "error", using=using)


def test_different_positive_classes_are_refused():
    first, second = (predictions(p.truth, label=p.label, positive=one) for p, one in zip(models(), (0, 1), strict=True))
    with pytest.raises(BadInput, match="different positive classes"):
        compare({"a": first, "b": second}, "recall")


def test_different_rows_are_refused():
    first, _ = models()
    shorter = predictions(first.truth[:-1], label=first.truth[:-1])
    with pytest.raises(BadInput, match="two_proportion_z compares shares of different rows"):
        compare({"a": first, "b": shorter}, "error")
    other = predictions(1 - first.truth, label=first.truth)
    with pytest.raises(BadInput, match="truths of the two models differ"):
        compare({"a": first, "b": other}, "error")


def test_only_shares_of_right_rows():
    first, second = models()
    with pytest.raises(BadInput, match="compares error or accuracy"):
        compare({"a": first, "b": second}, "kappa", using="mcnemar")


@pytest.mark.parametrize("pairs", [[], "ab", [1, 2], [("a", "b", "c")], 5])
def test_pairs_that_are_none(pairs):
    first, second = models()
    with pytest.raises(BadInput, match="pairs= names pairs, such as"):
        compare({"a": first, "b": second}, pairs=pairs)


def test_a_pair_that_is_named_twice():
    first, second = models()
    with pytest.raises(BadInput, match="the pair a, b is named twice"):
        compare({"a": first, "b": second}, pairs=[("a", "b"), ("a", "b")])


def test_one_model_is_not_several():
    with pytest.raises(BadInput, match="compare needs two models or learners, not 1"):
        compare({"a": models()[0]}, using="cochran_q")


@pytest.mark.parametrize("using", ["mcnemar", "mcnemar_z", "mcnemar_exact", "mcnemar_midp", "paired_loss_t"])
def test_no_p_value_is_zero(using):
    truth = np.tile([0, 1], 3000)
    wrong = np.where(np.arange(6000) == 0, truth, 1 - truth)
    found = compare({"a": predictions(truth, label=truth), "b": predictions(truth, label=wrong)}, using=using)
    assert 0 < found.p_value < 1e-300


def test_classes_that_differ_are_told_as_such():
    truth = np.tile([0, 1], 10)
    with pytest.raises(BadInput, match="the classes of the two models are 0, 1 and 1, 0: give both the same"):
        compare({"a": predictions(truth, label=truth), "b": predictions(truth, label=truth, classes=[1, 0])})


def test_an_interval_that_does_not_fit_names_those_that_do():
    first, second = models()
    with pytest.raises(Refused, match=r"the rows that one model gets right; use .*tango") as told:
        compare({"a": first, "b": second}, interval="wilson")
    assert "mcnemar" not in str(told.value)


def test_a_refused_test_is_no_verdict_in_a_table_either():
    first, second = models()
    found = compare({"a": first, "b": second}, using="two_proportion_z", anyway=True, pairs=[("a", "b")])
    assert "not valid" in found.to_markdown() and not found[0].rejected


@pytest.mark.parametrize(("interval", "contradicts"), [("newcombe_paired", True), ("tango", False), (None, False)])
def test_an_interval_that_contradicts_the_p_value_is_told(interval, contradicts):
    """Three of three rows: p is .125, and newcombe_paired leaves out 0."""
    first, second = (predictions([0, 1, 1], label=label) for label in ([1, 0, 0], [0, 1, 1]))
    found = compare({"a": first, "b": second}, "error", interval=interval)
    told = [note.says for note in found.notes if note.code == "interval-contradicts"]
    assert bool(told) is contradicts and (found.p_value, 0 in found.interval) == (0.125, not contradicts)
    assert all("leaves out 0, but mcnemar_midp says p = 0.125" in says for says in told)


@pytest.mark.parametrize("choice", [{"data": "iris"}, {"data": ["iris"]}, {"by": "kfold(k=10)"}])
def test_what_chooses_from_runs_is_refused_of_what_is_none(choice):
    word = next(iter(choice))
    models = {name: vc.predictions([0, 1, 1, 0] * 5, label=[0, 1, k, 0] * 5) for k, name in enumerate("ab")}
    matrix = vc.score_matrix([[1.0, 2.0]] * 6)
    for source in (models, matrix, vc.pairs(n01=3, n10=4, of=20)):
        with pytest.raises(vc.BadInput, match=f"`{word}=` chooses from runs"):
            vc.compare(source, **choice)
    if word == "by":
        with pytest.raises(vc.BadInput, match="`by=` chooses from runs"):
            vc.rank(matrix, **choice)


def test_a_score_that_judges_nothing_is_neither_better_nor_worse():
    models = {name: vc.predictions([0, 1, 1, 0] * 9, label=[0, 1, k, 0] * 9, positive=1) for k, name in enumerate("ab")}
    found = vc.compare(models, "positive_rate")
    assert "is 0.25 lower than that of b" in str(found)
    assert "is 0.25 higher (worse) than that of b" in str(vc.compare(models, "error"))


@pytest.mark.parametrize("name", ["f1", "F1 score", "f_measure", "fbeta(beta=1)", "fbeta", "fbeta(beta=1.0)"])
def test_ready_scores_are_called_by_any_of_their_names(name):
    values = np.random.default_rng(0).random((8, 3))
    matrix = vc.score_matrix(values, score="fbeta")
    assert vc.rank(matrix, name).average_ranks == vc.rank(matrix).average_ranks
    for other in ("fbeta(beta=2)", "recall", "no such score"):
        with pytest.raises(vc.BadInput, match="these are scores already, of fbeta: leave out"):
            vc.rank(matrix, other)
    two = vc.score_matrix(values[:, :2], score="Percent correct")
    assert vc.compare(two, "percent_correct", using="wilcoxon").p_value == vc.compare(two, using="wilcoxon").p_value
