"""A mean loss in parts: bias, variance and noise, from the predictions of many models for the same rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veracity.records.arrays import Array


class Parts(NamedTuple):
    """The loss of each row and what it is the sum of."""

    loss: Array
    bias: Array
    variance: Array
    noise: Array


def squared(predicted: Array, target: Array, noise: Array | float = 0.0) -> Parts:
    """Of numbers (draws, rows): bias squared, variance and noise, which sum to the loss exactly.

    Both are unbiased: the variance divides by draws - 1, and what of it remains in the mean prediction, variance /
    draws, is taken off the squared distance to the target; an estimate of bias squared may thus be negative. With the
    observed target in place of the expected one and no noise, the bias contains the noise.
    """
    draws = len(predicted)
    middle = predicted.mean(0)
    variance = ((predicted - middle) ** 2).sum(0) / (draws - 1)
    bias = (middle - target) ** 2 - variance / draws
    around = np.broadcast_to(np.asarray(noise, float), bias.shape)
    return Parts(bias + variance + around, bias, variance, around)


def domingos(shares: Array, chances: Array) -> Parts:
    """Of the share of models that predict each class and the chance of each (rows, classes): c1 N + B + c2 V.

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
    return Parts(1 - (chances * shares).sum(1), bias, variance, noise)


def kohavi_wolpert(shares: Array, chances: Array) -> Parts:
    """Of the same shares: half the squared distance between both, and half of what each lacks to certainty."""
    bias = ((chances - shares) ** 2).sum(1) / 2
    variance = (1 - (shares**2).sum(1)) / 2
    noise = (1 - (chances**2).sum(1)) / 2
    return Parts(1 - (chances * shares).sum(1), bias, variance, noise)


def _at(table: Array, columns: Array) -> Array:
    return table[np.arange(len(table)), columns]


ZERO_ONE = {"domingos": domingos, "kohavi_wolpert": kohavi_wolpert}
