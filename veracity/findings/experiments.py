"""Experiments with one learner: curves of its risk, bias and variance, and the test against shuffled data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from veracity.core.arguments import verb
from veracity.core.confidence import rejects
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, unique
from veracity.core.words import percent
from veracity.findings.curve import Curve, Line, point_marks
from veracity.findings.estimates import Estimate, shorten_notes, split_counts
from veracity.findings.interval import limits_of
from veracity.records.arrays import Array
from veracity.tables.cells import align_decimals
from veracity.tables.result import RowsResult, SentenceResult, TableResult
from veracity.tables.table import Table

SIZES = "training rows"
LAW_POINTS = 200  # points of a fitted law
INCOMPLETE = ("failed-splits", "missing-splits", "skipped-splits")  # said before anything else
# found at each size anew: the last, of most training rows, stands for all
OF_DESIGN = ("duplicate-rows", "group-on-both-sides", "class-missing-in-training")
FAR_BEYOND = 2.0  # times the largest size: beyond, nothing in the data speaks for the curve
MAX_EXPONENT, MIN_EXPONENT = 5.0, 0.02  # exponents that are looked at
MIN_SIZES = 4  # sizes: three would be met exactly by almost any curve
LOSSES = {"squared": "squared loss", "domingos": "0-1 loss (Domingos)", "kohavi_wolpert": "0-1 loss (Kohavi, Wolpert)"}
MAX_BARS = 50
TIE_TOLERANCE = 1e-9  # relative: estimates closer than this are tied
CLAIMS = {
    "labels": ("features tell something of the target", "that features tell anything of the target"),
    "within_class": ("the learner uses how features go together", "that the learner uses how features go together"),
}


@dataclass(frozen=True, repr=False)
class RiskCurve(TableResult):
    """One row for each place: the score on test rows and on the training rows, each with its interval.

    Attributes
    ----------
    learner
        The learner.
    by
        The design that made the splits.
    along
        What changes from place to place.
    places
        Numbers of rows, or values of the parameter.
    test
        What was measured on test rows.
    training
        What was measured on training rows.
    notes
        What a reader should know: cautions and remarks.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> vc.learning_curve(GaussianNB(), X, y, sizes=[30, 90], by="kfold(k=5)").places
    (30, 90)
    """

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
        rows = []
        for place, *estimates in zip(_names_of(self.places) or self.places, self.test, self.training, strict=True):
            test, training = (align_decimals(one.value, *limits_of(one.interval)) for one in estimates)
            rows.append((place, *test, *training))
        first = self.test[0]
        better = f", {first.better} is better" if first.better else ""
        caption = f"{first.asked} of {self.learner} by {self.by}{better}"
        notes = shorten_notes(self.all_notes)
        return Table.from_rows(titles, rows, caption, notes, right=titles, further=split_counts(self.test))

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """What is missing first, then what is said of the whole curve, then of some places, with their names."""
        names = sorted({row.learner for row in self.test}, key=len, reverse=True)

        def without_value(note: Note) -> Note:
            """The note without the value of the parameter in the learner's name, so that equal ones are told once."""
            return replace(note, says=reduce(lambda says, name: says.replace(name, self.learner), names, note.says))

        general = {note.code if note.code in OF_DESIGN else note: note for note in map(without_value, self.notes)}
        of: dict[Note, dict[str, None]] = {}
        for place, *rows in self:
            for note in (without_value(note) for row in rows for note in row.all_notes):
                of.setdefault(note, {})[str(place)] = None
        placed = [
            note if len(places) == len(self) else replace(note, says=f"{self.along} {', '.join(places)}: {note.says}")
            for note, places in of.items()
            if note not in general.values()
        ]
        return tuple(sorted((*general.values(), *placed), key=lambda note: note.code not in INCOMPLETE))

    def json_fields(self) -> dict[str, Any]:
        """Return each place with both estimates in the shape of `veracity estimate --json`."""
        places = [
            {"place": place, "test": test.of_learner(), "training": training.of_learner()}
            for place, test, training in self
        ]
        of_all = {"score": self.test[0].asked, "better": self.test[0].better, "places": places}
        return {"learner": self.learner, "by": self.by, "along": self.along, **of_all}

    @verb
    def curve(self, *, fitted: bool = False, log_x: bool | None = None, log_y: bool = False) -> Curve:
        """The chart as data: two lines with their bands; values that are not all numbers stand side by side."""
        names = _names_of(self.places)
        if log_x and names:
            raise BadInput(
                f"{', '.join(names)} have no logarithms: leave out log_x for values that are not all numbers"
            )
        axis = _axis(self.places)
        x = axis.pop("x")
        axis["log_x"] = (axis["log_x"] and self.along != SIZES) if log_x is None else log_x
        lines, guides, notes = [], [], self.notes
        for name, rows in (("test rows", self.test), ("training rows", self.training)):
            lines.append(Line(name, x, _values(rows)))
            level = next((row.interval.level for row in rows if row.interval), None)
            if level is not None:
                low, high = np.array([limits_of(row.interval) for row in rows], float).T  # NaN where there is none
                title = f"{percent(level)} interval"
                guides.append(Line(title, x, _values(rows), low=low, high=high, style="band", of=name))
        if fitted:
            n = np.geomspace(x.min(), x.max(), LAW_POINTS)
            guides.append(Line(f"power law {self.fitted.formula}", n, self.fitted(n)))
            notes += self.fitted.notes
        title = f"{'Learning' if self.along == SIZES else 'Validation'} curve of {self.learner}"
        drawn = (tuple(lines), tuple(guides), point_marks(lines))
        return Curve("validation", title, self.along, self.test[0].asked, *drawn, notes=notes, log_y=log_y, **axis)


