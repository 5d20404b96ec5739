"""Speed of scores, intervals and bootstraps on rows in memory."""

from __future__ import annotations

from time import process_time

import numpy as np
import scipy.stats
from sklearn import metrics

import veracity as vc
from bench.row import Row, faster, measure, within


def _rows(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Truth with 30 % positives, and probabilities that know something about it."""
    random = np.random.default_rng(0)
    truth = (random.random(number) < 0.3).astype(int)
    return truth, np.clip(0.7 * random.beta(2, 3, number) + 0.3 * truth * random.random(number), 0, 1)


def scorecard() -> Row:
    truth, chance = _rows(10_000_000)

    def peer() -> None:
        label = (chance >= 0.5).astype(int)
        metrics.confusion_matrix(truth, label)
        metrics.f1_score(truth, label)
        metrics.roc_auc_score(truth, chance)
        metrics.average_precision_score(truth, chance)
        metrics.brier_score_loss(truth, chance)
        metrics.log_loss(truth, chance)

    def ours() -> object:
        return vc.scorecard(vc.predictions(truth, proba=chance, positive=1))

    ours()
    number = len(vc.scorecard(vc.predictions(truth[:1000], proba=chance[:1000], positive=1)))
    name = f"scorecard of 10^7 rows, {number} scores with intervals; scikit-learn: six numbers, no interval"
    return faster(name, measure(ours, 5), measure(peer, 2), 6)


def fbeta_bootstrap() -> Row:
    truth, chance = _rows(1_000_000)
    label = (chance >= 0.5).astype(int)

    def statistic(y: np.ndarray, said: np.ndarray, axis: int = -1) -> np.ndarray:
        hits = ((y == 1) & (said == 1)).sum(axis)
        return 2 * hits / ((y == 1).sum(axis) + (said == 1).sum(axis))

    def peer() -> object:
        return scipy.stats.bootstrap(
            (truth, label), statistic, n_resamples=100, paired=True, vectorized=True, batch=10, method="percentile"
        )

    def ours() -> object:
        p = vc.predictions(truth, label=label, positive=1)
        return vc.estimate(p, "fbeta", interval="percentile(draws=10000)")

    ours()
    name = "10,000 bootstrap replicates of F1 at 10^6 rows; scipy.stats.bootstrap"
    return faster(name, measure(ours, 5), measure(peer, 2, scale=100), 1000)


def auc_bootstrap() -> Row:
    truth, chance = _rows(1_000_000)
    random = np.random.default_rng(1)

    def peer() -> None:
        for _ in range(20):
            drawn = random.integers(0, len(truth), len(truth))
            metrics.roc_auc_score(truth[drawn], chance[drawn])

    def ours() -> object:
        p = vc.predictions(truth, proba=chance, positive=1)
        return vc.estimate(p, "auc", interval="percentile(draws=2000)")

    vc.estimate(vc.predictions(truth, proba=chance, positive=1), "auc", interval="percentile(draws=5)")
    name = "2,000 bootstrap replicates of AUC at 10^6 rows, one core; resampled roc_auc_score"
    return faster(name, measure(ours, 2), measure(peer, 2, scale=100), 40)


def delong() -> Row:
    truth, chance = _rows(1_000_000)

    def ours() -> object:
        return vc.estimate(vc.predictions(truth, proba=chance, positive=1), "auc", interval="delong")

    ours()
    name = "DeLong interval at 10^6 rows; numpy.argsort of the values"
    return within(name, measure(ours, 9), measure(lambda: np.argsort(chance), 9), 3)


def class_pairs() -> Row:
    random = np.random.default_rng(0)
    truth = random.integers(0, 100, 100_000)
    evidence = random.normal(size=(len(truth), 100))
    evidence[np.arange(len(truth)), truth] += 2
    chance = np.exp(evidence)
    chance /= chance.sum(1, keepdims=True)

    def ours() -> float:
        return vc.score(vc.predictions(truth, proba=chance), "auc(average='ovo')")

    def peer() -> float:
        return float(metrics.roc_auc_score(truth, chance, multi_class="ovo"))

    assert abs(ours() - peer()) < 1e-12
    name = "AUC one against one, 100 classes, 10^5 rows; scikit-learn's roc_auc_score"
    return faster(name, measure(ours, 3, clock=process_time), measure(peer, 2, clock=process_time), 15)


ROWS = (scorecard, class_pairs, fbeta_bootstrap, auc_bootstrap, delong)
