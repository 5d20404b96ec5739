"""A mean loss in parts: bias, variance and noise, from the predictions of many models for the same rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veracity.experiments.entry import procedure
from veracity.records.arrays import Array


class LossParts(NamedTuple):
    """The loss of each row and what it is the sum of."""

    loss: Array
    bias: Array
    variance: Array
    noise: Array


@procedure(
    "Bias and variance of squared loss",
    "bias_variance(learner, X, y, loss='squared')",
    cite=("geman1992",),
    assumes=("IID",),
    aliases="squared_loss_decomposition",
    keywords="bias-variance decomposition, bias variance trade-off",
)
def squared(predicted: Array, target: Array, noise: Array | float = 0.0) -> LossParts:
    """Bias squared, variance and noise of predicted numbers (draws, rows), which sum to the squared loss exactly.

    For numbers only: for classes use `loss="zero_one"`. Both parts are unbiased: the variance divides by draws - 1, and
    what of it remains in the mean prediction, variance / draws, is taken off the squared distance to the target; an
    estimate of bias squared may thus be negative. With the observed target in place of the expected one and no noise,
    the bias contains the noise.
    """
    draws = len(predicted)
    middle = predicted.mean(0)
    variance = ((predicted - middle) ** 2).sum(0) / (draws - 1)
    bias = (middle - target) ** 2 - variance / draws
    around = np.broadcast_to(np.asarray(noise, float), bias.shape)
    return LossParts(bias + variance + around, bias, variance, around)


@procedure(
    "Bias and variance of 0-1 loss by Domingos",
    "bias_variance(learner, X, y, loss='zero_one', kind='domingos')",
    cite=("domingos2000",),
    assumes=("IID",),
    aliases="domingos_decomposition",
    keywords="bias-variance decomposition, bias variance trade-off",
)
def domingos(shares: Array, chances: Array) -> LossParts:
    """0-1 loss as c1 N + B + c2 V: the rows that most models get wrong, and what the other models change of that.

    It reads the share of models that predict each class and the chance of each class (rows, classes).
    The main prediction is the class most models predict, the best prediction the most likely class; of equals, the
    first. Bias is 1 where the two differ. Variance is the share of models that differ from the main prediction, where
    that is the best one; elsewhere it is less the share that is right by differing, a variance that helps. The noise
    is that of targets as it reaches the loss.
    """
    main, best = shares.argmax(1), chances.argmax(1)
    right, agree = _at(shares, best), _at(shares, main)
    bias = (main != best).astype(float)
    variance = np.where(main == best, 1 - agree, -right)  # c2 V: of a wrong main prediction, differing models help
    noise = (1 - _at(chances, best)) * right - ((chances * shares).sum(1) - _at(chances, best) * right)
    return LossParts(1 - (chances * shares).sum(1), bias, variance, noise)


@procedure(
    "Bias and variance of 0-1 loss by Kohavi and Wolpert",
    "bias_variance(learner, X, y, loss='zero_one', kind='kohavi_wolpert')",
    cite=("kohavi1996",),
    assumes=("IID",),
    aliases="kohavi_wolpert_decomposition",
    keywords="bias-variance decomposition, bias variance trade-off",
)
def kohavi_wolpert(shares: Array, chances: Array) -> LossParts:
    """0-1 loss as half the squared distance of what models say from what is true, and what each lacks to certainty.

    Where only one observed target is known of each row, the bias contains the noise, and models that disagree have a
    bias even where most are right: use "domingos" to count rows that most models get wrong.
    """
    bias = ((chances - shares) ** 2).sum(1) / 2
    variance = (1 - (shares**2).sum(1)) / 2
    noise = (1 - (chances**2).sum(1)) / 2
    return LossParts(1 - (chances * shares).sum(1), bias, variance, noise)


def _at(table: Array, columns: Array) -> Array:
    return table[np.arange(len(table)), columns]


ZERO_ONE = {"domingos": domingos, "kohavi_wolpert": kohavi_wolpert}
