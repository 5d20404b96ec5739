"""Which pictures there are of rankings, of one comparison and of several, the usual one first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from veracity.findings.comparison import Comparison
from veracity.plots.critical_difference import critical_difference
from veracity.plots.pair_differences import differences, differences_of_ranking
from veracity.plots.pair_matrices import multi_comparison_matrix, p_values
from veracity.plots.posterior_plots import posterior_density, posterior_triangle
from veracity.plots.significance_graph import significance_graph

Kinds = Mapping[str, Callable[..., Any]]

OF_RANKING: Kinds = {
    "critical_difference": critical_difference,
    "significance_graph": significance_graph,
    "p_values": p_values,
    "differences": differences_of_ranking,
    "multi_comparison_matrix": multi_comparison_matrix,
}
OF_COMPARISONS: Kinds = {"differences": differences}
OF_COMPARISON: Kinds = {
    "differences": lambda comparison, ax=None, width=None: differences((comparison,), ax, width),
    "posterior_density": posterior_density,
    "posterior_triangle": posterior_triangle,
}


def kinds_of_comparison(comparison: Comparison) -> Kinds:
    """All, and first of a posterior the one that shows what it knows."""
    posterior = comparison.posterior
    usual = "differences" if posterior is None else "posterior_density" if posterior.law else "posterior_triangle"
    return {usual: OF_COMPARISON[usual], **OF_COMPARISON}
