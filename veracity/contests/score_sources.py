"""Learners and their scores on splits or data sets, and from what a user gives to what can be compared."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from veracity.comparisons import comparisons
from veracity.contests.sources import (
    FIXED_MODELS,
    MATRIX,
    RUNS,
    SPLIT_SCORES,
    ComparisonSource,
    from_counts,
    from_discordant_rows,
    from_predictions,
)
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
MIN_DATA_SETS = 6  # over fewer, no test that reads a score of each can have a p-value below .05
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


def from_split_scores(table: SplitTable, data: str = "") -> ComparisonSource:
    """Return the source of split scores of one data set that come from elsewhere."""

    def differences(a: str, b: str) -> SplitScores:
        return table.learners[a] - table.learners[b]

    def paired_scores(a: str, b: str) -> PairedScores:
        first, second = table.learners[a], table.learners[b]
        return PairedScores(first.values, second.values, "splits", table.independent)

    return ComparisonSource(
        kind=SPLIT_SCORES,
        input=table,
        names=tuple(table.learners),
        score=table.score,
        better=table.better,
        default_rule=first_fit(OVER_SPLITS, next(iter(table.learners.values())).rounds),
        evidence={SplitScores: differences, SplitTable: table.only, PairedScores: paired_scores},
        difference=lambda a, b: differences(a, b).centre,
        count_units=lambda a, b: len(differences(a, b)),
        data=data,
    )


def from_matrix(matrix: ScoreMatrix) -> ComparisonSource:
    """Return the source of scores of learners on several data sets."""

    def complete(a: str, b: str) -> ScoreMatrix:
        return matrix.only(a, b).complete()

    def pair_notes(a: str, b: str) -> tuple[Note, ...]:
        pair = matrix.only(a, b)
        missing = len(pair) - len(pair.complete())
        if not missing:
            return pair.notes
        says = f"for want of a score of {a} or {b}, {missing} of {len(pair)} data sets did not count"
        return (Note("missing-cells", "caution", says), *pair.notes)

    return ComparisonSource(
        kind=MATRIX,
        input=matrix,
        names=matrix.learners,
        score=matrix.score,
        better=matrix.better,
        default_rule=OVER_DATA_SETS,
        evidence={ScoreMatrix: complete, PairedScores: lambda a, b: PairedScores(*complete(a, b).values.T)},
        difference=lambda a, b: complete(a, b).mean_difference,
        count_units=lambda a, b: len(complete(a, b)),
        pair_notes=pair_notes,
    )


@dataclass(frozen=True, eq=False)
class LearnerScores:
    """The scores of one learner on the splits of a design."""

    name: str
    run: Run
    choice: Choice
    losses_of_splits: dict[tuple[int, ...], Array | ClassPull | None] = field(default_factory=dict)

    @cached_property
    def by_split(self) -> dict[int, float]:
        """The score of each split that succeeded, by its number; without a few in which it is undefined."""
        if self.run.predictions is None:
            raise Refused(f"no split of {self.name} succeeded, so nothing can be compared", "all-failed")
        check_readable(self.run, self.choice)
        numbers = main_splits(self.run)
        values = split_scores(self.choice, self.run, numbers).values
        usable = zip(numbers, values.tolist(), usable_splits(self.choice, values), strict=True)
        return {number: value for number, value, use in usable if use}

    @cached_property
    def estimate(self) -> float | None:
        """The value that `estimate` gives of the learner; None where splits failed, and of times."""
        if not self.run.complete or self.choice.reads == "time":
            return None
        value = float(point_estimate(Resampling(self.choice, self.run), estimator_of(self.run.design)).value)
        return value if math.isfinite(value) else None

    def on(self, numbers: list[int]) -> SplitScores:
        """Return the scores on some splits; those on all splits carry the estimate."""
        design = self.run.design
        splits = [design.splits[number] for number in numbers]
        found = SplitScores.of(
            [self.by_split[number] for number in numbers],
            [split.learned_from for split in splits],
            [len(split.test) for split in splits],
            [split.repeat for split in splits],
        )
        return replace(found, estimate=self.estimate) if len(numbers) == len(design.main_splits) else found

    def losses(self, numbers: list[int]) -> Array | ClassPull | None:
        """Return the loss of each tested row of some splits, or what classes do to a score that is no mean of them."""
        key = tuple(numbers)
        if key not in self.losses_of_splits:
            r = Resampling(self.choice, self.run)
            p = r.predictions(numbers, "fresh")
            mean = r.score.averages_rows
            self.losses_of_splits[key] = r.score.row_values(p) if mean else class_pull(r, p, numbers)
        return self.losses_of_splits[key]


def _shared_splits(first: LearnerScores, second: LearnerScores) -> list[int]:
    shared = [number for number in first.by_split if number in second.by_split]
    if not shared:
        raise Refused(f"{first.name} and {second.name} have no split in common that succeeded", "no-common-splits")
    return shared


def _differences(first: LearnerScores, second: LearnerScores) -> SplitScores:
    """Return the differences on the splits that both have; that some are missing is said by the notes."""
    shared = _shared_splits(first, second)
    return first.on(shared) - second.on(shared)


def _differences_with_classes(first: LearnerScores, second: LearnerScores) -> SplitScores:
    """Return them with what class shares add to the variance of a difference, where rows are plain."""
    check_evidence(first.run.design, SplitScores, "this test")
    found, shared = _differences(first, second), _shared_splits(first, second)
    p = Resampling(first.choice, first.run).predictions(shared, "fresh")
    if p.kind != "classes" or p.multiplicity is not None or p.groups is not None:
        return found
    assert p.splits is not None
    one, other = first.losses(shared), second.losses(shared)
    if isinstance(one, ClassPull) and isinstance(other, ClassPull):
        return replace(found, losses=with_class_shares(UNKNOWN, one - other, p))
    if isinstance(one, ClassPull) or isinstance(other, ClassPull) or one is None or other is None:
        return found
    with np.errstate(invalid="ignore"):  # both may lose a row without end
        difference = one - other
    return replace(found, losses=UNKNOWN.with_classes(difference, p.truth, p.splits))


def from_runs(runs: Mapping[str, Run], choice: Choice, score: str) -> ComparisonSource:
    """Return the source of runs of several learners on one data set by one design."""
    runs = {name: with_positive(run, choice)[0].fresh for name, run in runs.items()}
    of = {name: LearnerScores(name, run, choice) for name, run in runs.items()}
    one = next(iter(runs.values()))
    splits = one.design.splits
    rounds = len({splits[number].repeat for number in one.design.main_splits})

    def table(a: str, b: str) -> SplitTable:
        """Return both scores, never as independent: the splits of one data set share its rows."""
        check_evidence(one.design, SplitTable, "this test")
        shared = _shared_splits(of[a], of[b])
        return SplitTable({name: of[name].on(shared) for name in (a, b)}, choice.better, score)

    def paired_scores(a: str, b: str) -> PairedScores:
        shared = _shared_splits(of[a], of[b])
        return PairedScores(of[a].on(shared).values, of[b].on(shared).values, "splits", independent=False)

    def halves(a: str, b: str) -> Subsamples:
        first, second = (subsamples(choice, runs[name]) for name in (a, b))
        return Subsamples(first.full - second.full, first.halves - second.halves)

    def pair_notes(a: str, b: str) -> tuple[Note, ...]:
        missing = tuple(note for name in (a, b) for note in incomplete_notes(runs[name]))
        tried = [number for number in main_splits(runs[a]) if number in runs[b].places]
        skipped = skipped_notes(choice, len(tried) - len(_shared_splits(of[a], of[b])), len(tried), runs[a])
        notes = runs[a].design.notes + missing + skipped
        return (*notes, OF_A_MACHINE) if choice.reads == "time" else notes

    return ComparisonSource(
        kind=RUNS,
        input=runs,
        names=tuple(runs),
        score=score,
        better=choice.direction,
        default_rule=BY_SUBSAMPLING if splits[0].part.kind == FULL else first_fit(OVER_SPLITS, rounds),
        evidence={
            SplitScores: lambda a, b: _differences_with_classes(of[a], of[b]),
            Subsamples: halves,
            SplitTable: table,
            PairedScores: paired_scores,
        },
        difference=lambda a, b: _differences(of[a], of[b]).centre,
        choice=choice,
        count_units=lambda a, b: len(_shared_splits(of[a], of[b])),
        pair_notes=pair_notes,
        data=one.data,
    )


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
    without = ""
    try:
        check_evidence(run.design, SplitScores, "a test of split scores")
    except Refused as why:
        without = why.says
    undefined = scores.undefined if math.isnan(value) else 0
    why_undefined = f"in {undefined} of {plural(len(scores), 'split')} {choice.undefined}" if undefined else ""
    splits = None if without else scores
    reason = why_undefined or "it is undefined"
    return RunScore(value, splits, r.skipped_splits, len(r.main_splits), reason, without)


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
    what = "items"
    if one.groups is not None:
        sizes = np.bincount(one.groups)
        values = np.column_stack([np.bincount(one.groups, column) for column in values.T]) / sizes[:, None]
        names, what = [f"group {number + 1}" for number in range(len(sizes))], "groups of items"
    says = f"the {len(values)} {what} stand where data sets do: models are ranked on each by {choice}"
    notes = unique((Note("items-ranked", "remark", says), *(note for p in models.values() for note in p.notes)))
    return ScoreMatrix(freeze(values), tuple(models), tuple(names), choice.better, choice.spelling, notes=notes)


def make_source(
    source: Source,
    score: MethodLike | None,
    using: MethodLike | None = None,
    data: str | None = None,
    by: str | None = None,
) -> ComparisonSource:
    """Return what a user gives to be compared by some score: the table of constructors by its type."""
    if isinstance(source, (ScoreMatrix, SplitTable)):
        check_score(score, source.score)
        return from_matrix(source) if isinstance(source, ScoreMatrix) else from_split_scores(source)
    choice = scores.choose(_default_score(source, data) if score is None else score)
    typed = choice.spelling if score is None else scores.label(score)
    if isinstance(source, Runs):
        return _from_stored_runs(source, choice, typed, using, data, by)
    if isinstance(source, Pairs):
        return from_discordant_rows(source, choice, typed)
    if isinstance(source, (Predictions, Counts)):
        source = {getattr(source, "name", "") or "the model": source}
    models = dict(source) if isinstance(source, Mapping) else {}
    counted = {name: one for name, one in models.items() if isinstance(one, Counts)}
    predicted = {name: one for name, one in models.items() if isinstance(one, Predictions)}
    if not models or len(counted) + len(predicted) < len(models):
        way = ": read_predictions(...) or read_scores(...) reads a file" * isinstance(source, (str, Path))
        raise BadInput(
            "compare takes a mapping of names to predictions, runs, split scores or a score matrix,"
            f" not {type(source).__name__}{way}"
        )
    if not predicted:
        return from_counts(counted, choice, typed)
    if counted:
        raise BadInput(f"{next(iter(counted))} is counts and {next(iter(predicted))} predictions: give all in one form")
    predicted = pair_by_item(predicted)
    found = _from_models(predicted, choice_for_models(choice, *predicted.values()), typed)
    return replace(found, notes=unique(tuple(note for p in predicted.values() for note in p.notes)))


def check_score(typed: MethodLike | None, own: str) -> None:
    """Refuse another score than the one that scores are of; it may be called by any of its names."""
    if typed is not None and scores.find_name(typed, [own]) is None:
        raise BadInput(f"these are scores already, of {own}: leave out {str(typed)!r}")


def _default_score(source: Source, data: str | None) -> str:
    """Return the score for what there is to compare, where none is named."""
    if isinstance(source, Runs):
        return default_score_of(source, data)
    models = source.values() if isinstance(source, Mapping) else [source]
    return default_score(*(getattr(p, "kind", "classes") for p in models if isinstance(p, (Predictions, Counts))))


def _from_models(models: Mapping[str, Predictions], choice: Choice, score: str) -> ComparisonSource:
    """Return fixed models on new rows; models of the same folds are compared as the learners that they come from."""
    several = [name for name, p in models.items() if p.provenance == "several models"]
    if not several:
        for p in models.values():
            require_one_model(p, "a comparison of models", COMPARE_ON)
        return from_predictions(models, choice, score)
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
    return from_runs(runs, choice, score)


def data_sets_to_compare(runs: Runs, using: MethodLike | None, data: Sequence[str] | None) -> Sequence[str]:
    """Return the data sets on each of which runs are compared; none where the test is over data sets, or one is."""
    names = runs.names
    if len(names) == 1 and data is None:
        return ()
    if using is None:
        return () if data is None and len(names) >= MIN_DATA_SETS else names
    return () if comparisons.choose(using).reads is ScoreMatrix else names


def _from_stored_runs(
    runs: Runs, choice: Choice, score: str, using: MethodLike | None, data: str | None, by: str | None
) -> ComparisonSource:
    """Return the splits of one data set; of several one score of each, as long as the test can read that."""
    across = using is None or comparisons.choose(using).reads is ScoreMatrix
    if data is None and len(runs.names) > 1 and across:
        return from_matrix(matrix_of_runs(runs, choice, score, by))
    each = {name: runs.run(name, data, by) for name in runs.learner_names}
    found, notes = source_of_learners(each, choice, score), runs.selection_notes
    if found.kind == FIXED_MODELS:
        one = next(iter(each.values()))
        notes += runs.asked_again_notes(one.data, one.design.name, f"compare {', '.join(each)} {score}")
    return replace(found, notes=notes)


def source_of_learners(each: Mapping[str, Run], choice: Choice, score: str) -> ComparisonSource:
    """Return runs of learners on one data set by one design; a hold-out is one fixed model of each on the same rows."""
    runs = {name: with_positive(run.fresh, choice)[0] for name, run in each.items()}
    models = {name: run.predictions for name, run in runs.items() if run.predictions is not None}
    one = next(iter(runs.values()))
    if len(one.design) > 1 or len(models) < len(runs) or choice.reads == "time":
        return from_runs(each, choice, score)
    return replace(_from_models(models, choice, score), data=one.data)


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
