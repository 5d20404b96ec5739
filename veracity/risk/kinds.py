"""What a design's splits are like, seen from the splits themselves."""

from __future__ import annotations

import numpy as np

from veracity.evidence.split_scores import differ
from veracity.records.design import Design, Split


def kind_of(design: Design) -> str:
    """The estimator that a foreign splitter's splits are read by, from the splits alone."""
    if any(_overlaps(split) for split in design.splits):
        return "resubstitution"
    if len(design) == 1:
        return "holdout"
    if any(len(np.unique(split.train)) < len(split.train) for split in design.splits):
        return "loo_bootstrap"
    if all(len(split.test) == 1 for split in design.splits):
        return "leave_one_out"
    tested = np.bincount(np.concatenate([split.test for split in design.splits]), minlength=design.rows)
    return "kfold" if (tested == 1).all() else "repeated_holdout"


def _overlaps(split: Split) -> bool:
    return bool(np.isin(split.test, split.train).any())


def main_part(design: Design) -> tuple[int, ...]:
    """The numbers of the splits that an estimate is made of: of a design in parts, those of the first part."""
    first = design.splits[0].part
    return tuple(number for number, split in enumerate(design.splits) if split.part == first)


def trained_share(design: Design) -> str:
    """How much of the rows the models of the main part learned from, as a reader writes it."""
    splits = [design.splits[number] for number in main_part(design)]
    shares = [100 * split.learned_from / design.rows for split in splits]
    if differ([len(split.train) for split in splits]):
        return f"{min(shares):.3g} % to {max(shares):.3g} %"
    return f"{np.mean(shares):.3g} %"
