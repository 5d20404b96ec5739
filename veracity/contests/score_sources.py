"""Learners and their scores on splits or data sets: runs, or scores from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from veracity.contests.sources import Contest, differences_within
from veracity.core.entry import Choice, DefaultRule, first_fit
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, always
from veracity.designs.holdout import FULL
from veracity.evidence.run import Run
from veracity.evidence.same_rows import PairedScores
from veracity.evidence.score_matrix import UNKNOWN, ScoreMatrix, SplitScores, SplitTable, Subsamples
from veracity.records.arrays import Array
from veracity.risk.designs import estimator_of
from veracity.risk.estimate_run import check_readable, point_estimate, with_positive
from veracity.risk.fold_scores import (
    Resampling,
    incomplete_notes,
    main_splits,
    skipped_notes,
    split_scores,
    usable_splits,
)
from veracity.risk.interval_evidence import ClassPull, check_evidence, class_pull, subsamples, with_class_shares
from veracity.scores.times import OF_A_MACHINE

OVER_SPLITS = (
    DefaultRule(
        "{n}splits in several repeats, each hold-out being one",
        "conservative_t",
        lambda rounds: rounds > 1,
        "its variance does not fall with every repeat, as that of corrected_t does, which is too little for learners"
        " that change with every row",
    ),
    DefaultRule(
        "{n}splits of one repeat, as by a k-fold",
        "corrected_t",
        always,
        "its variance allows for the training rows that splits share",
    ),
)
BY_SUBSAMPLING = DefaultRule(
    "{n}splits by paired_subsampling",
    "conservative_z",
    always,
    "its variance is measured between halves that share no row, so it errs on the safe side",
)
OVER_DATA_SETS = DefaultRule(
    "{n}data sets, one score of each learner on each",
    "wilcoxon",
    always,
    "needs no normal law, and one odd data set cannot decide; exact up to 200 data sets",
)


class Tables(Contest):
    """Split scores of one data set that come from elsewhere."""

    what = "split scores"

    def __init__(self, table: SplitTable) -> None:
        self.table, self.names = table, tuple(table.learners)
        self.score, self.better = table.score, table.better
        self.usual = first_fit(OVER_SPLITS, next(iter(table.learners.values())).rounds)

    def gives(self) -> Mapping[type, Callable[[str, str], Any]]:
        return {SplitScores: self._differences, SplitTable: self.table.only, PairedScores: self._scores}

    def difference(self, a: str, b: str) -> float:
        return self._differences(a, b).centre

    def number(self, a: str, b: str) -> int:
        return len(self._differences(a, b))

    def _differences(self, a: str, b: str) -> SplitScores:
        return self.table.learners[a] - self.table.learners[b]

    def _scores(self, a: str, b: str) -> PairedScores:
        first, second = self.table.learners[a], self.table.learners[b]
        return PairedScores(first.values, second.values, "splits", self.table.independent)


class Learners(Contest):
    """Runs of several learners on one data set by one design."""

    choice: Choice
    what = "the splits of one data set"

    def __init__(self, runs: Mapping[str, Run], choice: Choice, typed: str) -> None:
        self.choice, self.score = choice, typed
        self.runs = {name: with_positive(run, choice)[0].fresh for name, run in runs.items()}
        self.names, self.better, self.judges = tuple(runs), choice.better, choice.judges
        one = next(iter(runs.values()))
        self.data, self.range = one.data, differences_within(choice.range)
        splits = one.design.splits
        rounds = len({splits[number].repeat for number in one.design.main_splits})
        self.usual = BY_SUBSAMPLING if splits[0].part.kind == FULL else first_fit(OVER_SPLITS, rounds)

    def gives(self) -> Mapping[type, Callable[[str, str], Any]]:
        return {
            SplitScores: self._differences_with_classes,
            Subsamples: self._subsamples,
            SplitTable: self._table,
            PairedScores: self._paired_scores,
        }

    def difference(self, a: str, b: str) -> float:
        return self._differences(a, b).centre

    def number(self, a: str, b: str) -> int:
        return len(self._splits_of_both(a, b))

    def notes(self, a: str, b: str) -> tuple[Note, ...]:
        missing = tuple(note for name in (a, b) for note in incomplete_notes(self.runs[name]))
        tried = [number for number in main_splits(self.runs[a]) if number in self.runs[b].places]
        skipped = skipped_notes(self.choice, len(tried) - len(self._splits_of_both(a, b)), len(tried), self.runs[a])
        notes = self.runs[a].design.notes + missing + skipped
        return (*notes, OF_A_MACHINE) if self.choice.reads == "time" else notes

    @cached_property
    def _scores(self) -> dict[str, dict[int, float]]:
        return {}

    def _splits(self, name: str) -> dict[int, float]:
        """The score of each split that succeeded, by its number; without a few in which it is undefined."""
        if name not in self._scores:
            run = self.runs[name]
            if run.predictions is None:
                raise Refused(f"no split of {name} succeeded, so nothing can be compared", "all-failed")
            check_readable(run, self.choice)
            numbers = main_splits(run)
            values = split_scores(self.choice, run, numbers).values
            used = zip(numbers, values.tolist(), usable_splits(self.choice, values), strict=True)
            self._scores[name] = {number: value for number, value, use in used if use}
        return self._scores[name]

    def _differences(self, a: str, b: str) -> SplitScores:
        """On the splits that both have; that some are missing is said by the notes."""
        both = self._splits_of_both(a, b)
        return self._scores_on(both, a) - self._scores_on(both, b)

    def _differences_with_classes(self, a: str, b: str) -> SplitScores:
        """With what class shares add to the variance of a difference, where rows are plain."""
        check_evidence(self.runs[a].design, SplitScores, "this test")
        found, both = self._differences(a, b), self._splits_of_both(a, b)
        p = Resampling(self.choice, self.runs[a]).predictions(both, "fresh")
        if p.kind != "classes" or p.multiplicity is not None or p.groups is not None:
            return found
        assert p.splits is not None
        first, second = (self._of_classes(name, both) for name in (a, b))
        if isinstance(first, ClassPull) and isinstance(second, ClassPull):
            return replace(found, losses=with_class_shares(UNKNOWN, first - second, p))
        if isinstance(first, ClassPull) or isinstance(second, ClassPull) or first is None or second is None:
            return found
        with np.errstate(invalid="ignore"):  # both may lose a row without end
            apart = first - second
        return replace(found, losses=UNKNOWN.with_classes(apart, p.truth, p.splits))

    def _of_classes(self, name: str, numbers: list[int]) -> Array | ClassPull | None:
        """The loss of each tested row of some splits, or what classes do to a score that is no mean of them."""
        key = (name, tuple(numbers))
        if key not in self._losses:
            r = Resampling(self.choice, self.runs[name])
            p = r.predictions(numbers, "fresh")
            mean = r.score.averages_rows
            self._losses[key] = r.score.row_values(p) if mean else class_pull(r, p, numbers)
        return self._losses[key]

    @cached_property
    def _losses(self) -> dict[tuple[str, tuple[int, ...]], Array | ClassPull | None]:
        return {}

    def _splits_of_both(self, a: str, b: str) -> list[int]:
        both = [number for number in self._splits(a) if number in self._splits(b)]
        if not both:
            raise Refused(f"{a} and {b} have no split in common that succeeded", "no-common-splits")
        return both

    def _scores_on(self, numbers: list[int], name: str) -> SplitScores:
        scores, design = self._splits(name), self.runs[name].design
        splits = [design.splits[number] for number in numbers]
        found = SplitScores.of(
            [scores[number] for number in numbers],
            [split.learned_from for split in splits],
            [len(split.test) for split in splits],
            [split.repeat for split in splits],
        )
        return replace(found, estimate=self._estimate(name)) if len(numbers) == len(self._main_splits) else found

    @cached_property
    def _main_splits(self) -> list[int]:
        return list(next(iter(self.runs.values())).design.main_splits)

    @cached_property
    def _estimates(self) -> dict[str, float | None]:
        return {}

    def _estimate(self, name: str) -> float | None:
        """Return the value that `estimate` gives of a learner; None where splits failed, and of times."""
        if name not in self._estimates:
            run, value = self.runs[name], math.nan
            if run.complete and self.choice.reads != "time":
                value = float(point_estimate(Resampling(self.choice, run), estimator_of(run.design)).value)
            self._estimates[name] = value if math.isfinite(value) else None
        return self._estimates[name]

    def _table(self, a: str, b: str) -> SplitTable:
        """Never independent: the splits of one data set share its rows."""
        check_evidence(self.runs[a].design, SplitTable, "this test")
        both = {name: self._scores_on(self._splits_of_both(a, b), name) for name in (a, b)}
        return SplitTable(both, self.better, self.score)

    def _paired_scores(self, a: str, b: str) -> PairedScores:
        first, second = (self._scores_on(self._splits_of_both(a, b), name).values for name in (a, b))
        return PairedScores(first, second, "splits", independent=False)

    def _subsamples(self, a: str, b: str) -> Subsamples:
        first, second = (subsamples(self.choice, self.runs[name]) for name in (a, b))
        return Subsamples(first.full - second.full, first.halves - second.halves)


class Matrix(Contest):
    """Scores of learners on several data sets."""

    what = "scores on several data sets"
    usual = OVER_DATA_SETS

    def __init__(self, matrix: ScoreMatrix) -> None:
        self.matrix, self.names = matrix, matrix.learners
        self.score, self.better = matrix.score, matrix.better

    def gives(self) -> Mapping[type, Callable[[str, str], Any]]:
        return {ScoreMatrix: lambda a, b: self.matrix.only(a, b).complete(), PairedScores: self._scores}

    def _scores(self, a: str, b: str) -> PairedScores:
        return PairedScores(*self.matrix.only(a, b).complete().values.T)

    def difference(self, a: str, b: str) -> float:
        return self.matrix.only(a, b).complete().mean_difference

    def number(self, a: str, b: str) -> int:
        return len(self.matrix.only(a, b).complete())

    def name_of(self, typed: str) -> str:
        """Also as tables print it, or by its number there."""
        return super().name_of(self.matrix.find(typed) or typed)

    def absence(self, name: str) -> BadInput:
        left_out = dict(self.matrix.absent)
        says = f"{name} has no {self.score} and is left out: {left_out.get(name, '')}"
        return BadInput(says) if name in left_out else super().absence(name)

    def notes(self, a: str, b: str) -> tuple[Note, ...]:
        pair = self.matrix.only(a, b)
        lost = len(pair) - len(pair.complete())
        if not lost:
            return pair.notes
        says = f"for want of a score of {a} or {b}, {lost} of {len(pair)} data sets did not count"
        return (Note("missing-cells", "caution", says), *pair.notes)
