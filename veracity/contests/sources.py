"""What is compared: one source of paired evidence, and its constructors from predictions of fixed models or counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

import numpy as np

from veracity.comparisons import comparisons
from veracity.core.entry import Choice, DefaultRule, first_fit
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, always
from veracity.evidence.counts import Counts
from veracity.evidence.interval_evidence import Proportion, Shares
from veracity.evidence.make_predictions import predictions
from veracity.evidence.predictions import Predictions
from veracity.evidence.same_rows import Correctness, PairedScores, Pairs, SameRows, check_plain_rows
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.intervals import intervals
from veracity.intervals.scored import Scored
from veracity.risk.estimates import score_source
from veracity.scores.entry import RIGHT_OR_WRONG

Pair = tuple[str, str]
FIXED_MODELS, COUNTED_MODELS = "ready-made predictions", "counts of each model"
DISCORDANT_ROWS = "the rows that only one of two models got right"
SPLIT_SCORES, RUNS, MATRIX = "split scores", "the splits of one data set", "scores on several data sets"


@dataclass(frozen=True, eq=False, kw_only=True)
class ComparisonSource:
    """Models or learners to be compared by one score, and how to make the paired data that a test of two reads."""

    kind: str  # what it is called in a refusal
    input: Any  # the predictions, runs, counts, split scores or matrix that it was made from
    names: tuple[str, ...]
    score: str  # as it was typed
    better: str  # "higher" or "lower"; empty where neither is
    default_rule: DefaultRule  # of the test when none is asked for
    evidence: Mapping[type, Callable[[str, str], Any]]  # how each kind is had of two names
    difference: Callable[[str, str], float]  # score of the first minus score of the second
    choice: Choice | None = None  # the score itself; None where only its name is known
    count_units: Callable[[str, str], int] = lambda a, b: 0  # rows, splits or data sets of a pair
    pair_notes: Callable[[str, str], tuple[Note, ...]] = lambda a, b: ()  # whatever the test
    pair_facts: Callable[[str, str], tuple[tuple[str, float], ...]] = lambda a, b: ()
    data: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def default(self) -> str:
        """The test when none is asked for."""
        return str(self.default_rule.name)

    def default_note(self, a: str, b: str) -> Note:
        """Return the note that the test is the default one."""
        return self.default_rule.note(self.count_units(a, b))

    @property
    def range(self) -> tuple[float, float]:
        """In which a difference of scores lies."""
        low, high = (-inf, inf) if self.choice is None else self.choice.range
        return (low - high, high - low)

    def sign(self, reads: type) -> int:
        """Return -1 where the evidence tells the difference with the other sign than the score does."""
        return -1 if reads is Pairs and self.choice is not None and self.choice.is_one_of("error") else 1

    def read(self, method: Any, a: str, b: str) -> Any:
        """Return the evidence that a test or an interval reads; raise Refused where there is none of its kind."""
        if method.reads in self.evidence:
            return self.evidence[method.reads](a, b)
        entries = comparisons if method.kind == "comparison" else intervals
        usable = [entry for entry in entries if entry.reads in self.evidence and _is_usable(entry, self.choice)]
        unlike = {entry.name: {*entry.sought_by}.isdisjoint(method.sought_by) for entry in usable}
        names = sorted(unlike, key=lambda name: (name != self.default, unlike[name], name))
        reads = getattr(method.reads, "between", method.reads.label)
        way = f"use {', '.join(names)}" if names else "leave out `interval=`, for that of the test"
        if method.kind == "comparison" and method.compares == 1:
            way = "see whether the value lies in the interval of estimate"
        raise Refused(f"{method.name} cannot be had from {self.kind}: it reads {reads}; {way}", "wrong-evidence")

    def name_of(self, typed: str) -> str:
        """Return the name that was typed: in a matrix also as tables print it, or by its number there."""
        matrix = self.input if isinstance(self.input, ScoreMatrix) else None
        name = typed if matrix is None else matrix.find(typed) or typed
        if name in self.names:
            return name
        left_out = {} if matrix is None else dict(matrix.absent)
        if name in left_out:
            raise BadInput(f"{name} has no {self.score} and is left out: {left_out[name]}")
        raise BadInput(f"there is nothing called {name!r} to compare: there are {', '.join(self.names)}")

    def pairs(self, typed: Iterable[Sequence[str]] | None) -> list[Pair]:
        """Return the pairs asked for, checked; all pairs in order when none are."""
        if typed is None:
            return list(combinations(self.names, 2))
        pairs = [(self.name_of(a), self.name_of(b)) for a, b in list_pairs(typed)]
        for a, b in pairs:
            if a == b:
                raise BadInput(f"{a} cannot be compared with itself")
        return pairs


def _is_usable(entry: Any, score: Choice | None) -> bool:
    """Whether a test, or an interval, is of a difference of this score, and not kept only to be refused."""
    of_two = entry.compares == 2 if entry.kind == "comparison" else entry.answers == "difference"
    only = getattr(entry, "only", ())
    return of_two and (not only or (score is not None and score.is_one_of(*only))) and not entry.is_discredited


def list_pairs(typed: Any) -> list[Pair]:
    """Return the pairs that were named, each a pair of names and none twice."""
    try:
        pairs = [(str(a), str(b)) for a, b in typed]
    except (TypeError, ValueError):
        pairs = []
    if not pairs:
        raise BadInput(f"pairs= names pairs, such as [('a', 'b'), ('a', 'c')], not {typed!r}")
    twice = next((pair for pair in pairs if pairs.count(pair) > 1), None)
    if twice is not None:
        raise BadInput(f"the pair {', '.join(map(str, twice))} is named twice: once is enough")
    return pairs


OTHER_ROWS = Note(
    "other-rows",
    "caution",
    "counts are taken to be of different rows: where both models were tried on the same ones, give the rows that only"
    " one of them got right (n01 and n10), or predictions",
)
TAKEN_APART = Note(
    "other-rows",
    "caution",
    "nothing tells which rows these are, and they are taken to be different ones: where both models were tried on the"
    " same rows, use mcnemar_midp, or give row ids, `rows=`",
)
WITHOUT_TRUTH = ("correct", "loss")  # kinds of predictions that say only how well each row was predicted
MAX_COUNTED_ROWS = 10_000_000  # that counts are taken apart into
OF_COUNTS = DefaultRule(
    "two models, counts of each, taken to be of different rows",
    "two_proportion_z",
    always,
    "the score test of two shares, which needs no more than their counts",
)
OF_DISCORDANT_ROWS = DefaultRule(
    "two models, the rows that only one of them got right",
    "mcnemar_midp",
    always,
    "these rows are all that McNemar's test reads; half the observed outcome keeps it close to its level",
)


class FixedModels(NamedTuple):
    """Predictions by the names of their models, and the score they are compared by."""

    models: Mapping[str, Predictions]
    choice: Choice

    @property
    def is_share(self) -> bool:
        return bool(self.choice.is_one_of(*RIGHT_OR_WRONG))

    @property
    def is_one_area(self) -> bool:
        """Whether DeLong's test is for it: one ordering, of two classes or of one against all others."""
        one = all(p.binary or p.positive is not None for p in self.models.values())
        return self.choice.is_one_of("auc") and one and not self.choice.given

    @property
    def has_influence(self) -> bool:
        """Whether it is known what a row does to the score: not to a median, nor to an ordering of one's own."""
        of_order = self.choice.reads == "row losses" and self.choice.reduce is not None
        return not of_order and not (self.choice.reads == "ordering" and self.choice.influence is None)


