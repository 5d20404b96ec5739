"""The one table of catalogues, from which `list`, `explain`, reports, the manual and shell completion take them."""

from __future__ import annotations

from typing import Any, NamedTuple

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.core.catalogue import Catalogue
from veracity.curves import curves
from veracity.designs import designs
from veracity.effects import effects
from veracity.experiments import procedures
from veracity.intervals import intervals
from veracity.lab.worlds import worlds
from veracity.planning import powers, widths
from veracity.posthoc import posthocs
from veracity.risk import estimators
from veracity.scores import scores


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
