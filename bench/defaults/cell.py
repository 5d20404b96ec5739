"""A cell of the table of defaults: a world with a known truth, and what the public verbs say of its samples.

Worlds on which a default was chosen are not the worlds on which it is judged: a cell is for judging.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

import veracity as vc
from veracity.core.notes import Note
from veracity.core.seeds import generator
from veracity.kernels import compile

LEVEL = 0.95
LEAST, MOST = 0.93, 0.985  # coverage that a default must have
LARGEST = 0.06  # error rate that a default may have
Random = np.random.Generator


class Answer(NamedTuple):
    """What one sample gave: whether the interval holds the truth or the test rejects; None where there is none."""

    happened: bool | None
    method: str
    codes: frozenset[str]  # of the notes that come with it


@dataclass(frozen=True)
class Cell:
    """One world at one size. Either the default holds, or there is none and `code` says why, or `code` cautions."""

    world: str
    score: str
    rows: int | None
    ask: Callable[[Random], Answer]
    kind: Literal["coverage", "error rate"] = "coverage"
    expects: Literal["holds", "none", "caution", "weak"] = "holds"  # weak: it does not, as its text and figures tell
    code: str = ""
    most: float = MOST  # 1 where the truth lies at a boundary or the law is discrete
    given: float = 0.98  # the least share of samples with an answer
    by: str = ""
    target: str = ""
    trials: int = 2_000
    slow: bool = False  # too dear to be simulated again by a test: its shipped figure stands alone

    def __str__(self) -> str:
        return f"{self.score}, {self.world}, {self.rows} rows" + (f" by {self.by}" if self.by else "")


@dataclass
class Found:
    """What a number of samples of a cell gave."""

    cell: Cell
    trials: int
    happened: int = 0
    given: int = 0
    coded: int = 0  # answers that carry the code that the cell expects
    methods: Counter[str] = field(default_factory=Counter)

    @property
    def figure(self) -> float:
        return self.happened / self.given if self.given else math.nan

    @property
    def error(self) -> float:
        return math.sqrt(self.figure * (1 - self.figure) / self.given) if self.given else math.nan

    @property
    def method(self) -> str:
        """The one that most samples had."""
        return self.methods.most_common(1)[0][0] if self.methods else ""

    def complaints(self) -> list[str]:
        """What does not stand, within two Monte Carlo errors."""
        return list(self._complaints())

    def _complaints(self) -> Iterable[str]:
        cell, slack = self.cell, 2 * self.error
        if cell.expects == "weak":
            return
        if cell.expects == "none" and self.given:
            yield f"{self.given} of {self.trials} samples have an answer"
        if cell.expects != "holds" and self.coded < self.trials:
            yield f"{self.trials - self.coded} of {self.trials} samples do not say {cell.code}"
        if cell.expects != "holds":
            return
        if self.given < cell.given * self.trials:
            yield f"only {self.given} of {self.trials} samples have an answer"
        if cell.kind == "error rate" and self.figure - slack > LARGEST:
            yield f"it rejects {self.figure:.3f} +- {self.error:.3f}"
        if cell.kind == "coverage" and self.figure + slack < LEAST:
            yield f"it holds {self.figure:.3f} +- {self.error:.3f}"
        if cell.kind == "coverage" and self.figure - slack > cell.most:
            yield f"it holds too often: {self.figure:.3f} +- {self.error:.3f}"

    def __str__(self) -> str:
        text = f"{self.cell}: {self.figure:.4f} +- {self.error:.4f} by {self.method}, {self.given} of {self.trials}"
        wrong = self.complaints()
        return f"{text} -- {'; '.join(wrong)}" if wrong else text


def measure(cell: Cell, trials: int | None = None, seed: int = 0) -> Found:
    """Ask for the default on fresh samples."""
    found = Found(cell, trials or cell.trials)
    random = generator(seed, cell.world, cell.score, cell.rows, cell.by)
    with _compiled():
        for _ in range(found.trials):
            answer = cell.ask(random)
            found.coded += cell.code in answer.codes
            if answer.happened is not None:
                found.given += 1
                found.happened += answer.happened
                found.methods[answer.method] += 1
    return found


@contextmanager
def _compiled() -> Iterator[None]:
    """Of thousands of small samples compiled loops pay from the first one."""
    usual, compile.PLAIN_BELOW = compile.PLAIN_BELOW, 0
    try:
        yield
    finally:
        compile.PLAIN_BELOW = usual


def interval_cell(
    world: str,
    score: str,
    rows: int,
    truth: float | Callable[[], float],
    sample: Callable[[Random], vc.Predictions],
    **fields: object,
) -> Cell:
    """How often the default interval of a fixed model's score holds its true value, which may be found when asked."""

    def ask(random: Random) -> Answer:
        return held(vc.estimate(sample(random), score).rows[0], truth() if callable(truth) else truth)

    return Cell(world, score, rows, ask, **fields)  # type: ignore[arg-type]


def held(estimate: vc.Estimate, truth: float) -> Answer:
    """Whether an estimate's interval holds the truth, with the codes of its notes."""
    interval = estimate.interval
    notes = estimate.notes + (interval.notes if interval is not None else ())
    if interval is None:
        return Answer(None, "", _codes(notes))
    return Answer(interval.low <= truth <= interval.high, interval.method.split("(")[0], _codes(notes))


def rejected(comparison: vc.Comparison) -> Answer:
    """Whether a comparison finds a difference, where there is none."""
    p = comparison.p_value
    return Answer(None if p is None else p < 1 - LEVEL, comparison.using.split("(")[0], _codes(comparison.notes))


def _codes(notes: Iterable[Note]) -> frozenset[str]:
    return frozenset(note.code for note in notes)
