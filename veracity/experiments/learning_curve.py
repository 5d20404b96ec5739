"""How a learner's risk falls with the number of training rows."""

from __future__ import annotations

from typing import Any

from veracity.core.confidence import Confidence
from veracity.experiments.side_by_side import chosen_score, one_learner, side_by_side, table_and_design
from veracity.experiments.sizes import check_cuttable, counted, on_training, shortened, smallest_training
from veracity.findings.risk_curve import SIZES, RiskCurve
from veracity.studies.evaluate import evaluate_data, fit_options

SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)


def learning_curve(
    learner: Any,
    X: Any,  # noqa: N803 (the name that everybody uses)
    y: Any,
    *,
    sizes: Any = SHARES,
    by: Any = "kfold(k=10)",
    score: Any = None,
    interval: Any = None,
    level: float = 0.95,
    seed: int = 0,
    workers: int = 1,
    store: Any = None,
    groups: Any = None,
    weights: Any = None,
    time: Any = None,
    positive: Any = None,
    kind: str = "auto",
    prepare: Any = "default",
    progress: Any = False,
    **more: Any,
) -> RiskCurve:
    """The score on test rows and on training rows at several numbers of training rows, each with its interval.

    A size is a number of rows or a share of the training part. Every split is cut to nested subsets of its training
    part and tested on the same rows at all sizes; classes keep their shares. All fits go through the store, so that a
    curve can be interrupted, resumed and added to. `.fitted` is a power law through it. `kind` is that of the target
    and `more` is engine, address and timeout, all as in `evaluate`.
    """
    ((name, maker),) = one_learner(learner).items()
    roles = {"groups": groups, "weights": weights, "time": time, "positive": positive, "kind": kind}
    table, design = table_and_design(maker, X, y, by, seed, **roles)
    check_cuttable(design)
    choice = chosen_score(score, table)
    rows = counted(sizes, smallest_training(design))
    test = shortened(design, table, rows, seed)
    training = [on_training(one) for one in test]
    fits = {"seed": seed, "workers": workers, "store": store, "prepare": prepare, "progress": progress}
    runs = evaluate_data(table, {name: maker}, [*test, *training], **fits, **fit_options("learning_curve", more))
    tested, trained, notes = side_by_side(runs, test, training, choice, Confidence(level), interval)
    return RiskCurve(name, design.name, SIZES, tuple(rows), tested, trained, notes)
