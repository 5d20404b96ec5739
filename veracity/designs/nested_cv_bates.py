"""Every model that leaves out one fold, and every model that leaves out two."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from veracity.core.errors import Refused
from veracity.designs.entry import Makes, Said, design
from veracity.designs.folds import each_fold, fold_of_each_row
from veracity.designs.parts import chosen
from veracity.designs.sizes import whole
from veracity.designs.streams import stream
from veracity.designs.variants import variant
from veracity.records.design import Rows, Split

ONE, TWO = "one out", "two out"


@design("Nested scheme of Bates, Hastie and Tibshirani", cite=("bates2024",), several_kinds=True)
def nested_cv_bates(
    rows: Rows,
    random: np.random.Generator,
    *,
    k: int = 10,
    repeats: int = 50,
    stratified: Said = "auto",
    grouped: Said = "auto",
) -> Makes:
    """In each repeat k folds, all k models that leave one fold out and all k(k-1)/2 models that leave two folds out.

    A model tests all rows that it left out. Parts are called "one out" and "two out i j" with the folds left out.
    """
    how = variant(rows, stratified, grouped)
    if whole("k", k) < 3:
        raise Refused(f"leaving two folds out needs at least 3 folds, not {k}", "too-few-parts")
    for repeat in range(whole("repeats", repeats)):
        folds = fold_of_each_row(rows, k, how, stream(random, repeat))
        yield from each_fold(folds, k, repeat, ONE)
        for first, second in combinations(range(k), 2):
            tests = (folds == first) | (folds == second)
            yield Split(chosen(~tests), chosen(tests), repeat, first, f"{TWO} {first} {second}")


def folds_left_out(split: Split) -> tuple[int, ...]:
    """The one or two folds of its repeat that a split of this design left out."""
    if split.part.startswith(TWO):
        first, second = split.part.removeprefix(TWO).split()
        return int(first), int(second)
    return (split.fold,)
