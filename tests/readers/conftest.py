"""Real rows to read: the breast cancer data with a model's probabilities, and labels of every type."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import scale


@pytest.fixture(scope="session")
def frame() -> pandas.DataFrame:
    data = load_breast_cancer()
    features = scale(data.data[:, :5])
    chance = LogisticRegression().fit(features, data.target).predict_proba(features)[:, 1]
    return pandas.DataFrame(
        {
            "id": np.arange(1000, 1000 + len(chance)),
            "y": data.target.astype(np.int64),
            "word": np.where(data.target == 1, "benign, or so", "malignant"),
            "flag": data.target == 1,
            "p": chance,
            "code": [f"{row % 7:02d}" for row in range(len(chance))],
        }
    )
