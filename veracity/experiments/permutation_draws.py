"""The whole estimate of a learner on shuffled data, again and again: the same numbers with any number of workers."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import AskedToEnd, EngineLost
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.experiments.shuffles import shuffle_data
from veracity.learners.inspection import with_inner_design
from veracity.learners.preparation import with_preparation
from veracity.learners.seeding import seeded
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.records.plan import Progress, ProgressCallback
from veracity.risk.designs import estimator_of
from veracity.risk.estimate_run import with_positive
from veracity.risk.fold_scores import Resampling
from veracity.running.ending import end_if_asked, ends_in_order
from veracity.running.engines import Engine, make_engine
from veracity.running.fit_learner import isolated, train
from veracity.running.make_plan import inner_of
from veracity.running.predict import predict, predict_labels
from veracity.running.shared_files import content_of
from veracity.scores.entry import value_of

ONE_MATRIX = ("holdout", "kfold", "leave_one_out")  # estimators that test no row twice and pool the counts
BLOCK = 0.5  # seconds of work that is sent at once


class DrawEstimate(NamedTuple):
    """The estimate of one draw; NaN where a fit failed, with the reason."""

    value: float
    reason: str = ""
    skipped: int = 0  # splits in which the score is undefined


@dataclass(frozen=True, eq=False)
class PermutationQuestion:
    """What is estimated in every draw."""

    learner: Any
    data: Data
    design: Design
    score: Choice
    kind: str
    seed: int

    def ask(self, draws: Sequence[int]) -> list[DrawEstimate]:
        """The estimates of these draws, each the same whoever makes it and whichever others are asked for."""
        from sklearn import config_context

        learner = with_preparation(with_inner_design(self.learner, inner_of(self.design)), self.data)
        checked = 0 not in draws  # the data and the parameters have passed scikit-learn's checks in draw 0
        with config_context(assume_finite=checked or None, skip_parameter_validation=checked or None):
            return [self._estimate_alone(learner, draw) for draw in draws]

    def _estimate_alone(self, learner: Any, draw: int) -> DrawEstimate:
        with isolated():
            return self._estimate_draw(learner, draw)

    def _estimate_draw(self, learner: Any, draw: int) -> DrawEstimate:
        data = shuffle_data(self.data, self.kind, self.seed, draw)
        try:
            parts = [self._fit_split(learner, data, draw, number) for number in range(len(self.design))]
        except (KeyboardInterrupt, AskedToEnd):
            raise
        except BaseException as why:  # SystemExit and the like must not end a worker
            end_if_asked()
            return DrawEstimate(np.nan, f"{type(why).__name__}: {why}")
        return self._value(data, _pool(data, self.design, parts))

    def _fit_split(self, learner: Any, data: Data, draw: int, number: int) -> dict[str, Array]:
        split = self.design.splits[number]
        with seeded(learner, self.seed, f"permutation {draw} {number}") as (model, restart):
            train(model, data, np.sort(split.train), split.validation)
            restart()
            if self.score.needs == "label" and not self.score.cut:
                return {"label": predict_labels(model, data, split.test)}
            return predict(model, data, split.train, split.test)

    def _value(self, data: Data, p: Predictions) -> DrawEstimate:
        run, _ = with_positive(Run(data.name, "", self.design, p, data.truth), self.score)
        assert run.predictions is not None
        self.score.check(run.predictions)
        if self._counts:
            return DrawEstimate(value_of(self.score, run.predictions))
        r = Resampling(self.score, run)
        return DrawEstimate(float(self._estimator(r).value), skipped=r.skipped_splits)

    @cached_property
    def _estimator(self) -> Choice:
        return estimator_of(self.design)

    @cached_property
    def _counts(self) -> bool:
        """Whether the estimate is the score of one confusion matrix, which needs no look at single splits."""
        return self.score.reads == "confusion matrix" and self._estimator.is_one_of(*ONE_MATRIX)


def estimate_draws(
    question: PermutationQuestion, draws: int, workers: int, tell: ProgressCallback
) -> Generator[DrawEstimate]:
    """The estimate of the data as it is, then those of all draws in order; the cost is told before the draws begin."""
    with ends_in_order(), closing(make_engine("local", workers)) as place:
        started = time.perf_counter()
        yield from _ask_in_one_thread(question, [0])
        seconds = time.perf_counter() - started
        clock = _Clock(len(question.design), draws, tell)
        clock.tell(0, seconds * draws / workers)
        blocks = _blocks(draws, seconds, workers)
        if workers > 1:
            yield from _estimate_on_workers(question, blocks, place, clock)
            return
        for block in blocks:  # a question of a few seconds need not wait for a worker to start
            yield from _ask_in_one_thread(question, block)
            clock.tell(block.stop - 1)


def _pool(data: Data, design: Design, parts: list[dict[str, Array]]) -> Predictions:
    """The test rows of all splits, one after the other."""
    rows = np.concatenate([split.test for split in design.splits])
    numbers = np.repeat(np.arange(len(parts)), [len(split.test) for split in design.splits])
    columns: Any = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Predictions(data.kind, data.truth[rows], data.classes, data.positive, **columns, rows=rows, splits=numbers)


class _Clock:
    """Tells how far the draws are, in fits, and how long they may still take."""

    def __init__(self, splits: int, draws: int, tell: ProgressCallback) -> None:
        self.splits, self.draws, self.teller = splits, draws, tell
        self.started = time.perf_counter()

    def tell(self, done: int, left: float | None = None) -> None:
        passed = time.perf_counter() - self.started
        rest = passed / done * (self.draws - done) if done else left
        self.teller(Progress((self.draws + 1) * self.splits, (done + 1) * self.splits, 0), rest)


def _blocks(draws: int, seconds: float, workers: int) -> list[range]:
    """Draws 1, 2, ... in blocks that take a while, and at least four for each worker."""
    size = max(1, min(int(BLOCK / max(seconds, 1e-6)), draws // (4 * workers)))
    return [range(first, min(first + size, draws + 1)) for first in range(1, draws + 1, size)]


def _estimate_on_workers(
    question: PermutationQuestion, blocks: list[range], place: Engine, clock: _Clock
) -> Iterator[DrawEstimate]:
    """A worker may be killed from outside: what it was at is asked again. What kills it twice, alone, is guilty."""
    shared = place.share(question)
    estimates: dict[int, list[DrawEstimate]] = {}
    missing = blocks
    while missing:
        before = len(estimates)
        for block, found in _finished(place, shared, missing):
            estimates[block.start] = found
            clock.tell(sum(map(len, estimates.values())))
        if len(estimates) == before:  # nothing came back since the last death: one of them may be guilty
            estimates[missing[0].start] = _ask_alone(place, shared, missing[0])
        missing = [block for block in missing if block.start not in estimates]
    for first in sorted(estimates):
        yield from estimates[first]


def _finished(place: Engine, shared: Any, blocks: Sequence[range]) -> Iterator[tuple[range, list[DrawEstimate]]]:
    """The blocks that come back, as they do; when a worker dies the others are lost with it."""
    flying = {place.submit(_ask_shared, shared, block): block for block in blocks}
    while flying:
        for future in wait(flying, return_when=FIRST_COMPLETED).done:
            block = flying.pop(future)
            try:
                found = future.result()
            except BrokenExecutor:
                continue
            yield block, found


def _ask_alone(place: Engine, shared: Any, block: range) -> list[DrawEstimate]:
    for _ in range(2):
        try:
            found: list[DrawEstimate] = place.submit(_ask_shared, shared, block).result()
        except BrokenExecutor:
            place.mend()
        else:
            return found
    raise EngineLost("a fit killed its worker (out of memory, or a crash in compiled code), alone and twice")


def _ask_shared(shared: Any, draws: Sequence[int]) -> list[DrawEstimate]:
    question: PermutationQuestion = content_of(shared)
    return question.ask(draws)


def _ask_in_one_thread(question: PermutationQuestion, draws: Sequence[int]) -> list[DrawEstimate]:
    """Worker processes compute in one thread each, and sums of several threads would round in another way."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return question.ask(draws)
