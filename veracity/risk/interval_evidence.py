"""The evidence that intervals for a learner read from a run, and the designs that can serve it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.designs.folds import ONE, folds_left_out
from veracity.designs.holdout import FULL
from veracity.evidence.learner_losses import Draw, DrawnLosses, FoldLosses, NestedLosses
from veracity.evidence.losses import Apparent
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.evidence.split_scores import UNKNOWN, LossTraits, SplitScores, SplitTable, Subsamples
from veracity.evidence.take_rows import disagreement
from veracity.intervals.resampled import TRAINING_LEFT_OUT
from veracity.intervals.scored import Scored
from veracity.records.arrays import Array, freeze
from veracity.records.design import Design, SplitPart
from veracity.risk.class_shares import class_pull, with_class_shares
from veracity.risk.designs import estimator_of, trained_share
from veracity.risk.fold_scores import Resampling, predictions_by_split
from veracity.risk.incomplete import larger_parts_advice
from veracity.scores.entry import value_of

REPEATED = "`by='repeated_kfold(k=10, repeats=10)'`"


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
    FoldLosses: EvidenceRule("folds that test every row once", _tests_each_row_once, "`by='kfold(k=10)'`"),
    NestedLosses: EvidenceRule(
        "models that leave out two folds",
        lambda design: design.splits[0].part.kind == ONE,
        "`by='nested_cv_bates(k=10, repeats=50)'`",
    ),
    DrawnLosses: EvidenceRule(
        "rows drawn with replacement", lambda design: design.with_replacement, "`by='loo_bootstrap(draws=1000)'`"
    ),
    Subsamples: EvidenceRule(
        "pairs of disjoint halves",
        lambda design: any(split.part == SplitPart(FULL) for split in design.splits),
        "`by='paired_subsampling(outer=10, inner=15)'`",
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
    """The evidence that an interval reads. What is put together from several parts has no interval but its own."""
    check_estimator(r.run.design)
    if wanted in EVIDENCE:
        return EVIDENCE[wanted](r)
    resubstituted = estimator_of(r.run.design).is_one_of("resubstitution")
    if wanted is Apparent and resubstituted:
        return _apparent(r)
    rows = "had trained it" if resubstituted else "were predicted by the models of several splits"
    raise Refused(
        f"this interval is about one fixed model on new rows, and these rows {rows}: "
        f"use conservative_t {REPEATED}, or `by='holdout'` for one model",
        "several-models",
    )


def _apparent(r: Resampling) -> Apparent:
    """The training rows of one model."""
    p = r.predictions(r.numbers(r.main_part), "all")
    apparent: Apparent = Scored.of_predictions(r.score, p).view(Apparent)
    return replace(apparent, answers=f"risk of the one model trained on {trained_share(r.run.design)} of the rows")


def _split_scores(r: Resampling) -> SplitScores:
    scores = r.split_scores()
    if scores.undefined:
        says = f"{r.score} is undefined in {scores.undefined} of {plural(len(scores), 'split')}, and none is dropped"
        raise Refused(f"{says}: {larger_parts_advice(r)}", "undefined-splits")
    own = estimator_of(r.run.design).default_interval(r.score) if r.pools else None
    check_evidence(r.run.design, SplitScores, "this interval", f"{own}, or {REPEATED}" if own else "")
    score = r.score
    chance = CHANCE if score.reads == "ordering" and score.pairwise else None
    estimate = None if score.reads == "time" else float(estimator_of(r.run.design)(r).value)
    return replace(scores, losses=loss_traits(r), chance=chance, estimate=estimate)


def loss_traits(r: Resampling) -> LossTraits:
    """Of the score's own losses where it is their mean, else of errors; all of them only where rows are plain."""
    if r.score.reads == "time":
        return UNKNOWN  # losses of rows say nothing of them
    numbers = r.numbers(r.main_part)
    p = r.predictions(numbers, "fresh")
    losses = _losses_of_rows(r, p)
    assert p.rows is not None and p.splits is not None
    traits = UNKNOWN if losses is None else LossTraits.of(p.rows, losses)
    plain = p.multiplicity is None and p.groups is None
    if not r.is_mean or not plain:
        traits = traits._replace(skewness=None)
    if p.kind != "classes" or not plain or not len(p):
        return traits
    if losses is not None and r.is_mean:
        return traits.with_classes(losses, p.truth, p.splits)
    return with_class_shares(traits, class_pull(r, p, numbers), p)


