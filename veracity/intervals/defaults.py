"""Which interval a score gets when none is asked for: one table, printed by `veracity list defaults`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veracity.intervals.measured import Measured
from veracity.records.ordering import Ordering
from veracity.scores.on_counts import CountScore
from veracity.scores.on_rows import RowScore

BOOTSTRAP_ROWS = 100_000  # above this, a bootstrap of rows is made only when asked for


@dataclass(frozen=True)
class Rule:
    """One row of the table."""

    scores: str
    interval: str | None
    when: Callable[[Measured], bool]
    says: str = ""


def _named(*names: str) -> Callable[[Measured], bool]:
    return lambda m: m.score.entry.name in names


def _average(m: Measured) -> str:
    entry = m.score.entry
    return (
        entry.averaging(m.evidence, m.score.value("average"))
        if isinstance(entry, CountScore) and entry.one_class
        else ""
    )


def _share(m: Measured) -> bool:
    entry = m.score.entry
    return isinstance(entry, CountScore) and entry.proportion(m.evidence, **m.score.given) is not None  # type: ignore[arg-type]


def _separated(m: Measured) -> bool:
    return _named("auc")(m) and isinstance(m.evidence, Ordering) and m.value in (0.0, 1.0)


def _delicate_auc(m: Measured) -> bool:
    o = m.evidence
    return (
        isinstance(o, Ordering) and _named("auc")(m) and (m.value > 0.9 or min(o.all_positives, o.all_negatives) < 30)
    )


def _plain_f1(m: Measured) -> bool:
    return _named("fbeta")(m) and m.score.value("beta") == 1 and _average(m) == "none" and m.evidence.sampling is None


def _own(m: Measured) -> bool:
    return m.score.entry.default_interval is not None


DEFAULTS = (
    Rule("scores that name their own", "own", _own),
    Rule("error, rates, other shares of rows", "wilson", _share),
    Rule(
        "balanced_accuracy, balanced_error, youden",
        "square_and_add",
        lambda m: (
            _named("balanced_accuracy", "balanced_error", "youden")(m)
            and _average(m) in ("", "none")
            and m.evidence.sampling is None
        ),
    ),
    Rule(
        "likelihood ratios",
        "log_ratio",
        lambda m: (
            _named("positive_likelihood_ratio", "negative_likelihood_ratio")(m)
            and _average(m) == "none"
            and m.evidence.sampling is None
        ),
    ),
    Rule("fbeta(beta=1) of one class", "f1_exact", _plain_f1),
    Rule("averages over classes", "delta", lambda m: _average(m) in ("macro", "prior", "micro")),
    Rule("other scores of a confusion matrix", "bca", lambda m: isinstance(m.score.entry, CountScore)),
    Rule("auc of 0 or 1", "concordant_pairs", _separated),
    Rule(
        "auc above .9, or fewer than 30 rows in a class",
        "delong_logit",
        lambda m: _delicate_auc(m) and m.evidence.sampling is None,
    ),
    Rule(
        "auc", "delong", lambda m: _named("auc")(m) and isinstance(m.evidence, Ordering) and m.evidence.sampling is None
    ),
    Rule(
        "median_absolute_error",
        "order_statistics",
        lambda m: _named("median_absolute_error")(m) and m.evidence.sampling is None,
    ),
    Rule(
        "mean losses and functions of means",
        "mean_t",
        lambda m: isinstance(m.score.entry, RowScore) and m.score.entry.reduce is None,
    ),
    Rule(
        "max_fbeta, hull_auc, up to 100,000 rows",
        "bca",
        lambda m: _named("max_fbeta", "hull_auc")(m) and m.evidence.rows <= BOOTSTRAP_ROWS,
    ),
    Rule(
        "other scores with influence values",
        "delta",
        lambda m: (
            not _named("max_fbeta", "hull_auc")(m) and not isinstance(m.score.entry, RowScore) and m.linear is not None
        ),
    ),
    Rule("all others, up to 100,000 rows", "bca", lambda m: m.evidence.rows <= BOOTSTRAP_ROWS),
    Rule(
        "all others, above 100,000 rows",
        None,
        lambda m: True,
        "no interval by default above 100,000 rows: ask for interval='bca'",
    ),
)


def default(m: Measured) -> Rule:
    """The first rule that fits."""
    return next(rule for rule in DEFAULTS if rule.when(m))
