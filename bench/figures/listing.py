"""The one listing of what is measured, by the files that hold the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from bench import bias, discoveries, errors, learner_coverage, verb_coverage
from bench.defaults.__main__ import areas, cells, specification
from bench.figures import of_learners, of_models, of_pairs
from bench.figures.specification import Specification


def _of_defaults(area: str) -> Iterator[Specification]:
    return (specification(number, cell) for number, cell in enumerate(cells(area)))


AREAS: dict[str, Callable[[], Iterator[Specification]]] = {
    "shares": of_models.shares,
    "matrices": of_models.matrices,
    "orderings": of_models.orderings,
    "losses": of_models.losses,
    "pairs": of_pairs.pairs,
    "differences": of_pairs.differences,
    "splits": of_learners.splits,
    "data_sets": of_learners.data_sets,
    "families": of_learners.family_errors,
    "splits_of_learners": errors.specifications,
    "learners": learner_coverage.specifications,
    "bias": bias.specifications,
    "standardised": verb_coverage.standardised,
    "verbs": verb_coverage.verbs,
    "discoveries": discoveries.specifications,
    **{f"defaults_{area}": partial(_of_defaults, area) for area in areas()},
}


def specifications(area: str) -> Iterator[Specification]:
    """The units of one area."""
    yield from AREAS[area]()
