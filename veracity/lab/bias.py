"""How far an estimator of risk is off, by simulation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.evidence.run import Run
from veracity.lab.learners import Learner, learner_text
from veracity.lab.measuring import Keeping, Progress, Task
from veracity.lab.results import Qualities, Quality
from veracity.lab.simulate import check_simulation, learner_truth, names_of, numbers_of_rows
from veracity.lab.worlds import World, named_world
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.scores import scores


def bias(
    world: World | str,
    learner: Learner,
    *,
    by: str | Sequence[str],
    rows: int | Sequence[int],
    trials: int = 1000,
    seed: int = 0,
    store: str | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Qualities:
    """Bias, spread and mean squared error of estimators of risk, against the risk of the learner at all rows.

    `store` names a file that keeps what is measured, so that what was interrupted goes on; `workers` processes fit.
    """
    place, name = named_world(world, World)
    check_simulation(learner, trials=trials)
    keeping, found = Keeping(store, workers, progress), []
    for number in numbers_of_rows(rows):
        for one in names_of("by", by):
            task = Task(
                world=place,
                name=name,
                rows=number,
                methods=(one,),
                seed=seed,
                ask_of=estimate_of_learner,
                learners=(learner,),
                by=one,
            )
            found.append(_quality(task, trials, keeping))
    return Qualities(tuple(found), getattr(place, "notes", ()))


def quality(world: World | str, learner: Learner, by: str, rows: int, trials: int = 200, seed: int = 0) -> Quality:
    """Bias, variance and mean squared error of an estimator of risk, against the risk of the learner at all rows."""
    return bias(world, learner, by=by, rows=rows, trials=trials, seed=seed)[0]


def estimate_of_learner(task: Task, method: str) -> Callable[[tuple[Run], int], tuple[float, float]]:
    """Return the estimate of a run, with nothing beside it."""
    request = EstimateRequest(scores.choose(task.world.score), task.world.score, Confidence())
    return lambda runs, number: (float(estimate_run(runs[0], request).value), math.nan)


def _quality(task: Task, trials: int, keeping: Keeping) -> Quality:
    answers = keeping.answers(task, trials)
    values = answers.values[:, 0, 0]
    there = values[~np.isnan(values)]
    if not len(there):
        why = answers.refusals.get(task.by, "it is undefined")
        raise Refused(f"{task.by} has no estimate in any sample: {why}", "always-refused")
    (learner,) = task.learners
    truth = learner_truth(task.world, learner, task.rows, seed=task.seed)
    return Quality(
        by=task.by,
        truth=truth.value,
        mean=float(there.mean()),
        variance=float(there.var()),
        trials=len(there),
        truth_error=truth.error,
        fits=answers.fits,
        world=task.name,
        learner=learner_text(learner),
        rows=task.rows,
        refused=1 - len(there) / len(values),
    )
