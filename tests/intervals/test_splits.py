"""Student's intervals over splits against published answers and other ways to compute them, and where they stop."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import skew
from scipy.stats import t as student
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import check
from veracity.evidence.score_matrix import LossTraits, SplitScores
from veracity.intervals.resampled import conservative_law, conservative_t, corrected_t
from veracity.lab import NearestRow, TwoGaussians, coverage

DIFFERENCES = (0.02, 0.04, -0.01, 0.03, 0.05, 0.00, 0.02, 0.03, 0.01, 0.01)

AT = Confidence(0.95)
REPEATS = "repeated_kfold(k=10, repeats=3)"


def test_ten_differences():
    s = SplitScores.of(DIFFERENCES, 9, 1)
    low, high, *_ = corrected_t.function(s, AT)
    assert (low, high) == pytest.approx((0.0010, 0.0390), abs=5e-5)
    assert s.spread == pytest.approx(0.01826, abs=5e-6)


def test_the_published_statistic_of_thirty_splits(reference):
    known = reference("correctR_expected.json")
    s = SplitScores.of(np.subtract(known["x"], known["y"]), known["n_train"], known["n_test"])
    low, high, *_ = corrected_t.function(s, AT)
    statistic = s.mean / ((high - low) / 2 / AT.t(known["df"]))
    assert statistic == pytest.approx(known["t"], abs=5e-7)


def test_sizes_of_folds_that_differ_give_one_over_k_minus_one():
    test = np.array([4, 3, 3])
    assert SplitScores.of([1, 2, 3], 10 - test, test).test_share == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("values", "code"), [([0.1], "one-split"), ([0.1] * 10, "no-spread"), ([0.1, np.nan, 0.2], "undefined-splits")]
)
def test_refuses(values, code):
    with pytest.raises(Refused) as why:
        check(corrected_t.limits, SplitScores.of(values, 9, 1))
    assert why.value.code == code


def test_few_splits_are_a_caution():
    codes = [note.code for note in check(corrected_t.limits, SplitScores.of([0.1, 0.2], 9, 1))]
    assert codes == ["few-splits"]


def test_equal_scores_have_no_spread_at_all():
    assert SplitScores.of([0.1] * 7, 9, 1).spread == 0.0


@pytest.mark.parametrize("wrong", [([], 1, 1), ([[1, 2]], 1, 1), ([1, 2], [1], 1), ([1, 2], 0, 1)])
def test_wrong_split_scores_are_told(wrong):
    with pytest.raises(BadInput):
        SplitScores.of(*wrong)


def test_training_sets_that_grow_are_a_caution():
    values = np.linspace(0.1, 0.3, 10)
    (note,) = check(corrected_t.limits, SplitScores.of(values, 10 * np.arange(1, 11), 10))
    assert note.code == "unequal-training" and note.says.endswith("(they have 10 to 100 rows)")
    folds = SplitScores.of(values, np.where(np.arange(10) < 3, 29, 30), np.where(np.arange(10) < 3, 4, 3))
    assert check(corrected_t.limits, folds) == ()


def repeated(values, k):
    """Scores of k folds, dealt again and again."""
    return SplitScores.of(values, k - 1, 1, np.arange(len(values)) // k)


def test_one_repeat_has_the_variance_of_corrected_t():
    s = SplitScores.of(DIFFERENCES, 9, 1)
    assert conservative_law(s).standard_error == s.standard_error
    even = SplitScores.of([0.1, 0.2, 0.3, 0.4, 0.5], 4, 1)  # no skewness either
    assert conservative_t.function(even, AT)[:2] == pytest.approx(corrected_t.function(even, AT)[:2])


@pytest.mark.parametrize(("k", "repeats"), [(10, 5), (5, 10), (2, 5)])
def test_several_repeats_have_the_variance_of_one(k, repeats):
    s = repeated(np.random.default_rng(1).normal(size=k * repeats), k)
    assert conservative_law(s).standard_error == pytest.approx(s.spread * math.sqrt(1 / k + 1 / (k - 1)))
    assert conservative_law(s).standard_error > s.standard_error


def test_hold_outs_are_repeats_of_one_split():
    s = SplitScores.of(np.random.default_rng(2).normal(size=25), 90, 10, np.arange(25))
    assert conservative_law(s).standard_error == pytest.approx(s.spread * math.sqrt(1 / 25 + 10 / 90 + 24 / 25 * 0.1))


def test_limits_by_scipy_and_a_search_for_the_roots():
    values = np.random.default_rng(3).gamma(1.0, size=50)
    a = skew(values) * math.sqrt(0.1) * 50 / 60 / 3
    error = values.std(ddof=1) * math.sqrt(1 / 10 + 1 / 9)

    def away(limit, quantile):
        t = (values.mean() - limit) / error
        return t + a * t**2 + a**2 * t**3 / 3 + a / 2 - quantile

    quantile = student.ppf(0.975, 15)
    wanted = [brentq(away, -50, 50, args=(sign * quantile,)) for sign in (1, -1)]
    found = conservative_t.function(repeated(values, 10), AT)
    assert (found.low, found.high) == pytest.approx(wanted)
    assert found.high - values.mean() > values.mean() - found.low


@given(st.lists(st.integers(0, 30), min_size=10, max_size=10).filter(lambda v: len(set(v)) > 1), st.integers(2, 9))
def test_the_same_folds_again_make_nothing_more_certain(values, repeats):
    one, many = repeated(values, 10), repeated(values * repeats, 10)
    assert (
        conservative_law(many).standard_error >= 0.94 * conservative_law(one).standard_error
    )  # the spread divides by J - 1


def test_corrected_t_says_where_it_is_too_narrow():
    values = np.random.default_rng(4).normal(size=20)
    one, two = (check(corrected_t.limits, s) for s in (SplitScores.of(values, 19, 1), repeated(values, 10)))
    assert not one
    assert [note.code for note in two] == ["repeated-splits"]
    assert "use conservative_t; in a simulated world (nearest row" in two[0].says
    assert two[0].says.endswith("it held 86% at 95%")


class Wrapped(DecisionTreeClassifier):
    """The very same learner under another name."""


def test_width_and_notes_do_not_depend_on_the_name_of_a_class(tmp_path):
    X = np.random.default_rng(2).normal(size=(80, 3))  # noqa: N806
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    learners = {"tree": DecisionTreeClassifier(random_state=0), "own": Wrapped(random_state=0)}
    designs = ["kfold(k=10)", "repeated_kfold(k=10, repeats=2)"]
    runs = vc.evaluate(learners, X, y, by=designs, seed=1, store=tmp_path / "results.db")
    for by in designs:
        tree, own = (vc.estimate(vc.read_runs(tmp_path / "results.db"), "error")[name, by] for name in learners)
        assert tree.value == own.value and tree.interval == own.interval and tree.notes == own.notes
        assert tree.interval == vc.estimate(runs, "error")["tree", by].interval
        assert tree.interval == vc.estimate(runs.predictions("tree", by=by), "error").rows[0].interval


def test_skewness_is_bounded_where_only_splits_tell_it():
    """Forty hold-outs of which four lie far out: the interval of a score, and of a difference, stays of one order."""
    random = np.random.default_rng(1)
    values = np.where(np.arange(40) % 10 == 0, 0.5, 0.08) + random.normal(0, 0.01, 40)
    s = SplitScores.of(values, 90, 10, np.arange(40))
    low, high, *_ = conservative_t.function(s, AT)
    assert abs(s.skewness) * math.sqrt(0.1) * 40 / 50 > 0.4
    error, t = conservative_law(s).standard_error, student.ppf(0.975, 15)
    for end, q in ((low, t), (high, -t)):
        x, a = (s.mean - end) / error, 0.4 / 3
        assert x + a * x**2 + a**2 * x**3 / 3 + a / 2 == pytest.approx(q)
    splits = vc.split_scores({"a": values, "b": np.zeros(40)}, train=90, test=10, repeats=40)
    compared = vc.compare(splits, using="conservative_t")
    assert compared.p_value == pytest.approx(2 * student.sf(abs(compared.statistic), 15))
    assert (compared.interval.low, compared.interval.high) == pytest.approx((low, high))
    assert (0 in compared.interval) is (compared.p_value >= 0.05)


def test_what_even_class_shares_hide_is_given_back():
    """Ten folds with three of ten rows of a class each, of which all err: the variance of a share, once."""
    truth, splits = np.tile([1, 1, 1, 0, 0, 0, 0, 0, 0, 0], 10), np.repeat(np.arange(10), 10)
    losses = truth.astype(float)
    traits = LossTraits.of(np.arange(100), losses).with_classes(losses, truth, splits)
    assert traits.spread_away == pytest.approx(0.3 * 0.7 / 10)
    even = replace(SplitScores.of(np.full(10, 0.3), 90, 10), losses=traits)
    assert conservative_law(even).standard_error == pytest.approx(math.sqrt(0.3 * 0.7 / 100))
    assert "no-spread" not in {note.code for note in check(conservative_t.limits, even)}
    drawn = np.random.default_rng(3).permutation(100)  # where chance spreads the classes, splits show it themselves
    shares = np.bincount(splits[drawn], losses) / 10
    shown = LossTraits.of(np.arange(100), losses).with_classes(losses, truth, splits[drawn])
    assert shown.spread_away == pytest.approx(max(0.3 * 0.7 / 10 - shares.var(ddof=1), 0))
    same = np.tile([1.0, 0.0], 50)  # classes that err alike hide nothing
    assert LossTraits.of(np.arange(100), same).with_classes(same, splits % 2, splits // 2).spread_away == 0


def with_losses(s, rows, losses):
    traits = LossTraits.of(np.asarray(rows), np.asarray(losses, float))
    return replace(s, losses=traits)


def test_traits_of_losses_by_brute_force():
    random = np.random.default_rng(8)
    table = random.gamma(0.5, size=(4, 30)) + 3 * random.gamma(0.5, size=30)  # (repeats, rows)
    found = LossTraits.of(np.tile(np.arange(30), 4), table.ravel())
    assert found.skewness == pytest.approx(skew(table.ravel()) / math.sqrt(30))
    assert found.between_models == pytest.approx(table.var(0, ddof=1).mean() / table.ravel().var(ddof=1))
    assert LossTraits.of(np.arange(30), table[0]).between_models is None  # each row was tried once
    assert LossTraits.of(np.arange(30), np.ones(30)) == LossTraits(None, None)


def test_models_that_differ_much_widen_the_interval_and_are_told():
    values, rows = np.linspace(0.1, 0.3, 20), np.tile(np.arange(50), 2)
    steady = conservative_law(repeated(values, 10)).standard_error
    for kept, codes in ((0.96, []), (0.2, ["unstable-risk"])):  # the share of rows that lose the same again
        once = np.arange(50) % 3 == 0
        again = np.where(np.arange(50) < kept * 50, once, ~once)
        s = with_losses(repeated(values, 10), rows, np.concatenate([once, again]))
        assert [note.code for note in check(conservative_t.limits, s)] == codes
        beyond = max(s.losses.between_models - 0.15, 0)
        added = s.spread**2 * 5 * beyond / 10
        assert conservative_law(s).standard_error == pytest.approx(math.sqrt(steady**2 + added)) and (
            added > 0
        ) == bool(codes)
    (note,) = check(conservative_t.limits, s)
    assert note.weight == "remark"
    assert note.says.endswith(f"the interval is wider by {conservative_law(s).standard_error / steady - 1:.0%}")
    halves = SplitScores.of(
        values, 1, 1, np.arange(20) // 2
    )  # where half the rows are left out, all models differ more
    mixed = np.concatenate([once, np.where(np.arange(50) < 43, once, ~once)])
    assert not check(conservative_t.limits, with_losses(halves, rows, mixed))
    assert check(conservative_t.limits, with_losses(repeated(values, 10), rows, mixed))


def test_skewed_losses_bend_the_interval_and_are_a_caution():
    values, rows = np.linspace(0.1, 0.3, 10), np.arange(40)
    losses = np.where(rows == 7, 9.0, 0.1 + rows / 100)
    plain = with_losses(SplitScores.of(values, 9, 1), rows, rows)
    skewed = with_losses(SplitScores.of(values, 9, 1), rows, losses)
    assert "skewed-losses" in {note.code for note in check(conservative_t.limits, skewed)}
    assert "skewed-losses" not in {note.code for note in check(conservative_t.limits, plain)}
    low, high, *_ = conservative_t.function(skewed, AT)
    error, t = conservative_law(skewed).standard_error, student.ppf(0.975, 9)
    for end, q in ((low, t), (high, -t)):  # Hall's cubic at the most skewness that is taken
        x, a = (skewed.mean - end) / error, 0.4 / 3
        assert x + a * x**2 + a**2 * x**3 / 3 + a / 2 == pytest.approx(q)
    assert conservative_t.function(plain, AT)[:2] == pytest.approx(corrected_t.function(plain, AT)[:2])
    assert (skewed - plain).losses == LossTraits(None, None)  # of a difference the rows tell nothing


def test_the_traits_of_a_run_are_those_of_its_losses():
    random = np.random.default_rng(6)
    X, y = random.normal(size=(60, 3)), np.arange(60) % 2  # noqa: N806
    tree = "sklearn.tree:DecisionTreeClassifier(random_state=0)"
    runs = vc.evaluate({"tree": tree}, X, y, by=["repeated_kfold(k=10, repeats=3)", "kfold(k=10)"], seed=1)
    for score in ("error", "auc", "accuracy"):
        many, one = vc.estimate(runs, score).rows
        assert "unstable-risk" in {note.code for note in many.interval.notes}
        assert not {note.code for note in one.interval.notes} & {"unstable-risk", "assumed-unstable"}
    steady = vc.evaluate({"mean": "sklearn.dummy:DummyClassifier()"}, X, np.arange(60) % 3 == 0, by=REPEATS, seed=1)
    assert "unstable-risk" not in {note.code for note in vc.estimate(steady, "brier").rows[0].all_notes}


def test_the_default_is_one_whatever_the_repeats():
    random = np.random.default_rng(5)
    X, y = random.normal(size=(40, 2)), np.arange(40) % 2  # noqa: N806
    nested = "nested(outer=kfold(k=4), inner=kfold(k=2))"
    designs = ("kfold(k=5)", nested, "repeated_kfold(k=5, repeats=2)", "five_by_two")
    runs = vc.evaluate({"nb": "sklearn.naive_bayes:GaussianNB()"}, X, y, by=list(designs), seed=1)
    methods = [vc.estimate(runs, "error")[by].interval.method for by in designs]
    assert methods == ["conservative_t"] * 4


@pytest.mark.slow
def test_more_fits_do_not_make_the_answer_less_true():
    world, widths = TwoGaussians(distance=1.3, features=1), []
    for repeats in (1, 5, 10):
        by = f"repeated_kfold(k=10, repeats={repeats})"
        narrow, wide = coverage(
            world, NearestRow, by=by, methods=["corrected_t", "conservative_t"], rows=90, trials=500, seed=8
        )
        assert wide.coverage + 2 * wide.error >= 0.93
        widths.append(wide.width)
        if repeats > 1:
            assert narrow.coverage < 0.93 < wide.coverage and wide.width < 1.5 * narrow.width
    assert widths[2] == pytest.approx(widths[1], rel=0.05) and widths[1] < 1.02 * widths[0]
