"""The evidence that intervals for a learner read from a run, and the designs that can serve it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note, always
from veracity.core.words import plural
from veracity.designs.folds import ONE, folds_left_out
from veracity.designs.holdout import FULL
from veracity.evidence.counts import Counts
from veracity.evidence.losses import Apparent, Draw, DrawnLosses, FoldLosses, NestedLosses
from veracity.evidence.predictions import Predictions, disagreement
from veracity.evidence.run import Run
from veracity.evidence.score_matrix import UNKNOWN, LossTraits, SplitScores, SplitTable, Subsamples
from veracity.intervals.resampled import TRAINING_LEFT_OUT
from veracity.intervals.scored import Scored
from veracity.records.arrays import Array, freeze, ratio
from veracity.records.design import Design, SplitPart
from veracity.risk.designs import estimator_of, trained_share
from veracity.risk.fold_scores import Resampling, count_cells, larger_parts_advice, pools, split_predictions
from veracity.scores.entry import evidence_for, value_of, values_on

REPEATED = "`by='repeated_kfold(k=10, repeats=10)'`"
COMPLETE = (
    "mend why they failed and run the study again with `retry='failed'`, or use conservative_t `by='repeated_kfold'`"
)
# folds never test the first rows
IN_TIME = "corrected_t, or `by='kfold(k=10, ordered=False)'` if time does not matter"
CHANCE = 0.5  # area of an ordering that says nothing
ROWS_ONLY = Note("rows-only", "caution", TRAINING_LEFT_OUT)


@dataclass(frozen=True, eq=False)
class PooledRows(Scored):
    """The score of all tested rows, each predicted by one model that had not seen it."""

    notes: tuple[Note, ...] = ()
    answers: str = ""


def interval_evidence(r: Resampling, wanted: type) -> Any:
    """Return the evidence that an interval reads. What combines several parts has no interval but its own."""
    check_estimator(r.run.design)
    make = EVIDENCE[wanted].make if wanted in EVIDENCE else None
    if make is not None:
        return make(r)
    resubstituted = estimator_of(r.run.design).is_one_of("resubstitution")
    if wanted is Apparent and resubstituted:  # the training rows of one model
        p = r.predictions(r.numbers(r.main_part), "all")
        apparent: Apparent = Scored.of_predictions(r.score, p).view(Apparent)
        return replace(apparent, answers=f"risk of the one model trained on {trained_share(r.run.design)} of the rows")
    rows = "had trained it" if resubstituted else "were predicted by the models of several splits"
    raise Refused(
        f"this interval is about one fixed model on new rows, and these rows {rows}: "
        f"use conservative_t {REPEATED}, or `by='holdout'` for one model",
        "several-models",
    )


def _split_scores(r: Resampling) -> SplitScores:
    score, scores, estimator = r.score, r.split_scores(), estimator_of(r.run.design)
    if scores.undefined:
        says = f"{score} is undefined in {scores.undefined} of {plural(len(scores), 'split')}, and none is dropped"
        raise Refused(f"{says}: {larger_parts_advice(r.run)}", "undefined-splits")
    own = estimator.default_interval(score) if pools(score) else None
    check_evidence(r.run.design, SplitScores, "this interval", f"{own}, or {REPEATED}" if own else "")
    chance = CHANCE if score.reads == "ordering" and score.pairwise else None
    estimate = None if score.reads == "time" else float(estimator(r).value)
    return replace(scores, losses=loss_traits(r), chance=chance, estimate=estimate)


def loss_traits(r: Resampling) -> LossTraits:
    """Return traits of the score's own losses where it is their mean, else of errors; all only where rows are plain."""
    if r.score.reads == "time":
        return UNKNOWN  # losses of rows say nothing of them
    p, is_mean = r.tested_rows, r.score.averages_rows
    losses: Array | None = None
    if len(p) and is_mean:
        losses = np.asarray(r.score.row_values(p), float)
    elif len(p) and (p.kind != "classes" or "label" in p.offers):  # values alone say no class
        errors = p.labels() != p.truth if p.kind == "classes" else (np.asarray(p.number) - p.truth) ** 2
        losses = np.asarray(errors, float)
    assert p.rows is not None and p.splits is not None
    traits = UNKNOWN if losses is None else LossTraits.of(p.rows, losses)
    plain = p.multiplicity is None and p.groups is None
    if not is_mean or not plain:
        traits = traits._replace(skewness=None)
    if p.kind != "classes" or not plain or not len(p):
        return traits
    if losses is not None and is_mean:
        return traits.with_classes(losses, p.truth, p.splits)
    return with_class_shares(traits, class_pull(r, p, r.numbers(r.main_part)), p)


