"""A learner's mean loss in parts that sum to it: bias, variance and noise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict, Unpack, overload, runtime_checkable

import numpy as np

from veracity.core.arguments import Column, Learner, Preparation, Table, verb
from veracity.core.bounds import SPLITS, check_bound
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.seeds import derive, generator
from veracity.designs.holdout import holdout
from veracity.designs.make_design import make_design
from veracity.designs.parameters import whole_number
from veracity.evidence.runs import Runs
from veracity.experiments.entry import procedure
from veracity.experiments.risk_curves import learner_settings, one_learner
from veracity.findings.experiments import Decomposition, Decompositions
from veracity.learners.inspection import target_kind
from veracity.readers.read_data import data_of
from veracity.records.arrays import Array, freeze
from veracity.records.data import Data
from veracity.records.design import Design, Rows, Split
from veracity.studies.evaluate import evaluate_data, fit_options

if TYPE_CHECKING:
    from veracity.records.plan import ProgressCallback
    from veracity.stores.open_store import StoreLike


class LossParts(NamedTuple):
    """The loss of each row and what it is the sum of."""

    loss: Array
    bias: Array
    variance: Array
    noise: Array


@procedure(
    "Bias and variance of squared loss",
    "bias_variance(learner, X, y, loss='squared')",
    cite=("geman1992",),
    assumes=("IID",),
)
def squared(predicted: Array, target: Array, noise: Array | float = 0.0) -> LossParts:
    """Bias squared, variance and noise of predicted numbers (draws, rows), which sum to the squared loss exactly.

    For numbers only: for classes use `loss="zero_one"`. Both parts are unbiased: the variance divides by draws - 1, and
    what of it remains in the mean prediction, variance / draws, is taken off the squared distance to the target; an
    estimate of bias squared may thus be negative. With the observed target in place of the expected one and no noise,
    the bias contains the noise.
    """
    draws = len(predicted)
    middle = predicted.mean(0)
    variance = ((predicted - middle) ** 2).sum(0) / (draws - 1)
    bias = (middle - target) ** 2 - variance / draws
    around = np.broadcast_to(np.asarray(noise, float), bias.shape)
    return LossParts(bias + variance + around, bias, variance, around)


@procedure(
    "Bias and variance of 0-1 loss by Domingos",
    "bias_variance(learner, X, y, loss='zero_one', kind='domingos')",
    cite=("domingos2000",),
    assumes=("IID",),
)
def domingos(shares: Array, chances: Array) -> LossParts:
    """0-1 loss as c1 N + B + c2 V: the rows that most models get wrong, and what the other models change of that.

    It reads the share of models that predict each class and the chance of each class (rows, classes).
    The main prediction is the class most models predict, the best prediction the most likely class; of equals, the
    first. Bias is 1 where the two differ. Variance is the share of models that differ from the main prediction, where
    that is the best one; elsewhere it is less the share that is right by differing, a variance that helps. The noise
    is that of targets as it reaches the loss.
    """
    main, best = shares.argmax(1), chances.argmax(1)
    right, agree = _at(shares, best), _at(shares, main)
    bias = (main != best).astype(float)
    variance = np.where(main == best, 1 - agree, -right)  # c2 V: of a wrong main prediction, differing models help
    noise = (1 - _at(chances, best)) * right - ((chances * shares).sum(1) - _at(chances, best) * right)
    return LossParts(1 - (chances * shares).sum(1), bias, variance, noise)


@procedure(
    "Bias and variance of 0-1 loss by Kohavi and Wolpert",
    "bias_variance(learner, X, y, loss='zero_one', kind='kohavi_wolpert')",
    cite=("kohavi1996",),
    assumes=("IID",),
)
def kohavi_wolpert(shares: Array, chances: Array) -> LossParts:
    """0-1 loss as half the squared distance of what models say from what is true, and what each lacks to certainty.

    Where only one observed target is known of each row, the bias contains the noise, and models that disagree have a
    bias even where most are right: use "domingos" to count rows that most models get wrong.
    """
    bias = ((chances - shares) ** 2).sum(1) / 2
    variance = (1 - (shares**2).sum(1)) / 2
    noise = (1 - (chances**2).sum(1)) / 2
    return LossParts(1 - (chances * shares).sum(1), bias, variance, noise)


def _at(table: Array, columns: Array) -> Array:
    return table[np.arange(len(table)), columns]


ZERO_ONE = {"domingos": domingos, "kohavi_wolpert": kohavi_wolpert}


class DecompositionOptions(TypedDict, total=False):
    """What `bias_variance` takes besides the parameter whose values are compared."""

    loss: str | None
    kind: str
    draws: int
    by: str
    test: float | int | None
    world: DrawableWorld | None
    rows: int
    seed: int
    workers: int
    store: StoreLike | None
    prepare: Preparation
    progress: bool | ProgressCallback | None
    engine: str
    address: str | None
    timeout: float | None


LOSSES = {"squared": "numbers", "zero_one": "classes"}
ROWS, TEST, SHARE = 100, 1000, 1 / 3  # training rows and test rows of a world; rows tested of a data set
HALF = 0.5  # of the rows that are not tested, in each subsample
WAYS = ("bootstrap", "subsample")
BY_ROW = "its training sets are drawn row by row, each row as likely as any other"
RESAMPLED = Note(
    "resampled-world",
    "caution",
    "training sets are drawn from the rows at hand, and so describe a world that consists of these rows: fresh ones"
    " would vary more",
)
IN_BIAS = Note(
    "noise-in-bias", "remark", "what is best at each row is unknown, so the bias contains the noise of the targets"
)
AS_NUMBERS = Note(
    "classes-as-numbers",
    "caution",
    "this learner tells classes, and their squared loss takes the classes for numbers: use `loss='zero_one'`",
)


@runtime_checkable
class DrawableWorld(Protocol):
    """Anything that can draw rows. What it knows beyond that makes the parts of a loss exact.

    For squared loss, `mean(X)` is the expected target of each row and `noise` the variance of targets around it, one
    number or a function of X. For 0-1 loss, `chances(X)` has one column for each of the sorted classes.
    """

    def draw(self, rows: int, seed: int) -> tuple[Any, Any]:
        """Features and targets of so many fresh rows."""


@overload
def bias_variance(
    learner: Learner,
    X: Table = None,  # noqa: N803
    y: Column = None,
    *,
    parameter: None = None,
    values: None = None,
    **options: Unpack[DecompositionOptions],
) -> Decomposition: ...
@overload
def bias_variance(
    learner: Learner,
    X: Table = None,  # noqa: N803
    y: Column = None,
    *,
    parameter: str,
    values: Iterable[Any],
    **options: Unpack[DecompositionOptions],
) -> Decompositions: ...
@verb
def bias_variance(
    learner: Learner,
    X: Table = None,  # noqa: N803 (the name that everybody uses)
    y: Column = None,
    *,
    loss: str | None = None,
    kind: str = "domingos",
    draws: int = 200,
    by: str = "bootstrap",
    test: float | int | None = None,
    world: DrawableWorld | None = None,
    rows: int = ROWS,
    parameter: str | None = None,
    values: Iterable[Any] | None = None,
    seed: int = 0,
    workers: int = 1,
    store: StoreLike | None = None,
    prepare: Preparation = "default",
    progress: bool | ProgressCallback | None = False,
    **more: Any,
) -> Decomposition | Decompositions:
    """The mean loss of the models of many training sets, in parts that sum to it.

    `loss="squared"` is for numbers; `"zero_one"` for classes and by default of classifiers, in the way of `kind`:
    "domingos" (the share of rows where most models are wrong, and what the others change of it) or "kohavi_wolpert"
    (squared distances between what models say and what is true). Training sets are drawn from the rows that are not
    tested, `by="bootstrap"` or `"subsample"` (half of them). A `world` has `draw(rows, seed)` for fresh training sets
    of so many `rows`, and `mean(X)` with `noise`, or `chances(X)`, which make the noise a part of its own. With
    `parameter` and `values` it is taken apart for each value on the same training sets, which shows bias and variance
    against complexity. `more` is engine, address and timeout as in `evaluate`.

    Parameters
    ----------
    learner
        A learner, any object with fit and predict.
    X
        The features, rows x features, as an array or a frame; learners get them as they are.
    y
        The target, one value per row.
    loss
        'squared' for numbers, 'zero_one' for classes.
    kind
        For classes: 'domingos' or 'kohavi_wolpert'.
    draws
        How many training sets.
    by
        How training sets are drawn: 'bootstrap' or 'subsample'.
    test
        The share or the number of rows kept for testing.
    world
        A made-up world whose truth is known, in place of X and y.
    rows
        How many rows a training set of the world has.
    parameter
        A parameter of the learner along which bias and variance are shown.
    values
        The values of that parameter.
    seed
        Where random numbers begin; the same seed gives the same numbers.
    workers
        How many processes fit at the same time; the numbers do not depend on it.
    store
        The file or address that keeps every fit, so that a stopped run goes on; temporary unless said.
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
    >>> vc.bias_variance(GaussianNB(), X, y, loss="zero_one", draws=20).draws
    20
    """
    number = whole_number("draws", draws, 2)
    check_bound(number, SPLITS, f"{number:,} draws are as many models", "ask for fewer, 200 are plenty")
    ((name, one),) = one_learner(learner).items()
    if loss is None:  # that of the target's kind where it is known, else of what the learner says that it is for
        target = X.kind if isinstance(X, Data) else target_kind([one])
        loss = "zero_one" if target == "classes" else "squared"
    if loss not in LOSSES:
        raise BadInput(f"loss is {' or '.join(map(repr, LOSSES))}, not {loss!r}")
    if kind not in ZERO_ONE:
        raise BadInput(f"kind is {' or '.join(map(repr, ZERO_ONE))}, not {kind!r}")
    options = fit_options("bias_variance", more, dict.fromkeys(("groups", "weights", "time"), BY_ROW))
    fits = {"seed": seed, "workers": workers, "store": store, "prepare": prepare, "progress": progress, **options}
    if world is not None:
        if X is not None:
            raise BadInput("give X and y, or a world that draws them, not both")
        if not isinstance(world, DrawableWorld):
            raise BadInput(f"a world has a method draw(rows, seed), which {type(world).__name__} lacks")
        sizes = whole_number("rows", rows), TEST if test is None else whole_number("test", test)
        X, y, design = fresh_training_sets(world, *sizes, number, seed)  # noqa: N806
    elif not isinstance(X, Data) and (X is None or y is None):
        raise BadInput("give X and y, or a world= that draws them")
    table = X if isinstance(X, Data) else data_of(X, y, kind=LOSSES[loss])
    if (table.truth == table.truth[0]).all():
        raise BadInput(f"every row has the target {table.truth[0]!s}, so there is nothing to learn")
    if world is None:
        design = resampled_training_sets(table, _test_rows(table, test, seed), number, by, seed)

    def decompose(label: str, setting: Any) -> Decomposition:
        return _decompose(label, setting, table, design, world, loss, kind, fits)

    if parameter is None and values is None:
        return decompose(name, one)
    if parameter is None or values is None:
        raise BadInput("`parameter=` and `values=` belong together: name both, or neither")
    settings = learner_settings(name, one, parameter, values)
    each = tuple(decompose(f"{name}({parameter}={value!r})", setting) for value, setting in settings)
    return Decompositions(name, parameter, tuple(value for value, _ in settings), each)


def _decompose(
    name: str, one: Any, table: Data, design: Design, world: Any, loss: str, kind: str, fits: Mapping[str, Any]
) -> Decomposition:
    """The loss of one learner in its parts."""
    runs = evaluate_data(table, {name: one}, [design], **fits)
    parts, noise = _loss_parts(runs, table, design, world, loss, kind)
    total, bias, variance, around = (float(column.mean()) for column in parts)
    tells_classes = hasattr(one, "predict_proba") or hasattr(one, "decision_function")
    about = {RESAMPLED: world is None, IN_BIAS: not noise, AS_NUMBERS: loss == "squared" and tells_classes}
    return Decomposition(
        learner=name,
        kind="squared" if loss == "squared" else kind,
        loss=total,
        bias=bias,
        variance=variance,
        noise=around if noise else None,
        draws=len(design),
        by=design.name,
        rows=freeze(np.stack(parts, 1)),
        notes=runs.notes + tuple(note for note, holds in about.items() if holds),
    )


def _test_rows(table: Data, test: Any, seed: int) -> Array:
    """The rows that every model predicts: a random share of them, or a number."""
    share = SHARE if test is None else test
    if not isinstance(share, float):
        share = Fraction(whole_number("test", share), len(table))  # a float share could round to one row more
    if not 0 < share < 1:
        raise BadInput(
            f"test is a share of the rows between 0 and 1, or fewer than the {len(table)} rows, not {test!r}"
        )
    classes = table.truth if table.kind == "classes" else None
    return make_design(holdout(test=share), Rows(len(table), classes), seed).splits[0].test


def _loss_parts(runs: Runs, table: Data, design: Design, world: Any, loss: str, kind: str) -> tuple[LossParts, bool]:
    """The parts of each test row's loss, and whether noise is one of them."""
    run = runs.run()
    if not run.complete:
        raise Refused(f"{run.failed} of {len(design)} fits failed (the first: {run.reason})", "failed-splits")
    tested = design.splits[0].test
    truth, features = table.truth[tested], table.take(tested)
    of_models = getattr(run.predictions, "number" if loss == "squared" else "label")
    predicted = np.asarray(of_models).reshape(len(design), -1)  # (draws, rows)
    if loss == "squared":
        if not hasattr(world, "mean"):
            return squared(predicted, truth), False
        noise: Any = world.noise(features) if callable(world.noise) else float(world.noise)
        return squared(predicted, np.asarray(world.mean(features), float), noise), True
    classes = np.arange(len(table.classes))
    shares = (predicted[:, :, None] == classes).mean(0)
    if not hasattr(world, "chances"):
        return ZERO_ONE[kind](shares, (truth[:, None] == classes).astype(float)), False
    chances = np.asarray(world.chances(features), float)
    if chances.shape != shares.shape or not np.allclose(chances.sum(1), 1):
        says = f"chances(X) has one column for each class, of sum 1, in shape {shares.shape}, not {chances.shape}"
        raise BadInput(says)
    return ZERO_ONE[kind](shares, chances), True


