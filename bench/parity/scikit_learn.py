"""scikit-learn: scores of labels, orderings, probabilities and numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn import __version__, metrics

import veracity as vc
from bench.parity.inputs import numbers, three_classes, two_classes
from bench.parity.row import Row, compare

NAME, VERSION = "scikit-learn", __version__
LABELS = {
    "accuracy": metrics.accuracy_score,
    "error": metrics.zero_one_loss,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "fbeta": metrics.f1_score,
    "jaccard": metrics.jaccard_score,
    "kappa": metrics.cohen_kappa_score,
    "mcc": metrics.matthews_corrcoef,
}
AVERAGED = {"precision": metrics.precision_score, "recall": metrics.recall_score, "fbeta": metrics.f1_score}
CHANCES = {"auc": metrics.roc_auc_score, "average_precision": metrics.average_precision_score}
ROWS = {"log_loss": metrics.log_loss, "brier_half": metrics.brier_score_loss}
NUMBERS = {
    "mse": metrics.mean_squared_error,
    "rmse": metrics.root_mean_squared_error,
    "mae": metrics.mean_absolute_error,
    "median_absolute_error": metrics.median_absolute_error,
    "r2": metrics.r2_score,
}


def rows() -> Iterator[Row]:
    for name, theirs in LABELS.items():
        yield compare(
            name,
            theirs.__name__,
            two_classes(),
            lambda t, n=name: vc.score(t.one(), n),
            lambda t, f=theirs: f(t.truth, t.label),
        )
    for name, theirs in {**CHANCES, **ROWS}.items():
        yield compare(
            name,
            theirs.__name__,
            two_classes(),
            lambda t, n=name: vc.score(t.one(), n),
            lambda t, f=theirs: f(t.truth, t.first),
        )
    for name, theirs in NUMBERS.items():
        yield compare(
            name,
            theirs.__name__,
            numbers(),
            lambda t, n=name: vc.score(vc.predictions(t[0], number=t[1]), n),
            lambda t, f=theirs: f(*t),
        )
    yield from _three_classes()
    yield from _curves()
    yield from _differences()


def _three(t: tuple[np.ndarray, np.ndarray]) -> vc.Predictions:
    return vc.predictions(t[0], proba=t[1], classes=[0, 1, 2])


def _three_classes() -> Iterator[Row]:
    for name, theirs in AVERAGED.items():
        for ours, other in (("macro", "macro"), ("micro", "micro"), ("prior", "weighted")):
            typed = f"{name}(average='{ours}')"
            yield compare(
                typed,
                f"{theirs.__name__}(average='{other}')",
                three_classes(),
                lambda t, n=typed: vc.score(_three(t), n),
                lambda t, f=theirs, o=other: f(t[0], t[1].argmax(1), average=o),
            )
    for ours, other in (("macro_ovr", ("ovr", "macro")), ("prior_ovr", ("ovr", "weighted")), ("ovo", ("ovo", "macro"))):
        yield compare(
            f"auc(average='{ours}')",
            f"roc_auc_score(multi_class='{other[0]}', average='{other[1]}')",
            three_classes(),
            lambda t, o=ours: vc.score(_three(t), f"auc(average='{o}')"),
            lambda t, o=other: metrics.roc_auc_score(t[0], t[1], multi_class=o[0], average=o[1]),
        )
    yield compare(
        "brier", "brier_score_loss, three classes", three_classes(),
        lambda t: vc.score(_three(t), "brier"), lambda t: metrics.brier_score_loss(t[0], t[1]),
    )  # fmt: skip


def _curves() -> Iterator[Row]:
    def theirs(t):
        fpr, tpr, _ = metrics.roc_curve(t.truth, t.first, drop_intermediate=False)
        return np.concatenate([fpr, tpr])

    def ours(t):
        line = vc.curve(t.one(), "roc")
        return np.concatenate([line.x, line.y])

    yield compare("curve(p, 'roc')", "roc_curve(drop_intermediate=False)", two_classes(), ours, theirs)
    yield compare(
        "partial_auc(max_fpr=0.3, standardised=True)",
        "roc_auc_score(max_fpr=0.3)",
        two_classes(),
        lambda t: vc.score(t.one(), "partial_auc(max_fpr=0.3, standardised=True)"),
        lambda t: metrics.roc_auc_score(t.truth, t.first, max_fpr=0.3),
    )


def _differences() -> Iterator[Row]:
    nothing = [(np.array([0, 1, 0, 1]), np.zeros(4, int))]
    yield compare(
        "precision, nothing predicted positive",
        "precision_score(zero_division=0)",
        nothing,
        lambda t: vc.score(vc.predictions(t[0], label=t[1], positive=1), "precision"),
        lambda t: metrics.precision_score(*t, zero_division=0),
        "0/0 is undefined here, with its reason; scikit-learn prints 0 with a warning",
    )
    yield compare(
        "brier",
        "brier_score_loss, two classes",
        two_classes(),
        lambda t: vc.score(t.one(), "brier"),
        lambda t: metrics.brier_score_loss(t.truth, t.first),
        "Brier's own sum goes over both classes and is twice theirs of two classes: brier_half is the same number",
    )
    yield compare(
        "informational_loss",
        "log_loss",
        two_classes(),
        lambda t: vc.score(t.one(), "informational_loss"),
        lambda t: metrics.log_loss(t.truth, t.first),
        "bits, by the logarithm to base 2; theirs is in nats, as log_loss is here",
    )
