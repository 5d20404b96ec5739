"""scipy.stats: intervals of shares, tests of two and of many learners, adjusted p-values."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import __version__, stats

import veracity as vc
from bench.parity.inputs import p_values, pairs_of_columns, shares, tables, two_classes
from bench.parity.row import Row, compare

NAME, VERSION = "scipy", __version__


def limits(method: str, errors: int, of: int) -> tuple[float, float]:
    found = vc.estimate(vc.errors(errors, of=of), "error", interval=method)["error"].interval
    return found.low, found.high


def two(columns: tuple[np.ndarray, np.ndarray]) -> vc.ScoreMatrix:
    return vc.score_matrix(np.column_stack(columns), learners=["a", "b"], better="higher")


def rows() -> Iterator[Row]:
    for ours, theirs in (("wilson", "wilson"), ("clopper_pearson", "exact"), ("wilson_cc", "wilsoncc")):
        yield compare(
            f"interval='{ours}'",
            f"binomtest(...).proportion_ci(method='{theirs}')",
            shares(),
            lambda t, m=ours: limits(m, *t),
            lambda t, m=theirs: tuple(stats.binomtest(*t).proportion_ci(method=m)),
        )
    yield compare(
        "auc",
        "mannwhitneyu(...).statistic / (positives * negatives)",
        two_classes(),
        lambda t: vc.score(t.one(), "auc"),
        lambda t: (
            stats.mannwhitneyu(t.first[t.truth == 1], t.first[t.truth == 0]).statistic
            / (t.truth.sum() * (1 - t.truth).sum())
        ),
    )
    yield compare(
        "compare(..., using='wilcoxon').p_value",
        "wilcoxon(method='exact').pvalue",
        pairs_of_columns(),
        lambda t: vc.compare(two(t), using="wilcoxon").p_value,
        lambda t: stats.wilcoxon(*t, method="exact").pvalue,
    )
    yield compare(
        "compare(..., using='paired_t').p_value",
        "ttest_rel(...).pvalue",
        pairs_of_columns(),
        lambda t: vc.compare(two(t), using="paired_t").p_value,
        lambda t: stats.ttest_rel(*t).pvalue,
    )
    yield compare(
        "compare(..., using='sign').p_value",
        "binomtest(wins, wins + losses).pvalue",
        pairs_of_columns(),
        lambda t: vc.compare(two(t), using="sign").p_value,
        lambda t: stats.binomtest(int((t[0] > t[1]).sum()), int((t[0] != t[1]).sum())).pvalue,
    )
    yield from _many()


def _many() -> Iterator[Row]:
    yield compare(
        "rank(..., using='friedman').omnibus",
        "friedmanchisquare",
        tables(),
        lambda t: _omnibus(t, "friedman"),
        lambda t: tuple(stats.friedmanchisquare(*t.T)),
    )
    yield compare(
        "rank(..., using='friedman(tie_correction=False)').omnibus",
        "friedmanchisquare",
        tables(),
        lambda t: _omnibus(t, "friedman(tie_correction=False)"),
        lambda t: tuple(stats.friedmanchisquare(*t.T)),
        "scipy corrects for ties always; so does friedman here unless told otherwise",
    )
    yield compare(
        "wilcoxon with pairs that are equal",
        "wilcoxon(zero_method='wilcox')",
        tables()[1::2],
        lambda t: vc.compare(two((t[:, 0], t[:, 1])), using="wilcoxon").p_value,
        lambda t: stats.wilcoxon(t[:, 0], t[:, 1]).pvalue,
        "equal pairs: half of their ranks to each side here, left out there; and the law given the ties is exact here",
    )
    for ours, theirs in (("benjamini_hochberg", "bh"), ("benjamini_yekutieli", "by")):
        yield compare(
            f"adjust(p, '{ours}')",
            f"false_discovery_control(p, method='{theirs}')",
            p_values(),
            lambda p, m=ours: np.asarray(vc.adjust(p, m)),
            lambda p, m=theirs: stats.false_discovery_control(p, method=m),
        )


def _omnibus(table: np.ndarray, using: str) -> tuple[float, float]:
    found = vc.rank(vc.score_matrix(table, better="higher"), using=using).omnibus
    return found.statistic, found.p_value
