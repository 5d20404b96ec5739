"""What there is: every score, interval, curve, comparison, adjustment, design; defaults, assumptions, references."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.core.assumptions import ASSUMPTIONS
from veracity.core.catalogue import Catalogue
from veracity.core.entry import Entry
from veracity.core.errors import BadInput
from veracity.core.references import REFERENCES
from veracity.curves import curves
from veracity.designs import designs
from veracity.experiments import procedures
from veracity.experiments.entry import Procedure
from veracity.intervals import intervals
from veracity.intervals.defaults import DEFAULTS
from veracity.planning import powers
from veracity.posthoc import posthocs
from veracity.risk import estimators
from veracity.risk.defaults import rows as learners_defaults
from veracity.scores import scores
from veracity.tables.json import records
from veracity.tables.printable import Written
from veracity.tables.table import Column, Table

METHODS: dict[str, Catalogue[Any]] = {
    "scores": scores,
    "intervals": intervals,
    "curves": curves,
    "comparisons": comparisons,
    "adjustments": adjustments,
    "posthocs": posthocs,
    "designs": designs,
    "estimators": estimators,
    "power": powers,
    "procedures": procedures,
}
NEEDS = ("label", "proba", "value", "number")
Row = tuple[Any, ...]


@dataclass(frozen=True, repr=False)
class Listing(Written):
    """One part of the catalogue: prints as a table; iterating gives its entries."""

    what: str
    columns: tuple[str, ...]
    entries: tuple[Any, ...]
    row: Callable[[Any], Row]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(self.row(entry)[0]) for entry in self.entries)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            raise BadInput(f"{name!r} is not among the {self.what} listed: {', '.join(self.names)}")
        return self.entries[self.names.index(name)]

    def table(self) -> Table:
        columns = tuple(Column(title, "left") for title in self.columns)
        return Table(columns, tuple(self.row(entry) for entry in self.entries))

    def to_json(self) -> dict[str, Any]:
        return {self.what: records(self.table())}


def catalogue(what: str = "scores", *, needs: str | None = None) -> Listing:
    """One part of the catalogue, such as scores, intervals, comparisons, adjustments, designs or defaults.

    `needs` keeps the scores or curves that read labels, probabilities, decision values or numbers.
    """
    if what not in LISTINGS:
        raise BadInput(f"there is no list of {what!r}: there are {', '.join(LISTINGS)}")
    found = LISTINGS[what]()
    if needs is None:
        return found
    if what not in ("scores", "curves"):
        raise BadInput(f"needs= chooses among scores or curves; {what} read no predictions themselves")
    if needs not in NEEDS:
        raise BadInput(f"needs is one of {', '.join(NEEDS)}, not {needs!r}")
    return Listing(what, found.columns, tuple(e for e in found if needs in e.needs.split(" or ")), found.row)


def written_range(score: Any) -> str:
    """The range of a score, as a reader writes it."""
    low, high = score.range
    return f"{low:g} to {high:g}"


def signature(entry: Entry) -> str:
    """A method as it is typed, with its defaults."""
    if isinstance(entry, Procedure):
        return entry.asked
    inside = ", ".join(map(str, entry.parameters))
    return f"{entry.name}({inside})" if inside else entry.name


def _sorted(found: Catalogue[Any]) -> tuple[Any, ...]:
    return tuple(sorted(found, key=lambda entry: entry.name))


def _scores() -> Listing:
    columns = ("score", "needs", "better", "range", "says")
    return Listing(
        "scores", columns, _sorted(scores), lambda e: (e.name, e.needs, e.better, written_range(e), e.sentence)
    )


def _intervals() -> Listing:
    columns = ("interval", "reads", "for", "says")
    return Listing(
        "intervals",
        columns,
        _sorted(intervals),
        lambda e: (e.name, READS.get(e.reads.__name__, e.reads.__name__), ", ".join(e.only) or "any", e.sentence),
    )


READS = {
    "Proportion": "a share of rows",
    "Bounded": "a mean of bounded losses",
    "Apparent": "a mean of bounded losses, also of training rows",
    "Linear": "influence values",
    "Measured": "any score",
    "Counts": "a confusion matrix",
    "Ordering": "an ordering",
    "Losses": "losses of rows",
    "SplitScores": "scores of splits",
    "Subsamples": "scores of pairs of halves",
    "FoldLosses": "losses of folds",
    "NestedLosses": "losses of pairs of folds",
    "DrawnLosses": "losses of bootstrap draws",
}


def _curves() -> Listing:
    return Listing("curves", ("curve", "needs", "says"), _sorted(curves), lambda e: (e.name, e.needs, e.sentence))


def _comparisons() -> Listing:
    return Listing("comparisons", ("comparison", "says"), _sorted(comparisons), lambda e: (e.name, e.sentence))


def _adjustments() -> Listing:
    columns = ("adjustment", "controls", "says")
    return Listing("adjustments", columns, _sorted(adjustments), lambda e: (e.name, e.controls, e.sentence))


def _posthocs() -> Listing:
    columns = ("posthoc", "about", "says")
    return Listing("posthocs", columns, _sorted(posthocs), lambda e: (e.name, e.about, e.sentence))


def _designs() -> Listing:
    return Listing("designs", ("design", "says"), _sorted(designs), lambda e: (e.name, e.sentence))


def _estimators() -> Listing:
    return Listing("estimators", ("estimator", "says"), _sorted(estimators), lambda e: (e.name, e.sentence))


def _power() -> Listing:
    columns = ("power", "told", "says")
    return Listing("power", columns, _sorted(powers), lambda e: (e.name, _told(e), e.sentence))


def _procedures() -> Listing:
    columns = ("procedure", "of", "says")
    return Listing("procedures", columns, _sorted(procedures), lambda e: (e.name, e.verb, e.sentence))


def _told(entry: Any) -> str:
    """What the power of a test is asked with."""
    return ", ".join((entry.size, entry.effect, "power", *(str(parameter) for parameter in entry.parameters)))


def _defaults() -> Listing:
    columns = ("scores", "interval", "says")
    return Listing(
        "defaults",
        columns,
        (*DEFAULTS, *learners_defaults()),
        lambda rule: (rule.scores, rule.interval or "none", rule.says),
    )


def _assumptions() -> Listing:
    return Listing("assumptions", ("assumption", "says"), tuple(ASSUMPTIONS.items()), lambda pair: pair)


def _references() -> Listing:
    return Listing("references", ("reference", "work"), tuple(REFERENCES.items()), lambda pair: pair)


LISTINGS: dict[str, Callable[[], Listing]] = {
    "scores": _scores,
    "intervals": _intervals,
    "curves": _curves,
    "comparisons": _comparisons,
    "adjustments": _adjustments,
    "posthocs": _posthocs,
    "designs": _designs,
    "estimators": _estimators,
    "power": _power,
    "procedures": _procedures,
    "defaults": _defaults,
    "assumptions": _assumptions,
    "references": _references,
}
