"""Two models on rows that are weighted, counted or in groups: brute force, invariances, and what is refused."""

from itertools import product

import numpy as np
import pytest

import veracity as vc

RANDOM = np.random.default_rng(8)
GROUP = np.repeat(np.arange(9), [1, 2, 3, 4, 5, 6, 9, 12, 18])
TRUTH = RANDOM.integers(0, 2, len(GROUP))
SHARED = 0.3 * RANDOM.normal(size=9)[GROUP]
CHANCES = [np.clip(0.3 + 0.4 * TRUTH + SHARED * sign + 0.2 * RANDOM.normal(size=60), 0.02, 0.98) for sign in (1, -1)]
WEIGHTS = RANDOM.gamma(2, size=60)


def models(chosen=slice(None), **more):
    return {
        name: vc.predictions(TRUTH[chosen], proba=one[chosen], positive=1, classes=[0, 1], **more)
        for name, one in zip("ab", CHANCES, strict=True)
    }


def shape(found):
    return {key: value for key, value in found.to_json().items() if key not in ("notes", "groups")}


@pytest.mark.parametrize("score", ["error", "auc", "brier", "fbeta", "balanced_accuracy", "average_precision"])
@pytest.mark.parametrize("using", [None, "paired_permutation", "paired_bootstrap", "paired_delta"])
def test_counts_are_repeated_rows(score, using):
    counts = RANDOM.integers(1, 4, 60)
    counted = vc.compare(models(counts=counts), score, using=using)
    repeated = vc.compare(models(np.repeat(np.arange(60), counts)), score, using=using)
    assert counted.to_json() == repeated.to_json()


def test_counts_in_groups_too():
    counts = RANDOM.integers(1, 4, 60)
    every = np.repeat(np.arange(60), counts)
    counted = vc.compare(models(counts=counts, groups=GROUP), "error")
    assert counted.to_json() == vc.compare(models(every, groups=GROUP[every]), "error").to_json()


@pytest.mark.parametrize("score", ["error", "accuracy", "brier"])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_the_error_is_that_of_leaving_out_each_group(score, weights):
    found = vc.compare(models(groups=GROUP, weights=weights), score)
    assert found.using == "paired_loss_t" and found.to_json()["groups"] == 9
    assert "clustered-rows" in {note.code for note in found.notes} and ", 9 groups)" in str(found)
    left_out = []
    for one in range(9):
        kept = one != GROUP
        less = None if weights is None else weights[kept]
        values = [float(vc.score(p, score)) for p in models(kept, weights=less).values()]
        left_out.append(values[0] - values[1])
    squares = np.square(np.subtract(left_out, found.difference)).sum()
    assert found.statistic == pytest.approx(found.difference / np.sqrt(squares))
    weight = np.bincount(GROUP, weights)
    assert found.df == pytest.approx(weight.sum() ** 2 / np.square(weight).sum() - 1)


@pytest.mark.parametrize("score", ["error", "auc", "brier", "fbeta"])
def test_groups_of_one_row_are_rows(score):
    grouped = vc.compare(models(groups=np.arange(60)), score, using="paired_delta")
    plain = vc.compare(models(), score, using="paired_delta")
    assert grouped.p_value == pytest.approx(plain.p_value, rel=0.1)
    assert grouped.difference == pytest.approx(plain.difference)


@pytest.mark.parametrize("score", ["error", "auc", "rmse", "fbeta", "correlation"])
def test_weights_count_by_their_proportion(score):
    numbers = score in ("rmse", "correlation")
    each = []
    for scale in (1, 1000):
        weights = WEIGHTS * scale
        pair = models(weights=weights)
        if numbers:
            pair = {name: vc.predictions(SHARED + TRUTH, number=p.proba, weights=weights) for name, p in pair.items()}
        each.append(vc.compare(pair, score))
    assert each[0].p_value == pytest.approx(each[1].p_value, rel=1e-6)
    assert 0 < each[0].p_value < 1 and each[0].interval.low < each[0].difference < each[0].interval.high


@pytest.mark.parametrize("score", ["error", "brier", "auc"])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_whole_groups_are_swapped(score, weights):
    found = vc.compare(models(groups=GROUP, weights=weights), score, using="paired_permutation")
    extreme = 0
    for swapped in product((False, True), repeat=9):
        mask = np.array(swapped)[GROUP]
        first, second = np.where(mask, CHANCES[1], CHANCES[0]), np.where(mask, CHANCES[0], CHANCES[1])
        values = [
            float(vc.score(vc.predictions(TRUTH, proba=one, positive=1, weights=weights), score))
            for one in (first, second)
        ]
        extreme += abs(values[0] - values[1]) >= abs(found.difference) - 1e-12
    assert found.p_value == pytest.approx(extreme / 2**9)


