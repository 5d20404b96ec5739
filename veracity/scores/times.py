"""Scores of fits and not of predictions: how long training and predicting took, which runs remember."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.records.arrays import Array
from veracity.scores.entry import Score

OF_A_MACHINE = Note(
    "times",
    "caution",
    "times are of one machine and of what else it did: a test takes their splits as alike, "
    "which a machine that was busy for a while breaks",
)
NO_LAW = "times vary with what else the machine does, of which splits are no sample"


@dataclass(frozen=True, eq=False, repr=False)
class TimeScore(Score):
    """One number per split of a run; the function gives those of some splits."""

    reads = "time"

    def gather(self, p: Predictions, **arguments: Any) -> NoReturn:
        raise BadInput(
            f"{self.name} is of fits, and predictions do not tell it: give runs, as evaluate and read_runs do, "
            "or a store"
        )

    def evaluate(self, evidence: Any, **arguments: Any) -> NoReturn:
        self.gather(evidence)

    def influence_of(self, evidence: Any, **arguments: Any) -> None:
        return None

    def check(self, p: Predictions) -> None:
        self.gather(p)

    def suits(self, kind: str) -> bool:
        return kind in ("classes", "numbers")

    def split_values(self, run: Run, numbers: list[int]) -> Array:
        """The seconds of some splits of a run, NaN where the store holds none."""
        values: Array = np.full(len(numbers), math.nan) if run.seconds is None else self.function(run.seconds)[numbers]
        return values

    def check_run(self, run: Run) -> None:
        """Refuse a run of which no time is known."""
        if np.isnan(self.split_values(run, list(range(len(run.design))))).all():
            raise Refused(
                f"{self.name} of {run.learner} is not known: its fits were stored before times were, "
                "or come without them; run the study into a new store",
                "no-times",
            )


time_score = partial(
    TimeScore.decorator,
    cite=("lim2000",),
    needs="runs",
    better="lower",
    range=(0.0, math.inf),
    undefined="the fits were stored before times were kept",
)


@time_score(
    "Seconds of fitting",
    aliases="fit_time, training_time, elapsed_time_training",
    keywords="duration, speed, how long, run time, UserCPU_Time_training",
)
def seconds_fit(seconds: Array) -> Array:
    """How long one training takes, in seconds, as the mean over splits; without an interval unless one is named.

    A learner that tunes itself is timed with all its trials. Times are of the machine that fitted and of what else it
    did at the time, so they are fit to be compared within one run of a study and not between machines.
    """
    return seconds[:, 0]


@time_score(
    "Seconds of predicting",
    aliases="predict_time, score_time, testing_time, elapsed_time_testing",
    keywords="duration, speed, inference time, prediction time, latency, UserCPU_Time_testing",
)
def seconds_predict(seconds: Array) -> Array:
    """How long predicting the test rows of a split takes, in seconds, as the mean over splits.

    Both labels and probabilities are asked for where a learner tells both. Where several designs share a fit whose
    rows do not depend on each other, they are predicted at once, and each has its share of the time by its rows.
    """
    return seconds[:, 1]
