"""Student's tests of two fixed models: scipy's answer, hand-made blocks, and what they refuse."""

import numpy as np
import pytest
from scipy import stats

import veracity as vc
from veracity.comparisons.paired_t import paired_blocks_t, paired_loss_t, student_test
from veracity.contests.compare import compare
from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import generator
from veracity.evidence.make_predictions import predictions
from veracity.evidence.predictions import subset
from veracity.evidence.same_rows import SameRows
from veracity.scores import scores

RANDOM = np.random.default_rng(4)
TRUTH = RANDOM.integers(0, 2, 200)
CHANCES = [np.clip(0.35 + 0.3 * TRUTH + 0.25 * RANDOM.normal(size=200), 0.01, 0.99) for _ in range(2)]
MODELS = {name: predictions(TRUTH, proba=one, positive=1) for name, one in zip("ab", CHANCES, strict=True)}


def pair(score):
    return SameRows.of(scores.choose(score), *MODELS.values())


def losses(score):
    if score == "error":
        return [(one >= 0.5) != TRUTH for one in CHANCES]
    return [-np.log(np.where(TRUTH == 1, one, 1 - one)) for one in CHANCES]


@pytest.mark.parametrize("score", ["error", "log_loss"])
def test_over_rows_it_is_scipys_paired_t(score):
    first, second = (np.asarray(one, float) for one in losses(score))
    expected = stats.ttest_rel(first, second)
    low, high = expected.confidence_interval()
    found = compare(MODELS, score, using="paired_loss_t")
    assert (found.statistic, found.p_value, found.df) == pytest.approx((expected.statistic, expected.pvalue, 199))
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))


def test_accuracy_has_the_other_sign():
    error, accuracy = (paired_loss_t.function(pair(score)) for score in ("error", "accuracy"))
    assert accuracy.statistic == pytest.approx(-error.statistic)
    assert accuracy.estimate == pytest.approx(pair("accuracy").difference)


@pytest.mark.parametrize("score", ["auc", "error"])
def test_blocks_are_scored_one_by_one(score):
    same = pair(score)
    block = generator(7, "blocks").permutation(200) % 5
    each = [
        SameRows.of(same.score, subset(same.first, block == j), subset(same.second, block == j)).difference
        for j in range(5)
    ]
    assert np.bincount(block).tolist() == [40] * 5
    expected = stats.ttest_1samp(each, 0)
    found = paired_blocks_t.function(same, k=5, seed=7)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert (found.estimate, found.df) == (pytest.approx(np.mean(each)), 4)


def test_small_blocks_are_refused_unless_asked_for_anyway():
    with pytest.raises(Refused, match="use k = 6 or fewer"):
        compare(MODELS, "error", using="paired_blocks_t(k=10)")
    found = compare(MODELS, "error", using="paired_blocks_t(k=10)", anyway=True)
    assert 0 < found.p_value <= 1 and not found.rejected
    with pytest.raises(BadInput, match="at least 2 blocks"):
        compare(MODELS, "error", using="paired_blocks_t(k=1)")
    with pytest.raises(Refused, match="cannot be cut into 150 blocks"):
        compare(MODELS, "error", using="paired_blocks_t(k=150)", anyway=True)


def test_what_is_no_mean_over_rows_is_refused():
    with pytest.raises(Refused, match="not a mean over rows"):
        compare(MODELS, "auc", using="paired_loss_t")


def test_infinite_losses_are_refused():
    certain = predictions(TRUTH, proba=np.where(TRUTH == 1, 0.0, 0.5), positive=1)
    with pytest.raises(Refused, match="undefined or infinite"):
        compare({"a": MODELS["a"], "b": certain}, "log_loss", using="paired_loss_t")


def test_no_spread():
    assert student_test(np.zeros(5)).p_value == 1
    assert student_test(np.full(5, 0.1)).notes[0].weight == "refuse"


NUMBERS = {
    name: predictions(np.arange(30.0), number=np.arange(30.0) + spread * RANDOM.normal(size=30))
    for name, spread in (("a", 1), ("b", 2))
}


def test_the_root_of_a_mean_differs_exactly_where_the_mean_does():
    root, mean = (compare(NUMBERS, score) for score in ("rmse", "mse"))
    assert (root.using, mean.using) == ("paired_delta", "paired_loss_t")
    assert (root.statistic, root.p_value) == pytest.approx((mean.statistic, mean.p_value))
    scale = root.difference / mean.difference
    assert root.interval.low == pytest.approx(scale * mean.interval.low)


