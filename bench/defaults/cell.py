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
from veracity.core.errors import Refused
from veracity.core.measurement import MIN_COVERAGE
from veracity.core.notes import Note
from veracity.core.seeds import generator
from veracity.kernels import compile

LEVEL = 0.95
MOST = 0.985  # coverage that a default need not have
LARGEST = 0.06  # error rate that a default may have
NEARLY_ALL = 0.95  # samples whose caution says that what stands there may not hold
MOSTLY = 0.75  # the same, where some samples show nothing of what decides
Random = np.random.Generator


class Answer(NamedTuple):
    """What one sample gave: whether the interval holds the truth or the test rejects; None where there is none."""

    happened: bool | None
    method: str
    codes: frozenset[str]  # of the notes that come with it
    cautioned: bool = False  # whether one of them says that it may not hold


@dataclass(frozen=True)
class Cell:
    """One world at one size, and what is expected of the default there.

    It "holds"; or it holds where nothing is said, and is "cautioned" elsewhere; or every sample has the "caution" of
    `code`; or there is "none", and `code` says why. Where rows that decide are so rare that they are "hidden" in some
    samples, no method can hold and no caution can come always: most samples have one. Or it "misses": nothing in a
    sample tells so, and its figure is there for everybody to read.
    """

    world: str
    score: str
    rows: int | None
    ask: Callable[[Random], Answer]
    kind: Literal["coverage", "error rate"] = "coverage"
    expects: Literal["holds", "cautioned", "caution", "hidden", "misses", "none"] = "holds"
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
    silent: int = 0  # answers without a caution
    happened_silently: int = 0
    methods: Counter[str] = field(default_factory=Counter)

    @property
    def figure(self) -> float:
        return self.happened / self.given if self.given else math.nan

    @property
    def error(self) -> float:
        return monte_carlo_error(self.figure, self.given)

    @property
    def cautioned(self) -> float:
        """The share of the answers that come with a caution."""
        return 1 - self.silent / self.given if self.given else math.nan

    @property
    def silent_figure(self) -> float:
        """The figure of the answers without a caution."""
        return self.happened_silently / self.silent if self.silent else math.nan

    @property
    def method(self) -> str:
        """The one that most samples had."""
        return self.methods.most_common(1)[0][0] if self.methods else ""

    def complaints(self) -> list[str]:
        """What does not stand, within two Monte Carlo errors."""
        return list(self._complaints())

    def _complaints(self) -> Iterable[str]:
        cell = self.cell
        if cell.expects == "none" and self.given:
            yield f"{self.given} of {self.trials} samples have an answer"
        if cell.expects in ("none", "caution") and self.coded < self.trials:
            yield f"{self.trials - self.coded} of {self.trials} samples do not say {cell.code}"
        if cell.expects in ("holds", "cautioned", "hidden") and self.given < cell.given * self.trials:
            yield f"only {self.given} of {self.trials} samples have an answer"
        if cell.expects == "holds":
            yield from self._misses("", self.figure, self.given)
        if cell.expects == "cautioned" and self.cautioned < NEARLY_ALL:
            yield from self._misses("without a caution ", self.silent_figure, self.silent)
        if cell.expects == "misses" and not list(self._misses("", self.figure, self.given)):
            yield "it holds, and is listed as one that misses"
        if cell.expects == "hidden" and self.cautioned < MOSTLY:
            yield f"only {self.cautioned:.3f} of the samples have a caution"

    def _misses(self, where: str, figure: float, answers: int) -> Iterable[str]:
        error = monte_carlo_error(figure, answers)
        if self.cell.kind == "error rate" and figure - 2 * error > LARGEST:
            yield f"{where}it rejects {figure:.3f} +- {error:.3f}"
        if self.cell.kind == "coverage" and figure + 2 * error < MIN_COVERAGE:
            yield f"{where}it holds {figure:.3f} +- {error:.3f}"
        if self.cell.kind == "coverage" and figure - 2 * error > self.cell.most:
            yield f"{where}it holds too often: {figure:.3f} +- {error:.3f}"

    def __str__(self) -> str:
        text = f"{self.cell}: {self.figure:.4f} +- {self.error:.4f} by {self.method}, {self.given} of {self.trials}"
        if self.silent < self.given:
            error = monte_carlo_error(self.silent_figure, self.silent)
            text += f", cautioned {self.cautioned:.3f}, without {self.silent_figure:.4f} +- {error:.4f}"
        wrong = self.complaints()
        return f"{text} -- {'; '.join(wrong)}" if wrong else text


def monte_carlo_error(share: float, answers: int) -> float:
    """Standard error of a share of simulated answers."""
    return math.sqrt(share * (1 - share) / answers) if answers else math.nan


def measure(cell: Cell, trials: int | None = None, seed: int = 0) -> Found:
    """Ask for the default on fresh samples."""
    found = Found(cell, trials or cell.trials)
    random = generator(seed, cell.world, cell.score, cell.rows, cell.by)
    with _compiled():
        for _ in range(found.trials):
            answer = _answer(cell, random)
            found.coded += cell.code in answer.codes
            if answer.happened is not None:
                found.given += 1
                found.happened += answer.happened
                found.silent += not answer.cautioned
                found.happened_silently += answer.happened and not answer.cautioned
                found.methods[answer.method] += 1
    return found


def _answer(cell: Cell, random: Random) -> Answer:
    """A sample that a design cannot split, or a test cannot read, has none."""
    try:
        return cell.ask(random)
    except Refused as why:
        return Answer(None, "", frozenset({why.code}))


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
    holds = interval.low <= truth <= interval.high
    return Answer(holds, interval.method.split("(")[0], _codes(notes), _cautions(notes))


def rejected(comparison: vc.Comparison) -> Answer:
    """Whether a comparison finds a difference, where there is none."""
    p = comparison.p_value
    name, notes = comparison.using.split("(")[0], comparison.notes
    return Answer(None if p is None else p < 1 - LEVEL, name, _codes(notes), _cautions(notes))


def _codes(notes: Iterable[Note]) -> frozenset[str]:
    return frozenset(note.code for note in notes)


def _cautions(notes: Iterable[Note]) -> bool:
    return any(note.weight == "caution" for note in notes)