def _names_of(places: Sequence[Any]) -> tuple[str, ...]:
    """The places as text where not all of them are numbers; else none."""

    def is_number(place: Any) -> bool:
        return isinstance(place, (int, float, np.number)) and not isinstance(place, bool) and math.isfinite(place)

    return () if all(map(is_number, places)) else tuple(map(str, places))


def _axis(places: Sequence[Any]) -> dict[str, Any]:
    """Return x of the places of a chart with the fields of its axis; what is no number stands side by side."""
    if names := _names_of(places):
        x = np.arange(1.0, len(names) + 1)
        return {"x": x, "log_x": False, "x_names": names, "x_range": (0.5, len(names) + 0.5)}
    x = np.array(places, float)
    return {"x": x, "log_x": bool(len(x) > 2 and x.min() > 0 and x.max() / x.min() >= 100)}


def _values(rows: Sequence[Estimate]) -> Array:
    return np.array([row.value for row in rows], float)


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
        if rows > FAR_BEYOND * self.largest:
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

    if len(sizes) < MIN_SIZES:
        raise BadInput(f"a power law has three numbers to find: give at least {MIN_SIZES} sizes, not {len(sizes)}")
    if not np.isfinite(values).all():
        raise Refused("a power law needs a value at every size, and some are undefined", "undefined")
    n, y = np.asarray(sizes, float), np.asarray(values, float)
    grid = np.geomspace(MIN_EXPONENT, MAX_EXPONENT, 60)
    left = [_line(n, y, c)[2] for c in grid]
    place = int(np.argmin(left))
    around = grid[max(place - 1, 0)], grid[min(place + 1, len(grid) - 1)]
    c = float(minimize_scalar(lambda c: _line(n, y, c)[2], bounds=around, method="bounded").x)
    a, b, rest = _line(n, y, c)
    says = "these sizes do not determine a power law: its exponent is at the end of what was looked at"
    notes = () if 0 < place < len(grid) - 1 else (Note("no-power-law", "caution", says),)
    return PowerLaw(a, b, c, int(n.max()), float(np.sqrt(rest / len(n))), notes)