OF_MODELS = (
    DefaultRule(
        "two models, the same {n}graded items",
        "paired_loss_t",
        lambda m: m.choice.needs == "grade",
        "Student's test of the differences item by item; groups of items count as units",
    ),
    DefaultRule(
        "two models, the same {n}rows, a share of them (error, accuracy)",
        "mcnemar_midp",
        lambda m: m.is_share and all(p.weights is None and p.groups is None for p in m.models.values()),
        "reads only rows on which the models disagree; half the observed outcome keeps it close to its level, seldom"
        " above, where the exact test is far below",
    ),
    DefaultRule(
        "two models, the same {n}rows, weighted or in groups, a share of them (error, accuracy)",
        "paired_loss_t",
        lambda m: m.is_share,
        "groups count as units, which McNemar's test cannot",
    ),
    DefaultRule(
        "two models, the same {n}rows, the auc of two classes",
        "delong_t",
        lambda m: m.is_one_area,
        "areas of the same rows go together, and a class of few rows makes their standard error uncertain, which the"
        " normal law of delong_test leaves out; groups of rows count as units",
    ),
    DefaultRule(
        "two models, the same {n}rows, a mean over them",
        "paired_loss_t",
        lambda m: bool(m.choice.averages_rows),
        "Student's test of the differences row by row; groups of rows count as units",
    ),
    DefaultRule(
        "two models, the same {n}rows, a score with influence values that is no mean",
        "paired_delta",
        lambda m: m.has_influence,
        "Student's test of what each row does to the difference, without draws; groups of rows count as units",
    ),
    DefaultRule(
        "two models, the same {n}rows, a score without influence values, such as a median",
        "paired_bootstrap",
        always,
        "needs no more than the score itself; groups of rows are drawn whole",
    ),
)


