"""Speed of the lab: intervals of learners beside the same loop by scikit-learn."""

from __future__ import annotations

import gc
import math
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import t as student
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier

from bench.fast.fits import Fast
from bench.row import Measure, Row, faster, in_words
from veracity.lab.coverage import interval_of_learner
from veracity.lab.measuring import PART, Task
from veracity.lab.simulate import Trials
from veracity.lab.worlds import World, named_world

BY, SAMPLE, TRIALS = "repeated_kfold(k=10, repeats=10)", 100, 1_000
FEWER = (200, 400)  # trials, which are asked in parts
PEER_TRIALS = 4  # of the same samples by the same splits, scaled up
CASES: tuple[tuple[str, Callable[[], Any]], ...] = (
    ("gaussians(features=5)", LinearDiscriminantAnalysis),
    ("gaussians(features=5)", lambda: KNeighborsClassifier(1)),
    ("sparse_linear(features=5)", LinearRegression),
)


def corrected_t_coverage() -> list[Row]:
    """Seconds of one processor, as other work on the machine would count too."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    return [_row(world, learner) for world, learner in CASES]


def _row(world: str, learner: Callable[[], Any]) -> Row:
    place, name = named_world(world, World)
    _task(place, name, learner).ask(range(PART))  # loops are compiled
    samples = partial(_limits, place, name, learner)
    smaller = [(in_words(part, "samples"), min(_seconds(partial(samples, part))[0])) for part in FEWER]
    ours, limits = _seconds(partial(samples, TRIALS))
    peer, plain = _seconds(lambda: _plain_limits(place, learner))
    apart = float(np.abs(limits[:PEER_TRIALS] - plain).max())
    if not apart < 1e-9:
        raise AssertionError(f"limits of {name} lie {apart:g} from those of scikit-learn's loop")
    model = type(learner()).__name__
    title = f"coverage of corrected_t, {TRIALS} samples of {SAMPLE} rows by 10 x 10 folds, {model}; scikit-learn's loop"
    return faster(title, Measure(ours, smaller=tuple(smaller)), Measure(peer, TRIALS / PEER_TRIALS), 20)


def _task(place: World, name: str, learner: Callable[[], Any]) -> Task:
    return Task(
        world=place,
        name=name,
        rows=SAMPLE,
        methods=("corrected_t",),
        seed=0,
        ask_of=interval_of_learner,
        learners=(Fast(learner),),
        by=BY,
    )


def _limits(place: World, name: str, learner: Callable[[], Any], trials: int) -> Any:
    task = _task(place, name, learner)
    parts = [task.ask(range(first, first + PART))["answers"] for first in range(0, trials, PART)]
    return np.concatenate([np.array(part) for part in parts])[:, 0]


def _plain_limits(place: World, learner: Callable[[], Any]) -> Any:
    """As one would write it: a clone is fitted on each split, and its score goes into the formula."""
    trials = Trials(place, BY, SAMPLE, 0)
    found = []
    for number in range(PEER_TRIALS):
        sample = trials.sample(number)
        design, model, scores = trials.design(sample, number), learner(), []
        for split in design.splits:
            fitted = clone(model).fit(sample.features[split.train], sample.target[split.train])
            missed = fitted.predict(sample.features[split.test]) - sample.target[split.test]
            scores.append(np.mean(missed != 0 if place.kind == "classes" else missed**2))
        error = np.std(scores, ddof=1) * math.sqrt(1 / len(scores) + design.test_share)
        half = student.ppf(0.975, len(scores) - 1) * error
        mean = float(np.mean(scores))
        ends = np.array([mean - half, mean + half])
        found.append(np.clip(ends, 0, 1) if place.kind == "classes" else ends.clip(0))
    return np.array(found)


def _seconds(job: Callable[[], Any], times: int = 2) -> tuple[tuple[float, ...], Any]:
    """Of this process alone."""
    seconds, found = [], None
    for _ in range(times):
        gc.collect()
        start = time.process_time()
        found = job()
        seconds.append(time.process_time() - start)
    return tuple(seconds), found


ROWS = (corrected_t_coverage,)
