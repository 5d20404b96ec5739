"""List what there is: every method by its kind, and the defaults, assumptions and references.

The one table of method kinds, from which `list`, `explain`, reports, the manual and shell completion take them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.contests.compare import ADJUSTMENT
from veracity.contests.rank import OF_ALL_LEARNERS, PAIR_TEST
from veracity.contests.score_sources import BY_SUBSAMPLING, OVER_DATA_SETS, OVER_SPLITS
from veracity.contests.sources import OF_COUNTS, OF_DISCORDANT_ROWS, OF_MODELS
from veracity.core.arguments import verb
from veracity.core.catalogue import Catalogue
from veracity.core.entry import DefaultRule
from veracity.core.errors import BadInput
from veracity.core.index import index
from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.curves import curves
from veracity.designs import designs
from veracity.effects.effect_sizes import effects
from veracity.experiments import procedures
from veracity.intervals import intervals
from veracity.intervals.compute import DEFAULTS
from veracity.lab.worlds import worlds
from veracity.methods.topics import TOPICS
from veracity.planning import powers, widths
from veracity.posthoc import posthocs
from veracity.risk import estimators
from veracity.risk.designs import learner_defaults
from veracity.scores import scores
from veracity.tables.exports import records
from veracity.tables.result import TableResult
from veracity.tables.table import Column, Table

NEEDS = ("label", "proba", "value", "number")
Row = tuple[Any, ...]


class Shelf(NamedTuple):
    """The methods of one kind: what `list` calls them, the heading of their page in the manual, and the methods."""

    name: str
    title: str
    catalogue: Catalogue[Any]

    @property
    def one(self) -> str:
        """What `list` calls one of them."""
        return self.name.removesuffix("s")


SHELVES = (
    Shelf("scores", "Scores", scores),
    Shelf("intervals", "Intervals", intervals),
    Shelf("curves", "Curves", curves),
    Shelf("comparisons", "Comparisons", comparisons),
    Shelf("effects", "Effect sizes", effects),
    Shelf("adjustments", "Adjustments", adjustments),
    Shelf("posthocs", "Post hoc tests", posthocs),
    Shelf("designs", "Designs", designs),
    Shelf("estimators", "Estimators of risk", estimators),
    Shelf("power", "Power", powers),
    Shelf("widths", "Widths of intervals", widths),
    Shelf("procedures", "Procedures", procedures),
    Shelf("worlds", "Worlds of the lab", worlds),
)
CATALOGUES: dict[str, Catalogue[Any]] = {shelf.name: shelf.catalogue for shelf in SHELVES}


@dataclass(frozen=True, repr=False)
class Listing(TableResult):
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


class Default(NamedTuple):
    """What is asked for and of what, what is taken where no method is named, and why."""

    asked: str
    of: str
    default: str
    why: str


@verb
def catalogue(what: str = "scores", *, needs: str | None = None) -> Listing:
    """One part of the catalogue, such as scores, intervals, comparisons, adjustments, designs or defaults.

    `needs` keeps the scores or curves that read labels, probabilities, decision values or numbers.

    Parameters
    ----------
    what
        'scores', 'intervals', 'comparisons', 'adjustments', 'designs', 'curves', 'defaults', ...
    needs
        Keep scores or curves that read 'label', 'proba', 'value' or 'number'.

    Examples
    --------
    >>> len(vc.catalogue("adjustments")) > 10
    True
    """
    if what not in LISTINGS:
        raise BadInput(f"there is no list of {what!r}: there are {', '.join(LISTINGS)}")
    listing = LISTINGS[what]()
    if needs is None:
        return listing
    if what not in ("scores", "curves"):
        raise BadInput(f"`needs=` chooses among scores or curves; {what} read no predictions themselves")
    if needs not in NEEDS:
        raise BadInput(f"needs is one of {', '.join(NEEDS)}, not {needs!r}")
    return Listing(what, listing.columns, tuple(e for e in listing if needs in e.needs.split(" or ")), listing.row)


def _methods(shelf: Shelf) -> Listing:
    entries = tuple(sorted(shelf.catalogue, key=lambda entry: entry.name))
    columns = (shelf.one, *entries[0].cells(), "says")
    return Listing(shelf.name, columns, entries, lambda entry: (entry.name, *entry.cells().values(), entry.sentence))


def _defaults() -> Listing:
    asked: dict[str, tuple[DefaultRule, ...]] = {
        "interval of a model": DEFAULTS,
        "interval of a learner": learner_defaults(),
        "compare models, learners by holdout": (*OF_MODELS, OF_DISCORDANT_ROWS, OF_COUNTS),
        "compare learners": (BY_SUBSAMPLING, *OVER_SPLITS, OVER_DATA_SETS),
        "rank": OF_ALL_LEARNERS,
        "rank: pairs": (PAIR_TEST,),
        "rank, compare: then": (ADJUSTMENT,),
    }
    rows = tuple(Default(what, rule.where, rule.name or "none", rule.why) for what, of in asked.items() for rule in of)
    return Listing("defaults", Default._fields, rows, lambda row: row)


def _texts(what: str, columns: tuple[str, str], table: dict[str, str]) -> Listing:
    return Listing(what, columns, tuple(table.items()), lambda pair: pair)


LISTINGS: dict[str, Callable[[], Listing]] = {
    **{shelf.name: partial(_methods, shelf) for shelf in SHELVES},
    "verbs": lambda: _texts("verbs", ("verb", "says"), {name: one.says for name, one in index()["verbs"].items()}),
    "topics": lambda: _texts("topics", ("topic", "says"), {name: one.says for name, one in sorted(TOPICS.items())}),
    "defaults": _defaults,
    "assumptions": lambda: _texts("assumptions", ("assumption", "says"), ASSUMPTIONS),
    "references": lambda: _texts("references", ("reference", "work"), REFERENCES),
}