def fold_losses(r: Resampling) -> FoldLosses:
    """Return the losses of a design in which every row is tested once in each repeat."""
    in_time = IN_TIME if r.run.design.forward else ""
    split, row, loss = row_losses(r, "cv_wald", FoldLosses, r.main_part, in_time)
    repeat = np.array([split.repeat for split in r.run.design.splits])
    repeats, place = np.unique(repeat[split], return_inverse=True)
    folds = np.full((max(len(repeats), 1), r.run.design.rows), -1)
    folds[place, row] = split
    losses = np.empty(folds.shape)
    losses[place, row] = loss
    differ, p = None, r.tested_rows
    if len(repeats) > 1 and p.kind == "classes" and p.rows is not None:
        differ = disagreement(p.rows, p.labels(), len(p.classes))
    return FoldLosses(freeze(losses), freeze(folds), risk_of_models(r), differ)


def nested_losses(r: Resampling) -> NestedLosses:
    """Return the losses of models that leave out one fold, and of those that leave out two."""
    split, row, loss = row_losses(r, "nested_cv", NestedLosses)
    splits = r.run.design.splits
    shape = (max(one.repeat for one in splits) + 1, r.run.design.rows)
    fold, outer = np.zeros(shape, int), np.zeros(shape)
    edges = np.searchsorted(split, np.arange(1, len(splits)))
    tested = list(zip(splits, np.split(row, edges), np.split(loss, edges), strict=True))
    for one, rows, losses in tested:  # models that leave out one fold: each row's own fold and loss
        if len(left_out := folds_left_out(one)) == 1:
            fold[one.repeat, rows], outer[one.repeat, rows] = left_out[0], losses
    inner = np.full((*shape, fold.max() + 1), np.nan)
    for one, rows, losses in tested:  # models that leave out two: losses by the fold that is not the row's own
        if len(left_out := folds_left_out(one)) == 2:
            other = np.where(fold[one.repeat, rows] == left_out[0], left_out[1], left_out[0])
            inner[one.repeat, rows, other] = losses
    return NestedLosses(freeze(fold), freeze(outer), freeze(inner))


def drawn_losses(r: Resampling) -> DrawnLosses:
    """Return the losses of rows that draws with replacement left out."""
    split, row, loss = row_losses(r, "loo_bootstrap_se", DrawnLosses, r.main_part)
    numbers = r.numbers(r.main_part)
    edges = np.searchsorted(split, numbers[1:])
    parts = zip(numbers, np.split(row, edges), np.split(loss, edges), strict=True)
    draws = (Draw(r.run.design.splits[number].train, rows, losses) for number, rows, losses in parts)
    return DrawnLosses.of(r.run.design.rows, draws)


def pooled_rows(r: Resampling) -> PooledRows:
    """Refuse rows that were tested more than once, and scores that cannot be had from several models together."""
    if not pools(r.score):
        raise Refused(
            f"{r.score} of rows of several models together means nothing: use conservative_t `by='repeated_kfold'`",
            "several-models",
        )
    p = r.tested_rows
    most = np.bincount(np.asarray(p.rows)).max(initial=0)
    if most == 0:
        raise Refused("every tested row had trained its model: use `by='kfold(k=10)'`", "wrong-design")
    if most > 1:
        raise Refused(
            f"{r.run.design.name} tests rows more than once, so they cannot be drawn as independent ones: "
            f"use conservative_t `by='repeated_kfold'`, or `by='kfold(k=10)'`",
            "wrong-design",
        )
    return PooledRows.of_predictions(r.score, p, (ROWS_ONLY,), risk_of_models(r))


