"""Draws of a permutation test, spread over workers: the same numbers with any number of them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import Any

from veracity.core.errors import EngineLost
from veracity.experiments.permuted import Question, Value
from veracity.records.plan import Progress, ProgressCallback
from veracity.running.engines import Engine, make_engine
from veracity.running.shared_files import content_of

BLOCK = 0.5  # seconds of work that is sent at once


def estimates(question: Question, draws: int, workers: int, tell: ProgressCallback) -> Iterator[Value]:
    """The estimate of the data as it is, then those of all draws in order; the cost is told before the draws begin."""
    place = make_engine("local", workers)
    try:
        started = time.perf_counter()
        with _one_thread():
            first = question.ask([0])[0]
        yield first
        seconds = time.perf_counter() - started
        clock = _Clock(len(question.design), draws, tell)
        clock.tell(0, seconds * draws / workers)
        blocks = _blocks(draws, seconds, workers)
        yield from _alone(question, blocks, clock) if workers == 1 else _together(question, blocks, place, clock)
    finally:
        place.close()


class _Clock:
    """Tells how far the draws are, in fits, and how long they may still take."""

    def __init__(self, splits: int, draws: int, tell: ProgressCallback) -> None:
        self.splits, self.draws, self.said = splits, draws, tell
        self.started = time.perf_counter()

    def tell(self, done: int, left: float | None = None) -> None:
        passed = time.perf_counter() - self.started
        rest = passed / done * (self.draws - done) if done else left
        self.said(Progress((self.draws + 1) * self.splits, (done + 1) * self.splits, 0), rest)


def _blocks(draws: int, seconds: float, workers: int) -> list[range]:
    """Draws 1, 2, ... in blocks that take a while, and at least four for each worker."""
    size = max(1, min(int(BLOCK / max(seconds, 1e-6)), draws // (4 * workers)))
    return [range(first, min(first + size, draws + 1)) for first in range(1, draws + 1, size)]


def _alone(question: Question, blocks: list[range], clock: _Clock) -> Iterator[Value]:
    """In this process: a question of a few seconds need not wait for a worker to start."""
    for block in blocks:
        with _one_thread():
            found = question.ask(block)
        yield from found
        clock.tell(block.stop - 1)


def _together(question: Question, blocks: list[range], place: Engine, clock: _Clock) -> Iterator[Value]:
    shared = place.share(question)
    found: dict[int, list[Value]] = {}
    flying = {place.submit(_asked, shared, block): block.start for block in blocks}
    while flying:
        for future in wait(flying, return_when=FIRST_COMPLETED).done:
            found[flying.pop(future)] = _result(future)
        clock.tell(sum(map(len, found.values())))
    for first in sorted(found):
        yield from found[first]


def _result(future: Future[list[Value]]) -> list[Value]:
    try:
        return future.result()
    except BrokenExecutor:
        raise EngineLost("a fit killed its worker (out of memory, or a crash in compiled code)") from None


def _asked(shared: Any, draws: Sequence[int]) -> list[Value]:
    question: Question = content_of(shared)
    return question.ask(draws)


def _one_thread() -> Any:
    """Worker processes compute in one thread each, and sums of several threads would round in another way."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)
