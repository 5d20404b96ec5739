"""Speed of scores, intervals and bootstraps on rows in memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import scipy.stats
from sklearn import metrics

import veracity as vc
from bench.row import Measure, Row, faster, measure, measure_growth, peak_bytes, within


def _rows(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Truth with 30 % positives, and probabilities that know something about it."""
    random = np.random.default_rng(0)
    truth = (random.random(number) < 0.3).astype(int)
    return truth, np.clip(0.7 * random.beta(2, 3, number) + 0.3 * truth * random.random(number), 0, 1)


def _six_numbers(truth: np.ndarray, chance: np.ndarray) -> list[float]:
    label = (chance >= 0.5).astype(int)
    matrix = metrics.confusion_matrix(truth, label)
    return [
        float(matrix[0, 1] + matrix[1, 0]) / len(truth),
        float(metrics.f1_score(truth, label)),
        float(metrics.roc_auc_score(truth, chance)),
        float(metrics.average_precision_score(truth, chance)),
        float(metrics.brier_score_loss(truth, chance)),
        float(metrics.log_loss(truth, chance)),
    ]


def _of_first(job: Callable[..., object], *columns: np.ndarray, **given: Any) -> Callable[[int], object]:
    """A job of the first so many rows."""
    return lambda number: job(*(column[:number] for column in columns), **given)


def _scorecard(truth: np.ndarray, chance: np.ndarray) -> Any:
    return vc.scorecard(vc.predictions(truth, proba=chance, positive="yes" if truth.dtype.kind == "U" else 1))


def _floor(truth: np.ndarray, chance: np.ndarray) -> None:
    """Both classes sorted by numpy, and one pass over the rows."""
    positives, negatives = chance[truth == 1], chance[truth == 0]
    positives.sort()
    negatives.sort()
    np.log(chance).sum()


def scorecard() -> list[Row]:
    """In processor time, which one thread has for itself whatever else the machine does."""
    truth, chance = _rows(10_000_000)
    found = {row.score: float(row.value) for row in _scorecard(truth, chance).rows}
    ours = [found[name] for name in ("error", "fbeta", "auc", "average_precision", "brier_half", "log_loss")]
    np.testing.assert_allclose(ours, _six_numbers(truth, chance), rtol=1e-9)
    whole = measure_growth(_of_first(_scorecard, truth, chance), len(truth), 5, process_time)
    peer = measure(partial(_six_numbers, truth, chance), 2, clock=process_time)
    floor = measure(partial(_floor, truth, chance), 3, clock=process_time)
    name = f"scorecard of 10^7 rows, {len(found)} scores with intervals, one thread"
    return [
        faster(f"{name}; scikit-learn: six numbers, no interval", whole, peer, 30),
        within("that scorecard; numpy's sorts of both classes and one pass", whole, floor, 3.5),
    ]


def scorecard_of_two_threads() -> Row:
    """By the clock: it tells on a quiet machine alone."""
    truth, chance = _rows(10_000_000)
    before = os.environ.get("OMP_NUM_THREADS", "")
    cards = {}
    for number in ("1", "2"):
        os.environ["OMP_NUM_THREADS"] = number
        cards[number] = [(row.value, row.interval) for row in _scorecard(truth, chance).rows]
    assert str(cards["1"]) == str(cards["2"])
    ours = measure_growth(_of_first(_scorecard, truth, chance), len(truth), 5)
    os.environ["OMP_NUM_THREADS"] = before
    name = "scorecard of 10^7 rows, two threads, the same to the last bit; scikit-learn: six numbers"
    return faster(name, ours, measure(partial(_six_numbers, truth, chance), 2), 50)


KINDS = {
    "plain": "plain",
    "apart": "its classes apart, which has the largest blocks",
    "small": "of single precision and one byte",
    "texts": "labels of three letters",
}


def scorecard_memory() -> list[Row]:
    return [_memory_of(kind) for kind in KINDS]


