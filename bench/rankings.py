"""Speed of rankings: many learners on many data sets."""

from __future__ import annotations

import warnings
from contextlib import redirect_stdout
from io import StringIO
from itertools import combinations
from time import process_time

import numpy as np
import pandas as pd
import scikit_posthocs
from autorank import autorank
from scipy.stats import studentized_range, wilcoxon
from statsmodels.stats.multitest import multipletests

import veracity as vc
from bench.row import Row, faster, measure

ADJUSTMENTS = (
    "bonferroni sidak holm hochberg hommel holland finner rom li shaffer benjamini_hochberg benjamini_yekutieli"
)


def _scores(data_sets: int, learners: int) -> np.ndarray:
    random = np.random.default_rng(0)
    return random.normal(size=(data_sets, learners)) + np.linspace(0, 0.3, learners)


def all_ranks() -> Row:
    """Bergmann-Hommel and dynamic Shaffer end at 16 learners, so they are not among the adjustments here."""
    values = _scores(1000, 100)

    def job() -> None:
        for pairs in ("mean_ranks", "aligned_ranks", "quade"):
            found = vc.rank(values, using="friedman", pairs=pairs)
        vc.rank(values, using="friedman", then="nemenyi")
        vc.rank(values, using="friedman", then="bonferroni_dunn", control="learner 1")
        for name in ADJUSTMENTS.split():
            vc.adjust(found.p_values(adjusted=False), name)

    job()
    ours = measure(job, 3, clock=process_time)
    name = "Friedman, five post hoc tests, 12 adjustments, 100 learners on 1,000 data sets; processor time alone"
    return Row(name, str(ours), "none", ours.best, 1.5, at_most=True, unit=" s")


def nemenyi() -> Row:
    values = _scores(100, 30)
    vc.rank(values, then="nemenyi")
    ours = measure(lambda: vc.rank(values, then="nemenyi"), 3)
    peer = measure(lambda: scikit_posthocs.posthoc_nemenyi_friedman(values), 1)
    return faster("Nemenyi of 30 learners on 100 data sets; scikit-posthocs", ours, peer, 1)


def studentised_range() -> Row:
    from veracity.posthoc.single_step import range_tail

    q = np.linspace(0.1, 9, 4950)
    range_tail(q, 100)
    ours = measure(lambda: range_tail(q, 100), 3)
    peer = measure(lambda: studentized_range.sf(q[::99], 100, np.inf), 1, scale=99)
    return faster("Tails of the studentised range for 4,950 pairs; scipy", ours, peer, 10)


def wilcoxon_pairs() -> Row:
    """Ours also has Hodges and Lehmann's difference and interval of each pair, groups and notes."""
    values = _scores(50, 30)

    def peer() -> None:
        p = [wilcoxon(values[:, i], values[:, j], method="exact").pvalue for i, j in combinations(range(30), 2)]
        multipletests(p, method="holm")

    vc.rank(values)
    ours = measure(lambda: vc.rank(values), 3)
    return faster(
        "435 exact Wilcoxon pairs of 30 learners on 50 data sets; scipy, statsmodels", ours, measure(peer, 3), 0.3
    )


def whole_ranking() -> Row:
    """Autorank chooses Friedman and Nemenyi here."""
    frame = pd.DataFrame(_scores(50, 10))
    vc.rank(frame.to_numpy(), then="nemenyi")
    ours = measure(lambda: vc.rank(frame.to_numpy(), then="nemenyi"), 3)

    def peer() -> None:
        with warnings.catch_warnings(), redirect_stdout(StringIO()):
            warnings.simplefilter("ignore")
            autorank(frame, force_mode="nonparametric", verbose=False)

    return faster("Ranking of 10 learners on 50 data sets with Nemenyi; autorank", ours, measure(peer, 3), 1)


ROWS = (all_ranks, nemenyi, studentised_range, wilcoxon_pairs, whole_ranking)
