"""Learners and their scores on splits or data sets, and from what a user gives to what can be compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from veracity.comparisons import comparisons
from veracity.contests.sources import Contest, CountedModels, CountedPairs, Models
from veracity.core.entry import Choice, DefaultRule, MethodLike, first_fit
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, always, unique
from veracity.core.words import brief, plural
from veracity.designs.holdout import FULL
from veracity.evidence.align_models import pair_by_item
from veracity.evidence.counts import Counts
from veracity.evidence.origin import require_one_model
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run, run_of_predictions
from veracity.evidence.runs import Runs
from veracity.evidence.same_rows import PairedScores, Pairs, check_same_rows
from veracity.evidence.score_matrix import HIGHER_TAKEN, UNKNOWN, ScoreMatrix, SplitScores, SplitTable, Subsamples
from veracity.records.arrays import Array, freeze, python_value
from veracity.records.design import Design
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
from veracity.scores import scores
from veracity.scores.default import default_score, default_score_of
from veracity.scores.entry import choice_for_models
from veracity.scores.times import OF_A_MACHINE

NOT_RANKED = "not-ranked"  # the code of the note about learners that have no score at all
COMPARE_ON = "compare on rows that trained neither, such as `by='holdout'`, or learners `by='kfold(k=10)'`"
ENOUGH = 6  # data sets: over fewer, no test that reads a score of each can have a p-value below .05
Model = Predictions | Counts
Source = Model | Mapping[str, Model] | Pairs | Runs | SplitTable | ScoreMatrix
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
        self.take_score(choice, typed, runs)
        self.runs = {name: with_positive(run, choice)[0].fresh for name, run in runs.items()}
        one = next(iter(runs.values()))
        self.data = one.data
        self._scores: dict[str, dict[int, float]] = {}
        self._losses: dict[tuple[str, tuple[int, ...]], Array | ClassPull | None] = {}
        self._estimates: dict[str, float | None] = {}
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


class RunScore(NamedTuple):
    """A learner on a data set."""

    value: float = math.nan
    splits: SplitScores | None = None
    skipped: int = 0  # splits in which the score is undefined
    tried: int = 0
    why: str = "no result of it is stored"  # there is no value
    without: str = ""  # why tests of split scores cannot read the splits


def matrix_of_runs(runs: Runs, choice: Choice, typed: str, by: str | None = None) -> ScoreMatrix:
    """One score per data set and learner, with its split scores; a learner that failed on a split has none there.

    A learner that has no score at all is left out, and that is said.
    """
    if by is None and len(runs.designs) > 1:
        raise BadInput(f"name the design to rank by: by={runs.designs[0]!r}; there are {', '.join(runs.designs)}")
    by = runs.design_name(by)
    names = [name for name in runs.names if choice.suits(runs.kind(name))]
    if not names:
        raise BadInput(f"{choice} is for a target of {choice.target_kind}, which no data set here has")
    there = {(data, learner) for data, learner, design in runs.places() if design == by}
    cells = []
    for name in names:
        own = runs.read_together(name, by, [one for one in runs.learner_names if (name, one) in there])
        scored = {run.learner: _score_run(run, choice) for run in own}
        cells.append([scored.get(one, RunScore()) for one in runs.learner_names])
    values = np.array([[cell.value for cell in row] for row in cells]).reshape(len(names), len(runs.learner_names))
    splits = tuple(tuple(cell.splits for cell in row) for row in cells)
    notes = runs.selection_notes + ((OF_A_MACHINE,) if choice.reads == "time" else ())
    every = [cell for row in cells for cell in row]  # test parts of one class alone are the same for every learner
    notes += skipped_notes(choice, sum(cell.skipped for cell in every), sum(cell.tried for cell in every))
    matrix = ScoreMatrix(freeze(values), tuple(runs.learner_names), tuple(names), choice.better, typed, splits, notes)
    matrix = replace(matrix, without_splits=next((one.without for one in every if one.without), ""))
    return _without_empty(matrix, cells)


def _without_empty(matrix: ScoreMatrix, cells: Sequence[Sequence[RunScore]]) -> ScoreMatrix:
    """The learners that have a score; where fewer than two have one, there is nothing to set against each other."""
    empty = {
        name: column[0].why
        for name, column in zip(matrix.learners, zip(*cells, strict=True), strict=True)
        if all(math.isnan(cell.value) for cell in column)
    }
    if not empty:
        return matrix
    others = [name for name in matrix.learners if name not in empty]
    says = "; ".join(f"{name} has no {matrix.score} and is left out: {why}" for name, why in empty.items())
    if len(others) < 2:
        raise Refused(f"fewer than two learners can be ranked: {says}", NOT_RANKED)
    notes = (*matrix.notes, Note(NOT_RANKED, "caution", says))
    return replace(matrix.only(*others), notes=notes, absent=tuple(empty.items()))


def _score_run(run: Run, choice: Choice) -> RunScore:
    run, _ = with_positive(run, choice)
    if run.predictions is None or not run.complete:
        return RunScore(why=f"the first of its failures is {run.reason}" if run.reason else "some splits are missing")
    try:
        check_readable(run, choice)
        r = Resampling(choice, run)
        scores = r.split_scores()
        value = scores.mean if choice.reads == "time" else float(point_estimate(r, estimator_of(run.design)).value)
    except (BadInput, Refused) as why:
        return RunScore(why=why.says)
    without = why_no_splits(run.design)
    undefined = scores.undefined if math.isnan(value) else 0
    why_undefined = f"in {undefined} of {plural(len(scores), 'split')} {choice.undefined}" if undefined else ""
    splits = None if without else scores
    reason = why_undefined or "it is undefined"
    return RunScore(value, splits, r.skipped_splits, len(r.main_splits), reason, without)


def why_no_splits(design: Design) -> str:
    """Return why tests of split scores cannot read the splits of a design; empty where they can."""
    try:
        check_evidence(design, SplitScores, "a test of split scores")
    except Refused as why:
        return why.says
    return ""


def matrix_of_grades(models: Mapping[str, Predictions], score: MethodLike | None, better: str | None) -> ScoreMatrix:
    """Return what each item gives for a score, one column per model; of items in groups the mean of each group."""
    models = pair_by_item(models)
    one, *others = models.values()
    for other in others:
        check_same_rows(one, other)
    choice = choice_for_models(scores.choose("mean" if score is None else score), *models.values())
    if better not in (None, choice.better):
        raise BadInput(f"of grades {choice.better} is better: leave out `better={better!r}`")
    for p in models.values():
        choice.check(p)
    values = np.column_stack([choice.row_values(p) for p in models.values()])
    names = [brief(str(python_value(item)), 40) for item in np.asarray(one.rows)]
    says = f"the {len(values)} items stand where data sets do: models are ranked on each by {choice}"
    if one.groups is not None:
        sizes = np.bincount(one.groups)
        values = np.column_stack([np.bincount(one.groups, column) for column in values.T]) / sizes[:, None]
        names = [f"group {number + 1}" for number in range(len(sizes))]
        says = f"the {len(sizes)} groups of items stand where data sets do: models are ranked on each by {choice}"
    notes = unique(tuple(note for p in models.values() for note in p.notes))
    return ScoreMatrix(
        freeze(values),
        tuple(models),
        tuple(names),
        choice.better,
        choice.spelling,
        notes=(Note("items-ranked", "remark", says), *notes),
    )


def make_contest(
    source: Source,
    score: MethodLike | None,
    using: MethodLike | None = None,
    data: str | None = None,
    by: str | None = None,
) -> Contest:
    """Predictions, runs, split scores or a matrix, ready to be compared by some score."""
    if isinstance(source, (ScoreMatrix, SplitTable)):
        check_score(score, source.score)
        return Matrix(source) if isinstance(source, ScoreMatrix) else Tables(source)
    choice = scores.choose(_default_score(source, data) if score is None else score)
    typed = choice.spelling if score is None else scores.label(score)
    if isinstance(source, Runs):
        return _of_runs(source, choice, typed, using, data, by)
    if isinstance(source, Pairs):
        return CountedPairs(source, choice, typed)
    if isinstance(source, (Predictions, Counts)):
        source = {getattr(source, "name", "") or "the model": source}
    models = dict(source) if isinstance(source, Mapping) else {}
    counted = {name: one for name, one in models.items() if isinstance(one, Counts)}
    if models and len(counted) == len(models):
        return CountedModels(counted, choice, typed)
    predicted = {name: one for name, one in models.items() if isinstance(one, Predictions)}
    if models and len(predicted) == len(models):
        predicted = pair_by_item(predicted)
        contest = _of_models(predicted, choice_for_models(choice, *predicted.values()), typed)
        contest.source_notes = unique(tuple(note for p in predicted.values() for note in p.notes))
        return contest
    if models and len(counted) + len(predicted) == len(models):
        raise BadInput(f"{next(iter(counted))} is counts and {next(iter(predicted))} predictions: give all in one form")
    way = ": read_predictions(...) or read_scores(...) reads a file" * isinstance(source, (str, Path))
    raise BadInput(
        "compare takes a mapping of names to predictions, runs, split scores or a score matrix,"
        f" not {type(source).__name__}{way}"
    )


def check_score(asked: MethodLike | None, own: str) -> None:
    """Refuse another score than the one that scores are of; it may be called by any of its names."""
    if asked is not None and scores.find_name(asked, [own]) is None:
        raise BadInput(f"these are scores already, of {own}: leave out {str(asked)!r}")


def refuse_choice(source: Source, **given: Any) -> None:
    """What chooses among runs chooses nothing of what was not run."""
    if isinstance(source, Runs):
        return
    for word in (word for word, value in given.items() if value is not None):
        raise BadInput(f"`{word}=` chooses from runs, and these are none: leave it out")


def _default_score(source: Source, data: str | None) -> str:
    """The score for what there is to compare, where none is named."""
    if isinstance(source, Runs):
        return default_score_of(source, data)
    models = source.values() if isinstance(source, Mapping) else [source]
    return default_score(*(getattr(p, "kind", "classes") for p in models if isinstance(p, (Predictions, Counts))))


def _of_models(models: Mapping[str, Predictions], choice: Choice, typed: str) -> Contest:
    """Fixed models on new rows; models of the same folds are compared as the learners that they come from."""
    several = [name for name, p in models.items() if p.provenance == "several models"]
    if not several:
        for p in models.values():
            require_one_model(p, "a comparison of models", COMPARE_ON)
        return Models(models, choice, typed)
    if len(several) < len(models):
        other = next(name for name in models if name not in several)
        raise Refused(
            f"{several[0]} is several models of different folds and {other} is one: compare like with like",
            "several-models",
        )
    runs = {name: run_of_predictions(p) for name, p in models.items()}
    first, *others = runs
    for name in others:
        same_truth = np.array_equal(runs[name].truth, runs[first].truth)
        if not same_truth or runs[name].design.fingerprint != runs[first].design.fingerprint:
            raise Refused(
                f"{first} and {name} were not tested on the same folds of the same rows: "
                "compare learners on the same splits",
                "different-splits",
            )
    return Learners(runs, choice, typed)


def places_to_compare(runs: Runs, using: MethodLike | None, data: Sequence[str] | None) -> Sequence[str]:
    """The data sets on each of which runs are compared; none where the test is over data sets, or there is one."""
    names = runs.names
    if len(names) == 1 and data is None:
        return ()
    if using is None:
        return () if data is None and len(names) >= ENOUGH else names
    return () if comparisons.choose(using).reads is ScoreMatrix else names


def _of_runs(
    runs: Runs, choice: Choice, typed: str, using: MethodLike | None, data: str | None, by: str | None
) -> Contest:
    """On one data set by its splits; on several by one score of each, as long as the test can read that."""
    across = using is None or comparisons.choose(using).reads is ScoreMatrix
    if data is None and len(runs.names) > 1 and across:
        return Matrix(matrix_of_runs(runs, choice, typed, by))
    each = {name: runs.run(name, data, by) for name in runs.learner_names}
    contest = contest_of_learners(each, choice, typed)
    contest.source_notes = runs.selection_notes
    if isinstance(contest, Models):
        one = next(iter(each.values()))
        contest.source_notes += runs.asked_again_notes(one.data, one.design.name, f"compare {', '.join(each)} {typed}")
    return contest


def contest_of_learners(each: Mapping[str, Run], choice: Choice, typed: str) -> Contest:
    """Runs of learners on one data set by one design; a hold-out is one fixed model of each on the same rows."""
    runs = {name: with_positive(run.fresh, choice)[0] for name, run in each.items()}
    models = {name: run.predictions for name, run in runs.items() if run.predictions is not None}
    one = next(iter(runs.values()))
    if len(one.design) > 1 or len(models) < len(runs) or choice.reads == "time":
        return Learners(each, choice, typed)
    contest = _of_models(models, choice, typed)
    contest.data = one.data
    return contest


def read_matrix(source: Any, score: MethodLike | None, better: str | None, by: str | None) -> ScoreMatrix:
    """The scores of any source, checked to be of several learners."""
    if better not in (None, "higher", "lower"):
        raise BadInput(f"better is 'higher' or 'lower', not {better!r}")
    if by is not None and not isinstance(source, Runs):
        raise BadInput("`by=` chooses from runs, and these are scores: leave it out")
    models = [*source.values()] if isinstance(source, Mapping) else []
    paths = [*source] if isinstance(source, list) else [source]  # of several files, which together are one table
    if isinstance(source, Runs):
        choice = scores.choose(default_score_of(source) if score is None else score)
        if better not in (None, choice.better):
            raise BadInput(f"{choice.spelling} is better {choice.better}: leave out `better={better!r}`")
        matrix = matrix_of_runs(source, choice, choice.spelling if score is None else scores.label(score), by)
    elif isinstance(source, ScoreMatrix):
        check_score(score, source.score)
        matrix = source
        if better is not None:
            notes = tuple(note for note in source.notes if note != HIGHER_TAKEN)
            matrix = replace(source, better=better, notes=notes, is_better_known=True)
    elif paths and all(isinstance(one, (str, PathLike)) for one in paths):
        from veracity.readers.read_scores import read_scores

        matrix = read_scores(source, None if score is None else str(score), better)
    elif models and all(isinstance(one, Predictions) and one.kind == "grades" for one in models):
        matrix = matrix_of_grades(source, score, better)
    elif any(isinstance(one, Predictions) for one in models):
        raise BadInput("rank is over several data sets, and these are predictions of one: use compare")
    else:
        from veracity.readers.scores_of_arrays import score_matrix

        matrix = score_matrix(source, better=better, score="score" if score is None else str(score))
    names = matrix.learners
    if len(names) < 2:
        raise BadInput(f"there is nothing to rank: {len(names)} learner; give two or more, one column each")
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"two learners are called {name!r}: give each a name of its own")
    return matrix
