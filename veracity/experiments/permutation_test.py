"""Does a learner find anything at all, or could chance have done as well? Its estimate on shuffled data."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from veracity.core.arguments import Column, DesignLike, Label, Learner, Preparation, Table, verb
from veracity.core.bounds import FITS, MOST, check_bound
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import AskedToEnd, BadInput, EngineLost, Refused
from veracity.core.notes import Note
from veracity.core.seeds import generator
from veracity.core.words import brief, plural
from veracity.designs.parameters import whole_number
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.experiments.entry import procedure
from veracity.experiments.risk_curves import choose_score, one_learner, table_and_design
from veracity.findings.experiments import PermutationTest
from veracity.learners.inspection import with_inner_design
from veracity.learners.preparation import with_preparation
from veracity.learners.seeding import seeded
from veracity.records.arrays import Array, freeze
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.records.plan import Progress, ProgressCallback
from veracity.risk.designs import estimator_of
from veracity.risk.estimate_run import with_positive
from veracity.risk.fold_scores import Resampling
from veracity.running import checks
from veracity.running.ending import end_if_asked, ends_in_order
from veracity.running.engines import Engine, make_engine
from veracity.running.fit_learner import LONGEST, isolated, predict, predict_labels, train
from veracity.running.make_plan import inner_of
from veracity.running.shared_files import content_of
from veracity.scores.entry import value_of
from veracity.studies.progress import teller

INSIDE = "`kind='within_class'`"


def shuffle_data(data: Data, kind: str, seed: int, draw: int) -> Data:
    """The data of one draw, which seed and number alone decide; draw 0 is the data itself."""
    return SHUFFLES[kind](data, generator(seed, "permutation", kind, draw)) if draw else data


@procedure(
    "Permutation of labels",
    "permutation_test(learner, X, y, kind='labels')",
    cite=("ojala2010", "phipson2010"),
    assumes=("EXCH",),
)
def labels(data: Data, random: np.random.Generator) -> Data:
    """Targets and features parted: rows of features trade places, with groups the labels of whole groups do.

    A small p-value says that features tell something of the target; how much, the estimate itself says. Not for rows in
    time order, nor for weighted ones, which cannot trade places.

    Targets keep their places, and thus each split its classes: what a stratified design did for the data as it is, it
    does for every draw. Were labels moved between folds, even a learner that predicts the commonest class would look
    better than chance, because only its own folds were balanced.
    """
    if data.groups is None:
        return replace(data, features=data.take(random.permutation(len(data))))
    first = np.unique(data.groups, return_index=True)[1]
    return replace(data, truth=freeze(random.permutation(data.truth[first])[data.groups]))


@procedure(
    "Permutation within classes",
    "permutation_test(learner, X, y, kind='within_class')",
    cite=("ojala2010", "phipson2010"),
    assumes=("EXCH",),
)
def within_class(data: Data, random: np.random.Generator) -> Data:
    """Each feature shuffled by itself inside each class: what features tell one by one stays, the rest goes.

    A small p-value says that the learner uses how features go together; a large one that a simpler learner may do. For
    classes, with at least two features and two rows of each class; not for rows in time order, in groups or weighted.
    """
    places = np.empty((len(data), len(data.columns)), np.int64)  # the row of its class that each cell is taken from
    members = [np.flatnonzero(data.truth == code) for code in np.unique(data.truth)]
    for column in places.T:
        for rows in members:
            column[rows] = random.permutation(rows)
    if isinstance(data.features, np.ndarray):
        return replace(data, features=freeze(np.take_along_axis(data.features, places, 0)))
    import narwhals as nw

    frame = nw.from_native(data.features)
    columns = [frame[name][rows.tolist()] for name, rows in zip(frame.columns, places.T, strict=True)]
    return replace(data, features=frame.with_columns(*columns).to_native())


SHUFFLES: dict[str, Callable[[Data, np.random.Generator], Data]] = {"labels": labels, "within_class": within_class}


def check_shuffle(data: Data, kind: str) -> None:
    """Refuse data whose rows are not exchangeable in the way that this kind of shuffle needs."""
    if kind not in SHUFFLES:
        raise BadInput(f"kind is {' or '.join(map(repr, SHUFFLES))}, not {kind!r}")
    if data.time is not None:
        raise Refused("rows in time order cannot trade places: leave time= out if their order means nothing", "in-time")
    if data.weights is not None:
        raise Refused("rows with weights are not exchangeable: leave weights= out", "weights")
    if kind == "labels" and data.groups is not None:
        first = np.unique(data.groups, return_index=True)[1]
        mixed = np.flatnonzero(data.truth != data.truth[first][data.groups])
        if len(mixed):
            raise Refused(
                f"the labels of whole groups trade places, but row {mixed[0]} has another label than the first row of"
                " its group: give groups= of one label each, or leave groups= out if rows are independent",
                "mixed-groups",
            )
    if kind == "labels":
        return
    if data.kind != "classes":
        raise Refused(f"{INSIDE} shuffles inside classes, but the target is of numbers", "not-classes")
    if data.groups is not None:
        raise Refused("cells cannot trade places between rows of different groups: use `kind='labels'`", "groups")
    if hasattr(data.features, "tocsr"):
        raise Refused(f"{INSIDE} needs columns that are not sparse: give an array or a frame", "sparse")
    if len(data.columns) < 2:
        raise Refused(f"{INSIDE} is about how features go together, and there is one feature only", "feature")
    if np.bincount(data.truth).min() < 2:
        raise Refused(f"{INSIDE} needs at least 2 rows of each class, and one class has fewer", "rare-class")


ONE_MATRIX = ("holdout", "kfold", "leave_one_out")  # estimators that test no row twice and pool the counts
BLOCK = 0.5  # seconds of work that is sent at once


class DrawEstimate(NamedTuple):
    """The estimate of one draw; NaN where a fit failed, with the reason."""

    value: float
    reason: str = ""
    skipped: int = 0  # splits in which the score is undefined


@dataclass(frozen=True, eq=False)
class PermutationQuestion:
    """What is estimated in every draw."""

    learner: Any
    data: Data
    design: Design
    score: Choice
    kind: str
    seed: int

    def ask(self, draws: Sequence[int]) -> list[DrawEstimate]:
        """The estimates of these draws, each the same whoever makes it and whichever others are asked for."""
        from sklearn import config_context

        learner = with_preparation(with_inner_design(self.learner, inner_of(self.design)), self.data)
        checked = 0 not in draws  # the data and the parameters have passed scikit-learn's checks in draw 0
        with config_context(assume_finite=checked or None, skip_parameter_validation=checked or None):
            return [self._estimate_draw(learner, draw) for draw in draws]

    @isolated()
    def _estimate_draw(self, learner: Any, draw: int) -> DrawEstimate:
        data = shuffle_data(self.data, self.kind, self.seed, draw)
        try:
            parts = [self._fit_split(learner, data, draw, number) for number in range(len(self.design))]
        except (KeyboardInterrupt, AskedToEnd):
            raise
        except BaseException as why:  # SystemExit and the like must not end a worker
            end_if_asked()
            return DrawEstimate(np.nan, f"{type(why).__name__}: {why}")
        splits = self.design.splits
        rows = np.concatenate([split.test for split in splits])
        numbers = np.repeat(np.arange(len(splits)), [len(split.test) for split in splits])
        columns: Any = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        p = Predictions(data.kind, data.truth[rows], data.classes, data.positive, **columns, rows=rows, splits=numbers)
        return self._value(data, p)

    def _fit_split(self, learner: Any, data: Data, draw: int, number: int) -> dict[str, Array]:
        split = self.design.splits[number]
        with seeded(learner, self.seed, f"permutation {draw} {number}") as (model, restart):
            train(model, data, np.sort(split.train), split.validation)
            restart()
            if self.score.needs == "label" and not self.score.cut:
                return {"label": predict_labels(model, data, split.test)}
            return predict(model, data, split.train, split.test)

    def _value(self, data: Data, p: Predictions) -> DrawEstimate:
        run, _ = with_positive(Run(data.name, "", self.design, p, data.truth), self.score)
        assert run.predictions is not None
        self.score.check(run.predictions)
        if self.score.reads == "confusion matrix" and self._estimator.is_one_of(
            *ONE_MATRIX
        ):  # no look at single splits
            return DrawEstimate(value_of(self.score, run.predictions))
        r = Resampling(self.score, run)
        return DrawEstimate(float(self._estimator(r).value), skipped=r.skipped_splits)

    @cached_property
    def _estimator(self) -> Choice:
        return estimator_of(self.design)


def estimate_draws(
    question: PermutationQuestion, draws: int, workers: int, tell: ProgressCallback
) -> Generator[DrawEstimate]:
    """The estimate of the data as it is, then those of all draws in order; the cost is told before the draws begin."""
    splits = len(question.design)

    def tell_progress(done: int, seconds: float) -> None:
        tell(Progress((draws + 1) * splits, (done + 1) * splits, 0), seconds)

    with ends_in_order(), closing(make_engine("local", workers)) as place:
        started = time.perf_counter()
        yield from _ask(question, [0])
        seconds = time.perf_counter() - started
        tell_progress(0, seconds * draws / workers)
        # blocks that take a while, and at least four for each worker
        size = max(1, min(int(BLOCK / max(seconds, 1e-6)), draws // (4 * workers)))
        blocks = [range(first, min(first + size, draws + 1)) for first in range(1, draws + 1, size)]
        # a question of a few seconds need not wait for a worker to start
        answers = ((block, _ask(question, block)) for block in blocks)
        estimates: dict[int, list[DrawEstimate]] = {}
        done, started = 0, time.perf_counter()
        for block, found in answers if workers == 1 else _ask_workers(question, blocks, place):
            estimates[block.start] = found
            done += len(block)
            tell_progress(done, (time.perf_counter() - started) / done * (draws - done))
    for first in sorted(estimates):
        yield from estimates[first]


def _ask_workers(
    question: PermutationQuestion, blocks: Sequence[range], place: Engine
) -> Iterator[tuple[range, list[DrawEstimate]]]:
    """Ask for all blocks, as they come back. A worker may be killed from outside: what it was at is asked again.

    Where nothing came back, one block is asked alone, and what kills its worker twice then is guilty.
    """
    shared = place.share(question)
    missing, deaths = list(blocks), 0
    while missing:
        sent = {place.submit(_ask, shared, block): block for block in (missing[:1] if deaths else missing)}
        deaths += 1
        for future in as_completed(sent):
            try:
                found = future.result()
            except BrokenExecutor:
                continue
            missing.remove(sent[future])
            deaths = 0
            yield sent[future], found
        if deaths > 2:
            raise EngineLost("a fit killed its worker (out of memory, or a crash in compiled code), alone and twice")


def _ask(question: Any, draws: Sequence[int]) -> list[DrawEstimate]:
    """Ask in one thread, here and in workers: sums of several threads would round in another way."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        shared: PermutationQuestion = content_of(question)
        return shared.ask(draws)


