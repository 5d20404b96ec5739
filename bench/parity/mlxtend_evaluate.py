"""mlxtend: tests of two and of several models on the same rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from mlxtend import __version__
from mlxtend.evaluate import cochrans_q, mcnemar, mcnemar_table, proportion_difference

import veracity as vc
from bench.parity.inputs import discordant, evenly_discordant, two_classes
from bench.parity.row import Row, compare

NAME, VERSION = "mlxtend", __version__


def using(method: str, t: tuple[int, ...]) -> float:
    return vc.compare(vc.pairs(n01=t[1], n10=t[2], of=sum(t)), "error", using=method).p_value


def rows() -> Iterator[Row]:
    def table(t):
        return np.array([[t[0], t[2]], [t[1], t[3]]])

    yield compare(
        "using='mcnemar'", "mcnemar(ary, corrected=True)", discordant(),
        lambda t: using("mcnemar", t), lambda t: mcnemar(table(t), corrected=True)[1],
    )  # fmt: skip
    yield compare(
        "using='mcnemar_z'", "mcnemar(ary, corrected=False)", discordant(),
        lambda t: using("mcnemar_z", t), lambda t: mcnemar(table(t), corrected=False)[1],
    )  # fmt: skip
    yield compare(
        "using='mcnemar_exact'", "mcnemar(ary, exact=True)", discordant(),
        lambda t: using("mcnemar_exact", t), lambda t: mcnemar(table(t), exact=True)[1],
    )  # fmt: skip

    yield compare(
        "using='mcnemar', as many rows of one kind as of the other",
        "mcnemar(ary, corrected=True)",
        evenly_discordant(),
        lambda t: using("mcnemar", t),
        lambda t: mcnemar(table(t), corrected=True)[1],
        "their correction takes 1 off a difference of 0 and squares it; here nothing is taken off, and p is 1",
    )

    def cut(t):
        return (t.first >= 0.5).astype(int), (t.second >= 0.5).astype(int), (t.first >= 0.3).astype(int)

    def counts(t):
        found = vc.compare(t.models(), "error")
        return found.n10, found.n01

    def theirs(t):
        found = mcnemar_table(t.truth, *cut(t)[:2])
        return found[0, 1], found[1, 0]

    yield compare("compare(...).n10, .n01", "mcnemar_table", two_classes(), counts, theirs)

    def several(t):
        models = {str(i): vc.predictions(t.truth, label=label) for i, label in enumerate(cut(t))}
        return vc.compare(models, "error", using="cochran_q").omnibus.p_value

    yield compare("using='cochran_q'", "cochrans_q", two_classes(), several, lambda t: cochrans_q(t.truth, *cut(t))[1])

    def shares_apart(t):
        wrong = [int((label != t.truth).sum()) for label in cut(t)[:2]]
        models = {name: vc.errors(number, of=len(t.truth)) for name, number in zip("ab", wrong, strict=True)}
        return vc.compare(models, "error", using="two_proportion_z").p_value

    yield compare(
        "using='two_proportion_z'",
        "proportion_difference",
        [t for t in two_classes() if (cut(t)[0] != cut(t)[1]).any()],
        shares_apart,
        lambda t: proportion_difference(*(float((label != t.truth).mean()) for label in cut(t)[:2]), n_1=len(t.truth))[
            1
        ],
        "their p-value is the lower tail of z alone, with unpooled variances; here it is two-sided and pooled",
    )
