"""Training and test score of a learner along the values of one parameter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from veracity.core.arguments import Column, DesignLike, Label, Learner, Preparation, Table, verb
from veracity.core.confidence import Confidence
from veracity.core.entry import MethodLike
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.suggest import nearest
from veracity.experiments.one_learner import choose_score, estimate_training_and_test, one_learner, table_and_design
from veracity.findings.experiments import RiskCurve
from veracity.learners.seeding import unfitted_copy
from veracity.studies.evaluate import fit_options

if TYPE_CHECKING:
    from veracity.records.plan import ProgressCallback
    from veracity.stores.open_store import StoreLike

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
    _check_parameter(name, parameter, list(learner.get_params(deep=True)))
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise BadInput(f"values is a list of values of {parameter}, not {values!r}")
    plain = [value.item() if hasattr(value, "item") else value for value in values]
    if not plain:
        raise BadInput(f"values names no value of {parameter}")
    if len(set(map(repr, plain))) < len(plain):
        raise BadInput(f"values names a value of {parameter} twice")
    return [(value, unfitted_copy(learner).set_params(**{parameter: value})) for value in plain]


def _check_parameter(name: str, parameter: str, names: list[str]) -> None:
    if parameter in names:
        return
    near = [one for one in names if one.endswith(f"__{parameter}")] or nearest(parameter, names)
    offer = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(sorted(names))}"
    raise BadInput(f"{name} has no parameter {parameter!r}: {offer}")
