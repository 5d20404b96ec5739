"""What choosing flatters: the risk of the best of many learners, and how optimistic tuning scores are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from veracity.core.arguments import verb
from veracity.core.bounds import MOST, check_bound
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused, VeracityError, ask_each
from veracity.core.missing import Undefined
from veracity.core.notes import Note, seed_note, unique
from veracity.core.seeds import generator
from veracity.evidence.counts import Counts
from veracity.evidence.labels import id_codes
from veracity.evidence.predictions import Predictions, check_predictions, repeat_rows, subset
from veracity.evidence.runs import Runs
from veracity.evidence.same_rows import check_same_rows
from veracity.findings.estimates import Estimate, Estimates
from veracity.findings.interval import Interval
from veracity.findings.optimism import Optimism, OptimismRow
from veracity.intervals.replicates import chunks
from veracity.intervals.scored import notes_on_rows
from veracity.records.arrays import Array, ratio, unroll
from veracity.records.choices import Choices
from veracity.risk.designs import trained_share
from veracity.risk.estimate_run import EstimateRequest, check_readable, estimate_run, with_positive
from veracity.risk.fold_scores import pools, row_weights, with_training_mean
from veracity.scores import scores
from veracity.scores.default import default_score, default_score_of
from veracity.scores.entry import evidence_for, values_on

DRAWS = 1000
NESTED = "tune inside the training rows (tuned) and evaluate that, which is nested cross-validation"
FILE = "predictions"  # what is called a data set where none has a name
Source = Runs | Mapping[str, Predictions]


@verb
def bbc_cv(
    source: Source,
    score: MethodLike | None = None,
    *,
    draws: int = DRAWS,
    level: float = 0.95,
    data: str | None = None,
    by: str | None = None,
    seed: int = 0,
) -> Estimates:
    """The risk of the best of several learners or settings, without any further fit (bootstrap bias-corrected CV).

    The score of the one that looks best is too good, as it was chosen for that. Of rows that trained none of them, here
    the out-of-fold rows of all learners, samples are drawn with replacement: in each one the best learner is chosen on
    the rows drawn and scored on those left out. The estimate is the mean of these scores, the interval their quantiles
    (Tsamardinos, Greasidou and Borboudakis 2018). Units that are drawn are groups where there are any, else rows, with
    all their repeats.

    `source` is runs of all learners by one design (`tuned(...).configurations()` gives those of a grid), or
    predictions of several models of the same rows. Rows must be independent, scores means over rows or of confusion
    matrices. The answer is about the best learner trained on as many rows as a split trains on: that of nested
    cross-validation, for a fraction of its fits. Only learners that are among the source are reckoned with: whatever
    else was tried and left out flatters the result.

    Parameters
    ----------
    source
        Runs of all settings by one design, or predictions of several models on the same rows.
    score
        A score by its name, such as 'error', or your own; the default of the target unless said.
    draws
        How many samples of the rows are drawn.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    data
        The data set, where the runs have several.
    by
        The design, where the runs have several.
    seed
        Where random numbers begin; the same seed gives the same numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> runs = vc.evaluate({"nb": GaussianNB(), "wide": GaussianNB(var_smoothing=0.1)}, X, y, by="kfold(k=5)", seed=7)
    >>> round(vc.bbc_cv(runs, "error", draws=200).values()[0].value, 2)
    0.06
    """
    at = Confidence(level)
    if draws < 2:
        raise BadInput(f"`draws=` is a number of samples of at least 2, not {draws}")
    check_bound(draws, MOST["draws"], f"bbc_cv is asked for {draws:,} draws", "ask for fewer, thousands are enough")
    if isinstance(source, Runs):
        names = source.names if data is None else [data]
        return Estimates(tuple(_of_runs(source, score, name, by, draws, at, seed) for name in names))
    if not isinstance(source, Mapping):
        raise BadInput(f"bbc_cv is of runs, or of predictions by their models' names, not {type(source).__name__}")
    if data is not None or by is not None:
        word = "`by=`" if data is None else "`data=`"
        raise BadInput(f"{word} chooses from runs, and these are predictions: leave it out")
    models = {str(name): check_predictions(p, "bbc_cv") for name, p in source.items()}
    choice = scores.choose(default_score(*(p.kind for p in models.values())) if score is None else score)
    for p in models.values():
        choice.check(p)
    row = _best_of(choice, models, draws, at, seed)
    one = next(iter(models.values()))
    by, splits = ("one test set", 1) if one.origin is None else (one.origin.design.name, len(one.origin.design))
    answers = f"risk of the best of {len(models)} models"
    return Estimates((replace(row, answers=answers, data=FILE, by=by, splits=splits, rows=one.different_rows),))


def _of_runs(
    runs: Runs, score: MethodLike | None, data: str, by: str | None, draws: int, at: Confidence, seed: int
) -> Estimate:
    choice = scores.choose(default_score_of(runs, data) if score is None else score)
    every = [with_positive(runs.run(name, data, by), choice)[0] for name in runs.learner_names]
    design, notes = every[0].design, every[0].design.notes
    if lost := ", ".join(run.learner for run in every if not run.complete):
        notes += (Note("left-out", "caution", f"splits of {lost} failed or are missing: left out"),)
    models = {}
    for run in (run for run in every if run.complete):
        check_readable(run, choice)
        assert run.fresh.predictions is not None  # as all splits succeeded
        models[run.learner] = with_training_mean(run.fresh.predictions, run)
    row = _best_of(choice, models, draws, at, seed)
    answers = f"risk of the best of {len(models)} learners trained on {trained_share(design)} of the rows"
    about: dict[str, Any] = {"data": every[0].data, "by": design.name, "splits": len(design), "rows": design.rows}
    return replace(row, **about, answers=answers, notes=notes + row.notes)


def _check_candidates(models: Mapping[str, Predictions], choice: Choice) -> None:
    """Refuse models that are not several of the same rows in the same splits, and scores that rows do not add up to."""
    if len(models) < 2:
        raise BadInput(f"the best of {len(models)} is no choice: give two learners or more")
    additive = choice.reads == "confusion matrix" or choice.is_function_of_means  # of sums over rows
    if not pools(choice) or not additive:
        says = f"{choice} is neither a mean over rows nor of a confusion matrix, which rows of several models make up"
        raise Refused(f"{says}: {NESTED}", "not-pooled")
    first, *others = models.values()
    if any(p.provenance == "training rows" for p in models.values()):
        raise Refused(f"some of these rows had trained the models that predict them: {NESTED}", "training-rows")
    for p in others:
        check_same_rows(first, p)
        if not np.array_equal(np.asarray(p.splits), np.asarray(first.splits)):
            says = "not all learners were tested in the same splits: evaluate them by one design"
            raise Refused(says, "different-splits")


def _units(p: Predictions) -> Array:
    """Return the unit each row, and each repeat of it, is drawn with: its group, or itself however often tested."""
    if p.groups is not None:
        return p.groups if p.repeats is None else unroll(p.groups, p.repeats)
    row = np.arange(len(p)) if p.rows is None else id_codes(p.rows)
    if p.repeats is None:
        return row
    times = p.repeats.astype(np.int64)
    first = unroll(np.cumsum(times) - times, times)
    which = np.arange(len(first)) - first  # of the repeats of its row
    return np.unique(unroll(row, times) * times.max() + which, return_inverse=True)[1]


def _sums(p: Predictions, choice: Choice, unit: Array) -> Array:
    """Return what the rows of each unit give to the score, summed."""
    weight, number = row_weights(p), int(unit.max()) + 1
    if choice.reads == "confusion matrix":
        size = len(p.classes) ** 2
        cell = p.truth.astype(np.int64) * len(p.classes) + choice.labels(p)
        return np.bincount(unit * size + cell, weight, number * size).reshape(number, size)
    columns = (*evidence_for(choice, p).columns.T, np.ones(len(p)))
    return np.stack([np.bincount(unit, weight * column, number) for column in columns], axis=-1)


def _best_of(choice: Choice, models: Mapping[str, Predictions], draws: int, at: Confidence, seed: int) -> Estimate:
    """Return the corrected estimate: the mean score on rows left out of the learner that is best on rows drawn."""
    _check_candidates(models, choice)
    unit = _units(next(iter(models.values())))
    models = {name: repeat_rows(p) for name, p in models.items()}
    first = next(iter(models.values()))
    sums = np.stack([_sums(p, choice, unit) for p in models.values()])  # (learners, units, columns)
    each = first if first.groups is not None else subset(first, np.unique(unit, return_index=True)[1])
    notes = unique(tuple(note for p in models.values() for note in p.notes) + notes_on_rows(each))

    def values_of_learners(drawn: Array) -> Array:  # (learners, samples), when units count as often as drawn
        totals = np.einsum("bu,lum->lbm", drawn, sums, optimize=True)
        if choice.reads == "confusion matrix":
            matrix = totals.reshape((*totals.shape[:-1], len(first.classes), len(first.classes)))
            return values_on(choice, Counts.of_arrays(matrix, first.classes, first.positive))
        values: Array = choice.link_means(ratio(totals[..., :-1], totals[..., -1:]))
        return values

    def best_learner(values: Array) -> Array:  # of equals the first, and none without a score
        return np.where(np.isnan(values), np.inf, values if choice.better == "lower" else -values).argmin(axis=0)

    units = sums.shape[1]
    random, chosen, left_out = generator(seed, "bbc_cv"), [], []
    for _, number in chunks(draws, units):
        drawn = random.integers(0, units, (number, units)) + units * np.arange(number)[:, None]
        times_drawn = np.bincount(drawn.ravel(), minlength=number * units).reshape(number, units).astype(float)
        chosen.append(best_learner(values_of_learners(times_drawn)))
        left_out.append(values_of_learners((times_drawn == 0).astype(float)))
    best = np.concatenate(chosen)
    scores_left_out = np.take_along_axis(np.concatenate(left_out, axis=1), best[None], 0)[0]
    sound = scores_left_out[np.isfinite(scores_left_out)]
    if len(sound) < draws / 2:
        says = f"{choice} has no value on the rows left out of most samples: too few rows, or too few of a class"
        raise Refused(says, "few-rows")
    whole = values_of_learners(np.ones((1, units)))
    winner = int(best_learner(whole)[0])
    naive, value, times = float(whole[winner, 0]), float(sound.mean()), float((best == winner).mean())
    low, high = np.quantile(sound, [at.tail, 1 - at.tail]).tolist()
    says = (
        f"{list(models)[winner]} is the best of {len(models)} on these rows, and in {times:.0%} of the samples; its own"
        f" {choice} there, {naive:.4g}, was chosen for being good and is {naive - value:+.2g} off"
    )
    notes += (Note("best-of", "remark", says), seed_note(draws, seed))
    if len(sound) < draws:
        says = f"{draws - len(sound)} of {draws} samples have no score on the rows left out, and are left out"
        notes += (Note("undefined-draws", "caution", says),)
    return Estimate(
        choice.spelling,
        choice.spelling,
        value,
        Interval(low, high, at.level, "bbc_cv", assumes=("IID",)),
        choice.better,
        learner=f"best of {len(models)}",
        notes=notes,
        facts=(("naive", naive), ("naive_less_value", naive - value), ("chosen_share", times)),
    )


TUNED = "make one with `vc.tuned(learner, grid={...})`"


@verb
def optimism(runs: Runs, score: MethodLike | None = None, *, level: float = 0.95, seed: int = 0) -> Optimism:
    """For each learner that tunes itself: the nested estimate with its interval, the flat one, and the choices.

    The flat one is the score that the winner won by, averaged over the outer splits. It was chosen for being good, so
    it is too good, the more the more settings there are and the fewer rows; the nested one has seen none of that. Inner
    models train on fewer rows, which works against it: where settings are few, the flat score may be the worse one. The
    score is the one tuned by, so that the two are of one kind. A learner of which that is not known costs its own row.

    Parameters
    ----------
    runs
        Runs with learners that tune themselves.
    score
        A score by its name, such as 'error', or your own; the default of the target unless said.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    seed
        Where random numbers begin; the same seed gives the same numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> logit = vc.tuned(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, by="kfold(k=3)", score="error")
    >>> runs = vc.evaluate({"nb": logit}, X, y, by="kfold(k=3)", seed=7)
    >>> len(vc.optimism(runs).rows)
    1
    """
    if not isinstance(runs, Runs):
        raise BadInput(f"optimism is of runs, not {type(runs).__name__}: evaluate a learner made with tuned(...)")
    ask = partial(_optimism_row, runs, score=score, at=Confidence(level), seed=seed)
    rows, refusals = ask_each(_choices(runs), ask)
    if not rows and not refusals:
        raise BadInput(f"none of these learners tunes itself: {TUNED}")
    if not rows:
        raise refusals[0][1]
    lost = ((f"{chosen.learner} on {chosen.data} by {chosen.by}", why) for chosen, why in refusals)
    return Optimism(tuple(rows), tuple(Note("left-out", "caution", f"{place}: {why.says}") for place, why in lost))


def tuning_optimism(runs: Runs, estimates: Estimates, *, level: float = 0.95, seed: int = 0) -> Optimism:
    """The same beside estimates, of which those of the score tuned by are taken; empty where no learner chooses.

    Where that score is not known, as of a learner of one's own, the first estimate stands alone.
    """
    rows = []
    for chosen in _choices(runs):
        nested = _nested_estimate(runs, chosen, estimates, Confidence(level), seed)
        if nested is not None:
            rows.append(_row(runs, chosen, nested))
    return Optimism(tuple(rows))


def _nested_estimate(runs: Runs, chosen: Choices, estimates: Estimates, at: Confidence, seed: int) -> Estimate | None:
    place = (chosen.data, chosen.learner, chosen.by)
    own = [row for row in estimates if (row.data, row.learner, row.by) == place]
    if same := [row for row in own if row.score == chosen.score]:
        return same[0]
    try:
        return _estimate(runs, chosen, chosen.score, at, seed)
    except VeracityError:
        return own[0] if own else None


def _choices(runs: Runs) -> Iterator[Choices]:
    """Of every run whose learner chooses."""
    for data, learner, by in runs.places():
        if runs.chooses(learner, data, by):
            yield runs.chosen(learner, data, by)


def _optimism_row(runs: Runs, chosen: Choices, score: MethodLike | None, at: Confidence, seed: int) -> OptimismRow:
    asked = chosen.score if score is None else scores.choose(score).spelling
    if not asked:
        raise BadInput(f"by which score {chosen.learner} was tuned is not known: name one, such as `score='error'`")
    if chosen.score and chosen.score != asked:
        raise BadInput(f"{chosen.learner} was tuned by {chosen.score}: its flat score is of that and not of {asked}")
    return _row(runs, chosen, _estimate(runs, chosen, asked, at, seed))


def _estimate(runs: Runs, chosen: Choices, score: str, at: Confidence, seed: int) -> Estimate:
    run = runs.run(chosen.learner, chosen.data, chosen.by)
    return estimate_run(run, EstimateRequest(scores.choose(score), score, at, seed=seed))


def _row(runs: Runs, chosen: Choices, nested: Estimate) -> OptimismRow:
    try:
        disagreement = runs.disagreement(chosen.learner, chosen.data, chosen.by)
    except Refused as why:
        disagreement = Undefined(why.says)
    return OptimismRow(nested, chosen, disagreement)