FEW = 999  # draws, from which on the smallest p-value is .001


@verb
def permutation_test(
    learner: Learner,
    X: Table,  # noqa: N803 (the name that everybody uses)
    y: Column,
    *,
    score: MethodLike | None = None,
    by: DesignLike = "kfold(k=10)",
    draws: int = 999,
    kind: str = "labels",
    seed: int = 0,
    level: float = 0.95,
    workers: int = 1,
    groups: Column = None,
    time: Column = None,
    positive: Label = None,
    target_kind: str = "auto",
    prepare: Preparation = "default",
    anyway: bool = False,
    progress: bool | ProgressCallback | None = None,
) -> PermutationTest:
    """The whole estimate of a learner, repeated on shuffled data: how often does chance do at least as well?

    `kind="labels"` parts features from targets, on the same splits; a small p-value says that features tell something
    of the target. `kind="within_class"` shuffles each feature by itself inside each class; a small p-value says that
    the learner uses how features go together, a large one that a simpler learner may do (Ojala and Garriga 2010). The
    cost is that of `draws` estimates, which `progress` tells before they begin. With groups of one label each, whole
    groups trade labels. `target_kind` says "numbers" or "classes" of the target, as `kind` does in `evaluate`.

    Parameters
    ----------
    learner
        A learner, any object with fit and predict.
    X
        The features, rows x features, as an array or a frame; learners get them as they are.
    y
        The target, one value per row.
    score
        A score by its name, such as 'error', or your own; the default of the target unless said.
    by
        The design of each estimate.
    draws
        How often the data are shuffled.
    kind
        'labels' parts features from targets, 'within_class' parts features from each other.
    seed
        Where random numbers begin; the same seed gives the same numbers.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    workers
        How many processes fit at the same time; the numbers do not depend on it.
    groups
        One label per row, equal for rows that belong together, such as those of one patient.
    time
        One number or date per row; a model never trains on rows later than those it is tested on.
    positive
        The class that scores of one class are about, named by its label and never guessed.
    target_kind
        'classes' or 'numbers' where a target of whole numbers could be either.
    prepare
        How categories and missing cells become numbers, learned in each training part; None changes nothing.
    anyway
        Go on where a method is refused as not valid here; the result carries a note that says so.
    progress
        A bar of what is done; False shows none, a function is called with how far it is.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> found = vc.permutation_test(GaussianNB(), X[::10], y[::10], by="kfold(k=3)", draws=9, progress=False)
    >>> found.p_value
    0.1
    """
    if kind in ("numbers", "classes"):
        raise BadInput(f"kind says what is shuffled, 'labels' or 'within_class': write target_kind={kind!r}")
    ((name, maker),) = one_learner(learner).items()
    roles = {"groups": groups, "time": time, "positive": positive, "prepare": prepare, "kind": target_kind}
    table, design = table_and_design(maker, X, y, by, seed, **roles)
    check_shuffle(table, kind)
    number = whole_number("draws", draws)
    check_bound(number, MOST["draws"], f"{number:,} draws are as many estimates", "ask for fewer, 9,999 are plenty")
    if not anyway:
        fits, anyhow = number * len(design), "`anyway=True`"
        way = f"ask for fewer draws or splits, or write {anyhow} if that is meant"
        check_bound(fits, FITS, f"{number:,} draws of {len(design):,} splits are {fits:,} fits", way)
    choice = choose_score(score, table, "target_kind")
    question = PermutationQuestion(maker, table, design, choice, kind, seed)
    with teller(progress) as tell, closing(estimate_draws(question, number, workers, tell)) as estimates:
        first = next(estimates)
        if np.isnan(first.value):  # draws would be as many fits for nothing
            raise Refused(f"the estimate of {name} on the data as it is failed: {_why(first)}", "failed")
        null = list(estimates)
    values = freeze([draw.value for draw in null])
    notes = tuple(filter(None, [checks.constant_target(table)])) + design.notes + _draw_notes(choice, first, null)
    what = (name, choice.spelling, design.name, kind)
    return PermutationTest(*what, first.value, values, choice.better, seed, level, notes)


def _draw_notes(choice: Choice, first: DrawEstimate, null: list[DrawEstimate]) -> tuple[Note, ...]:
    notes, draws = [], len(null)
    failed = [draw for draw in null if np.isnan(draw.value)]
    if failed:
        says = f"{len(failed)} of {draws} draws gave no estimate and counted as at least as good ({_why(failed[0])})"
        notes.append(Note("failed-draws", "caution", says))
    if draws < FEW:
        says = f"{draws} draws can give no p-value below {1 / (draws + 1):.2g}: 999 are advised"
        notes.append(Note("few-draws", "caution", says))
    if first.skipped:
        says = f"the estimate is without {plural(first.skipped, 'split')}, where {choice.undefined}"
        notes.append(Note("skipped-splits", "caution", says))
    return tuple(notes)


def _why(missing: DrawEstimate) -> str:
    """Why there is no estimate, in one line."""
    return brief(missing.reason, LONGEST) if missing.reason else "the score is undefined"
