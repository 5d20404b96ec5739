"""What a ranking asks of pairs: which ones, how each is tested, and how their p-values are adjusted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.core.bounds import ANYWAY, PAIR_DRAWS, check_bound
from veracity.core.default_rule import DefaultRule
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput
from veracity.core.notes import always
from veracity.core.spelling import fold, read
from veracity.core.words import option
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.posthoc import posthocs
from veracity.posthoc.entry import Posthoc
from veracity.records.arrays import Array

PAIR_TEST = DefaultRule(
    "each pair of learners",
    "wilcoxon",
    always,
    "whether two learners differ does not depend on which others take part, as it does by mean ranks",
)
ADJUSTMENT = DefaultRule(
    "the p-values of several pairs",
    "holm",
    always,
    "holds however the tests depend on each other, and finds all that bonferroni finds and more",
)
UNADJUSTED = {"none", "no", "raw", "unadjusted", "uncorrected"}


@dataclass(frozen=True, eq=False)
class PairPlan:
    """Which pairs are tested, how each is, and how their p-values are adjusted."""

    test: Choice
    then: Choice
    control: str | None
    learners: tuple[str, ...]

    @cached_property
    def columns(self) -> tuple[Array, Array]:
        """The places of both learners of each pair."""
        number = len(self.learners)
        if self.control is None:
            return np.triu_indices(number, 1)
        control = self.learners.index(self.control)
        return np.full(number - 1, control), np.delete(np.arange(number), control)

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The names of both learners of each pair."""
        first, second = ([self.learners[place] for place in column.tolist()] for column in self.columns)
        return tuple(zip(first, second, strict=True))


def check_pair_draws(test: Choice, pairs: int, anyway: bool) -> None:
    """Refuse a test of pairs by random draws where pairs are so many that it would take hours."""
    draws = 0 if anyway or not test.accepts("draws") else pairs * (test.value("draws") or 0)
    if not draws:  # the words cost more than many a test
        return
    cost = f"{pairs:,} pairs by {test} are {draws:,} draws"
    check_bound(draws, PAIR_DRAWS, cost, f"name fewer pairs or a control, or say {option(ANYWAY, True)}")


def plan_pairs(
    matrix: ScoreMatrix, pairs: MethodLike | None, then: MethodLike | None, control: str | None, anyway: bool = False
) -> PairPlan:
    """What was asked for, checked."""
    if control is not None:
        matrix.column(control)
    test, adjustment = procedure(pairs, then)
    name, asks = adjustment.entry.name, getattr(adjustment.entry, "asks", "any")
    if asks == "control" and control is None:
        raise BadInput(
            f"{name} holds all learners against one of them: name it, {option('control', matrix.learners[0])}"
        )
    if asks == "all" and control is not None:
        other = "bonferroni_dunn" if name == "nemenyi" else "dunnett"
        raise BadInput(
            f"{name} judges all pairs: with a control use {option('then', other)} or {option('then', 'holm')}"
        )
    plan = PairPlan(test, adjustment, control, matrix.learners)
    check_pair_draws(test, len(plan.columns[0]), anyway)
    return plan


def procedure(pairs: MethodLike | None, then: MethodLike | None) -> tuple[Choice, Choice]:
    """How each pair is tested and their p-values are adjusted: twice the same, where a test decides all by itself."""
    alone = _sole_test(then)
    if alone is None:
        return _pair_test(str(PAIR_TEST.name) if pairs is None else pairs), choose_adjustment(then)
    if pairs is not None:
        _check_agreement(alone.entry, _pair_test(pairs))
    return alone, alone


def choose_adjustment(then: MethodLike | None, claims: str = "") -> Choice:
    """The adjustment asked for, holm without any; one that reasons about equality is not for other claims."""
    if isinstance(then, str) and fold(then) in UNADJUSTED:
        raise BadInput(f"{then!r} is no adjustment: leave it out, each p-value as it is stands beside the adjusted one")
    choice = adjustments.choose(ADJUSTMENT.name if then is None else then)
    if claims and choice.entry.pairs:
        raise BadInput(
            f"{choice.entry.name} uses that equality is transitive, and these tests claim {claims}: use holm"
        )
    return choice


def _sole_test(then: MethodLike | None) -> Choice | None:
    """The test that decides all pairs by itself, where `then` names one."""
    name = read(then).name if isinstance(then, str) else ""
    if name not in posthocs and not isinstance(getattr(then, "entry", then), Posthoc):
        return None
    test = posthocs.choose(then)
    if test.entry.alone:
        return test
    raise BadInput(
        f"{test.entry.name} tests pairs: write {option('pairs', test.entry.name)}, and {option('then', 'holm')}"
    )


def _check_agreement(alone: Posthoc, test: Choice) -> None:
    """A test that decides all pairs by itself may be said to judge what it judges, and nothing else."""
    if getattr(test.entry, "about", None) != alone.about:
        name = test.entry.name
        raise BadInput(
            f"{alone.name} judges all pairs by their {alone.about}, not by {name}: leave out {option('pairs')}, or "
            f"write {option('then', 'holm')} to adjust what {name} says"
        )


def _pair_test(pairs: MethodLike) -> Choice:
    """A test of pairs by what all learners share, or a comparison of two learners over data sets."""
    shared = isinstance(pairs, (Posthoc, Choice)) or (isinstance(pairs, str) and read(pairs).name in posthocs)
    test = posthocs.choose(pairs) if shared else comparisons.choose(pairs)
    entry = test.entry
    if isinstance(entry, Posthoc):
        if entry.alone:
            raise BadInput(f"{entry.name} decides all pairs by itself: write {option('then', entry.name)}")
    elif entry.reads is not ScoreMatrix or entry.compares != 2:
        of_two = {one.name for one in comparisons if one.reads is ScoreMatrix and one.compares == 2}
        offered = ", ".join(sorted(of_two | {one.name for one in posthocs if not one.alone}))
        raise BadInput(
            f"{option('pairs')} names a test of two learners over data sets, and {entry.name} is none: {offered}"
        )
    return test