def _memory_of(kind: str) -> Row:
    """Peak memory of a process that does nothing else, less what it has when the rows are there."""
    sizes = (1_000_000, *[10_000_000] * 3)
    code = "from bench.in_memory import memory_in_rows; print(memory_in_rows('{}', {}))"
    calls = [[sys.executable, "-c", code.format(kind, size)] for size in sizes]
    outs = [subprocess.run(call, check=True, capture_output=True, text=True).stdout for call in calls]
    (fewer, _), *many = [tuple(map(float, out.split())) for out in outs]
    peaks, own = sorted(peak / 1e6 for peak, _ in many), many[0][1] / 1e6
    name = f"peak memory of a scorecard of 10^7 rows, {KINDS[kind]}, the rows themselves included; the rows"
    ours = f"{peaks[0]:.0f} MB (to {peaks[-1]:.0f} MB in 3 runs; {fewer / 1e6:.0f} MB of 1,000,000)"
    return Row(name, ours, f"{own:.0f} MB", peaks[-1] / own, 4, at_most=True)


def memory_in_rows(kind: str, number: int) -> str:
    """Bytes at the peak less those of a process that has the rows and has scored a few, with those of the rows; and
    bytes of the rows.
    """
    truth, chance = _rows_in_memory(kind, number)
    _scorecard(truth[:50_000], chance[:50_000])
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here on
    before, own = peak_bytes(), truth.nbytes + chance.nbytes
    _scorecard(truth, chance)
    return f"{peak_bytes() - before + own} {own}"


def _rows_in_memory(kind: str, number: int) -> tuple[np.ndarray, np.ndarray]:
    truth, chance = _rows(number)
    if kind == "apart":
        return (chance > 0.4).astype(int), chance
    if kind == "small":
        return truth.astype(np.int8), chance.astype(np.float32)
    return (np.array(["no", "yes"])[truth] if kind == "texts" else truth), chance


def fbeta_bootstrap() -> Row:
    truth, chance = _rows(1_000_000)
    label = (chance >= 0.5).astype(int)

    def statistic(y: np.ndarray, said: np.ndarray, axis: int = -1) -> np.ndarray:
        hits = ((y == 1) & (said == 1)).sum(axis)
        return 2 * hits / ((y == 1).sum(axis) + (said == 1).sum(axis))

    def peer() -> Any:
        return scipy.stats.bootstrap(
            (truth, label), statistic, n_resamples=100, paired=True, vectorized=True, batch=10, method="percentile"
        )

    def ours(number: int) -> Any:
        p = vc.predictions(truth[:number], label=label[:number], positive=1)
        return vc.estimate(p, "fbeta", interval="percentile(draws=10000)")

    interval, theirs = ours(len(truth)).rows[0].interval, peer()
    apart = np.abs(np.subtract((interval.low, interval.high), theirs.confidence_interval))
    assert (apart < theirs.standard_error).all(), apart  # as far as a hundred draws tell
    name = "10,000 bootstrap replicates of F1 at 10^6 rows; scipy.stats.bootstrap"
    return faster(name, measure_growth(ours, len(truth), 5), measure(peer, 2, scale=100), 1000)


def auc_bootstrap() -> Row:
    truth, chance = _rows(1_000_000)
    random = np.random.default_rng(1)

    def peer() -> list[float]:
        found = []
        for _ in range(20):
            drawn = random.integers(0, len(truth), len(truth))
            found.append(float(metrics.roc_auc_score(truth[drawn], chance[drawn])))
        return found

    def ours(number: int) -> Any:
        p = vc.predictions(truth[:number], proba=chance[:number], positive=1)
        return vc.estimate(p, "auc", interval="percentile(draws=2000)")

    interval, drawn = ours(len(truth)).rows[0].interval, peer()
    spread = (interval.high - interval.low) / 3.92
    assert 0.5 * spread < np.std(drawn, ddof=1) < 1.7 * spread  # as far as twenty draws tell
    assert abs(np.mean(drawn) - (interval.low + interval.high) / 2) < spread
    name = "2,000 bootstrap replicates of AUC at 10^6 rows, one core; resampled roc_auc_score"
    return faster(name, measure_growth(ours, len(truth), 2), measure(peer, 2, scale=100), 40)