def _losses_of_rows(r: Resampling, p: Predictions) -> Array | None:
    """None where nothing was tested that had not trained, or values alone say no class."""
    if not len(p) or (p.kind == "classes" and not r.is_mean and "label" not in p.offers):
        return None
    if r.is_mean:
        losses = r.score.row_values(p)
    else:
        losses = p.labels() != p.truth if p.kind == "classes" else (np.asarray(p.number) - p.truth) ** 2
    return np.asarray(losses, float)


def fold_losses(r: Resampling) -> FoldLosses:
    """Refuses a design in which not every row is tested once in each repeat."""
    check_plain_means(r, "cv_wald")
    check_evidence(r.run.design, FoldLosses, "cv_wald", IN_TIME if r.run.design.forward else "")
    split, row, loss = row_losses(r, "cv_wald", r.numbers(r.main_part))
    repeat = np.array([one.repeat for one in r.run.design.splits])
    repeats, place = np.unique(repeat[split], return_inverse=True)
    folds = np.full((max(len(repeats), 1), r.run.design.rows), -1)
    folds[place, row] = split
    losses = np.empty(folds.shape)
    losses[place, row] = loss
    return FoldLosses(freeze(losses), freeze(folds), risk_of_models(r), _disagreement(r) if len(repeats) > 1 else None)


def _disagreement(r: Resampling) -> float | None:
    p = r.predictions(r.numbers(r.main_part), "fresh")
    if p.kind != "classes" or p.rows is None:
        return None
    return disagreement(p.rows, p.labels(), len(p.classes))


def nested_losses(r: Resampling) -> NestedLosses:
    """Refuses the splits of another design, and splits that are not all there."""
    check_plain_means(r, "nested_cv")
    check_evidence(r.run.design, NestedLosses, "nested_cv")
    splits = r.run.design.splits
    split, row, loss = row_losses(r, "nested_cv", list(range(len(splits))))
    repeat = np.array([one.repeat for one in splits])[split]
    left_out = np.array([(folds_left_out(one) * 2)[:2] for one in splits])[split]  # of one fold: the same twice
    outer, inner = left_out[:, 0] == left_out[:, 1], left_out[:, 0] != left_out[:, 1]
    folds = np.zeros((repeat.max() + 1, r.run.design.rows), int)
    folds[repeat[outer], row[outer]] = left_out[outer, 0]
    of_one = np.zeros(folds.shape)
    of_one[repeat[outer], row[outer]] = loss[outer]
    of_two = np.full((*folds.shape, folds.max() + 1), np.nan)
    other = left_out.sum(1) - folds[repeat, row]  # of the two folds, the one that the row is not in
    of_two[repeat[inner], row[inner], other[inner]] = loss[inner]
    return NestedLosses(freeze(folds), freeze(of_one), freeze(of_two))


def drawn_losses(r: Resampling) -> DrawnLosses:
    """Refuses splits whose training rows were not drawn with replacement."""
    check_plain_means(r, "loo_bootstrap_se")
    check_evidence(r.run.design, DrawnLosses, "loo_bootstrap_se")
    numbers = r.numbers(r.main_part)
    split, row, loss = row_losses(r, "loo_bootstrap_se", numbers)
    edges = np.searchsorted(split, numbers[1:])
    parts = zip(numbers, np.split(row, edges), np.split(loss, edges), strict=True)
    draws = (Draw(r.run.design.splits[number].train, rows, losses) for number, rows, losses in parts)
    return DrawnLosses.of(r.run.design.rows, draws)


