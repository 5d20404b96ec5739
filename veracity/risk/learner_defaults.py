"""The default intervals of learners, as rows of the table that `veracity list defaults` prints."""

from __future__ import annotations

from typing import NamedTuple

from veracity.risk import KINDS, OWN, SPLITS, Estimator, estimators

SAYS = {
    OWN: (OWN, "as a fixed model's"),
    SPLITS: (SPLITS, "its variance falls with no repeat, as for learners that change with every row"),
    "loo_bootstrap_se": ("loo_bootstrap_se", "its standard error comes from the very same draws"),
    "cv_wald": ("cv_wald", "it takes the losses of rows as independent, as those of a stable learner nearly are"),
    "percentile": ("percentile", "rows are drawn with what their own models said of them, so nothing is fitted again"),
    "conservative_z": ("conservative_z", "its variance is measured between halves that share no row"),
    "nested_cv": ("nested_cv", "its width is the measured error of cross-validation on folds that it left out"),
}


class LearnerDefault(NamedTuple):
    """What is estimated and how, its interval, and why."""

    where: str
    name: str | None
    why: str


def learner_defaults() -> tuple[LearnerDefault, ...]:
    """Estimators with the same intervals share a row."""
    names: dict[tuple[str, str | None, str], list[str]] = {}
    for entry in estimators:
        for row in _default_intervals(entry):
            names.setdefault(row, []).append(entry.name)
    return tuple(LearnerDefault(f"{row[0]} by {', '.join(by)}", *row[1:]) for row, by in names.items())


def _default_intervals(entry: Estimator) -> list[tuple[str, str | None, str]]:
    """The kind of score, its interval, and what to know."""
    rows: list[tuple[str, str | None, str]] = [
        (KINDS[kind], *SAYS[interval]) for kind, interval in entry.interval.items()
    ]
    if "any" not in entry.interval:
        rows.append(("all others" if rows else KINDS["any"], None, entry.says))
    return rows
