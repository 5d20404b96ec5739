"""Weighted and clustered rows widen intervals rightly."""

import numpy as np
import pytest
from scipy.stats import t as student

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.evidence.interval_evidence import Proportion
from veracity.intervals.compute import attach_default, attach_interval

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
        ends(attach_interval(plain, "delta", Confidence())), abs=2e-3
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


def test_weighted_rows_of_a_rate_by_hand(of_rows):
    weights = np.array([1.0, 2, 3, 4, 5, 6])
    share = of_rows("recall", [1, 1, 1, 0, 0, 0], label=[1, 0, 1, 1, 0, 0], positive=1, weights=weights).view(
        Proportion
    )
    held, hit = weights[:3] / 6, np.array([1, 0, 1])
    variance = np.square(held * (hit - 4 / 6) / (1 - held)).sum()
    assert share.rows == pytest.approx(4 / 6 * 2 / 6 / variance)
    assert share.share == pytest.approx(4 / 6)
    assert share.degrees == pytest.approx(1)  # the one miss makes two rows in effect


def test_a_share_with_groups_is_wilson_with_students_quantile(of_rows):
    wrong = np.arange(60) % 7 < 2
    truth = np.arange(60) % 2
    group = np.arange(60) ** 2 // 600  # of unequal size
    m = of_rows("error", truth, label=np.where(wrong, 1 - truth, truth), groups=group)
    size, hits = np.bincount(group), np.bincount(group, wrong)
    q, held = wrong.mean(), size / 60
    variance = np.square((hits - size * q) / 60 / (1 - held)).sum()
    kish = min(part.sum() ** 2 / (part**2).sum() for part in (size, hits, size - hits))
    rows, t = q * (1 - q) / variance, student.ppf(0.975, kish - 1)
    rows = min(rows, 60 * (t / 1.959963984540054) ** 2)
    half = t * np.sqrt(q * (1 - q) / rows + t**2 / (4 * rows**2)) / (1 + t**2 / rows)
    assert attach_interval(m, "wilson", Confidence()).width == pytest.approx(2 * half)


def test_groups_that_came_out_alike_tell_no_more_than_single_rows(of_rows):
    truth, said = [0, 1] * 50, [0, 1, 1, 0, 1] * 20
    plain = attach_interval(of_rows("error", truth, label=said), "wilson", Confidence())
    alike = attach_interval(of_rows("error", truth, label=said, groups=np.arange(100) // 5), "wilson", Confidence())
    assert ends(alike) == pytest.approx(ends(plain))


def test_two_groups_with_most_rows_are_few_groups(of_rows, two_classes):
    truth, chance = two_classes(500, seed=1)
    group = np.r_[np.repeat([0, 1], 220), 2 + np.arange(60)]
    for score in ("error", "brier", "auc", "kappa"):
        notes = attach_default(of_rows(score, truth, proba=chance, positive=1, groups=group), Confidence())[0].notes
        assert any(note.code == "few-groups" and "(2." in note.says for note in notes), score


@pytest.mark.parametrize("score", ["error", "brier", "kappa"])
def test_a_heavy_row_is_told_and_the_interval_is_not_narrow(of_rows, two_classes, score):
    truth, chance = two_classes(100, seed=2)
    heavy = of_rows(score, truth, proba=chance, positive=1, weights=np.r_[1e6, np.ones(99)])
    found = attach_default(heavy, Confidence())[0]
    assert found.width > 0.3
    assert any(note.code == "heavy-row" and note.weight == "caution" for note in found.notes)


@pytest.mark.parametrize("score", ["brier", "cost(matrix=((0,1),(5,0)))"])
def test_all_weight_in_one_row_has_no_interval(score):
    p = vc.predictions([0, 1, 1, 0], proba=[0.2, 0.7, 0.4, 0.6], positive=1, weights=[1e18, 1, 1, 1])
    found = next(iter(vc.estimate(p, score)))
    assert found.interval is None and any("holds all the weight" in note.says for note in found.notes)


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
    held = weights / weights.sum()
    rows = share * (1 - share) / np.square(held * (wrong - share) / (1 - held)).sum()
    assert rows < 1 / (held**2).sum()
    z = student.ppf(0.975, 2 * wrong.sum() - 1)
    half = z * np.sqrt(share * (1 - share) / rows + z**2 / (4 * rows**2)) / (1 + z**2 / rows)
    assert (found.interval.high - found.interval.low) / 2 == pytest.approx(half)


def test_one_group_tells_nothing_of_other_groups():
    p = vc.predictions([0, 1, 0, 1], label=[0, 1, 1, 1], groups=["a"] * 4)
    found = vc.estimate(p, "error")["error"]
    assert found.interval is None
    assert any("one group" in note.says for note in found.notes)
