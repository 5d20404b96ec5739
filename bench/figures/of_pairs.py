"""Tests and intervals of two or more models on the same rows or on different ones, and of one against a value."""

from __future__ import annotations

from collections.abc import Iterator

from bench.figures.specification import Specification, coverage, over_shares, power, size

MCNEMAR = ("mcnemar", "mcnemar_exact", "mcnemar_midp", "mcnemar_z")
PAIRED = ("paired_wald", "newcombe_paired", "tango", "bonett_price")
ROWS = ("paired_loss_t", "paired_delta", "paired_permutation(draws=999)", "paired_bootstrap(draws=999)")
OF_AREAS = ("delong_test", "delong_t", "paired_delta", "paired_permutation(draws=999)", "paired_bootstrap(draws=999)")
MARGIN = "(margin={}, of='paired_loss_t')"


def pairs() -> Iterator[Specification]:
    """Sizes, then power."""
    yield from over_shares("size", "two_models(share=0.5, discordant={share})", MCNEMAR, (20, 50))
    yield from size("two_models(share=0.2, discordant=0.1)", MCNEMAR, (40, 100))
    yield from over_shares("size", "two_shares(share={share})", ("two_proportion_z",), (20, 40))
    yield from size("two_models(share=0.3, discordant=0.3)", (*ROWS, "paired_blocks_t(k=3)"), (100,), trials=500)
    for law in ("normal", "heavy", "skewed"):
        yield from size(f"two_losses(law={law!r})", ROWS, (25, 100), trials=500)
    yield from size("two_losses", ("paired_blocks_t(k=5)",), (150, 500))
    for positives in ("0.5", "0.1"):
        yield from size(f"two_orderings(positives={positives})", OF_AREAS, (60, 200), trials=500)
    for unequal in ("False", "True"):
        methods = ("clustered_mcnemar", "paired_loss_t", "paired_delta")
        yield from size(f"two_in_groups(unequal={unequal})", methods, (100, 300))
    yield from size("two_models(discordant=0.2, oversampled=3)", ("paired_loss_t", "paired_delta"), (60, 200))
    yield from size("several_models", ("cochran_q",), (30, 100))
    yield from size("several_models(models=8, share=0.1)", ("cochran_q",), (30, 100))
    yield from size("shares(share=0.3)", ("one_sample(value=0.3)",), (20, 50, 100))
    yield from size("normal_errors", ("one_sample(value=1)",), (30, 100))
    yield from size("normal_values(distance=0)", ("one_sample(value=0.5)",), (40, 100))
    for margin in (0.3, 0.5):
        tests = tuple(f"{name}{MARGIN.format(margin)}" for name in ("tost", "non_inferiority"))
        yield from size(f"two_losses(effect={margin})", tests, (50, 200))
        yield from power("two_losses", tests, (50, 200))
    yield from _power()


def _power() -> Iterator[Specification]:
    for effect in (0.05, 0.1):
        yield from power(f"two_models(share=0.2, discordant=0.2, effect={effect})", MCNEMAR, (100,))
    yield from power("two_models(share=0.3, discordant=0.3, effect=0.1)", ROWS, (100,), trials=500)
    yield from power("two_shares(share=0.2, effect=0.2)", ("two_proportion_z",), (40,))
    yield from power("two_losses(effect=0.3)", ROWS, (100,), trials=500)
    yield from power("two_losses(effect=0.3)", ("paired_blocks_t(k=5)",), (150,))
    yield from power("two_orderings(effect=0.05)", OF_AREAS, (100,), trials=300)
    yield from power("two_in_groups(effect=0.1)", ("clustered_mcnemar", "paired_loss_t"), (300,))
    yield from power("several_models(effect=0.1)", ("cochran_q",), (100,))
    yield from power("shares(share=0.2)", ("one_sample(value=0.3)",), (50, 100))


def differences() -> Iterator[Specification]:
    """Coverage of intervals of a difference."""
    for discordant, effect in ((0.1, 0.0), (0.3, 0.0), (0.3, 0.15)):
        yield from coverage(f"two_models(share=0.2, discordant={discordant}, effect={effect})", PAIRED, (20, 40))
    for share, effect in ((0.1, 0.0), (0.3, 0.0), (0.2, 0.2)):
        world = f"two_shares(share={share}, effect={effect})"
        yield from coverage(world, ("newcombe", "wald_difference"), (20, 40))
    for positives in ("0.5", "0.1"):
        world = f"two_orderings(positives={positives}, effect=0.05)"
        yield from coverage(world, ("delong_difference", "delong_t", "paired_delta"), (100,))
    for law in ("normal", "heavy", "skewed"):
        world = f"two_losses(law={law!r}, effect=0.3)"
        yield from coverage(world, ("paired_loss_t", "paired_bootstrap(draws=999)"), (20, 100))
    yield from coverage("two_in_groups(effect=0.05)", ("paired_loss_t", "paired_delta"), (100, 300))