def test_a_score_made_linear_agrees_with_what_is_linear_already():
    for score, using in (("brier", "paired_loss_t"), ("auc", "delong_test")):
        found, known = (compare(MODELS, score, using=one) for one in ("paired_delta", using))
        assert found.statistic == pytest.approx(known.statistic, rel=0.01)
        assert found.difference == pytest.approx(known.difference)


def test_its_error_is_that_of_the_bootstrap():
    found = compare(MODELS, "fbeta", using="paired_delta").interval
    drawn = compare(MODELS, "fbeta", using="paired_bootstrap").interval
    assert (found.low, found.high) == pytest.approx((drawn.low, drawn.high), abs=0.02)


def test_what_rows_do_must_be_known():
    @vc.per_ordering("First", better="higher")
    def first_block(o):
        """Share of positive rows in the first block."""
        return o.positives[..., 0] / (o.positives[..., 0] + o.negatives[..., 0])

    with pytest.raises(Refused, match="what a row does to first_block is not known: use paired_bootstrap"):
        compare(MODELS, first_block, using="paired_delta")


@pytest.mark.parametrize("score", ["fbeta", "mcc", "balanced_accuracy", "average_precision"])
def test_a_score_that_is_no_mean_counts_each_class_by_itself(score):
    found = compare(MODELS, score)
    assert found.using == "paired_delta" and 0 < found.df < 199
    influence = pair(score).influence
    assert influence.mean() == pytest.approx(0, abs=1e-6)
    parts = [np.square(influence[c == TRUTH]).sum() * n / (n - 1) / 200**2 for c, n in enumerate(np.bincount(TRUTH))]
    assert found.statistic == pytest.approx(found.difference / np.sqrt(sum(parts)))


def test_of_an_area_it_is_delongs_test():
    found, known = (compare(MODELS, "auc", using=using) for using in ("paired_delta", "delong_t"))
    assert (found.statistic, found.df) == pytest.approx((known.statistic, known.df))


def test_a_class_of_one_row_counts_with_the_largest():
    truth = np.append(np.tile([0, 1], 15), 2)
    labels = [np.where(RANDOM.random(31) < 0.7, truth, (truth + 1) % 3) for _ in range(2)]
    found = compare({name: predictions(truth, label=one) for name, one in zip("ab", labels, strict=True)}, "kappa")
    assert found.using == "paired_delta" and 0 < found.p_value <= 1 and found.df < 30


def test_few_rows_have_no_default_unless_of_a_mean():
    few = {name: subset(p, np.arange(9)) for name, p in MODELS.items()}
    with pytest.raises(Refused, match="fewer than 10 rows, or groups of rows, are too few to make a score linear"):
        compare(few, "fbeta")
    numbers = {name: subset(p, np.arange(4)) for name, p in NUMBERS.items()}
    assert compare(numbers, "rmse").p_value == pytest.approx(compare(numbers, "mse").p_value)
    with pytest.raises(Refused, match="fewer than 10 rows, or groups of rows, are too few to draw from"):
        compare(numbers, "median_absolute_error")


def test_skewed_differences_have_a_caution():
    truth = np.zeros(40)
    for size, told in ((generator(0, "skewed").lognormal(0, 1, 40), True), (np.linspace(-1, 1, 40), False)):
        models = {"a": predictions(truth, number=size), "b": predictions(truth, number=np.full(40, 0.5))}
        notes = compare(models, "mae").notes
        assert ("skewed-losses" in {note.code for note in notes}) is told


def test_where_skewed_differences_have_none_the_test_errs_as_it_says():
    random, rejected, given = generator(2, "skewed differences"), 0, 0
    for _ in range(600):
        differences = random.exponential(size=100) - 1  # of mean 0
        models = {
            "a": predictions(np.zeros(100), number=5 + differences),
            "b": predictions(np.zeros(100), number=np.full(100, 5.0)),
        }
        found = compare(models, "mae")
        if "skewed-losses" not in {note.code for note in found.notes}:
            given += 1
            rejected += found.p_value < 0.05
    assert given > 100 and rejected / given < 0.06 + 2 * (0.06 * 0.94 / given) ** 0.5


def test_an_undefined_difference_is_not_tested_as_if_it_varied():
    """Accepted all the same it has no spread, and the result says so."""
    one_label = {name: predictions([0, 1], label=[0, 0], positive=1) for name in "ab"}
    found = compare(one_label, "mcc", using="paired_delta", anyway=True)
    assert found.p_value == 1 and {"undefined", "no-spread"} <= {note.code for note in found.notes}
