"""Training and test score along training sizes, with a power law through it, or along the values of a parameter."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from veracity.core.arguments import verb
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.words import percent
from veracity.findings.curve import Curve, Line, point_marks
from veracity.findings.estimate import Estimate
from veracity.findings.estimates import shorten_notes, split_counts
from veracity.findings.interval import limits_of
from veracity.records.arrays import Array
from veracity.tables.cells import align_decimals
from veracity.tables.result import TableResult
from veracity.tables.table import Column, Table

SIZES = "training rows"
FOLLOW = 200  # points of a fitted law
INCOMPLETE = ("failed-splits", "missing-splits", "skipped-splits")  # said before anything else
# found at each size anew: the last, of most training rows, stands for all
OF_DESIGN = ("duplicate-rows", "group-on-both-sides", "class-missing-in-training")
FAR = 2.0  # times the largest size: beyond, nothing in the data speaks for the curve
FASTEST, SLOWEST = 5.0, 0.02  # exponents that are looked at
LEAST = 4  # sizes: three would be met exactly by almost any curve


@dataclass(frozen=True, repr=False)
class RiskCurve(TableResult):
    """One row for each place: the score on test rows and on the training rows, each with its interval."""

    learner: str
    by: str
    along: str  # what varies: training rows, or the name of a parameter
    places: tuple[Any, ...]
    test: tuple[Estimate, ...]
    training: tuple[Estimate, ...]
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[tuple[Any, Estimate, Estimate]]:
        """Each place with its test estimate and its training estimate."""
        return zip(self.places, self.test, self.training, strict=True)

    def __getitem__(self, place: Any) -> Estimate:
        """The test estimate at one place."""
        try:
            return self.test[self.places.index(place)]
        except ValueError:
            there = ", ".join(map(repr, self.places))
            raise BadInput(f"there is no {place!r} along {self.along}: there are {there}") from None

    @cached_property
    def fitted(self) -> PowerLaw:
        """The law a + b n^-c through the test scores of a learning curve; `fitted.at(rows)` looks further."""
        if self.along != SIZES:
            raise BadInput("a power law describes a learning curve: this one is along a parameter")
        return power_law(np.array(self.places, float), _values(self.test))

    @property
    def best(self) -> Any:
        """The place of the best test score; choosing it is tuning, and its score is then optimistic."""
        values = [row.value if row.better == "lower" else -row.value for row in self.test]
        known = [number for number, value in enumerate(values) if not math.isnan(value)]
        return self.places[min(known, key=lambda number: values[number])] if known else None

    def table(self) -> Table:
        titles = (self.along, "test", "low", "high", "training", "training low", "training high")
        cells = ((*_cells(test), *_cells(training)) for _, test, training in self)
        rows = tuple((place, *more) for place, more in zip(self._names or self.places, cells, strict=True))
        first = self.test[0]
        better = f", {first.better} is better" if first.better else ""
        caption = f"{first.asked} of {self.learner} by {self.by}{better}"
        notes = shorten_notes(self.all_notes)
        return Table(tuple(map(Column, titles)), rows, caption, notes, further=split_counts(self.test))

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """What is missing first, then what is said of the whole curve, then of some places, with their names."""
        general = {note.code if note.code in OF_DESIGN else note: note for note in map(self._without_value, self.notes)}
        of: dict[Note, dict[str, None]] = {}
        for place, *rows in self:
            for note in (self._without_value(note) for row in rows for note in row.all_notes):
                of.setdefault(note, {})[str(place)] = None
        placed = [self._with_places(note, list(places)) for note, places in of.items() if note not in general.values()]
        return tuple(sorted((*general.values(), *placed), key=lambda note: note.code not in INCOMPLETE))

    def _without_value(self, note: Note) -> Note:
        """The note without the value of the parameter in the learner's name, so that equal ones are told once."""
        names = sorted({row.learner for row in self.test}, key=len, reverse=True)
        return replace(note, says=reduce(lambda says, name: says.replace(name, self.learner), names, note.says))

    def _with_places(self, note: Note, places: list[str]) -> Note:
        if len(places) == len(self):
            return note
        return replace(note, says=f"{self.along} {', '.join(places)}: {note.says}")

    def to_json(self) -> dict[str, Any]:
        """Each place with both estimates in the shape of `veracity estimate --json`."""
        return {
            "learner": self.learner,
            "by": self.by,
            "along": self.along,
            "score": self.test[0].asked,
            "better": self.test[0].better,
            "places": [
                {"place": place, "test": test.of_learner(), "training": training.of_learner()}
                for place, test, training in self
            ],
            "notes": [note.to_json() for note in self.all_notes],
        }

    @verb
    def curve(self, *, fitted: bool = False, log_x: bool | None = None, log_y: bool = False) -> Curve:
        """The chart as data: two lines with their bands; values that are not all numbers stand side by side."""
        names = self._names
        x = np.arange(1.0, len(self) + 1) if names else np.array(self.places, float)
        if log_x and names:
            raise BadInput(
                f"{', '.join(names)} have no logarithms: leave out log_x for values that are not all numbers"
            )
        wide = not names and self.along != SIZES and len(x) > 2 and x.min() > 0 and x.max() / x.min() >= 100
        parts = (("test rows", self.test), ("training rows", self.training))
        lines = tuple(Line(name, x, _values(rows)) for name, rows in parts)
        bands = tuple(_band(name, x, rows) for name, rows in parts if any(row.interval for row in rows))
        guides, notes = bands, self.notes
        if fitted:
            n = np.geomspace(x.min(), x.max(), FOLLOW)
            guides += (Line(f"power law {self.fitted.formula}", n, self.fitted(n)),)
            notes += self.fitted.notes
        first = self.test[0]
        title = f"{'Learning' if self.along == SIZES else 'Validation'} curve of {self.learner}"
        chart = Curve("validation", title, self.along, first.asked, lines, guides, point_marks(lines), notes=notes)
        chart = replace(chart, log_x=wide if log_x is None else log_x, log_y=log_y)
        return replace(chart, x_names=names, x_range=(0.5, len(names) + 0.5)) if names else chart

    @property
    def _names(self) -> tuple[str, ...]:
        """The places as text where not all of them are numbers; else none."""
        return () if all(map(_is_number, self.places)) else tuple(map(str, self.places))


