"""Intervals of one model's scores, where all that they assume holds and where it does not."""

from __future__ import annotations

from collections.abc import Iterator

from bench.figures.specification import Specification, coverage, over_shares

SHARES = ("wald", "student_t", "wilson", "wilson_cc", "agresti_coull", "jeffreys", "mid_p", "clopper_pearson", "blaker")
SHARES += ("isaksson",)
BOOTSTRAPS = tuple(f"{name}(draws=999)" for name in ("percentile", "basic", "bca", "studentised"))
TWO = "confusion(matrix=((0.2, 0.05), (0.1, 0.65)))"
RARE = "confusion(matrix=((0.035, 0.015), (0.045, 0.905)))"
THREE = "confusion(matrix=((0.42, 0.02, 0.02), (0.03, 0.25, 0.05), (0.01, 0.04, 0.16)))"
AREAS = ("delong", "delong_logit", "hanley_mcneil", "delta_logit")


def shares() -> Iterator[Specification]:
    """Shares of rows, enumerated."""
    yield from over_shares("coverage", "shares(share={share})", SHARES, (10, 20, 50, 100))
    yield from coverage("shares(share=0.3)", SHARES, (40,))
    yield from coverage("shares(share=0.02)", SHARES, (50,))
    bounds = ("clopper_pearson", "hoeffding", "finite_class_bound(size_h=20)")
    yield from coverage("best_of(rules=20, share=0.3)", bounds, (50, 200))
    yield from coverage("best_of(rules=20, share=0.3)", (*bounds, "vc_bound(vc_dim=4)"), (2_000,))


def matrices() -> Iterator[Specification]:
    """Scores of confusion matrices."""
    for world, rows in ((TWO, (60, 200)), (RARE, (200,))):
        yield from coverage(world, ("f1_exact", "f1_exact(of='wilson')", "delta", "delta_half"), rows, score="fbeta")
        yield from coverage(world, ("delta", "delta_half", "bca(draws=999)"), rows, score="mcc")
        yield from coverage(world, ("square_and_add", "delta"), rows, score="balanced_accuracy")
        yield from coverage(world, ("square_and_add", "delta"), rows, score="youden")
        for ratio in ("positive_likelihood_ratio", "negative_likelihood_ratio"):
            yield from coverage(world, ("log_ratio", "score_ratio"), rows, score=ratio)
        yield from coverage(world, ("mean_score", "mean_t", "hall_t"), rows, score="cost(matrix=((0, 5), (1, 0)))")
    yield from coverage(TWO, ("delta_half", "delta"), (60, 200), score="lift")
    yield from coverage(THREE, ("delta", "delta_half", *BOOTSTRAPS), (120,), score="kappa")
    yield from coverage(THREE, ("square_and_add", "delta"), (120,), score="fbeta(average='macro')")
    for score in ("youden", "negative_likelihood_ratio"):
        yield from coverage(THREE, ("square_and_add", "delta"), (60,), score=f"{score}(average='macro')")


def orderings() -> Iterator[Specification]:
    """Scores of decision values: as many of both classes, few positive ones, ties, weights that go with the value."""
    for world in ("normal_values", "normal_values(distance=2.5, positives=0.3)", "normal_values(positives=0.1)"):
        yield from coverage(world, AREAS, (40, 100, 400))
    yield from coverage("normal_values(step=1.0)", AREAS, (100,))
    yield from coverage("normal_values(tilt=0.5)", ("delta", "delta_logit"), (100, 400))
    yield from coverage("normal_values(distance=3)", ("concordant_pairs",), (12, 20))
    world = "normal_values(positives=0.3)"
    for score in ("average_precision", "partial_auc", "lift_at", "break_even", "gain_area"):
        yield from coverage(world, ("delta", "delta_logit"), (150,), score=score)
    yield from coverage(world, ("equal_rates", "delta"), (150,), score="equal_error_rate")


def losses() -> Iterator[Specification]:
    """Means over rows and functions of them: normal, heavy, skewed, bounded, in groups."""
    means = ("mean_t", "hall_t", "percentile(draws=999)", "studentised(draws=999)", "bca(draws=999)")
    for world in ("skewed_losses", "skewed_losses(shape=0.25)", "heavy_errors(df=5)", "normal_errors"):
        yield from coverage(world, means, (30, 100))
    bounded = ("hoeffding", "empirical_bernstein", "betting", "mean_t", "hall_t")
    for world in ("probabilities", "probabilities(slope=3)"):
        yield from coverage(world, bounded, (50, 200), score="brier_half")
    yield from coverage("probabilities(slope=3)", ("mean_t", "hall_t"), (50, 200), score="log_loss")
    yield from coverage("normal_errors", ("order_statistics",), (20, 100), score="median_absolute_error")
    for score in ("r2", "correlation"):
        yield from coverage("normal_errors(bias=0.5)", ("jackknife_t", "delta"), (30, 100), score=score)
    for unequal in ("False", "True"):
        world = f"grouped_errors(unequal={unequal})"
        yield from coverage(world, ("wilson", "mean_t", "hall_t", "wald"), (60, 300))