def resampled_training_sets(data: Data, test: Array, draws: int, by: str, seed: int) -> Design:
    """Training sets drawn from the rows that are not tested: as many with replacement, or half of them without."""
    if by not in WAYS:
        raise BadInput(f"by is {' or '.join(map(repr, WAYS))}, not {by!r}")
    if data.groups is not None or data.time is not None:
        raise Refused(
            "training sets are drawn row by row: rows with groups or in time order are not independent", "rows"
        )
    pool = np.setdiff1d(np.arange(len(data)), test)
    size = len(pool) if by == "bootstrap" else max(1, round(HALF * len(pool)))
    splits = []
    for draw in range(draws):
        random = generator(seed, "bias and variance", by, draw)
        train = np.sort(random.choice(pool, size, replace=by == "bootstrap"))
        splits.append(Split(freeze(train.astype(np.int32)), freeze(test), repeat=draw))
    return Design(f"{draws} training sets by {by}", seed, len(data), tuple(splits))


def fresh_training_sets(world: Any, rows: int, test: int, draws: int, seed: int) -> tuple[Any, Any, Design]:
    """Fresh training sets of a world beneath each other, then its test rows."""
    sizes = [rows] * draws + [test]
    parts = [world.draw(size, derive(seed, "world", number) % 2**32) for number, size in enumerate(sizes)]
    features, target = (np.concatenate([np.asarray(part[side]) for part in parts]) for side in (0, 1))
    if len(target) != sum(sizes) or len(features) != sum(sizes):
        raise BadInput(f"the world drew {len(target)} rows where {sum(sizes)} were asked for")
    every = np.arange(len(target), dtype=np.int32)
    splits = tuple(
        Split(freeze(every[first * rows : (first + 1) * rows]), freeze(every[draws * rows :]), repeat=first)
        for first in range(draws)
    )
    return features, target, Design(f"{draws} fresh training sets of {rows} rows", seed, len(target), splits)