def pooled_rows(r: Resampling) -> PooledRows:
    """Refuses rows that were tested more than once, and scores that cannot be had from several models together."""
    if not r.pools:
        raise Refused(
            f"{r.score} of rows of several models together means nothing: use conservative_t `by='repeated_kfold'`",
            "several-models",
        )
    p = r.predictions(r.numbers(r.main_part), "fresh")
    times_tested = np.bincount(np.asarray(p.rows))
    if times_tested.max(initial=0) > 1:
        raise Refused(
            f"{r.run.design.name} tests rows more than once, so they cannot be drawn as independent ones: "
            f"use conservative_t `by='repeated_kfold'`, or `by='kfold(k=10)'`",
            "wrong-design",
        )
    if times_tested.max(initial=0) == 0:
        raise Refused("every tested row had trained its model: use `by='kfold(k=10)'`", "wrong-design")
    return PooledRows.of_predictions(r.score, p, (ROWS_ONLY,), risk_of_models(r))


def subsamples(choice: Choice, run: Run) -> Subsamples:
    """Refuses the splits of another design, and splits that are not all there."""
    check_evidence(run.design, Subsamples, "conservative_z")
    labels = [split.part for split in run.design.splits]
    parts = predictions_by_split(run)
    if len(parts) < len(run.design):
        raise Refused(f"some splits failed or are missing, and conservative_z needs all: {COMPLETE}", "incomplete")
    scores: dict[SplitPart, list[float]] = {}
    for number, part in parts.items():
        scores.setdefault(labels[number], []).append(value_of(choice, part))
    full = scores.pop(SplitPart(FULL))
    pairs: dict[tuple[int, ...], dict[str, float]] = {}
    for half, values in scores.items():
        pairs.setdefault(half.numbers, {})[half.side] = float(np.mean(values))
    halves = np.array([[pair["a"], pair["b"]] for pair in pairs.values()])
    return Subsamples(freeze(np.array(full)), freeze(halves))


def row_losses(r: Resampling, method: str, numbers: list[int]) -> tuple[Array, Array, Array]:
    """Split, row and loss of everything that some splits said of rows new to their models.

    Refuses scores that are no means over rows, rows that do not stand for themselves alone, and missing splits.
    """
    check_plain_means(r, method)
    if len(r.run.places) < len(r.run.design):
        raise Refused(f"some splits failed or are missing, and {method} needs all: {COMPLETE}", "incomplete")
    p = r.predictions(numbers, "fresh")
    assert p.splits is not None and p.rows is not None
    return p.splits, p.rows, r.score.row_values(p)


def check_plain_means(r: Resampling, method: str) -> None:
    """Refuse what no design would mend; checked before the design is, so that the way out is one."""
    if not r.is_mean:
        says = (
            f"{method} is about means over rows, and {r.score} is none: "
            f"use conservative_t `by='repeated_kfold'`, "
            f"or conservative_z `by='paired_subsampling'`"
        )
        raise Refused(says, "not-a-mean")
    p = r.run.predictions
    assert p is not None
    for column, what in ((p.weights, "weighted"), (p.groups, "in groups")):
        if column is not None:
            says = f"{method} takes rows as independent and counts each once, and these are {what}: use corrected_t"
            raise Refused(f"{says} `by='repeated_kfold'`", "not-plain")


def risk_of_models(r: Resampling) -> str:
    """The risk that the tested rows tell of, when how training sets differ is left out."""
    number, share = len(r.run.design.main_splits), trained_share(r.run.design)
    return f"average risk of the {number} models of the splits, each trained on {share} of the rows"


EVIDENCE: dict[type, Callable[[Resampling], Any]] = {
    SplitScores: _split_scores,
    Subsamples: lambda r: subsamples(r.score, r.run),
    FoldLosses: fold_losses,
    NestedLosses: nested_losses,
    DrawnLosses: drawn_losses,
    Scored: pooled_rows,
}
