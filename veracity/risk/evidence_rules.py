"""Which splits may serve which evidence of a learner: one table, read by `estimate` and by `compare`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from veracity.core.errors import Refused
from veracity.core.words import option
from veracity.designs.folds import ONE
from veracity.designs.holdout import FULL
from veracity.evidence.learner_losses import DrawnLosses, FoldLosses, NestedLosses
from veracity.evidence.split_scores import SplitScores, SplitTable, Subsamples
from veracity.records.arrays import Array
from veracity.records.design import Design, SplitPart
from veracity.risk.design_for import estimator_of

REPEATED = option("by", "repeated_kfold(k=10, repeats=10)")


class EvidenceRule(NamedTuple):
    """The splits that a kind of evidence is read from, and the design to use in place of others."""

    reads: str  # completes "this method reads ..."
    holds: Callable[[Design], bool]
    use_instead: str


def _tests_each_row_once(design: Design) -> bool:
    """Return whether the main splits of every repeat test each row exactly once, by a model that it did not train."""
    tested: dict[int, list[Array]] = {}
    for number in design.main_splits:
        split = design.fresh.splits[number]
        tested.setdefault(split.repeat, []).append(split.test)
    each = (np.bincount(np.concatenate(tests), minlength=design.rows) for tests in tested.values())
    return all(bool((times == 1).all()) for times in each)


def _draws_without_replacement(design: Design) -> bool:
    """Return whether splits train on rows drawn without replacement, and not each of several tests one row alone."""
    one_row_each = len(design) > 1 and all(len(design.splits[number].test) == 1 for number in design.main_splits)
    return not one_row_each and not design.with_replacement


SPLITS_RULE = EvidenceRule(
    "scores of splits that test several rows and train on rows drawn without replacement",
    _draws_without_replacement,
    REPEATED,
)
EVIDENCE_RULES: Mapping[type, EvidenceRule] = {
    SplitScores: SPLITS_RULE,
    SplitTable: SPLITS_RULE,
    FoldLosses: EvidenceRule("folds that test every row once", _tests_each_row_once, option("by", "kfold(k=10)")),
    NestedLosses: EvidenceRule(
        "models that leave out two folds",
        lambda design: design.splits[0].part.kind == ONE,
        option("by", "nested_cv_bates(k=10, repeats=50)"),
    ),
    DrawnLosses: EvidenceRule(
        "rows drawn with replacement", lambda design: design.with_replacement, option("by", "loo_bootstrap(draws=1000)")
    ),
    Subsamples: EvidenceRule(
        "pairs of disjoint halves",
        lambda design: any(split.part == SplitPart(FULL) for split in design.splits),
        option("by", "paired_subsampling(outer=10, inner=15)"),
    ),
}


def check_estimator(design: Design) -> None:
    """Refuse every interval and test where an estimator combines several parts and no method is about the result."""
    entry = estimator_of(design).entry
    if entry.parts is not None and not entry.interval:
        says = f"no interval and no test is known for {entry.name}"
        raise Refused(f"{says}: use conservative_t {REPEATED}", "no-interval")


def check_evidence(design: Design, evidence: type, method: str, use_instead: str = "") -> None:
    """Refuse evidence that the splits of a design cannot serve; `method` is the interval or test that reads it."""
    check_estimator(design)
    rule = EVIDENCE_RULES[evidence]
    if not rule.holds(design):
        says = f"{method} reads {rule.reads}, which {design.name} has not"
        raise Refused(f"{says}: use {use_instead or rule.use_instead}", "wrong-design")