def subsamples(choice: Choice, run: Run) -> Subsamples:
    """Return the scores of splits of all rows, and of pairs of halves that share no row."""
    check_evidence(run.design, Subsamples, "conservative_z")
    check_complete(run, "conservative_z")
    scores: dict[SplitPart, list[float]] = {}
    for number in run.places:
        value = value_of(choice, split_predictions(run, number))
        scores.setdefault(run.design.splits[number].part, []).append(value)
    full = scores.pop(SplitPart(FULL))
    pairs: dict[tuple[int, ...], dict[str, float]] = {}
    for half, values in scores.items():
        pairs.setdefault(half.numbers, {})[half.side] = float(np.mean(values))
    halves = np.array([[pair["a"], pair["b"]] for pair in pairs.values()])
    return Subsamples(freeze(np.array(full)), freeze(halves))


def row_losses(
    r: Resampling, method: str, evidence: type, part: str | None = None, use_instead: str = ""
) -> tuple[Array, Array, Array]:
    """Return split, row and loss of all that the splits of a part, or all, predicted of rows new to their models.

    What no design would mend is refused first, so that the way out is one.
    """
    p = r.run.predictions
    assert p is not None
    if not r.score.averages_rows:
        says = f"{method} is about means over rows, and {r.score} is none: use conservative_t `by='repeated_kfold'`"
        raise Refused(f"{says}, or conservative_z `by='paired_subsampling'`", "not-a-mean")
    for column, what in ((p.weights, "weighted"), (p.groups, "in groups")):
        if column is not None:
            says = f"{method} takes rows as independent and counts each once, and these are {what}: use corrected_t"
            raise Refused(f"{says} `by='repeated_kfold'`", "not-plain")
    check_evidence(r.run.design, evidence, method, use_instead)
    numbers = list(range(len(r.run.design))) if part is None else r.numbers(part)
    check_complete(r.run, method)
    fresh = r.predictions(numbers, "fresh")
    assert fresh.splits is not None and fresh.rows is not None
    return fresh.splits, fresh.rows, r.score.row_values(fresh)


def check_complete(run: Run, method: str) -> None:
    """Refuse runs of which splits are missing."""
    if len(run.places) < len(run.design):
        raise Refused(f"some splits failed or are missing, and {method} needs all: {COMPLETE}", "incomplete")


def risk_of_models(r: Resampling) -> str:
    """Return the risk that the tested rows tell of, when how training sets differ is left out."""
    number, share = len(r.run.design.main_splits), trained_share(r.run.design)
    return f"average risk of the {number} models of the splits, each trained on {share} of the rows"


STEP = 1e-3  # of the weight of a class, in differences that stand for a derivative
FAR = (1.0, 2.0)  # standard deviations of log odds by which models are moved: labels that jump are met by one of them
LEAST = 1e-300  # probability that has a logarithm
FEW_CLASSES = 5  # beyond, no class moves a score much by the models that it makes
BY_DOUBT = 2.0  # standard errors
GRADIENT_TOLERANCE = 1e-12  # of the mean log loss, at which a slope of log odds is found


class ClassPull(NamedTuple):
    """Influence of one row of each class on the mean score over splits, times the number of rows."""

    tested: Array  # as one of the rows that are tested
    trained: Array  # as one that models learn from
    known: bool = True  # whether what models say tells how they would follow other shares; decision values do not

    @property
    def whole(self) -> Array:
        return self.tested + self.trained

    def __sub__(self, other: ClassPull) -> ClassPull:
        """Return that on a difference of two learners."""
        return ClassPull(self.tested - other.tested, self.trained - other.trained, self.known and other.known)


