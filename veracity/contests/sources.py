"""What every source of a comparison offers, and the sources of fixed models: predictions, or counts of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from math import inf
from typing import Any

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
from veracity.intervals import intervals
from veracity.intervals.scored import Scored
from veracity.risk.estimates import score_source
from veracity.scores.entry import RIGHT_OR_WRONG


class Contest(ABC):
    """Models or learners to be compared. `gives` says which kinds of evidence of a pair can be had."""

    names: tuple[str, ...]
    score: str  # as it was typed
    choice: Choice | None = None  # the score itself; None where only its name is known
    better: str
    judges: bool = True  # whether one of two scores is better than the other
    usual: DefaultRule  # which decides on the test when none is asked for
    what: str  # what this source is called in a refusal
    data: str = ""
    source_notes: tuple[Note, ...] = ()
    range: tuple[float, float] = (-inf, inf)  # in which a difference of scores lies

    @property
    def direction(self) -> str:
        """Which of two scores is better, "higher" or "lower"; empty where neither is."""
        return self.better if self.judges else ""

    @property
    def default(self) -> str:
        """The test when none is asked for."""
        return str(self.usual.name)

    def take_score(self, choice: Choice, typed: str, names: Iterable[str]) -> None:
        """Set the score, as it was typed, and the names of those that are compared by it."""
        self.choice, self.score, self.names = choice, typed, tuple(names)
        self.better, self.judges = choice.better, choice.judges
        low, high = choice.range
        self.range = low - high, high - low

    def number(self, a: str, b: str) -> int:
        """Of rows, splits or data sets of this pair, where the default test depends on what they are."""
        return 0

    @abstractmethod
    def gives(self) -> Mapping[type, Callable[[str, str], Any]]:
        """For each kind of evidence, how it is had of two names."""

    @abstractmethod
    def difference(self, a: str, b: str) -> float:
        """Score of a minus score of b."""

    def notes(self, a: str, b: str) -> tuple[Note, ...]:
        """What must be said of this pair whatever the test."""
        return ()

    def facts(self, a: str, b: str) -> tuple[tuple[str, float], ...]:
        """Numbers that belong to this pair whatever the test."""
        return ()

    def sign(self, reads: type) -> int:
        """-1 where the evidence tells the difference with the other sign than the score does."""
        return 1

    def evidence(self, test: Any, a: str, b: str) -> Any:
        """Refuses where this source has no evidence of the kind that a test or an interval reads."""
        gives = self.gives()
        if test.reads in gives:
            return gives[test.reads](a, b)
        offered = comparisons if test.kind == "comparison" else intervals
        usable = [entry for entry in offered if entry.reads in gives and _can_be_used(entry, self.choice)]
        alike = {entry.name: not {*entry.sought_by}.isdisjoint(test.sought_by) for entry in usable}
        fit = sorted(alike, key=lambda name: (name != self.default, not alike[name], name))  # the default first
        reads = getattr(test.reads, "between", test.reads.label)
        alone = test.kind == "comparison" and test.compares == 1
        way = "see whether the value lies in the interval of estimate" if alone else f"use {', '.join(fit)}"
        says = f"{test.name} cannot be had from {self.what}: it reads {reads}; {way}"
        raise Refused(says, "wrong-evidence")

    def absence(self, name: str) -> BadInput:
        """Why there is nothing of this name."""
        return BadInput(f"there is nothing called {name!r} to compare: there are {', '.join(self.names)}")

    def name_of(self, typed: str) -> str:
        """The name that was typed, which must be one of those compared."""
        if typed not in self.names:
            raise self.absence(typed)
        return typed

    def pairs(self, asked: Iterable[Sequence[str]] | None) -> list[tuple[str, str]]:
        """The pairs asked for, checked; all pairs in order when none are."""
        if asked is None:
            return list(combinations(self.names, 2))
        pairs = [(self.name_of(a), self.name_of(b)) for a, b in list_pairs(asked)]
        for pair in pairs:
            if pair[0] == pair[1]:
                raise BadInput(f"{pair[0]} cannot be compared with itself")
        return pairs


def _can_be_used(entry: Any, score: Choice | None) -> bool:
    """Whether a test, or an interval, is of a difference of this score, and not kept only to be refused."""
    of_two = entry.compares == 2 if entry.kind == "comparison" else entry.answers == "difference"
    only = getattr(entry, "only", ())
    return of_two and (not only or (score is not None and score.is_one_of(*only))) and not entry.is_discredited


def list_pairs(asked: Any) -> list[tuple[str, str]]:
    """The pairs that were named, each a pair of names and none twice."""
    try:
        pairs = [(str(a), str(b)) for a, b in asked]
    except (TypeError, ValueError):
        pairs = []
    if not pairs:
        raise BadInput(f"pairs= names pairs, such as [('a', 'b'), ('a', 'c')], not {asked!r}")
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


class Models(Contest):
    """Ready-made predictions by the names of their models."""

    choice: Choice
    what = "ready-made predictions"

    def __init__(self, models: Mapping[str, Predictions], choice: Choice, typed: str) -> None:
        self.models = models
        self.take_score(choice, typed, models)
        self.usual = first_fit(OF_MODELS, self)

    def number(self, a: str, b: str) -> int:
        """Of rows, each as often as it counts."""
        repeats = self.models[a].repeats
        return len(self.models[a]) if repeats is None else int(repeats.sum())

    def on(self, models: Mapping[str, Predictions], part: str) -> Models:
        """The same contest on a part of the rows."""
        contest = Models(models, self.choice, self.score)
        contest.data, contest.source_notes = part, self.source_notes
        return contest

    def gives(self) -> Mapping[type, Callable[[str, str], Any]]:
        return {
            Pairs: self._pairs,
            SameRows: self._same_rows,
            Shares: self._shares,
            Scored: self._single,
            Correctness: self._correctness,
            PairedScores: self._paired_scores,
        }

    def difference(self, a: str, b: str) -> float:
        return self._scored(a).value - self._scored(b).value

    def notes(self, a: str, b: str) -> tuple[Note, ...]:
        says = [f"rows come in {int(number)} groups, which count as units" for _, number in self.facts(a, b)]
        of_class = self.choice.one_class_notes(self.models[a])
        return (*of_class, *(Note("clustered-rows", "remark", one) for one in says))

    def facts(self, a: str, b: str) -> tuple[tuple[str, float], ...]:
        groups = self.models[a].groups
        return () if groups is None else (("groups", int(groups.max()) + 1),)

    def sign(self, reads: type) -> int:
        return -1 if reads is Pairs and self.choice.is_one_of("error") else 1

    def _scored(self, name: str) -> Scored:
        if name not in self._by_name:
            p = self.models[name]
            self.choice.check(p)
            self._by_name[name] = Scored.of_predictions(self.choice, p)
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Scored]:
        return {}

    def _pairs(self, a: str, b: str) -> Pairs:
        self._check_right_or_wrong()
        return Pairs.of(self.models[a], self.models[b])

    def _correctness(self, *_: str) -> Correctness:
        self._check_right_or_wrong()
        return Correctness.of(self.models)

    def _check_right_or_wrong(self) -> None:
        if not self.choice.is_one_of(*RIGHT_OR_WRONG):
            name = self.choice.name
            own = "your own " if name in RIGHT_OR_WRONG else ""
            says = f"a test of right and wrong rows compares error or accuracy, not {own}{name}"
            raise BadInput(f"{says}: use {self.default}")

    def _same_rows(self, a: str, b: str) -> SameRows:
        return SameRows.of(self.choice, self.models[a], self.models[b])

    def _paired_scores(self, a: str, b: str) -> PairedScores:
        pair = self._same_rows(a, b)
        if not self.choice.averages_rows:
            raise Refused(f"{self.score} is no mean over rows, so no row has a score of its own", "not-a-mean")
        check_plain_rows(pair.first)
        first, second = (self.choice.row_values(p) for p in (pair.first, pair.second))
        return PairedScores(first, second, "rows")

    def _shares(self, a: str, b: str) -> Shares:
        """Two shares, whose rows may be the same: by their ids, or by a truth that is alike row by row."""
        first, second = self.models[a], self.models[b]
        equally_many, has_truth = len(first) == len(second), first.kind not in WITHOUT_TRUTH
        unknown = False
        if first.rows is not None and second.rows is not None:
            shared = bool(np.isin(first.rows, second.rows).any())
        else:
            shared = has_truth and equally_many and np.array_equal(first.truth, second.truth)
            unknown = equally_many and not has_truth
        try:
            one, other = self._scored(a).view(Proportion), self._scored(b).view(Proportion)
        except Refused as why:
            raise Refused(f"{why.says}: predict the same rows and use {self.default}", why.code) from None
        return Shares(replace(one, notes=(*one.notes, TAKEN_APART)) if unknown else one, other, shared)

    def _single(self, a: str, b: str) -> Scored:
        if a != b:
            raise Refused("this is a test of one model: give its predictions alone", "one-model")
        return self._scored(a)


class CountedModels(Contest):
    """Counts of each model by its name, of rows that the models do not share."""

    choice: Choice
    what = "counts of each model"
    usual = DefaultRule(
        "two models, counts of each, taken to be of different rows",
        "two_proportion_z",
        always,
        "the score test of two shares, which needs no more than their counts",
    )

    def __init__(self, models: Mapping[str, Counts], choice: Choice, typed: str) -> None:
        self.take_score(choice, typed, models)
        self._scored = {name: score_source(counts, choice) for name, counts in models.items()}

    def gives(self) -> Mapping[type, Callable[[str, str], Any]]:
        return {Shares: self._shares, Scored: self._single}

    def difference(self, a: str, b: str) -> float:
        return self._scored[a].value - self._scored[b].value

    def notes(self, a: str, b: str) -> tuple[Note, ...]:
        return () if a == b else (OTHER_ROWS,)

    def _shares(self, a: str, b: str) -> Shares:
        return Shares(self._scored[a].view(Proportion), self._scored[b].view(Proportion))

    def _single(self, a: str, b: str) -> Scored:
        if a != b:
            raise Refused("this is a test of one model: give its counts alone", "one-model")
        return self._scored[a]


class CountedPairs(Contest):
    """The rows that only one of two models got right."""

    choice: Choice
    what = "the rows that only one of two models got right"
    usual = DefaultRule(
        "two models, the rows that only one of them got right",
        "mcnemar_midp",
        always,
        "these rows are all that McNemar's test reads; half the observed outcome keeps it close to its level",
    )

    def __init__(self, pairs: Pairs, choice: Choice, typed: str) -> None:
        if not choice.is_one_of(*RIGHT_OR_WRONG):
            raise BadInput(f"{choice} cannot be had from {self.what}: compare error or accuracy, or give predictions")
        self.pairs_of_rows = pairs
        self.take_score(choice, typed, ("a", "b"))

    def gives(self) -> Mapping[type, Callable[[str, str], Any]]:
        return {Pairs: self._pairs, SameRows: self._same_rows, PairedScores: self._paired_scores}

    def difference(self, a: str, b: str) -> float:
        pairs = self._pairs(a, b)
        return self.sign(Pairs) * pairs.difference if pairs.rows else 0.0

    def _pairs(self, a: str, b: str) -> Pairs:
        return self.pairs_of_rows if (a, b) == self.names else self.pairs_of_rows.swap()

    def _same_rows(self, a: str, b: str) -> SameRows:
        """The rows that were counted, in any order; which of those alike both got right moves no difference."""
        return self._rows_of_models._same_rows(a, b)

    def _paired_scores(self, a: str, b: str) -> PairedScores:
        if not self.pairs_of_rows.told_apart:
            ways = "`both=` or `neither=`"
            raise Refused(f"it is not known how many rows both models got right: give {ways}", "not-told-apart")
        return self._rows_of_models._paired_scores(a, b)

    @cached_property
    def _rows_of_models(self) -> Models:
        counted = self.pairs_of_rows
        if counted.rows > MAX_COUNTED_ROWS:
            says = f"{counted.rows:g} rows are too many to be tested one by one: use {self.default}"
            raise Refused(says, "too-many-rows")
        numbers = np.array([counted.both, counted.first_only, counted.second_only, counted.neither])
        right = {"a": np.array([1, 1, 0, 0]), "b": np.array([1, 0, 1, 0])}
        some = numbers > 0
        models = {name: predictions(correct=of[some], counts=numbers[some]) for name, of in right.items()}
        return Models(models, self.choice, self.score)

    def sign(self, reads: type) -> int:
        return -1 if reads is Pairs and self.choice.is_one_of("error") else 1


def _is_share(m: Models) -> bool:
    return bool(m.choice.is_one_of(*RIGHT_OR_WRONG))


def _is_one_area(m: Models) -> bool:
    """DeLong's test is for one ordering, of two classes or of one against all others."""
    one = all(p.binary or p.positive is not None for p in m.models.values())
    return m.choice.is_one_of("auc") and one and not m.choice.given


def _has_influence(m: Models) -> bool:
    """Whether it is known what a row does to the score: not to a median, nor to an ordering of one's own."""
    of_order = m.choice.reads == "row losses" and m.choice.reduce is not None
    return not of_order and not (m.choice.reads == "ordering" and m.choice.influence is None)


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
        lambda m: _is_share(m) and all(p.weights is None and p.groups is None for p in m.models.values()),
        "reads only rows on which the models disagree; half the observed outcome keeps it close to its level, seldom"
        " above, where the exact test is far below",
    ),
    DefaultRule(
        "two models, the same {n}rows, weighted or in groups, a share of them (error, accuracy)",
        "paired_loss_t",
        _is_share,
        "groups count as units, which McNemar's test cannot",
    ),
    DefaultRule(
        "two models, the same {n}rows, the auc of two classes",
        "delong_t",
        _is_one_area,
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
        _has_influence,
        "Student's test of what each row does to the difference, without draws; groups of rows count as units",
    ),
    DefaultRule(
        "two models, the same {n}rows, a score without influence values, such as a median",
        "paired_bootstrap",
        always,
        "needs no more than the score itself; groups of rows are drawn whole",
    ),
)