def from_predictions(models: Mapping[str, Predictions], choice: Choice, score: str) -> ComparisonSource:
    """Return the source of ready-made predictions by the names of their models."""
    rule = first_fit(OF_MODELS, FixedModels(models, choice))

    @cache
    def scored(name: str) -> Scored:
        choice.check(models[name])
        return Scored.of_predictions(choice, models[name])

    def same_rows(a: str, b: str) -> SameRows:
        return SameRows.of(choice, models[a], models[b])

    def discordant_rows(a: str, b: str) -> Pairs:
        _check_right_or_wrong(choice, rule)
        return Pairs.of(models[a], models[b])

    def correctness(*_: str) -> Correctness:
        _check_right_or_wrong(choice, rule)
        return Correctness.of(models)

    def paired_scores(a: str, b: str) -> PairedScores:
        pair = same_rows(a, b)
        if not choice.averages_rows:
            raise Refused(f"{score} is no mean over rows, so no row has a score of its own", "not-a-mean")
        check_plain_rows(pair.first)
        return PairedScores(choice.row_values(pair.first), choice.row_values(pair.second), "rows")

    def shares(a: str, b: str) -> Shares:
        same, unknown = _compare_rows(models[a], models[b])
        try:
            one, other = scored(a).view(Proportion), scored(b).view(Proportion)
        except Refused as why:
            raise Refused(f"{why.says}: predict the same rows and use {rule.name}", why.code) from None
        return Shares(replace(one, notes=(*one.notes, TAKEN_APART)) if unknown else one, other, same)

    def count_rows(a: str, b: str) -> int:
        repeats = models[a].repeats
        return len(models[a]) if repeats is None else int(repeats.sum())

    def pair_facts(a: str, b: str) -> tuple[tuple[str, float], ...]:
        groups = models[a].groups
        return () if groups is None else (("groups", int(groups.max()) + 1),)

    def pair_notes(a: str, b: str) -> tuple[Note, ...]:
        says = [f"rows come in {int(number)} groups, which count as units" for _, number in pair_facts(a, b)]
        return (*choice.one_class_notes(models[a]), *(Note("clustered-rows", "remark", one) for one in says))

    return ComparisonSource(
        kind=FIXED_MODELS,
        input=models,
        names=tuple(models),
        score=score,
        better=choice.direction,
        default_rule=rule,
        evidence={
            Pairs: discordant_rows,
            SameRows: same_rows,
            Shares: shares,
            Scored: _of_one(scored, "predictions"),
            Correctness: correctness,
            PairedScores: paired_scores,
        },
        difference=lambda a, b: scored(a).value - scored(b).value,
        choice=choice,
        count_units=count_rows,
        pair_notes=pair_notes,
        pair_facts=pair_facts,
    )