@pytest.mark.parametrize("score", ["error", "auc"])
def test_whole_groups_are_drawn(score):
    found = vc.compare(models(groups=GROUP), score, using="paired_bootstrap", anyway=True)
    random, differences = np.random.default_rng(0), []
    for _ in range(400):
        rows = np.concatenate([np.flatnonzero(one == GROUP) for one in random.integers(0, 9, 9)])
        differences.append(np.subtract(*(float(vc.score(p, score)) for p in models(rows).values())))
    assert (found.interval.low, found.interval.high) == pytest.approx(
        np.quantile(differences, [0.025, 0.975]), abs=0.06
    )
    corrected = vc.compare(models(groups=GROUP), score, using="paired_bootstrap(interval=bca)", anyway=True).interval
    assert corrected.low < found.difference < corrected.high


def test_clustered_mcnemar_by_hand():
    right = [(one >= 0.5) == TRUTH for one in CHANCES]
    apart = np.bincount(GROUP, right[0].astype(int) - right[1])
    obuchowski = vc.compare(models(groups=GROUP), "accuracy", using="clustered_mcnemar")
    assert obuchowski.statistic == pytest.approx(apart.sum() / np.sqrt(9 / 8 * (apart**2).sum()))
    durkalski = vc.compare(models(groups=GROUP), "error", using="clustered_mcnemar(weigh=groups)")
    means = apart / np.bincount(GROUP)
    assert durkalski.statistic == pytest.approx(-means.sum() / np.sqrt((means**2).sum()))
    single = vc.compare(models(groups=np.arange(60)), "accuracy", using="clustered_mcnemar(weigh=groups)")
    assert single.statistic == pytest.approx(vc.compare(models(), "accuracy", using="mcnemar_z").statistic)


def test_several_models_in_groups():
    three = {**models(groups=GROUP), "c": vc.predictions(TRUTH, proba=CHANCES[0][::-1], positive=1, groups=GROUP)}
    found = vc.compare(three, "error")
    assert len(found) == 3 and {row["groups"] for row in found.to_json()["comparisons"]} == {9}
    assert "rows come in 9 groups" in str(found)


@pytest.mark.parametrize(
    ("first", "second", "score", "using", "says"),
    [
        ({"groups": GROUP}, {}, "error", None, "the groups of the two models differ: give both the same, `groups=`"),
        ({"groups": GROUP}, {"groups": GROUP[::-1]}, "auc", None, "the groups of the two models differ"),
        ({"weights": WEIGHTS}, {"weights": WEIGHTS + 1}, "brier", None, "the weights of the two models differ"),
        ({"counts": GROUP + 1}, {"counts": GROUP + 2}, "brier", None, "the counts of the two models differ"),
        ({"groups": np.zeros(60)}, None, "error", None, "one group holds all the weight"),
        (
            {"groups": np.zeros(60)},
            None,
            "error",
            "clustered_mcnemar",
            "one group says nothing about how groups differ",
        ),
        ({"weights": np.where(np.arange(60) == 3, 1e12, 1e-6)}, None, "brier", None, "one row holds all the weight"),
        ({"weights": np.where(np.arange(60) == 3, 1e12, 1e-6)}, None, "error", None, "one row holds all the weight"),
        ({"groups": GROUP}, None, "error", "mcnemar_midp", "counts independent rows, .*: use paired_loss_t"),
        ({"groups": GROUP}, None, "error", "cochran_q", "counts independent rows"),
        ({"weights": WEIGHTS}, None, "auc", "delong_test", "weighted or in groups: use delong_t"),
        ({"weights": WEIGHTS}, None, "auc", "paired_blocks_t(k=2)", "use paired_delta or paired_permutation"),
        ({}, None, "error", "clustered_mcnemar", "rows in groups of equal weight: use mcnemar_midp"),
        ({"weights": WEIGHTS}, None, "auc", "paired_bootstrap(stratified=True)", "stratified=True draws plain rows"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(first, second, score, using, says):
    pair = {"a": models(**first)["a"], "b": models(**(first if second is None else second))["b"]}
    with pytest.raises(vc.VeracityError, match=says) as told:
        vc.compare(pair, score, using=using)
    assert "\n" not in str(told.value)
