"""R, with pROC and boot: areas and their tests, intervals by the bootstrap, adjusted p-values, classical tests."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence

import numpy as np

import veracity as vc
from bench.parity.inputs import discordant, numbers, p_values, pairs_of_columns, shares, tables, two_classes
from bench.parity.mlxtend_evaluate import using
from bench.parity.row import Row, compare
from bench.parity.scipy_stats import _omnibus, limits, two

if shutil.which("Rscript") is None:
    raise ImportError("there is no Rscript: apt-get install r-base-core r-cran-proc r-cran-boot")
NAME = "R with pROC and boot"


def run(code: str) -> list[float]:
    """All numbers that a script prints."""
    done = subprocess.run(["Rscript", "--vanilla", "-"], input=code, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return [float("nan") if word in ("NA", "NaN") else float(word) for word in done.stdout.split()]


def versions() -> str:
    parts = ["as.character(getRversion())", *(f"as.character(packageVersion('{name}'))" for name in ("pROC", "boot"))]
    code = f"cat({', '.join(parts)})"
    done = subprocess.run(["Rscript", "--vanilla", "-e", code], capture_output=True, text=True, check=True)
    return "R {}, pROC {}, boot {}".format(*done.stdout.split())


VERSION = versions()


def vector(values: Sequence[float]) -> str:
    return f"c({','.join(repr(float(one)) for one in values)})"


def all_at_once(inputs: Sequence[object], code: str, head: str = "") -> dict[int, list[float]]:
    """One process for all inputs: `code` is R with a place for each, and prints as many numbers for each."""
    texts = [
        code.format(*map(vector, np.atleast_2d(one))) if not hasattr(one, "truth") else _of_models(code, one)
        for one in inputs
    ]
    found = run("\n".join([head, "say <- function(x) cat(format(as.numeric(x), digits=17), '\\n')", *texts]))
    size = len(found) // len(inputs)
    return {id(one): found[i * size : (i + 1) * size] for i, one in enumerate(inputs)}


def _of_models(code: str, one) -> str:
    return code.format(vector(one.truth), vector(one.first), vector(one.second))


def rows() -> Iterator[Row]:
    yield from _areas()
    yield from _adjusted()
    yield from _classical()
    yield from _boot()


def _areas() -> Iterator[Row]:
    quiet = "suppressPackageStartupMessages(library(pROC))"
    area = "r <- roc({0}, {1}, quiet=TRUE, direction='<'); say(c(auc(r), ci.auc(r, method='delong')[c(1, 3)]))"
    found = all_at_once(two_classes(), area, quiet)
    yield compare(
        "auc, interval='delong'", "pROC ci.auc(method='delong')", two_classes(),
        lambda t: _area(t), lambda t: found[id(t)],
    )  # fmt: skip
    test = (
        "say(roc.test(roc({0}, {1}, quiet=TRUE, direction='<'), roc({0}, {2}, quiet=TRUE, direction='<'),"
        " method='delong', paired=TRUE)$p.value)"
    )
    tested = all_at_once(two_classes(), test, quiet)
    yield compare(
        "compare(..., 'auc', using='delong_test').p_value",
        "pROC roc.test(method='delong', paired=TRUE)",
        two_classes(),
        lambda t: vc.compare(t.models(), "auc", using="delong_test").p_value,
        lambda t: tested[id(t)],
    )
    yield compare(
        "compare(..., 'auc').p_value, the default",
        "pROC roc.test(method='delong', paired=TRUE)",
        two_classes(),
        lambda t: vc.compare(t.models(), "auc").p_value,
        lambda t: tested[id(t)],
        "delong_t takes Student's law, as the normal one rejects too often where a class has few rows",
    )


def _area(t) -> tuple[float, ...]:
    one = vc.estimate(t.one(), "auc", interval="delong")["auc"]
    return one.value, one.interval.low, one.interval.high


def _adjusted() -> Iterator[Row]:
    theirs = {"bonferroni": "bonferroni", "holm": "holm", "hochberg": "hochberg", "hommel": "hommel"}
    theirs |= {"benjamini_hochberg": "BH", "benjamini_yekutieli": "BY"}
    for ours, other in theirs.items():
        found = {id(p): run(f"cat(format(p.adjust({vector(p)}, '{other}'), digits=17))") for p in p_values()[:5]}
        yield compare(
            f"adjust(p, '{ours}')",
            f"p.adjust(p, '{other}')",
            p_values()[:5],
            lambda p, m=ours: np.asarray(vc.adjust(p, m)),
            lambda p, f=found: f[id(p)],
        )


def _classical() -> Iterator[Row]:
    exact = all_at_once(shares(), "t <- {0}; say(binom.test(t[1], t[2])$conf.int)")
    yield compare(
        "interval='clopper_pearson'", "binom.test(...)$conf.int", shares(),
        lambda t: limits("clopper_pearson", *t), lambda t: exact[id(t)],
    )  # fmt: skip
    mcnemar = all_at_once(discordant(), "t <- {0}; say(mcnemar.test(matrix(c(t[1], t[2], t[3], t[4]), 2))$p.value)")
    yield compare(
        "using='mcnemar'", "mcnemar.test", discordant(), lambda t: using("mcnemar", t), lambda t: mcnemar[id(t)],
    )  # fmt: skip
    wilcoxon = all_at_once(pairs_of_columns(), "say(wilcox.test({0}, {1}, paired=TRUE, exact=TRUE)$p.value)")
    yield compare(
        "using='wilcoxon'", "wilcox.test(paired=TRUE, exact=TRUE)", pairs_of_columns(),
        lambda t: vc.compare(two(t), using="wilcoxon").p_value, lambda t: wilcoxon[id(t)],
    )  # fmt: skip
    for ours, theirs in (("friedman", "friedman.test"), ("quade", "quade.test")):
        given = tables()[:8:2] if ours == "quade" else tables()[:6]  # without ties
        found = {id(t): run(_matrix(t, theirs)) for t in given}
        yield compare(
            f"rank(..., using='{ours}').omnibus", theirs, given,
            lambda t, m=ours: _omnibus(t, m), lambda t, f=found: f[id(t)],
        )  # fmt: skip
    tied = {id(t): run(_matrix(t, "quade.test")) for t in tables()[1:7:2]}
    yield compare(
        "rank(..., using='quade').omnibus, scores of two decimals",
        "quade.test",
        tables()[1:7:2],
        lambda t: _omnibus(t, "quade"),
        lambda t: tied[id(t)],
        "R takes ranges of scores for different that differ by rounding alone (0.07 and 0.07000000000000006)",
    )


def _matrix(table: np.ndarray, test: str) -> str:
    return (
        f"m <- matrix({vector(table.ravel())}, {len(table)}, byrow=TRUE);"
        f"t <- {test}(m); cat(format(c(t$statistic, t$p.value), digits=17))"
    )


def _boot() -> Iterator[Row]:
    losses = [(t[0] - t[1]) ** 2 for t in numbers()[:5]]
    head = "suppressPackageStartupMessages(library(boot)); set.seed(1)"
    code = "b <- boot({0}, function(x, i) mean(x[i]), R=9999); say(boot.ci(b, type='bca')$bca[4:5])"
    found = all_at_once([one[None] for one in losses], code, head)
    theirs = dict(zip(map(id, losses), found.values(), strict=True))
    pairs = {id(loss): t for loss, t in zip(losses, numbers(), strict=False)}
    yield compare(
        "mse, interval='bca(draws=9999)'",
        "boot.ci(boot(R=9999), type='bca')",
        losses,
        lambda loss: _bca(*pairs[id(loss)]),
        lambda loss: theirs[id(loss)],
        "both are simulations with other random numbers: they agree within the noise of their draws",
        within=0.05,
    )


def _bca(truth: np.ndarray, said: np.ndarray) -> tuple[float, float]:
    found = vc.estimate(vc.predictions(truth, number=said), "mse", interval="bca(draws=9999)", seed=1)["mse"].interval
    return found.low, found.high