def _line(n: Array, y: Array, c: float) -> tuple[float, float, float]:
    """Intercept and slope over n^-c, and the sum of squares left over."""
    x = (n / n.min()) ** -c  # scaled, so that tiny powers lose no digits
    slope = float(((x - x.mean()) @ (y - y.mean())) / ((x - x.mean()) @ (x - x.mean())))
    level = float(y.mean() - slope * x.mean())
    return level, slope * float(n.min()) ** c, float(((y - level - slope * x) ** 2).sum())


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition(TableResult):
    """Means over test rows; `rows` holds the four columns loss, bias, variance, noise of each row.

    `noise` is None where nobody knows it: the bias then contains it.

    Attributes
    ----------
    learner
        The learner.
    kind
        What kind it is.
    loss
        The mean loss.
    bias
        The part that all models share.
    variance
        The part in which models differ.
    noise
        The part that no model can avoid; None where nobody knows it.
    draws
        How many draws were made.
    by
        The design that made the splits.
    rows
        Loss, bias, variance and noise of each row.
    notes
        What a reader should know: cautions and remarks.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> part = vc.bias_variance(GaussianNB(), X, y, loss="zero_one", draws=20)
    >>> round(part.bias, 2), round(part.variance, 2)
    (0.08, 0.0)
    """

    learner: str
    kind: str  # squared, domingos or kohavi_wolpert
    loss: float
    bias: float  # squared, for squared loss
    variance: float
    noise: float | None
    draws: int
    by: str
    rows: Array
    notes: tuple[Note, ...] = ()
    _json_names = ("learner", "kind", "by", "draws", "rows", "loss", "bias", "variance", "noise")

    @property
    def parts(self) -> dict[str, float]:
        """The parts by name; they sum to the loss."""
        squared = " squared" if self.kind != "domingos" else ""
        bias = f"bias{squared}" if self.noise is not None else f"bias{squared} and noise"
        found = {bias: self.bias, "variance": self.variance}
        return found if self.noise is None else {**found, "noise": self.noise}

    def table(self) -> Table:
        names, values = zip(*self.parts.items(), strict=True)
        numbers = align_decimals(self.loss, *values)
        shares = (f"{100 * (value / self.loss):.0f} %" if self.loss else "" for value in values)
        columns = {"part": ("loss", *names), "value": numbers, "share": ("100 %", *shares)}
        return Table.from_columns(columns, self.sentence, self.notes, right=("share",))

    @property
    def sentence(self) -> str:
        """The whole in words."""
        (first, value), *others = self.parts.items()
        more = "".join(f" {'-+'[part >= 0]} {abs(part):.4g} {name}" for name, part in others)
        whole = f"{self.loss:.4g} = {value:.4g} {first}{more}"
        return f"The mean {LOSSES[self.kind]} of {self.learner} over {self.by} is {whole}."

    def json_fields(self) -> dict[str, Any]:
        return super().json_fields() | {"rows": len(self.rows)}


@dataclass(frozen=True, eq=False, repr=False)
class Decompositions(RowsResult[Decomposition]):
    """A loss and its parts for each value of a parameter, from the same training sets: bias against variance."""

    learner: str
    parameter: str
    values: tuple[Any, ...]
    rows: tuple[Decomposition, ...]

    @property
    def notes(self) -> tuple[Note, ...]:
        return unique(tuple(note for row in self.rows for note in row.notes))

    @property
    def best(self) -> Any:
        """The value of the smallest loss on these rows, which choosing makes optimistic."""
        return self.values[int(np.argmin([row.loss for row in self.rows]))]

    def table(self) -> Table:
        names = tuple(self.rows[0].parts)
        rows = [
            (str(value), *align_decimals(row.loss, *row.parts.values()))
            for value, row in zip(self.values, self.rows, strict=True)
        ]
        caption = f"The mean {LOSSES[self.rows[0].kind]} of {self.learner} over {self.rows[0].by}, by {self.parameter}"
        titles = (self.parameter, "loss", *names)
        return Table.from_rows(titles, rows, caption, self.notes, right=titles)

    def curve(self) -> Curve:
        """The chart as data: the loss and each of its parts against the parameter."""
        about = {"notes": self.notes, "facts": {"best": self.best}, **_axis(self.values)}
        x = about.pop("x")
        order = np.argsort(x)
        columns = {"loss": [row.loss for row in self.rows]}
        columns |= {name: [row.parts[name] for row in self.rows] for name in self.rows[0].parts}
        lines = tuple(Line(name, x[order], np.array(column)[order]) for name, column in columns.items())
        if min(map(min, columns.values())) >= 0:  # parts of a sum are seen from 0 on
            about["y_range"] = (0.0, 1.05 * max(map(max, columns.values())) or 1.0)
        kind = LOSSES[self.rows[0].kind]
        title = f"Bias and variance of {self.learner}"
        return Curve("bias_variance", title, self.parameter, f"Mean {kind}", lines, marks=point_marks(lines), **about)

    def json_fields(self) -> dict[str, Any]:
        rows = [{"value": value, **row.json_fields()} for value, row in zip(self.values, self.rows, strict=True)]
        return {"learner": self.learner, "parameter": self.parameter, "values": rows}