def delong() -> Row:
    truth, chance = _rows(1_000_000)

    def ours(number: int) -> Any:
        p = vc.predictions(truth[:number], proba=chance[:number], positive=1)
        return vc.estimate(p, "auc", interval="delong")

    assert abs(float(ours(len(truth)).rows[0].value) - metrics.roc_auc_score(truth, chance)) < 1e-12
    name = "DeLong interval at 10^6 rows; numpy.argsort of the values"
    return within(name, measure_growth(ours, len(truth), 9), measure(lambda: np.argsort(chance), 9), 3)


def two_models() -> list[Row]:
    """One comparison of two models on 10^7 rows beside one sort of 10^7 numbers, in processor time."""
    truth, chance, other = _two_models(10_000_000)
    sort = _seconds(lambda: np.sort(chance))
    titles = {"error": "McNemar's test", "auc": "DeLong's test", "brier": "a paired test of a loss"}
    return [
        within(
            f"{title} of two models, 10^7 rows; numpy's sort of 10^7 numbers",
            measure_growth(_of_first(_compare, truth, chance, other, score=score), len(truth), 3, process_time),
            sort,
            2,
        )
        for score, title in titles.items()
    ]


def two_models_drawn() -> list[Row]:
    """Bootstraps of 10^7 rows, by cells of rows that do alike, beside one sort of 10^7 numbers, in processor time."""
    truth, chance, other = _two_models(10_000_000)
    sort = _seconds(lambda: np.sort(chance))
    rows = []
    for score in ("auc", "brier"):
        job = _of_first(_compare, truth, chance, other, score=score, using="paired_bootstrap(draws=1000)")
        name = f"a paired bootstrap of the {score} of two models, 1,000 draws, 10^7 rows; numpy's sort of 10^7 numbers"
        rows.append(within(name, measure_growth(job, len(truth), 2, process_time), sort, 10))
    return rows


def _two_models(number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    truth, chance = _rows(number)
    return truth, chance, np.clip(chance + 0.1 * (np.random.default_rng(1).random(number) - 0.5), 0, 1)


def _compare(truth: np.ndarray, one: np.ndarray, other: np.ndarray, score: str, using: str | None = None) -> object:
    pair = {name: vc.predictions(truth, proba=p, positive=1) for name, p in (("one", one), ("other", other))}
    return vc.compare(pair, score, using=using)


def _seconds(job: Callable[[], object]) -> Measure:
    return measure(job, 3, clock=process_time)


def class_pairs() -> Row:
    random = np.random.default_rng(0)
    truth = random.integers(0, 100, 100_000)
    evidence = random.normal(size=(len(truth), 100))
    evidence[np.arange(len(truth)), truth] += 2
    chance = np.exp(evidence)
    chance /= chance.sum(1, keepdims=True)

    def ours(number: int) -> float:
        return vc.score(vc.predictions(truth[:number], proba=chance[:number]), "auc(average='ovo')")

    def peer() -> float:
        return float(metrics.roc_auc_score(truth, chance, multi_class="ovo"))

    assert abs(ours(len(truth)) - peer()) < 1e-12
    name = "AUC one against one, 100 classes, 10^5 rows; scikit-learn's roc_auc_score"
    growing = measure_growth(ours, len(truth), 3, process_time)
    return faster(name, growing, measure(peer, 2, clock=process_time), 15)


ROWS = (
    scorecard,
    scorecard_of_two_threads,
    scorecard_memory,
    two_models,
    two_models_drawn,
    class_pairs,
    fbeta_bootstrap,
    auc_bootstrap,
    delong,
)