def with_class_shares(traits: LossTraits, pull: ClassPull | None, p: Predictions) -> LossTraits:
    """Return traits with the variance that class shares would give the splits, were these not the same in all."""
    if pull is None or not np.isfinite(pull.whole).all():
        return traits
    assert p.splits is not None
    tested = np.unique(p.splits, return_counts=True)[1]
    away = float(pull.trained[p.truth].var() * np.mean(1 / tested)) if pull.known else math.inf
    return traits.with_classes(pull.whole[p.truth], p.truth, p.splits)._replace(trained_away=away)


@np.errstate(invalid="ignore")  # a difference of infinite scores, as likelihood ratios may be, is left out of means
def class_pull(r: Resampling, p: Predictions, numbers: Sequence[int]) -> ClassPull | None:
    """Return that on a score that is no mean of rows, from predictions of some splits; None where it cannot be had."""
    choice = r.score
    _, first = np.unique(np.asarray(p.rows), return_index=True)  # a row that several models tested is one
    sizes = np.bincount(p.truth[first], minlength=len(p.classes))
    if not sizes.all():
        return None
    if choice.reads == "confusion matrix":
        place = np.searchsorted(numbers, np.asarray(p.splits))
        return _pull_on_counts(choice, p, place, sizes)
    if choice.reads == "ordering" and choice.pairwise:  # areas do not heed how many rows they order
        return ClassPull(np.zeros(len(sizes)), np.zeros(len(sizes)))
    parts = (split_predictions(r.run, number) for number in numbers)
    if choice.reads == "ordering":
        slopes = [_slope_of_ordering(choice, part, sizes / sizes.sum()) for part in parts]
        return ClassPull(_mean_over_splits(np.stack(slopes)) * sizes.sum() / sizes, np.zeros(len(sizes)))
    if not choice.is_function_of_means:
        return None
    tested, trained = [], []
    for part in parts:
        influence = choice.influence_of(evidence_for(choice, part))
        of_class = np.bincount(part.truth, minlength=len(part.classes))
        tested.append(ratio(np.bincount(part.truth, influence, len(part.classes)), of_class))
        trained.append(_slope_of_models(choice, part, sizes))
    return ClassPull(_mean_over_splits(np.stack(tested)), _mean_over_splits(np.stack(trained)) * sizes.sum() / sizes)


def _pull_on_counts(choice: Choice, p: Predictions, place: Array, sizes: Array) -> ClassPull:
    """Tested rows count by the mean influence of those of each class on the confusion matrix of a split."""
    cells = count_cells(choice, p, place, place.max() + 1)
    counts = Counts.of_arrays(cells, p.classes, p.positive)
    influence = np.asarray(choice.influence_of(counts)).reshape(cells.shape)
    tested = _mean_over_splits(ratio((influence * cells).sum(-1), counts.of_truth))
    odds = log_odds(p)
    trained = np.zeros(len(sizes))
    if len(sizes) <= FEW_CLASSES and odds is not None:
        trained = _pull_of_training(choice, p, place, sizes, odds)
    # where models do not find classes better than by chance, shares alone say which they call
    share_right = ratio(np.diagonal(counts.matrix, axis1=-2, axis2=-1), counts.of_truth)
    recall = share_right[np.isfinite(share_right).all(-1)].mean(-1)
    better_than_chance = False
    if len(recall) > 1:
        error = recall.std(ddof=1) * math.sqrt(1 / len(recall) + 1 / (len(recall) - 1))
        better_than_chance = bool(recall.mean() - BY_DOUBT * error > 1 / len(counts.classes))
    return ClassPull(tested, trained, p.proba is not None and (not choice.one_class or better_than_chance))


