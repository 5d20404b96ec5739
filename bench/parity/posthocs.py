"""scikit-posthocs: p-values of all pairs after Friedman's test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import combinations

import numpy as np
import scikit_posthocs

import veracity as vc
from bench.parity.inputs import tables
from bench.parity.row import Row, compare

NAME, VERSION = "scikit-posthocs", version("scikit-posthocs")


def ours(table: np.ndarray, **asked: str) -> list[float]:
    names = [str(i) for i in range(table.shape[1])]
    ranking = vc.rank(vc.score_matrix(table, names, better="higher"), using="friedman", **asked)
    return [ranking[a, b].adjusted_p_value for a, b in combinations(names, 2)]


def upper(function: Callable[..., object], table: np.ndarray, **asked: str) -> np.ndarray:
    found = np.asarray(function(table, **asked))
    return found[np.triu_indices(table.shape[1], 1)]


def rows() -> Iterator[Row]:
    yield compare(
        "rank(..., then='nemenyi')",
        "posthoc_nemenyi_friedman",
        tables(),
        lambda t: ours(t, then="nemenyi"),
        lambda t: upper(scikit_posthocs.posthoc_nemenyi_friedman, t),
    )
    for method, theirs in (("holm", "holm"), ("bonferroni", "bonferroni"), ("hommel", "hommel")):
        yield compare(
            f"rank(..., pairs='mean_ranks', then='{method}')",
            f"posthoc_siegel_friedman(p_adjust='{theirs}')",
            tables(),
            lambda t, m=method: ours(t, pairs="mean_ranks", then=m),
            lambda t, m=theirs: upper(scikit_posthocs.posthoc_siegel_friedman, t, p_adjust=m),
        )
