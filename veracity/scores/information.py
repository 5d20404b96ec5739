"""How much the probabilities tell beyond the class shares, in bits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.losses import Losses
from veracity.evidence.predictions import Predictions
from veracity.evidence.row_sums import Columns, RowSums
from veracity.records.arrays import Array, ratio
from veracity.scores.on_rows import row_score
from veracity.scores.probability import surprise

FEW = 20  # rows of a class
MANY = 50  # classes: of more, the shares are taken as known
ANY = (-np.inf, np.inf)
LN2 = math.log(2)
IMPOSSIBLE = "a class has share 0 and was given probability 0, or there is one class only"
UNKNOWN = "the class shares of the training rows are unknown: give `prior=` to predictions, or ask for baseline='test'"


def _shares(p: Predictions, baseline: str) -> Array | None:
    """The class shares to beat; None where they are unknown."""
    if baseline not in ("train", "test"):
        raise BadInput(f"baseline is 'train' or 'test', not {baseline!r}")
    if baseline == "train":
        return None if p.prior is None else np.array(p.prior)
    total: Array = p.class_weights / p.class_weights.sum()
    return total


def _why(evidence: Losses, baseline: str = "train", **_: object) -> str | None:
    return UNKNOWN if baseline == "train" and np.isnan(evidence.columns).all() else None


def _tells(evidence: Losses, baseline: str = "train", **_: object) -> tuple[Note, ...]:
    known = ", taken as known" if evidence.width == 1 else ""
    of = "training" if baseline == "train" else "test"
    notes: tuple[Note, ...] = (
        Note("baseline", "remark", f"measured against the class shares of the {of} rows{known}"),
    )
    if evidence.width > 1 and evidence.smallest < FEW:
        says = f"a class has fewer than {FEW} test rows: its share is poorly known, and the interval may be too narrow"
        notes += (Note("small-class", "caution", says),)
    return notes


def _bits_from_means(*means: Array, baseline: str = "train", relative: bool = False) -> Array:
    """Return the bits told, from the means of the columns: the shares of the test rows are estimated with them."""
    if len(means) == 1:
        return means[0]
    told, entropy, *_ = _bits_and_entropy(np.stack(means, -1))
    return ratio(told, entropy) if relative else told


def _bits_and_entropy(means: Array) -> tuple[Array, ...]:
    """Return the bits told, the entropy of the class shares, these and the shares of rows that were helped, by class,
    and the logarithms of the class shares and of what they leave; the share of the last class is not among the means.
    """
    first, helped = np.split(means[..., 1:], [means.shape[-1] // 2 - 1], -1)
    share = np.concatenate([first, 1 - first.sum(-1, keepdims=True)], -1)
    with np.errstate(divide="ignore", invalid="ignore"):
        of_share, of_rest = (np.where(share > 0, np.log2(part), 0.0) for part in (share, 1 - share))
        not_helped = np.where(share > helped, (share - helped) * of_rest, 0.0)
        told = means[..., 0] - (helped * of_share).sum(-1) + not_helped.sum(-1)
    return told, -(share * of_share).sum(-1), share, helped, of_share, of_rest


def _slope(means: Array, baseline: str = "train", relative: bool = False) -> Array:
    """Return the derivatives of `_bits_from_means` by each mean."""
    if means.shape[-1] == 1:
        return np.ones_like(means)
    told, entropy, share, helped, of_share, of_rest = _bits_and_entropy(means)
    with np.errstate(divide="ignore", invalid="ignore"):
        by_share = of_rest - (helped / share + ratio(share - helped, 1 - share)) / LN2
        by_share = np.where(share > 0, by_share, 0.0)
    by_bits, by_helped = np.ones_like(told), -(of_share + of_rest)
    if relative:
        by_entropy = np.where(share > 0, -(of_share + 1 / LN2), 0.0)
        by_share = (by_share - (told / entropy)[..., None] * by_entropy) / entropy[..., None]
        by_bits, by_helped = by_bits / entropy, by_helped / entropy[..., None]
    return np.concatenate([by_bits[..., None], by_share[..., :-1] - by_share[..., -1:], by_helped], -1)


@row_score(
    "Kononenko-Bratko information",
    range=ANY,
    link=_bits_from_means,
    slope=_slope,
    mean=True,
    needs="proba",
    undefined=IMPOSSIBLE,
    why=_why,
    tells=_tells,
    cite=("kononenko1991",),
)
def kb_information(p: Predictions, *, baseline: str = "train", relative: bool = False) -> Array | tuple[Array, ...]:
    """Bits that the probabilities tell about the truth; a probability below the class share counts against them.

    `relative` divides by the entropy of the class shares. `baseline` says whose shares: of the training rows
    (`prior=` of the predictions) or of the test rows.
    """
    share = _shares(p, baseline)
    if share is None:
        return np.full(len(p), np.nan)
    chance, of_class = p.truth_probability, share[p.truth]
    helped = chance >= of_class
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = np.log2(np.where(helped, chance, np.subtract(1, chance, dtype=np.float64)), dtype=np.float64)
        if baseline == "test" and len(share) <= MANY:  # shares are estimated with the score: its interval knows
            # bits without what the class share tells, and by class: is it this (but the last), was it helped
            own = [p.truth == one for one in range(len(share))]
            return np.where(helped, bits, -bits), *own[:-1], *(part & helped for part in own)
        bits -= np.log2(np.where(helped, of_class, 1 - of_class))
    bits = np.where(helped, bits, -bits)
    return ratio(bits, -math.fsum(q * math.log2(q) for q in share if q > 0)) if relative else bits


@kb_information.with_sums
def _told_sums(sums: RowSums, p: Predictions, *, baseline: str = "train", relative: bool = False) -> Columns | None:
    """Groups are by class and help; the columns are those of the rows."""
    if baseline != "test":
        return None
    code = np.repeat([1 - p.named_positive, p.named_positive], 2)
    helped = np.tile([0.0, 1.0], 2)
    shift = np.stack([np.zeros(4), code == 0, (code == 0) * helped, (code == 1) * helped], -1)
    return Columns(sums.told, shift, (2 * helped - 1) / LN2)


@row_score("Entropy gain", range=ANY, needs="proba", undefined=IMPOSSIBLE, why=_why, tells=_tells, cite=("witten2011",))
def sf_entropy_gain(
    p: Predictions,
    *,
    baseline: str = "train",
    add_one: bool = False,
    train_rows: int | None = None,
    floor: float | None = None,
) -> Array | tuple[Array, Array]:
    """Bits per row by which the probabilities tell the truth more cheaply than the class shares do.

    WEKA's number has `add_one=True` (one more row of each class in the shares; for training shares also say
    `train_rows=`) and `floor=5e-324` (the smallest probability that counts; without it 0 on the truth is infinite).
    """
    if floor is not None and not 0 < floor < 0.5:
        raise BadInput(f"sf_entropy_gain: floor must lie strictly between 0 and 0.5, not {floor!r}")
    if train_rows is not None and not (add_one and baseline == "train"):
        raise BadInput("sf_entropy_gain: train_rows counts only with add_one=True and shares of training rows")
    share = _shares(p, baseline)
    if share is None:
        return np.full(len(p), np.nan)
    if add_one:
        if baseline == "test":
            rows = len(p) if p.multiplicity is None else float(p.multiplicity.sum())
        elif train_rows is not None and train_rows > 0:
            rows = float(train_rows)
        else:
            raise BadInput(
                "sf_entropy_gain: add_one needs the number of training rows behind `prior=`: give train_rows="
            )
        share = (share * rows + 1) / (rows + len(share))
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -np.log2(share).take(p.truth, mode="clip") - surprise(p, np.log2, floor)
    return bits if baseline == "train" else (bits, p.truth)


@sf_entropy_gain.with_sums
def _gain_sums(sums: RowSums, p: Predictions, **arguments: Any) -> Columns | None:
    """The class and what its share costs are the same for all rows of a class."""
    told = {name: value for name, value in arguments.items() if value is not None and value is not False}
    if told != {"baseline": "test"} or not sums.finite:
        return None
    code = np.array([1 - p.named_positive, p.named_positive])
    share = p.class_weights[code] / len(p)
    return Columns(sums.logs, np.stack([-np.log2(share), code], -1), np.full(2, 1 / LN2))