def _slope_of_models(choice: Choice, part: Predictions, sizes: Array) -> Array:
    """Return slopes by the log odds of each class: what models would predict that learned from more of its rows."""
    if len(sizes) > FEW_CLASSES:
        return np.zeros(len(sizes))
    probabilities = np.stack([part.probability(one) for one in range(len(part.classes))], 1)
    one_column = part.proba is not None and part.proba.ndim == 1

    def score(at: int, step: float) -> float:
        raised = np.where(np.arange(len(part.classes)) == at, math.exp(step), 1.0)
        proba = probabilities * raised
        proba /= proba.sum(1, keepdims=True)
        prior = None if part.prior is None else np.asarray(part.prior) * raised  # that scores are measured against
        shares = None if prior is None else tuple((prior / prior.sum()).tolist())
        proba = freeze(proba[:, part.positive] if one_column else proba)
        return value_of(choice, replace(part, proba=proba, prior=shares))

    deviation = 1 / np.sqrt(sizes * (1 - sizes / sizes.sum()))
    return np.array([(score(at, step) - score(at, -step)) / (2 * step) for at, step in enumerate(deviation.tolist())])


def _slope_of_ordering(choice: Choice, part: Predictions, shares: Array) -> Array:
    """Return slopes by the logarithm of the weight of each class: its rows weigh a little more and a little less."""
    evidence = evidence_for(choice, part)
    of_cell = np.asarray(evidence.parts)
    chosen = of_cell == np.arange(of_cell.max() + 1)[:, None]
    ends = [values_on(choice, evidence.reweigh(evidence.cells * (1 + step * chosen))) for step in (STEP, -STEP)]
    slope = (ends[0] - ends[1]) / (2 * STEP)
    if part.positive is None and not part.binary:
        return np.pad(slope, (0, len(shares) - len(slope)))
    positive = 1 if part.positive is None else part.positive
    by_class: Array = slope[1] * shares / (1 - shares[positive])  # the slope of all other classes is shared among them
    by_class[positive] = slope[0]
    return by_class


def _mean_over_splits(values: Array) -> Array:
    """Return the mean over splits that have a score."""
    there = np.isfinite(values).all(-1)
    return values[there].mean(0) if there.any() else np.zeros(values.shape[-1])


def _pull_of_training(choice: Choice, p: Predictions, place: Array, sizes: Array, odds: Array) -> Array:
    """Return slopes by class shares: models of a larger share call the class as if its log odds were raised as much."""
    shares = sizes / sizes.sum()
    labels, first = np.asarray(choice.labels(p)), odds.argmax(1)
    deviation = 1 / np.sqrt(sizes * (1 - shares))

    def moved_score(at: int, step: float) -> Array:
        moved = odds.copy()
        moved[:, at] += step
        said = moved.argmax(1)
        cells = count_cells(choice, p, place, place.max() + 1, np.where(said == first, labels, said))
        return values_on(choice, Counts.of_arrays(cells, p.classes, p.positive))

    def slope(at: int) -> float:
        slopes = []
        for step in np.array(FAR) * deviation[at]:
            apart = moved_score(at, step) - moved_score(at, -step)
            finite = apart[np.isfinite(apart)]
            slopes.append(float(finite.mean() / (2 * step)) if len(finite) else 0.0)
        return max(slopes, key=abs)

    if len(shares) == 2:  # what raises one lowers the other
        rise = slope(1)
        return np.array([-rise, rise]) / shares
    return np.array([slope(at) for at in range(len(shares))]) / shares


def log_odds(p: Predictions) -> Array | None:
    """Return log odds of every class, up to what they have in common, from probabilities or decision values."""
    if p.proba is not None:
        return np.log(np.maximum(np.stack([p.probability(at) for at in range(len(p.classes))], 1), LEAST))
    if p.value is None or not p.binary or p.positive is None:
        return None
    odds = np.zeros((len(p), 2))
    odds[:, p.positive] = max(_slope_of_odds(p.value, p.truth == p.positive), LEAST) * p.value
    return odds


