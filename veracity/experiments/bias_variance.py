"""Is a learner too simple, or too restless? Its loss in bias, variance and noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.designs.make_design import make_design
from veracity.designs.parameters import whole_number
from veracity.evidence.runs import Runs
from veracity.experiments.decompositions import ZERO_ONE, Parts, squared
from veracity.experiments.draws import fresh_draws, resampled
from veracity.experiments.side_by_side import one_learner
from veracity.experiments.world import World, noise_of
from veracity.findings.decomposition import Decomposition
from veracity.readers.read_data import data_of
from veracity.records.arrays import Array, freeze
from veracity.records.data import Data
from veracity.records.design import Design, Rows
from veracity.studies.evaluate import evaluate_data, fit_options

LOSSES = {"squared": "numbers", "zero_one": "classes"}
ROWS, TEST, SHARE = 100, 1000, 1 / 3  # training rows and test rows of a world; rows tested of a data set
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
    "this learner tells classes, and their squared loss takes the classes for numbers: use loss='zero_one'",
)


def bias_variance(
    learner: Any,
    X: Any = None,  # noqa: N803 (the name that everybody uses)
    y: Any = None,
    *,
    loss: str = "squared",
    kind: str = "domingos",
    draws: int = 200,
    by: str = "bootstrap",
    test: float | int | None = None,
    world: Any = None,
    rows: int = ROWS,
    seed: int = 0,
    workers: int = 1,
    store: Any = None,
    prepare: Any = "default",
    progress: Any = False,
    **more: Any,
) -> Decomposition:
    """The mean loss of the models of many training sets, in parts that sum to it.

    `loss="squared"` is for numbers; `"zero_one"` for classes, in the way of `kind`: "domingos" (the share of rows where
    most models are wrong, and what the others change of it) or "kohavi_wolpert" (squared distances between what models
    say and what is true). Training sets are drawn from the rows that are not tested, `by="bootstrap"` or `"subsample"`
    (half of them). A `world` has `draw(rows, seed)` for fresh training sets of so many `rows`, and `mean(X)` with
    `noise`, or `chances(X)`, which make the noise a part of its own. `more` is engine, address and timeout as
    in `evaluate`.
    """
    number = whole_number("draws", draws, 2)
    if loss not in LOSSES:
        raise BadInput(f"loss is {' or '.join(map(repr, LOSSES))}, not {loss!r}")
    if kind not in ZERO_ONE:
        raise BadInput(f"kind is {' or '.join(map(repr, ZERO_ONE))}, not {kind!r}")
    said = fit_options("bias_variance", more, dict.fromkeys(("groups", "weights", "time"), BY_ROW))
    fits = {"seed": seed, "workers": workers, "store": store, "prepare": prepare, "progress": progress, **said}
    if world is not None:
        X, y, design = _of_world(world, X, whole_number("rows", rows), test, number, seed)  # noqa: N806
        table = _table(X, y, loss)
    else:
        table = _table(X, y, loss)
        design = resampled(table, _tested(table, test, seed), number, by, seed)
    runs = evaluate_data(table, one_learner(learner), [design], **fits)
    parts, noise = _parts(runs, table, design, world, loss, kind)
    total, bias, variance, around = (float(column.mean()) for column in parts)
    told = (() if world is not None else (RESAMPLED,)) + (() if noise else (IN_BIAS,)) + _codes(learner, loss)
    return Decomposition(
        learner=runs.learner_names[0],
        kind="squared" if loss == "squared" else kind,
        loss=total,
        bias=bias,
        variance=variance,
        noise=around if noise else None,
        draws=number,
        by=design.name,
        rows=freeze(np.stack(parts, 1)),
        notes=runs.notes + told,
    )


def _codes(learner: Any, loss: str) -> tuple[Note, ...]:
    """A classifier's squared loss is seldom meant."""
    (one,) = one_learner(learner).values()
    tells = hasattr(one, "predict_proba") or hasattr(one, "decision_function")
    return (AS_NUMBERS,) if loss == "squared" and tells else ()


def _of_world(world: Any, given: Any, rows: int, test: Any, draws: int, seed: int) -> tuple[Any, Any, Design]:
    if given is not None:
        raise BadInput("give X and y, or a world that draws them, not both")
    if not isinstance(world, World):
        raise BadInput(f"a world has a method draw(rows, seed), which {type(world).__name__} lacks")
    number = TEST if test is None else whole_number("test", test)
    return fresh_draws(world, rows, number, draws, seed)


def _table(X: Any, y: Any, loss: str) -> Data:  # noqa: N803
    if X is None or y is None:
        raise BadInput("give X and y, or a world= that draws them")
    table = data_of(X, y, kind=LOSSES[loss])
    if (table.truth == table.truth[0]).all():
        raise BadInput(f"every row has the target {table.truth[0]!s}, so there is nothing to learn")
    return table


def _tested(table: Data, test: Any, seed: int) -> Array:
    """The rows that every model predicts: a random share of them, or a number."""
    share = SHARE if test is None else test
    share = share if isinstance(share, float) else whole_number("test", share) / len(table)
    if not 0 < share < 1:
        raise BadInput(
            f"test is a share of the rows between 0 and 1, or fewer than the {len(table)} rows, not {test!r}"
        )
    classes = table.truth if table.kind == "classes" else None
    return make_design(f"holdout(test={share!r})", Rows(len(table), classes), seed).splits[0].test


def _parts(runs: Runs, table: Data, design: Design, world: Any, loss: str, kind: str) -> tuple[Parts, bool]:
    """The parts of each test row's loss, and whether noise is one of them."""
    said = _predicted(runs, design, "number" if loss == "squared" else "label")
    tested = design.splits[0].test
    truth = table.truth[tested]
    if loss == "squared":
        if not hasattr(world, "mean"):
            return squared(said, truth), False
        features = table.take(tested)
        return squared(said, np.asarray(world.mean(features), float), noise_of(world, features)), True
    classes = np.arange(len(table.classes))
    shares = (said[:, :, None] == classes).mean(0)
    if not hasattr(world, "chances"):
        return ZERO_ONE[kind](shares, (truth[:, None] == classes).astype(float)), False
    return ZERO_ONE[kind](shares, _chances(world, table.take(tested), shares.shape)), True


def _predicted(runs: Runs, design: Design, what: str) -> Array:
    """What every model says of every test row, (draws, rows)."""
    run = runs.run()
    if not run.complete:
        raise Refused(f"{run.failed} of {len(design)} fits failed (the first: {run.reason})", "failed-splits")
    return np.asarray(getattr(run.predictions, what)).reshape(len(design), -1)


def _chances(world: Any, features: Any, shape: tuple[int, ...]) -> Array:
    found = np.asarray(world.chances(features), float)
    if found.shape != shape or not np.allclose(found.sum(1), 1):
        raise BadInput(f"chances(X) has one column for each class, of sum 1, in shape {shape}, not {found.shape}")
    return found
