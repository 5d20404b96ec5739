"""statsmodels: intervals of shares, McNemar, Cochran, adjusted p-values, two shares."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from statsmodels import __version__
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest

import veracity as vc
from bench.parity.inputs import discordant, evenly_discordant, p_values, shares, two_classes
from bench.parity.row import Row, compare
from bench.parity.scipy_stats import limits

NAME, VERSION = "statsmodels", __version__
SHARES = {
    "wilson": "wilson",
    "clopper_pearson": "beta",
    "agresti_coull": "agresti_coull",
    "wald": "normal",
    "jeffreys": "jeffreys",
}
ADJUSTED = {
    "bonferroni": "bonferroni",
    "sidak": "sidak",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "benjamini_hochberg": "fdr_bh",
    "benjamini_yekutieli": "fdr_by",
}
EVEN = "their correction takes 1 off a difference of 0 and squares it; here nothing is taken off, and p is 1"
INSIDE = {"wald", "jeffreys"}  # at 0 or all errors the two part


def rows() -> Iterator[Row]:
    for ours, theirs in SHARES.items():
        yield compare(
            f"interval='{ours}'" + ", some errors and some hits" * (ours in INSIDE),
            f"proportion_confint(method='{theirs}')",
            [t for t in shares() if ours not in INSIDE or 5 < t[0] < t[1] - 5],
            lambda t, m=ours: limits(m, *t),
            lambda t, m=theirs: np.clip(proportion_confint(*t, method=m), 0, 1),
        )
    yield compare(
        "interval='jeffreys', no error or errors only",
        "proportion_confint(method='jeffreys')",
        [(0, 12), (15, 15)],
        lambda t: limits("jeffreys", *t),
        lambda t: proportion_confint(*t, method="jeffreys"),
        "the limit is 0 without an error and 1 with errors only (Brown, Cai and DasGupta); theirs is the quantile",
    )
    for ours, exact, correction in (("mcnemar_exact", True, False), ("mcnemar", False, True)):
        yield compare(
            f"using='{ours}'",
            f"mcnemar(exact={exact}, correction={correction})",
            discordant(),
            lambda t, m=ours: vc.compare(vc.pairs(n01=t[1], n10=t[2], of=sum(t)), "error", using=m).p_value,
            lambda t, e=exact, c=correction: mcnemar([[t[0], t[2]], [t[1], t[3]]], exact=e, correction=c).pvalue,
        )
    yield compare(
        "using='mcnemar', as many rows of one kind as of the other",
        "mcnemar(exact=False, correction=True)",
        evenly_discordant(),
        lambda t: vc.compare(vc.pairs(n01=t[1], n10=t[2], of=sum(t)), "error", using="mcnemar").p_value,
        lambda t: mcnemar([[t[0], t[2]], [t[1], t[3]]], exact=False, correction=True).pvalue,
        EVEN,
    )
    for ours, theirs in ADJUSTED.items():
        yield compare(
            f"adjust(p, '{ours}')",
            f"multipletests(method='{theirs}')",
            p_values(),
            lambda p, m=ours: np.asarray(vc.adjust(p, m)),
            lambda p, m=theirs: multipletests(p, method=m)[1],
        )
    yield from _several()


def _several() -> Iterator[Row]:
    def columns(t):
        right = [
            (chance >= cut).astype(int) == t.truth for chance, cut in ((t.first, 0.5), (t.second, 0.5), (t.first, 0.3))
        ]
        return np.column_stack(right).astype(int)

    def ours(t):
        models = {str(i): vc.predictions(correct=column) for i, column in enumerate(columns(t).T)}
        return vc.compare(models, "error", using="cochran_q").omnibus.p_value

    yield compare("using='cochran_q'", "cochrans_q", two_classes(), ours, lambda t: cochrans_q(columns(t)).pvalue)
    two = [(a, b) for a, b in zip(shares()[3:], shares()[4:], strict=False) if 0 < a[0] < a[1] and 0 < b[0] < b[1]]
    yield compare(
        "using='two_proportion_z'",
        "proportions_ztest",
        two,
        _two_shares,
        lambda t: proportions_ztest([t[0][0], t[1][0]], [t[0][1], t[1][1]])[1],
    )  # fmt: skip
    yield compare(
        "interval='newcombe' of two shares",
        "confint_proportions_2indep(method='newcomb')",
        two,
        _newcombe,
        lambda t: confint_proportions_2indep(t[0][0], t[0][1], t[1][0], t[1][1], method="newcomb"),
    )


def _shares(t):
    return {name: vc.errors(errors, of=rows) for name, (errors, rows) in zip("ab", t, strict=True)}


def _two_shares(t):
    return vc.compare(_shares(t), "error", using="two_proportion_z").p_value


def _newcombe(t):
    found = vc.compare(_shares(t), "error", using="two_proportion_z", interval="newcombe").interval
    return found.low, found.high