def _is_number(place: Any) -> bool:
    return isinstance(place, (int, float, np.number)) and not isinstance(place, bool) and math.isfinite(place)


def _cells(row: Estimate) -> tuple[Any, ...]:
    return align_decimals(row.value, *limits_of(row.interval))


def _values(rows: tuple[Estimate, ...]) -> Array:
    return np.array([row.value for row in rows], float)


def _band(name: str, x: Array, rows: tuple[Estimate, ...]) -> Line:
    """Where there is no interval, there is no band."""
    level = next(row.interval.level for row in rows if row.interval)
    low, high = np.array([limits_of(row.interval) for row in rows], float).T  # NaN where there is none
    return Line(f"{percent(level)} interval", x, _values(rows), low=low, high=high, style="band", of=name)


@dataclass(frozen=True)
class Projection:
    """What the law says of a size."""

    rows: float
    value: float
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        return f"{self.value:.4g} at {self.rows:g} rows" + _below(self.notes)


@dataclass(frozen=True)
class PowerLaw:
    """`a` is where the curve levels off, `c` how fast it gets there."""

    a: float
    b: float
    c: float
    largest: int  # size that was measured
    residual: float  # root of the mean square of what is left over
    notes: tuple[Note, ...] = ()

    def __call__(self, rows: Array | float) -> Array:
        return np.asarray(self.a + self.b * np.asarray(rows, float) ** -self.c)

    def at(self, rows: float) -> Projection:
        """The value at a size, with a caution beyond twice the largest that was measured."""
        if not rows > 0:
            raise BadInput(f"rows is a number larger than 0, not {rows!r}")
        notes = self.notes
        if rows > FAR * self.largest:
            says = f"{rows:g} rows are more than twice the {self.largest} that were measured: a guess, not an estimate"
            notes += (Note("far-beyond", "caution", says),)
        return Projection(rows, float(self(rows)), notes)

    def __str__(self) -> str:
        return self.formula + _below(self.notes)

    @property
    def formula(self) -> str:
        return f"{self.a:.4g} {'+' if self.b >= 0 else '-'} {abs(self.b):.4g} n^-{self.c:.3g}"


def _below(notes: tuple[Note, ...]) -> str:
    """What must be known, under what it is about."""
    return "".join(f"\n  {note}" for note in notes)


def power_law(sizes: Array, values: Array) -> PowerLaw:
    """Least squares: for each exponent a and b are a straight line, so that only the exponent is searched for."""
    from scipy.optimize import minimize_scalar

    if len(sizes) < LEAST:
        raise BadInput(f"a power law has three numbers to find: give at least {LEAST} sizes, not {len(sizes)}")
    if not np.isfinite(values).all():
        raise Refused("a power law needs a value at every size, and some are undefined", "undefined")
    n, y = np.asarray(sizes, float), np.asarray(values, float)
    grid = np.geomspace(SLOWEST, FASTEST, 60)
    left = [_line(n, y, c)[2] for c in grid]
    place = int(np.argmin(left))
    around = grid[max(place - 1, 0)], grid[min(place + 1, len(grid) - 1)]
    c = float(minimize_scalar(lambda c: _line(n, y, c)[2], bounds=around, method="bounded").x)
    a, b, rest = _line(n, y, c)
    return PowerLaw(a, b, c, int(n.max()), float(np.sqrt(rest / len(n))), _poor(place, len(grid)))


def _line(n: Array, y: Array, c: float) -> tuple[float, float, float]:
    """Intercept and slope over n^-c, and the sum of squares left over."""
    x = (n / n.min()) ** -c  # scaled, so that tiny powers lose no digits
    slope = float(((x - x.mean()) @ (y - y.mean())) / ((x - x.mean()) @ (x - x.mean())))
    level = float(y.mean() - slope * x.mean())
    return level, slope * float(n.min()) ** c, float(((y - level - slope * x) ** 2).sum())


def _poor(place: int, number: int) -> tuple[Note, ...]:
    if 0 < place < number - 1:
        return ()
    says = "these sizes do not determine a power law: its exponent is at the end of what was looked at"
    return (Note("no-power-law", "caution", says),)
