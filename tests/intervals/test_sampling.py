"""Weighted and clustered rows widen intervals rightly."""

import numpy as np
import pytest

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.evidence.proportion import Proportion
from veracity.intervals.attach import attach_default, attach_interval

SCORES = ["error", "recall", "fbeta", "kappa", "auc", "average_precision", "brier", "log_loss"]
TIMES = 4


def ends(interval):
    return interval.low, interval.high


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("method", ["default", "percentile(draws=1999)", "delta"])
def test_repeated_groups_tell_no_more_than_one_row_each(of_rows, two_classes, score, method):
    truth, chance = two_classes(400, seed=3)
    plain = of_rows(score, truth, proba=chance, positive=1)
    grouped = of_rows(
        score,
        np.repeat(truth, TIMES),
        proba=np.repeat(chance, TIMES),
        positive=1,
        groups=np.repeat(np.arange(400), TIMES),
    )
    if method == "default":
        first, second = (attach_default(m, Confidence())[0] for m in (plain, grouped))
    else:
        first, second = (attach_interval(m, method, Confidence()) for m in (plain, grouped))
    assert grouped.value == pytest.approx(plain.value)
    assert ends(second) == pytest.approx(ends(first), abs=0.08 * first.width)


def test_groups_are_noted(of_rows):
    m = of_rows("error", [0, 1] * 20, label=[0, 1, 1, 1, 0] * 8, groups=np.arange(40) // 4)
    assert "clustered-rows" in [note.code for note in attach_interval(m, "wilson", Confidence()).notes]
    assert "clustered-rows" in [note.code for note in attach_interval(m, "delta", Confidence()).notes]


def test_groups_of_one_change_nothing(of_rows, two_classes):
    truth, chance = two_classes(300)
    plain = of_rows("auc", truth, proba=chance, positive=1)
    alone = of_rows("auc", truth, proba=chance, positive=1, groups=np.arange(300))
    assert ends(attach_interval(alone, "delta", Confidence())) == pytest.approx(
        ends(attach_interval(plain, "delta", Confidence())), abs=1e-3
    )


def test_error_free_groups_count_once(of_rows):
    m = of_rows("error", [0, 1] * 50, label=[0, 1] * 50, groups=np.arange(100) // 10)
    share = m.view(Proportion)
    assert (share.hits, share.rows) == (0, 10)


def test_equal_weights_change_nothing(of_rows):
    truth, said = [0, 1] * 50, [0, 1, 1, 0, 1] * 20
    plain = attach_interval(of_rows("error", truth, label=said), "wilson", Confidence())
    weighted = attach_interval(of_rows("error", truth, label=said, weights=np.full(100, 7.0)), "wilson", Confidence())
    assert ends(weighted) == pytest.approx(ends(plain))
    assert "weighted-rows" in [note.code for note in weighted.notes]


def test_kish_rows_of_a_rate(of_rows):
    weights = np.array([1.0, 2, 3, 4, 5, 6])
    share = of_rows("recall", [1, 1, 1, 0, 0, 0], label=[1, 0, 1, 1, 0, 0], positive=1, weights=weights).view(
        Proportion
    )
    assert share.rows == pytest.approx(36 / 14)
    assert share.share == pytest.approx(4 / 6)


def test_weights_against_a_bootstrap_of_rows(of_rows, two_classes):
    truth, chance = two_classes(1000, seed=6)
    weights = np.random.default_rng(0).exponential(size=1000)
    for score in ("auc", "fbeta", "brier"):
        m = of_rows(score, truth, proba=chance, positive=1, weights=weights)
        assert m.linear.standard_error == pytest.approx(m.replicates(3000, 1).std(), rel=0.08)


def test_counts_are_plain_rows(of_rows):
    times = np.array([3, 1, 4, 2])
    truth, chance = np.array([0, 1, 1, 0]), np.array([0.2, 0.4, 0.8, 0.6])
    for score in ("error", "auc", "brier"):
        repeated = of_rows(score, truth, proba=chance, positive=1, counts=times)
        written_out = of_rows(score, np.repeat(truth, times), proba=np.repeat(chance, times), positive=1)
        first, second = (attach_default(m, Confidence())[0] for m in (repeated, written_out))
        assert ends(first) == pytest.approx(ends(second))


@pytest.mark.parametrize("score", ["error", "recall", "fbeta", "kappa", "auc", "brier"])
@pytest.mark.parametrize("beside", ["weights", "groups"])
@pytest.mark.parametrize("method", ["default", "percentile(draws=200)"])
def test_repeats_beside_weights_or_groups_are_rows(of_rows, two_classes, score, beside, method):
    truth, chance = two_classes(90, seed=5)
    times = np.arange(90) % 3 + 1
    extra = np.linspace(0.5, 2, 90) if beside == "weights" else np.arange(90) // 2
    short = of_rows(score, truth, proba=chance, positive=1, counts=times, **{beside: extra})
    truth, chance, extra = (np.repeat(part, times) for part in (truth, chance, extra))
    long = of_rows(score, truth, proba=chance, positive=1, **{beside: extra})
    found = [
        attach_default(m, Confidence())[0] if method == "default" else attach_interval(m, method, Confidence())
        for m in (short, long)
    ]
    assert ends(found[0]) == pytest.approx(ends(found[1]))
    assert [note.says for note in found[0].notes] == [note.says for note in found[1].notes]


@pytest.mark.parametrize(("groups", "expected"), [(29, True), (30, False)])
def test_few_groups_are_told(of_rows, two_classes, groups, expected):
    truth, chance = two_classes(300, seed=1)
    found = attach_default(
        of_rows("error", truth, proba=chance, positive=1, groups=np.arange(300) % groups), Confidence()
    )[0]
    assert ("few-groups" in {note.code for note in found.notes}) is expected


def test_huge_weights_do_not_overflow(of_rows, two_classes):
    truth, chance = two_classes(100, seed=1)
    light, heavy = (of_rows("error", truth, proba=chance, positive=1, weights=np.full(100, w)) for w in (1.0, 1e300))
    assert ends(attach_default(heavy, Confidence())[0]) == pytest.approx(ends(attach_default(light, Confidence())[0]))


@pytest.mark.slow
@pytest.mark.parametrize("score", ["auc", "fbeta"])
def test_delta_holds_with_ten_groups(of_rows, score):
    """Rows of a group share their difficulty; without Student's quantile 95 % were 84 % to 87 %."""
    random = np.random.default_rng(0)

    def drawn(groups, rows):
        group = np.repeat(np.arange(groups), rows)
        truth = random.random(groups * rows) < 0.4
        chance = 1 / (1 + np.exp(0.5 - truth - random.normal(size=groups)[group] - random.normal(size=len(group))))
        return of_rows(score, truth.astype(int), proba=chance, positive=1, groups=group)

    true = drawn(200_000, 2).value
    found = [attach_interval(drawn(10, 50), "delta", Confidence()) for _ in range(600)]
    assert np.mean([low <= true <= high for low, high in map(ends, found)]) > 0.92


def test_weights_that_go_with_errors_count_fewer_rows_than_kish():
    wrong = np.arange(200) % 10 == 0
    truth = np.arange(200) % 2
    weights = np.where(wrong, 20.0, 4.0)
    p = vc.predictions(truth, label=np.where(wrong, 1 - truth, truth), weights=weights)
    found = vc.estimate(p, "error")["error"]
    share = weights[wrong].sum() / weights.sum()
    variance = (weights**2 * (wrong - share) ** 2).sum() / weights.sum() ** 2
    rows = share * (1 - share) / variance
    assert rows < weights.sum() ** 2 / (weights**2).sum()
    z = 1.959963984540054
    half = z * np.sqrt(share * (1 - share) / rows + z**2 / (4 * rows**2)) / (1 + z**2 / rows)
    assert (found.interval.high - found.interval.low) / 2 == pytest.approx(half)


def test_one_group_tells_nothing_of_other_groups():
    p = vc.predictions([0, 1, 0, 1], label=[0, 1, 1, 1], groups=["a"] * 4)
    found = vc.estimate(p, "error")["error"]
    assert found.interval is None
    assert any("one group" in note.says for note in found.notes)