def _check_right_or_wrong(choice: Choice, rule: DefaultRule) -> None:
    if not choice.is_one_of(*RIGHT_OR_WRONG):
        own = "your own " if choice.name in RIGHT_OR_WRONG else ""
        says = f"a test of right and wrong rows compares error or accuracy, not {own}{choice.name}"
        raise BadInput(f"{says}: use {rule.name}")


def _compare_rows(first: Predictions, second: Predictions) -> tuple[bool, bool]:
    """Return whether rows are shared, by their ids or by a truth that is alike row by row, and whether nobody knows."""
    if first.rows is not None and second.rows is not None:
        return bool(np.isin(first.rows, second.rows).any()), False
    equally_many, has_truth = len(first) == len(second), first.kind not in WITHOUT_TRUTH
    return has_truth and equally_many and np.array_equal(first.truth, second.truth), equally_many and not has_truth


def _of_one(scored: Callable[[str], Scored], what: str) -> Callable[[str, str], Scored]:
    """Return the evidence of one model, which has no second one beside it."""

    def read(a: str, b: str) -> Scored:
        if a != b:
            raise Refused(f"this is a test of one model: give its {what} alone", "one-model")
        return scored(a)

    return read


def from_counts(models: Mapping[str, Counts], choice: Choice, score: str) -> ComparisonSource:
    """Return the source of counts of each model by its name, of rows that the models do not share."""
    scored = {name: score_source(counts, choice) for name, counts in models.items()}
    return ComparisonSource(
        kind=COUNTED_MODELS,
        input=models,
        names=tuple(models),
        score=score,
        better=choice.direction,
        default_rule=OF_COUNTS,
        evidence={
            Shares: lambda a, b: Shares(scored[a].view(Proportion), scored[b].view(Proportion)),
            Scored: _of_one(scored.__getitem__, "counts"),
        },
        difference=lambda a, b: scored[a].value - scored[b].value,
        choice=choice,
        pair_notes=lambda a, b: () if a == b else (OTHER_ROWS,),
    )


def from_discordant_rows(counted: Pairs, choice: Choice, score: str) -> ComparisonSource:
    """Return the source of the numbers of rows that only one of two models got right."""
    if not choice.is_one_of(*RIGHT_OR_WRONG):
        raise BadInput(f"{choice} cannot be had from {DISCORDANT_ROWS}: compare error or accuracy, or give predictions")
    names = ("a", "b")

    @cache
    def rows_of_models() -> ComparisonSource:
        """The rows that were counted, in any order; which of those alike both got right moves no difference."""
        if counted.rows > MAX_COUNTED_ROWS:
            says = f"{counted.rows:g} rows are too many to be tested one by one: use {OF_DISCORDANT_ROWS.name}"
            raise Refused(says, "too-many-rows")
        numbers = np.array([counted.both, counted.first_only, counted.second_only, counted.neither])
        right = {"a": np.array([1, 1, 0, 0]), "b": np.array([1, 0, 1, 0])}
        some = numbers > 0
        models = {name: predictions(correct=of[some], counts=numbers[some]) for name, of in right.items()}
        return from_predictions(models, choice, score)

    def in_order(a: str, b: str) -> Pairs:
        return counted if (a, b) == names else counted.swap()

    def paired_scores(a: str, b: str) -> Any:
        if not counted.told_apart:
            ways = "`both=` or `neither=`"
            raise Refused(f"it is not known how many rows both models got right: give {ways}", "not-told-apart")
        return rows_of_models().evidence[PairedScores](a, b)

    def difference(a: str, b: str) -> float:
        sign = -1 if choice.is_one_of("error") else 1
        return sign * in_order(a, b).difference if counted.rows else 0.0

    return ComparisonSource(
        kind=DISCORDANT_ROWS,
        input=counted,
        names=names,
        score=score,
        better=choice.direction,
        default_rule=OF_DISCORDANT_ROWS,
        evidence={
            Pairs: in_order,
            SameRows: lambda a, b: rows_of_models().evidence[SameRows](a, b),
            PairedScores: paired_scores,
        },
        difference=difference,
        choice=choice,
    )
