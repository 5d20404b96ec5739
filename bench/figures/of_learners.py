"""Tests of two learners on splits, and of several over many data sets; post hoc tests and adjustments."""

from __future__ import annotations

from collections.abc import Iterator

from bench.figures.specification import Specification, families, power, size

OF_SPLITS = ("resampled_t", "kfold_t", "corrected_t", "conservative_t", "correlated_t_posterior")
OF_TWO = ("wilcoxon", "sign", "paired_t", "averaged_t", "sign_posterior")
OF_ALL = ("friedman", "iman_davenport", "quade", "aligned_ranks", "anova", "skillings_mack")
ALONE = ("nemenyi", "tukey", "bonferroni_dunn", "dunnett")
ADJUSTMENTS = ("bonferroni", "sidak", "holm", "holland", "finner", "hochberg", "hommel", "rom", "li")
OF_PAIRS = ("shaffer", "shaffer_dynamic", "bergmann_hommel")
DISCOVERIES = ("benjamini_hochberg", "benjamini_yekutieli")


def splits() -> Iterator[Specification]:
    """Differences on splits whose correlation is what the tests take it to be, lower, and higher."""
    for world in ("splits", "splits(repeats=10)"):
        yield from size(world, OF_SPLITS if "repeats" in world else OF_SPLITS[1:], (200,), anyway=True)
    yield from size("splits(repeats=10, within=0.3, between=0.35)", OF_SPLITS, (200,), anyway=True)
    yield from size("splits(within=0.3)", OF_SPLITS[1:], (200,), anyway=True)
    for world in ("splits(k=2, repeats=5, within=0.0, between=0.0)", "splits(k=2, repeats=5, within=0.0, between=0.3)"):
        yield from size(world, ("five_by_two_t", "five_by_two_f", "corrected_t", "conservative_t"), (200,))
    yield from size("splits(k=30, independent=True)", ("ideal_z",), (200,))
    yield from power("splits(repeats=10, effect=1.0)", OF_SPLITS[2:], (200,))
    yield from power(
        "splits(k=2, repeats=5, within=0.0, between=0.3, effect=2.0)", ("five_by_two_t", "five_by_two_f"), (200,)
    )
    yield from power("splits(k=30, independent=True, effect=0.5)", ("ideal_z",), (200,))


def data_sets() -> Iterator[Specification]:
    """One score of each learner on each data set."""
    yield from size("equal_orders(learners=2)", ("wilcoxon", "sign"), (6, 8, 10))
    yield from size("equal_orders(learners=3)", ("friedman", "friedman(exact=True)", "iman_davenport", "quade"), (3, 4))
    for world in ("", ", law='heavy'", ", law='skewed'", ", unequal=1.0", ", digits=0"):
        yield from size(f"data_sets(learners=2{world})", OF_TWO, (10, 30))
    for world in ("", ", law='heavy'", ", unequal=1.0", ", digits=0"):
        yield from size(f"data_sets(learners=5{world})", OF_ALL, (6, 15))
    zeros = ("wilcoxon(zeros='drop')", "wilcoxon(zeros='pratt')", "sign(ties='split')")
    yield from size("data_sets(learners=2, digits=0)", zeros, (10, 30))
    yield from size("data_sets(learners=5, missing=0.2)", ("skillings_mack",), (10, 30))
    yield from size("data_sets(learners=2, splits=10)", ("two_level",), (8, 20))
    yield from size("data_sets(learners=2, splits=10, unequal=1.0)", ("two_level",), (8, 20))
    yield from size("data_sets(learners=2)", ("signed_rank_posterior",), (10,), trials=300)
    yield from size("data_sets(learners=4)", ("plackett_luce",), (10,), trials=300)
    yield from size("data_sets(learners=2, splits=10)", ("hierarchical_posterior",), (8,), trials=60)
    yield from power("data_sets(learners=2, effect=1.0)", OF_TWO, (10, 30))
    yield from power("data_sets(learners=5, effect=1.0)", OF_ALL, (15,), trials=500)
    yield from power("data_sets(learners=2, splits=10, effect=1.0)", ("two_level",), (8, 20), trials=500)
    yield from power("data_sets(learners=2, effect=1.0)", ("signed_rank_posterior",), (10,), trials=100)
    yield from power("data_sets(learners=4, effect=1.0)", ("plackett_luce",), (10,), trials=100)


def family_errors() -> Iterator[Specification]:
    """Claims of pairs that are equal, where all are and where one differs; and of p-values."""
    by_ranks = tuple(f"mean_ranks then {name}" for name in (*ADJUSTMENTS, *OF_PAIRS, *DISCOVERIES))
    others = ("quade then holm", "aligned_ranks then holm", "wilcoxon then holm", "wilcoxon then bergmann_hommel")
    for world in ("data_sets(learners=4)", "data_sets(learners=4, effect=2.0)"):
        yield from families("size", world, (*ALONE, *by_ranks, *others), (10, 30))
    yield from families("size", "data_sets(learners=4, law='heavy', unequal=1.0)", (*ALONE, *others), (15,))
    yield from families("power", "data_sets(learners=4, effect=1.0)", (*ALONE, *by_ranks, *others), (15,), trials=500)
    for world in ("p_values(tests=10)", "p_values(tests=10, real=4)", "p_values(tests=10, real=4, correlation=0.6)"):
        yield from families("size", world, (*ADJUSTMENTS, *DISCOVERIES), (1,), trials=4_000)
    yield from families("power", "p_values(tests=10, real=4)", (*ADJUSTMENTS, *DISCOVERIES), (1,), trials=2_000)
