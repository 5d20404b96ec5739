"""pycm: scores of a confusion matrix."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import pycm

import veracity as vc
from bench.parity.inputs import three_classes
from bench.parity.row import Row, compare

NAME, VERSION = "pycm", version("pycm")
INFINITE = "where no other row is called so the ratio is infinite, which pycm calls None"
OVERALL = {
    "accuracy": "Overall ACC",
    "kappa": "Kappa",
    "mcc": "Overall MCC",
    "recall(average='macro')": "TPR Macro",
    "precision(average='macro')": "PPV Macro",
    "fbeta(average='macro')": "F1 Macro",
}
BY_CLASS = {
    "recall": "TPR",
    "precision": "PPV",
    "specificity": "TNR",
    "negative_predictive_value": "NPV",
    "false_omission_rate": "FOR",
    "jaccard": "J",
    "youden": "BM",
    "positive_likelihood_ratio": "PLR",
}


def rows() -> Iterator[Row]:
    found = [(t[0], t[1].argmax(1)) for t in three_classes()]
    matrices = {id(t): pycm.ConfusionMatrix(t[0], t[1]) for t in found}
    for name, theirs in OVERALL.items():
        yield compare(
            name,
            f"cm.overall_stat['{theirs}']",
            found,
            lambda t, n=name: vc.score(vc.predictions(t[0], label=t[1]), n),
            lambda t, n=theirs: _number(matrices[id(t)].overall_stat[n]),
        )
    for name, theirs in BY_CLASS.items():
        yield compare(
            f"{name} of each class",
            f"cm.class_stat['{theirs}']",
            found,
            lambda t, n=name: [vc.score(vc.predictions(t[0], label=t[1], positive=c), n) for c in (0, 1, 2)],
            lambda t, n=theirs: [_number(matrices[id(t)].class_stat[n][c]) for c in (0, 1, 2)],
            INFINITE if name == "positive_likelihood_ratio" else "",
        )


def _number(value: object) -> float:
    """pycm writes the text None where there is no number."""
    return float("nan") if value == "None" else float(value)
