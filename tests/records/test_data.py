"""Whether all numbers of a data set are of ordinary size."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from veracity.readers.read_data import data_of

PLAIN = np.array([[0.0, -1.5], [1e30, 1e-30], [2.0, 3.0], [5.0, 7.0]])
LABELS = ["a", "b", "a", "b"]


def changed(value):
    features = PLAIN.copy()
    features[2, 1] = value
    return features


@pytest.mark.parametrize(
    ("features", "ordinary"),
    [
        (PLAIN, True),
        (np.ones((4, 1), np.float32), False),
        (np.array([[2**62], [0], [-3], [1]]), True),
        (np.array([[True], [False], [True], [True]]), True),
        (changed(np.nan), False),
        (changed(-np.inf), False),
        (changed(-2e30), False),
        (changed(1e-31), False),
        (PLAIN.astype(object), False),
        (PLAIN.astype(str), False),
        (pd.DataFrame(PLAIN, columns=["a", "b"]), False),
        (sparse.csr_array(PLAIN), False),
    ],
)
def test_features_of_ordinary_size(features, ordinary):
    assert data_of(features, LABELS, name="made").is_ordinary is ordinary


@pytest.mark.parametrize(
    ("target", "ordinary"),
    [([1.0, 2.5, 0.0, -3.0], True), ([1.0, 2.5, 1e31, 0.0], False), ([1.0, 2.5, 1e-31, 0.0], False)],
)
def test_a_target_of_ordinary_size(target, ordinary):
    assert data_of(PLAIN, target, name="made", kind="numbers").is_ordinary is ordinary


@pytest.mark.parametrize(("largest", "ordinary"), [(4.0, True), (1e31, False)])
def test_weights_of_ordinary_size(largest, ordinary):
    assert data_of(PLAIN, LABELS, name="made", weights=[1.0, 2.0, 3.0, largest]).is_ordinary is ordinary
