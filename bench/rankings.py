"""Speed of rankings: many learners on many data sets."""

from __future__ import annotations

import warnings
from contextlib import redirect_stdout
from io import StringIO
from itertools import combinations
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
import scikit_posthocs
from autorank import autorank
from scipy.stats import studentized_range, wilcoxon
from statsmodels.stats.multitest import multipletests

import veracity as vc
from bench.row import Row, alone, faster, measure, measure_growth

ADJUSTMENTS = (
    "bonferroni sidak holm hochberg hommel holland finner rom li shaffer benjamini_hochberg benjamini_yekutieli"
)


def _scores(data_sets: int, learners: int) -> np.ndarray:
    random = np.random.default_rng(0)
    return random.normal(size=(data_sets, learners)) + np.linspace(0, 0.3, learners)


def all_ranks() -> Row:
    """Bergmann-Hommel and dynamic Shaffer end at 16 learners, so they are not among the adjustments here."""
    every = _scores(1000, 100)

    def job(learners: int) -> None:
        values = every[:, :learners]
        for pairs in ("mean_ranks", "aligned_ranks", "quade"):
            found = vc.rank(values, using="friedman", pairs=pairs)
        vc.rank(values, using="friedman", then="nemenyi")
        vc.rank(values, using="friedman", then="bonferroni_dunn", control="learner 1")
        for name in ADJUSTMENTS.split():
            vc.adjust(found.p_values(adjusted=False), name)

    job(100)
    ours = measure_growth(job, 100, 3, process_time, (10, 30), "learners")
    name = "Friedman, five post hoc tests, 12 adjustments, 100 learners on 1,000 data sets; processor time alone"
    return alone(name, ours, 1.5)


def nemenyi() -> Row:
    values = _scores(100, 30)
    theirs = scikit_posthocs.posthoc_nemenyi_friedman(values).to_numpy()
    pairs = np.triu_indices(30, 1)
    np.testing.assert_allclose(vc.rank(values, then="nemenyi").p_values()[pairs], theirs[pairs], atol=1e-6)
    ours = measure_growth(
        lambda number: vc.rank(values[:, :number], then="nemenyi"), 30, 3, smaller=(3, 10), of="learners"
    )
    peer = measure(lambda: scikit_posthocs.posthoc_nemenyi_friedman(values), 3)
    return faster("Nemenyi of 30 learners on 100 data sets; scikit-posthocs", ours, peer, 1)


def studentised_range() -> Row:
    from veracity.posthoc.pair_tests import range_tail

    q = np.linspace(0.1, 9, 4950)
    np.testing.assert_allclose(range_tail(q, 100)[::99], studentized_range.sf(q[::99], 100, np.inf), atol=1e-9)
    ours = measure_growth(lambda number: range_tail(q[:: len(q) // number], 100), len(q), 3, of="tails")
    peer = measure(lambda: studentized_range.sf(q[::99], 100, np.inf), 1, scale=99)
    return faster("Tails of the studentised range for 4,950 pairs; scipy", ours, peer, 10)


def wilcoxon_pairs() -> Row:
    """Ours also has Hodges and Lehmann's difference and interval of each pair, groups and notes."""
    values = _scores(50, 30)

    def peer() -> np.ndarray:
        p = [wilcoxon(values[:, i], values[:, j], method="exact").pvalue for i, j in combinations(range(30), 2)]
        return np.asarray(multipletests(p, method="holm")[1])

    np.testing.assert_allclose(vc.rank(values).p_values()[np.triu_indices(30, 1)], peer(), rtol=1e-9)
    ours = measure_growth(lambda number: vc.rank(values[:, :number]), 30, 3, smaller=(4, 10), of="learners")
    return faster(
        "435 exact Wilcoxon pairs of 30 learners on 50 data sets; scipy, statsmodels", ours, measure(peer, 3), 0.3
    )


def whole_ranking() -> Row:
    """Autorank chooses Friedman and Nemenyi here; it gives the highest score the highest rank."""
    values = _scores(50, 10)

    def peer() -> Any:
        with warnings.catch_warnings(), redirect_stdout(StringIO()):
            warnings.simplefilter("ignore")
            return autorank(pd.DataFrame(values), force_mode="nonparametric", verbose=False)

    def job(learners: int) -> Any:
        return vc.rank(values[:, :learners], then="nemenyi")

    ours, theirs = job(10), peer()
    np.testing.assert_allclose(ours.critical_difference, theirs.cd, rtol=1e-3)
    np.testing.assert_allclose(list(ours.average_ranks.values()), theirs.rankdf.meanrank.sort_index(), rtol=1e-12)
    growing = measure_growth(job, 10, 3, smaller=(3, 5), of="learners")
    return faster("Ranking of 10 learners on 50 data sets with Nemenyi; autorank", growing, measure(peer, 3), 1)


ROWS = (all_ranks, nemenyi, studentised_range, wilcoxon_pairs, whole_ranking)
