"""Methods tried on samples, in parts: by several processes, kept in a file so that what was interrupted goes on."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from veracity.core.environment import version_of
from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import generator
from veracity.designs.parameters import whole_number
from veracity.lab.learners import Learner, learner_text
from veracity.lab.simulate import Trials
from veracity.records.arrays import Array
from veracity.running.engines import make_engine

PART = 200  # trials that are asked, and kept, together
FORM = "lab of veracity, form 1"
VERSION = version_of("veracity")
NONE = (math.nan, math.nan)
TABLES = (
    "CREATE TABLE about (form TEXT, seed INTEGER)",
    "CREATE TABLE answers (question TEXT, first INTEGER, last INTEGER, answer TEXT,"
    " PRIMARY KEY (question, first, last))",
)
READ = "SELECT first, last, answer FROM answers WHERE question = ?"
Progress = Callable[[int, int], None]  # told of the trials that are done, and of all
Ask = Callable[[Any, int], tuple[float, float]]


@dataclass(frozen=True, kw_only=True)
class Task:
    """Methods that are tried on the same samples of a world, each of which has random numbers of its own.

    `ask_of(task, method)` returns the function that answers a sample and its number: with the ends of an interval, with
    a claim and whether it came with a caution, or with an estimate. A sample is evidence or the runs of `learners`.
    """

    world: Any
    name: str  # of the world
    rows: int
    methods: tuple[str, ...]
    seed: int
    ask_of: Callable[[Task, str], Ask]
    level: float = 0.95
    score: str | None = None
    power: bool = False
    anyway: bool = False
    learners: tuple[Learner, ...] = ()
    by: str = ""

    @property
    def key(self) -> str:
        """A text that differs where answers can, but for the seed."""
        about = self.name + getattr(self.world, "digest", ""), tuple(map(learner_text, self.learners)), self.by
        how = self.rows, self.methods, self.score, self.level, self.power, self.anyway
        return repr((self.ask_of.__name__, *about, *how, VERSION))

    @cached_property
    def trials(self) -> Trials:
        """The samples of learners, with the splits that they share."""
        return Trials(self.world, self.by, self.rows, self.seed)

    def ask(self, numbers: range) -> dict[str, Any]:
        """Return what each method answers of each trial, how many fits they took, and why methods gave no answer."""
        if not self.learners:
            draws = (self.world.draw(self.rows, generator(self.seed, "evidence", self.rows, one)) for one in numbers)
            return self.answer(zip(numbers, draws, strict=True), numbers)
        found = self.answer(self.trials.runs(self.learners, numbers), numbers)
        for why in (self.trials.refusals[number] for number in numbers if number in self.trials.refusals):
            found["refusals"] = dict.fromkeys(self.methods, why.says) | found["refusals"]
        return found

    def answer(self, samples: Iterable[tuple[int, Any]], numbers: range) -> dict[str, Any]:
        """Return the answers of samples with their numbers; a method that refuses a sample answers NaN."""
        asks = [(method, self.ask_of(self, method)) for method in self.methods]
        answers = [[NONE] * len(asks) for _ in numbers]
        refusals: dict[str, str] = {}
        fits = 0
        for number, sample in samples:
            fits += sum(len(run.design) for run in sample) if self.learners else 0
            for place, (method, ask) in enumerate(asks):
                try:
                    answers[number - numbers.start][place] = ask(sample, number)
                except Refused as why:  # an answer too
                    refusals.setdefault(method, why.says)
        return {"answers": answers, "fits": fits, "refusals": refusals}


class Answers(NamedTuple):
    """The answers of all samples and methods, how probable each sample is, and why methods first gave none."""

    values: Array  # (samples, methods, 2), NaN where a method refuses
    weights: Array
    enumerated: bool
    fits: int
    refusals: dict[str, str]

    @classmethod
    def of(cls, parts: list[dict[str, Any]], weights: Array | None = None) -> Answers:
        values = np.concatenate([np.array(part["answers"], float) for part in parts])
        refusals: dict[str, str] = {}
        for part in parts:
            refusals = part["refusals"] | refusals
        fits = sum(part["fits"] for part in parts)
        return cls(values, np.ones(len(values)) if weights is None else weights, weights is not None, fits, refusals)

    @classmethod
    def of_outcomes(cls, task: Task, outcomes: list[tuple[float, Any]]) -> Answers:
        """Ask of everything that can happen, each with its probability."""
        weights, samples = zip(*outcomes, strict=True)
        return cls.of([task.answer(enumerate(samples), range(len(samples)))], np.array(weights))


@dataclass(frozen=True)
class Keeping:
    """Where answers are kept, by how many processes they are found, and who is told."""

    store: str | None = None
    workers: int = 1
    progress: Progress | None = None

    def answers(self, task: Task, trials: int) -> Answers:
        """Return the answers of all trials; parts that the store has are not asked again."""
        whole_number("workers", self.workers)
        parts = [range(first, min(first + PART, trials)) for first in range(0, trials, PART)]
        with ExitStack() as stack:
            base = None if self.store is None else stack.enter_context(closing(_open(self.store, task.seed)))
            rows = () if base is None else base.execute(READ, (task.key,))
            known = {range(first, last): json.loads(answer) for first, last, answer in rows}
            found = {part: known[part] for part in parts if part in known}
            for part, answer in self._asked(task, [part for part in parts if part not in found]):
                if base is not None:
                    with base:
                        row = task.key, part.start, part.stop, json.dumps(answer)
                        base.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", row)
                found[part] = answer
                if self.progress is not None:
                    self.progress(sum(map(len, found)), trials)
        return Answers.of([found[part] for part in parts])

    def _asked(self, task: Task, parts: list[range]) -> Iterator[tuple[range, Any]]:
        if self.workers == 1 or len(parts) < 2:
            yield from ((part, task.ask(part)) for part in parts)
            return
        engine = make_engine("local", self.workers)
        try:
            flying: dict[Future[Any], range] = {engine.submit(task.ask, part): part for part in parts}
            while flying:
                for future in wait(flying, return_when=FIRST_COMPLETED).done:
                    yield flying.pop(future), future.result()
        finally:
            engine.close()


def _open(where: str, seed: int) -> sqlite3.Connection:
    """The file of answers; one of another seed, or of something else, is refused."""
    if not Path(where).resolve().parent.is_dir():
        raise BadInput(f"`store=` {where}: there is no folder {Path(where).parent}")
    base = sqlite3.connect(where)
    try:
        with base:
            if base.execute("PRAGMA schema_version").fetchone() == (0,):  # nothing was ever written
                for table in TABLES:
                    base.execute(table)
                base.execute("INSERT INTO about VALUES (?, ?)", (FORM, seed))
            ((form, kept),) = base.execute("SELECT form, seed FROM about")
            if form != FORM:
                raise sqlite3.DatabaseError
    except sqlite3.DatabaseError:
        base.close()
        raise BadInput(f"{where} holds no measurements of the lab: name another file as `store=`") from None
    if kept != seed:
        base.close()
        way = f"ask with `seed={kept!r}`, or name another file as `store=`"
        raise BadInput(f"{where} holds measurements of seed {kept}, and not of seed {seed}: {way}")
    return base