@dataclass(frozen=True, eq=False, repr=False)
class PermutationTest(SentenceResult):
    """The estimate of the data as it is, and `null`, those of the draws; a draw that failed is NaN.

    A draw that failed counts as at least as good as the data, so that failures never make a learner look better.

    Attributes
    ----------
    learner
        The learner.
    score
        The score by its own name.
    by
        The design that made the splits.
    kind
        What kind it is.
    value
        The estimate of the data as they are.
    null
        The estimates of shuffled data.
    better
        'higher' or 'lower'.
    seed
        Where random numbers began.
    level
        The level of intervals and tests.
    notes
        What a reader should know: cautions and remarks.
    draws
        How many draws were made.
    rejected
        Whether the test rejects at its level.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> vc.permutation_test(GaussianNB(), X[::10], y[::10], by="kfold(k=3)", draws=9, progress=False).p_value
    0.1
    """

    learner: str
    score: str
    by: str
    kind: str
    value: float
    null: Array
    better: str = "lower"
    seed: int = 0
    level: float = 0.95
    notes: tuple[Note, ...] = ()

    @property
    def draws(self) -> int:
        return len(self.null)

    @property
    def as_good(self) -> int:
        """How many draws are at least as good as the data as it is."""
        known = np.append(self.null, self.value)
        slack = TIE_TOLERANCE * np.abs(known[np.isfinite(known)]).max(initial=0)
        worse = self.null > self.value + slack if self.better == "lower" else self.null < self.value - slack
        return int((~worse).sum())

    @property
    def p_value(self) -> float:
        """The data as it is counts as one of the draws: the p-value is never 0."""
        return (1 + self.as_good) / (1 + self.draws)

    @property
    def error(self) -> float:
        """How far the p-value of endlessly many draws may be: its standard error."""
        return math.sqrt(self.p_value * (1 - self.p_value) / self.draws)

    @property
    def expected(self) -> float:
        """The mean over the draws: what chance gives."""
        known = self.null[~np.isnan(self.null)]
        return float(known.mean()) if len(known) else math.nan

    @property
    def difference(self) -> float:
        """The estimate minus what chance gives."""
        return self.value - self.expected

    @property
    def rejected(self) -> bool:
        return bool(rejects(self.p_value, self.level))

    def sentence(self) -> str:
        claim, lacking = CLAIMS[self.kind]
        verdict = claim if self.rejected else f"not enough to conclude {lacking}"
        shuffled = "labels" if self.kind == "labels" else "features inside classes"
        return (
            f"The {self.score} of {self.learner} is {self.value:.4g}, and {self.expected:.4g} on average over"
            f" {self.draws:,} draws with shuffled {shuffled}; p = {self.p_value:.3g} (+- {self.error:.2g}): {verdict}."
        )

    def curve(self) -> Curve:
        """The chart as data: how the estimates of shuffled data lie, and where that of the data as it is does."""
        known = self.null[np.isfinite(self.null)]
        every = np.append(known, self.value)
        edges = np.histogram_bin_edges(every[np.isfinite(every)], bins="auto")
        if len(edges) - 1 > MAX_BARS:
            edges = np.linspace(edges[0], edges[-1], MAX_BARS + 1)
        counts = np.histogram(known, edges)[0].astype(float)
        bars = Line("shuffled data", (edges[:-1] + edges[1:]) / 2, counts, style="bars")
        top = np.array([0.0, counts.max(initial=1.0)])
        here = Line("the data as it is", np.full(2, self.value), top, says=f"{self.score} {self.value:.4g}")
        wide = edges[1] - edges[0]
        return Curve(
            "permutation_test",
            f"Permutation test: p = {self.p_value:.3g}",
            self.score,
            f"of {self.draws:,} draws",
            (bars, here) if math.isfinite(self.value) else (bars,),
            facts={"edges": tuple(edges.tolist()), "value": self.value, "p_value": self.p_value},
            x_range=(float(edges[0] - wide / 2), float(edges[-1] + wide / 2)),
            notes=self.notes,
        )

    def table(self) -> Table:
        """The numbers in the sentence, and the difference from chance."""
        alike, own = ("value", "expected", "difference"), ("p_value", "error", "draws")
        cells = (*align_decimals(*(getattr(self, name) for name in alike)), *(getattr(self, name) for name in own))
        return Table.from_rows((*alike, *own), [cells])

    def json_fields(self) -> dict[str, Any]:
        """Return everything in plain numbers; draws that failed are null."""
        names = ("score", "learner", "by", "kind", "value", "expected", "difference", "better", "p_value", "error")
        return {name: getattr(self, name) for name in (*names, "draws", "seed", "null")}
