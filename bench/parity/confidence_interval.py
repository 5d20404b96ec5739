"""confidenceinterval: intervals of scores."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import confidenceinterval as peer

import veracity as vc
from bench.parity.inputs import two_classes
from bench.parity.row import Row, compare

NAME, VERSION = "confidenceinterval", version("confidenceinterval")
RATES = {"recall": peer.tpr_score, "specificity": peer.tnr_score, "precision": peer.ppv_score}


def limits(t, score: str, method: str) -> tuple[float, float]:
    found = vc.estimate(t.one(), score, interval=method)[score].interval
    return found.low, found.high


def rows() -> Iterator[Row]:
    yield compare(
        "accuracy, interval='wilson'",
        "accuracy_score(method='wilson')",
        two_classes(),
        lambda t: limits(t, "accuracy", "wilson"),
        lambda t: peer.accuracy_score(t.truth, t.label, method="wilson")[1],
    )
    for name, theirs in RATES.items():
        yield compare(
            f"{name}, interval='wilson'",
            f"{theirs.__name__}(method='wilson')",
            two_classes(),
            lambda t, n=name: limits(t, n, "wilson"),
            lambda t, f=theirs: f(t.truth, t.label, method="wilson")[1],
        )
    yield compare(
        "auc, interval='delong'",
        "roc_auc_score",
        two_classes(),
        lambda t: limits(t, "auc", "delong"),
        lambda t: peer.roc_auc_score(t.truth, t.first)[1],
        "they keep ranks in single precision, which costs half of the digits",
    )
