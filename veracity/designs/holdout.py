"""Designs that hold part of the rows back: once, several times, or for two purposes."""

from __future__ import annotations

import numpy as np

from veracity.designs.entry import Makes, Said, design
from veracity.designs.in_time import ascending, earlier, gap_of, in_order, left_out_note, windows
from veracity.designs.parts import chosen, dealt
from veracity.designs.sizes import held_out, whole
from veracity.designs.streams import stream
from veracity.designs.variants import Variant, no_repeats_in_time, variant
from veracity.records.design import Rows, Split


@design("Hold-out", cite=("witten2011",))
def holdout(
    rows: Rows,
    random: np.random.Generator,
    *,
    test: float = 0.333,
    stratified: Said = "auto",
    grouped: Said = "auto",
    ordered: Said = "auto",
    gap: int = 0,
) -> Makes:
    """A share of the rows, drawn at random, tests one model trained on all others.

    With time known, the last rows test and those strictly before them train, `gap` rows apart.
    """
    how = variant(rows, stratified, grouped, ordered)
    return _holdouts(rows, random, 1, held_out(len(rows), test=test), how, gap)


@design("Repeated hold-out", cite=("picard1984", "nadeau2003"))
def repeated_holdout(
    rows: Rows,
    random: np.random.Generator,
    *,
    repeats: int = 25,
    test: float = 0.1,
    stratified: Said = "auto",
    grouped: Said = "auto",
    ordered: Said = "auto",
    gap: int = 0,
) -> Makes:
    """Several hold-outs drawn independently of each other, also called Monte Carlo cross-validation."""
    how = variant(rows, stratified, grouped, ordered)
    return _holdouts(rows, random, whole("repeats", repeats), held_out(len(rows), test=test), how, gap)


def _holdouts(
    rows: Rows, random: np.random.Generator, repeats: int, sizes: tuple[int, ...], how: Variant, gap: int
) -> Makes:
    apart = gap_of(gap, how)
    if how.ordered:
        no_repeats_in_time(repeats, "holdout")
        yield from windows(rows, [(sizes[1], len(rows))], how, apart)
        return
    for repeat in range(repeats):
        tests = dealt(rows, sizes, how, stream(random, repeat)) == 0
        yield Split(chosen(~tests), chosen(tests), repeat=repeat)


@design("Three-way split", cite=("witten2011",))
def three_way(
    rows: Rows,
    random: np.random.Generator,
    *,
    validation: float = 0.2,
    test: float = 0.2,
    stratified: Said = "auto",
    grouped: Said = "auto",
    ordered: Said = "auto",
    gap: int = 0,
) -> Makes:
    """Training rows fit, validation rows choose, test rows only report; each row has one of the three uses.

    With time known, training lies before validation and validation before test.
    """
    how = variant(rows, stratified, grouped, ordered)
    apart = gap_of(gap, how)
    sizes = held_out(len(rows), test=test, validation=validation)
    if how.ordered:
        yield from _three_in_time(rows, sizes, how, apart)
        return
    part = dealt(rows, sizes, how, stream(random, 0))
    yield Split(chosen(part == 2), chosen(part == 0), validation=chosen(part == 1))


def _three_in_time(rows: Rows, sizes: tuple[int, ...], how: Variant, gap: int) -> Makes:
    order, first, second = in_order(rows), sizes[2], sizes[2] + sizes[1]
    test, middle, start = order[second:], order[first : max(first, second - gap)], order[: max(0, first - gap)]
    validation = earlier(rows, middle, test, how)
    train = earlier(rows, start, np.concatenate([validation, test]), how)
    yield Split(ascending(train), ascending(test), validation=ascending(validation))
    yield from left_out_note(len(middle) + len(start) - len(validation) - len(train))
