"""Training and test score of a learner along the number of training rows, or the values of a parameter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.core.arguments import Column, DesignLike, Label, Learner, Preparation, Table, verb
from veracity.core.bounds import SPLITS, check_bound
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.seeds import generator
from veracity.core.suggest import nearest
from veracity.evidence.run import Run
from veracity.evidence.score_matrix import SplitScores
from veracity.findings.estimates import Estimate
from veracity.findings.experiments import SIZES, RiskCurve
from veracity.intervals.compute import attach_default
from veracity.intervals.scored import Scored
from veracity.learners.inspection import target_kind
from veracity.learners.seeding import unfitted_copy
from veracity.readers.read_data import data_of
from veracity.records.arrays import Array, freeze
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.risk.designs import design_for
from veracity.risk.estimate_run import EstimateRequest, estimate_run, with_positive
from veracity.risk.estimates import estimate_runs, numbers_hint
from veracity.risk.fold_scores import Resampling
from veracity.scores import scores
from veracity.scores.default import default_score
from veracity.studies.evaluate import evaluate_data, fit_options
from veracity.studies.parse import parse_design, parse_learners

if TYPE_CHECKING:
    from veracity.records.plan import ProgressCallback
    from veracity.stores.open_store import StoreLike

SHARED = Note(
    "shared-training",
    "remark",
    "the corrected_t of training scores takes the share of training rows that two splits have in common for the"
    " correlation of their scores, which holds for means over rows dealt at random",
)


def one_learner(learner: Any) -> dict[str, Any]:
    """The only learner there is, under its name."""
    learners = parse_learners(learner)
    if len(learners) != 1:
        raise BadInput(f"give one learner, not {len(learners)}: ask for each by itself")
    return learners


def table_and_design(learner: Any, X: Any, y: Any, by: Any, seed: int, **roles: Any) -> tuple[Data, Design]:  # noqa: N803
    """The data that a learner is to learn, and the splits of the design that everything is measured by.

    X may be data that is made already, as a file's is, with y and roles inside.
    """
    table = X if isinstance(X, Data) else data_of(X, y, **roles, meant=target_kind([learner]))
    return table, design_for(parse_design(by), table.for_designs, seed, table.features)


def choose_score(score: MethodLike | None, table: Data, word: str = "kind") -> Choice:
    """One score that is for this kind of target, which `word` can tell; without one, the default."""
    choice = scores.choose(default_score(table.kind) if score is None else score)
    if not choice.suits(table.kind):
        way = numbers_hint(table.classes, f", or say `{word}='numbers'`")
        raise BadInput(f"{choice} is not a score for a target of {table.kind}: name another, `score=`{way}")
    return choice


def with_training_tested(design: Design) -> Design:
    """The same models, tested on the rows that they were trained on."""
    splits = tuple(replace(one, test=freeze(np.unique(one.train)), validation=None) for one in design.splits)
    return replace(design, name=f"{design.name}, tested on the training rows", splits=splits)


def estimate_training_and_test(
    table: Data,
    learners: dict[str, Any],
    test: Sequence[Design],
    choice: Choice,
    at: Confidence,
    interval: MethodLike | None,
    **fits: Any,
) -> tuple[tuple[Estimate, ...], tuple[Estimate, ...], tuple[Note, ...]]:
    """Test and training estimates of every run, in the order of designs and learners, and what is to be known."""
    training = [with_training_tested(one) for one in test]
    runs = evaluate_data(table, learners, [*test, *training], **fits)
    request = EstimateRequest(choice, choice.spelling, at, seed=runs.seed)
    of_test, of_training = (replace(runs, designs=[one.name for one in designs]) for designs in (test, training))
    tested = estimate_runs(of_test, [replace(request, interval=interval)])
    trained = tuple(estimate_training(run, request) for run in of_training)
    return tested.rows, trained, tested.notes


def estimate_training(run: Run, request: EstimateRequest) -> Estimate:
    """The mean training score of a run whose splits test their own training rows.

    Two splits that share a part o of their training rows have scores with correlation o where scores are means over
    rows; corrected t then widens by o / (1 - o), in the place of test over training rows.
    """
    plain = replace(estimate_run(run, request), answers="mean score of models on their own training rows")
    if run.predictions is None:
        return plain
    run, _ = with_positive(run, request.score)
    assert run.predictions is not None
    overlap = _training_overlap(run.design)
    if overlap == 1:
        return plain
    scores = Resampling(request.score, run).split_scores()
    own, shared = (freeze(np.full(len(scores), share)) for share in (1 - overlap, overlap))
    zeros = freeze(np.zeros(len(scores), int))  # all overlap alike
    one_round = replace(scores, train=own, test=shared, repeats=zeros, estimate=plain.value)
    scored = ScoredTraining.of_predictions(request.score, run.predictions, one_round)
    interval, why = attach_default(scored, request.at, request.seed, "corrected_t")
    others = tuple(note for note in plain.notes if note.code != "optimistic")
    notes = others + why + ((SHARED,) if interval else ())
    return replace(plain, interval=interval, notes=notes)


def _training_overlap(design: Design) -> float:
    """Return the share of its different training rows that a split has in common with another, over all pairs."""
    if len(design) < 2:
        return 0.0
    times = np.zeros(design.rows, np.int64)  # splits that train on each row
    for split in design.splits:
        times[np.unique(split.train)] += 1
    return float((times * (times - 1)).sum() / ((len(design) - 1) * times.sum()))


@dataclass(frozen=True, eq=False)
class ScoredTraining(Scored):
    """A training score in each split."""

    scores: SplitScores

    @property
    def value(self) -> float:
        return self.scores.centre

    def view(self, wanted: type) -> Any:
        if wanted is not SplitScores:
            raise Refused("training scores have the interval corrected_t alone", "training")
        return self.scores


SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)
NEEDS = "use a design such as kfold(k=10), repeated_kfold or holdout"


@verb
def learning_curve(
    learner: Learner,
    X: Table,  # noqa: N803 (the name that everybody uses)
    y: Column,
    *,
    sizes: float | Iterable[float] = SHARES,
    by: DesignLike = "kfold(k=10)",
    score: MethodLike | None = None,
    interval: MethodLike | None = None,
    level: float = 0.95,
    seed: int = 0,
    workers: int = 1,
    store: StoreLike | None = None,
    groups: Column = None,
    weights: Column = None,
    time: Column = None,
    positive: Label = None,
    kind: str = "auto",
    prepare: Preparation = "default",
    progress: bool | ProgressCallback | None = False,
    **more: Any,
) -> RiskCurve:
    """The score on test rows and on training rows at several numbers of training rows, each with its interval.

    A size is a number of rows or a share of the training part. Every split is cut to nested subsets of its training
    part and tested on the same rows at all sizes; classes keep their shares. All fits go through the store, so that a
    curve can be interrupted, resumed and added to. `.fitted` is a power law through it. `kind` is that of the target
    and `more` is engine, address and timeout, all as in `evaluate`.

    Parameters
    ----------
    learner
        A learner, any object with fit and predict.
    X
        The features, rows x features, as an array or a frame; learners get them as they are.
    y
        The target, one value per row.
    sizes
        Numbers of training rows, or shares of the training part.
    by
        The design whose training parts are cut to these sizes.
    score
        A score by its name, such as 'error', or your own; the default of the target unless said.
    interval
        The method of the interval by its name, such as 'wilson'; the default of the score unless said.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    seed
        Where random numbers begin; the same seed gives the same numbers.
    workers
        How many processes fit at the same time; the numbers do not depend on it.
    store
        The file or address that keeps every fit, so that a stopped run goes on; temporary unless said.
    groups
        One label per row, equal for rows that belong together, such as those of one patient.
    weights
        Sampling weights, one per row.
    time
        One number or date per row; a model never trains on rows later than those it is tested on.
    positive
        The class that scores of one class are about, named by its label and never guessed.
    kind
        'classes' or 'numbers' where a target of whole numbers could be either; 'auto' asks the learners.
    prepare
        How categories and missing cells become numbers, learned in each training part; None changes nothing.
    progress
        A bar of what is done; False shows none, a function is called with how far it is.
    **more
        Engine, address and timeout as in evaluate.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = vc.learning_curve(GaussianNB(), X, y, sizes=[30, 90], by="kfold(k=5)")
    >>> [round(one.value, 3) for one in curve.test]
    [0.053, 0.047]
    """
    ((name, maker),) = one_learner(learner).items()
    roles = {"groups": groups, "weights": weights, "time": time, "positive": positive, "kind": kind}
    table, design = table_and_design(maker, X, y, by, seed, **roles)
    check_cuttable(design)
    choice = choose_score(score, table)
    rows = training_sizes(sizes, min(len(split.train) for split in design.splits))
    fits = len(rows) * len(design)
    told = f"{len(rows):,} sizes of {len(design):,} splits are {fits:,} fits"
    check_bound(fits, SPLITS, told, "ask for fewer sizes: a curve is seen at ten of them")
    test = shorten_training(design, table, rows, seed)
    options = {"seed": seed, "workers": workers, "store": store, "prepare": prepare, "progress": progress}
    options |= fit_options("learning_curve", more)
    estimates = estimate_training_and_test(table, {name: maker}, test, choice, Confidence(level), interval, **options)
    return RiskCurve(name, design.name, SIZES, tuple(rows), *estimates)


def check_cuttable(design: Design) -> None:
    """Only splits of one kind, whose training rows are each there once and not tested, can be cut shorter."""
    if len({split.part for split in design.splits}) > 1:
        raise Refused(
            f"{design.name} has splits of several kinds, which cannot all be cut to one size: {NEEDS}", "parts"
        )
    if any(len(np.unique(split.train)) < len(split.train) for split in design.splits):
        raise Refused(f"{design.name} draws training rows more than once, so they have no subset: {NEEDS}", "drawn")
    if design.tests_trained:
        raise Refused(f"{design.name} tests rows that it trains on: {NEEDS}", "tests-training")


def training_sizes(sizes: Any, most: int) -> list[int]:
    """Numbers of training rows, ascending; a share such as 0.5 is of the `most` that every split has."""
    asked = list(sizes) if isinstance(sizes, Iterable) and not isinstance(sizes, str) else [sizes]
    if not asked:
        raise BadInput("sizes names no size: give numbers of training rows, or shares such as 0.5")
    rows = set()
    for size in asked:
        if isinstance(size, (float, np.floating)) and 0 < size <= 1:
            rows.add(max(1, round(float(size) * most)))
        elif isinstance(size, bool) or not hasattr(size, "__index__") or int(size) < 1:
            raise BadInput(f"a size is a number of training rows, or a share of them in (0, 1], not {size!r}")
        elif int(size) > most:
            raise BadInput(f"the size {int(size)} is more than the {most} training rows that every split has")
        else:
            rows.add(int(size))
    return sorted(rows)


def shorten_training(design: Design, data: Data, sizes: Sequence[int], seed: int) -> list[Design]:
    """The design at each size. The same split at a smaller size trains on a part of the rows of a larger one."""
    orders = [_order(split.train, data, seed, number) for number, split in enumerate(design.splits)]
    if data.kind == "classes":
        least = 1 + max(int(np.unique(data.truth[order], return_index=True)[1].max()) for order in orders)
        most = min(map(len, orders))  # training parts differ in size, as in time
        if sizes[0] < least:
            says = f"the size {sizes[0]} is too small to show all {len(data.classes)} classes in every training part"
            one = "use `by='holdout'`, which has one training part"
            way = f"that takes {least} rows, and every split has only {most}: {one}"
            raise Refused(f"{says}: {f'begin with {least} rows' if least <= most else way}", "class-missing")
    designs = []
    for size in sizes:
        trains = (freeze(np.sort(order[:size]).astype(np.int32)) for order in orders)
        splits = tuple(replace(split, train=train) for split, train in zip(design.splits, trains, strict=True))
        designs.append(replace(design, name=f"{design.name} trained on {size} rows", splits=splits))
    return designs


def _order(train: Array, data: Data, seed: int, number: int) -> Array:
    """Training rows in the order in which they are taken: at random, but each class in its share at every size.

    With groups, group by group; in time order the latest first, as these are what a shorter history would hold.
    """
    rows: Array = generator(seed, "sizes", number).permutation(train)
    if data.time is not None:
        return rows[np.argsort(-data.time[rows], kind="stable")]
    if data.groups is not None:
        _, first, group = np.unique(data.groups[rows], return_index=True, return_inverse=True)
        return rows[np.argsort(first[group], kind="stable")]
    if data.kind == "numbers":
        return rows
    classes = data.truth[rows]
    before = np.empty(len(classes))  # the share of its class that lies before each row, half of itself included
    for code in np.unique(classes):
        members = np.flatnonzero(classes == code)
        before[members] = (np.arange(len(members)) + 0.5) / len(members)
    return rows[np.argsort(before, kind="stable")]


TUNING = Note(
    "choosing-is-tuning",
    "caution",
    "choosing the best value of this curve is tuning, and its score is then optimistic: "
    "evaluate `vc.tuned(...)` instead, which chooses inside each training part",
)


@verb
def validation_curve(
    learner: Learner,
    X: Table,  # noqa: N803 (the name that everybody uses)
    y: Column,
    *,
    parameter: str,
    values: Iterable[Any],
    by: DesignLike = "kfold(k=10)",
    score: MethodLike | None = None,
    interval: MethodLike | None = None,
    level: float = 0.95,
    seed: int = 0,
    workers: int = 1,
    store: StoreLike | None = None,
    groups: Column = None,
    weights: Column = None,
    time: Column = None,
    positive: Label = None,
    kind: str = "auto",
    prepare: Preparation = "default",
    progress: bool | ProgressCallback | None = False,
    **more: Any,
) -> RiskCurve:
    """The score on test rows and on training rows for each value of a parameter, each with its interval.

    Where the two part, the learner learns its training rows by heart; where both are bad, it is too simple. Parameters
    inside a pipeline are named as scikit-learn does: `svc__C`. `kind` is that of the target and `more` is engine,
    address and timeout, all as in `evaluate`.

    Parameters
    ----------
    learner
        A learner, any object with fit and predict.
    X
        The features, rows x features, as an array or a frame; learners get them as they are.
    y
        The target, one value per row.
    parameter
        The parameter by its name, inside a pipeline by that of its step and two underscores before it.
    values
        Its values.
    by
        The design.
    score
        A score by its name, such as 'error', or your own; the default of the target unless said.
    interval
        The method of the interval by its name, such as 'wilson'; the default of the score unless said.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    seed
        Where random numbers begin; the same seed gives the same numbers.
    workers
        How many processes fit at the same time; the numbers do not depend on it.
    store
        The file or address that keeps every fit, so that a stopped run goes on; temporary unless said.
    groups
        One label per row, equal for rows that belong together, such as those of one patient.
    weights
        Sampling weights, one per row.
    time
        One number or date per row; a model never trains on rows later than those it is tested on.
    positive
        The class that scores of one class are about, named by its label and never guessed.
    kind
        'classes' or 'numbers' where a target of whole numbers could be either; 'auto' asks the learners.
    prepare
        How categories and missing cells become numbers, learned in each training part; None changes nothing.
    progress
        A bar of what is done; False shows none, a function is called with how far it is.
    **more
        Engine, address and timeout as in evaluate.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = vc.validation_curve(GaussianNB(), X, y, parameter="var_smoothing", values=[1e-9, 0.1], by="kfold(k=5)")
    >>> curve.best
    1e-09
    """
    ((name, maker),) = one_learner(learner).items()
    settings = learner_settings(name, maker, parameter, values)
    roles = {"groups": groups, "weights": weights, "time": time, "positive": positive, "kind": kind}
    table, design = table_and_design(maker, X, y, by, seed, **roles)
    choice = choose_score(score, table)
    learners = {f"{name}({parameter}={value!r})": one for value, one in settings}
    fits = {"seed": seed, "workers": workers, "store": store, "prepare": prepare, "progress": progress}
    fits |= fit_options("validation_curve", more)
    at = Confidence(level)
    tested, trained, notes = estimate_training_and_test(table, learners, [design], choice, at, interval, **fits)
    places = tuple(value for value, _ in settings)
    return RiskCurve(name, design.name, parameter, places, tested, trained, (TUNING, *notes))


def learner_settings(name: str, learner: Any, parameter: str, values: Any) -> list[tuple[Any, Any]]:
    """The learner at each value, in the order given."""
    if not hasattr(learner, "get_params"):
        raise BadInput(f"{name} has no get_params, so none of its parameters can be set")
    names = list(learner.get_params(deep=True))
    if parameter not in names:
        near = [one for one in names if one.endswith(f"__{parameter}")] or nearest(parameter, names)
        offer = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(sorted(names))}"
        raise BadInput(f"{name} has no parameter {parameter!r}: {offer}")
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise BadInput(f"values is a list of values of {parameter}, not {values!r}")
    plain = [value.item() if hasattr(value, "item") else value for value in values]
    if not plain:
        raise BadInput(f"values names no value of {parameter}")
    if len(set(map(repr, plain))) < len(plain):
        raise BadInput(f"values names a value of {parameter} twice")
    return [(value, unfitted_copy(learner).set_params(**{parameter: value})) for value in plain]