def _slope_of_odds(value: Array, positive: Array) -> float:
    """Return by how much log odds rise with a decision value: logistic regression on one feature.

    Where the value separates the classes there is no finite slope, and a large one is returned.
    """
    from scipy.optimize import minimize
    from scipy.special import expit, log_expit

    scale = float(np.abs(value).max())
    if not 0 < scale < np.inf or positive.all() or not positive.any():
        return 0.0
    signed = np.where(positive, 1.0, -1.0)[:, None] * np.stack([np.ones(len(value)), value / scale], 1)

    def loss_and_gradient(weights: Array) -> tuple[float, Array]:
        margin = signed @ weights
        return -float(log_expit(margin).mean()), -(expit(-margin) @ signed) / len(value)

    def hessian(weights: Array) -> Array:
        margin = signed @ weights
        return signed.T @ (signed * (expit(margin) * expit(-margin))[:, None]) / len(value)

    options: Any = {"gtol": GRADIENT_TOLERANCE}
    fit = minimize(loss_and_gradient, np.zeros(2), jac=True, hess=hessian, method="trust-exact", options=options)
    return float(fit.x[1]) / scale


def check_estimator(design: Design) -> None:
    """Refuse every interval and test where an estimator combines several parts and no method is about the result."""
    entry = estimator_of(design).entry
    if entry.parts and not entry.interval:
        says = f"no interval and no test is known for {entry.name}"
        raise Refused(f"{says}: use conservative_t {REPEATED}", "no-interval")


def check_evidence(design: Design, evidence: type, method: str, use_instead: str = "") -> None:
    """Refuse evidence that the splits of a design cannot serve; `method` is the interval or test that reads it."""
    check_estimator(design)
    kind = EVIDENCE[evidence]
    if not kind.holds(design):
        says = f"{method} reads {kind.reads}, which {design.name} has not"
        raise Refused(f"{says}: use {use_instead or kind.use_instead}", "wrong-design")


def _tests_each_row_once(design: Design) -> bool:
    """Return whether the main splits of every repeat test each row exactly once, by a model that it did not train."""
    splits = [design.fresh.splits[number] for number in design.main_splits]
    repeats = {split.repeat for split in splits}
    tested = [np.concatenate([split.test for split in splits if split.repeat == repeat]) for repeat in repeats]
    return all((np.bincount(rows, minlength=design.rows) == 1).all() for rows in tested)


def _draws_without_replacement(design: Design) -> bool:
    """Return whether splits train on rows drawn without replacement, and not each of several tests one row alone."""
    one_row_each = len(design) > 1 and all(len(design.splits[number].test) == 1 for number in design.main_splits)
    return not one_row_each and not design.with_replacement


class EvidenceKind(NamedTuple):
    """How a kind of evidence is made of a run, the splits that it is read from, and the design to use instead."""

    make: Callable[[Resampling], Any] | None
    reads: str = ""  # completes "this method reads ..."
    holds: Callable[[Design], bool] = always
    use_instead: str = ""


SPLIT_SCORES = EvidenceKind(
    _split_scores,
    "scores of splits that test several rows and train on rows drawn without replacement",
    _draws_without_replacement,
    REPEATED,
)
EVIDENCE: Mapping[type, EvidenceKind] = {
    SplitScores: SPLIT_SCORES,
    SplitTable: SPLIT_SCORES._replace(make=None),
    FoldLosses: EvidenceKind(fold_losses, "folds that test every row once", _tests_each_row_once, "`by='kfold(k=10)'`"),
    NestedLosses: EvidenceKind(
        nested_losses,
        "models that leave out two folds",
        lambda design: design.splits[0].part.kind == ONE,
        "`by='nested_cv_bates(k=10, repeats=50)'`",
    ),
    DrawnLosses: EvidenceKind(
        drawn_losses,
        "rows drawn with replacement",
        lambda design: design.with_replacement,
        "`by='loo_bootstrap(draws=1000)'`",
    ),
    Subsamples: EvidenceKind(
        lambda r: subsamples(r.score, r.run),
        "pairs of disjoint halves",
        lambda design: any(split.part == SplitPart(FULL) for split in design.splits),
        "`by='paired_subsampling(outer=10, inner=15)'`",
    ),
    Scored: EvidenceKind(pooled_rows),
}
