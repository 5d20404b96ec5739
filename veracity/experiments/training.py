"""The score of models on the very rows that they learned from, with how sure its mean over training parts is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.designs.facts import design_facts
from veracity.evidence.run import Run
from veracity.evidence.split_scores import SplitScores
from veracity.findings.estimate import Estimate
from veracity.intervals import attach
from veracity.intervals.scored import Scored
from veracity.records.arrays import freeze
from veracity.risk.estimate_run import EstimateRequest, estimate_run, with_positive
from veracity.risk.resampling import Resampling
from veracity.scores.values import evidence_for

SAYS = (
    "the corrected_t of training scores takes the share of training rows that two splits have in common for the"
    " correlation of their scores, which holds for means over rows dealt at random"
)
SHARED = Note("shared-training", "remark", SAYS)


@dataclass(frozen=True, eq=False)
class Trained(Scored):
    """A training score in each split."""

    scores: SplitScores

    @property
    def value(self) -> float:
        return self.scores.mean

    def view(self, wanted: type) -> Any:
        if wanted is not SplitScores:
            raise Refused("training scores have the interval corrected_t alone", "training")
        return self.scores


def on_training_rows(run: Run, asked: EstimateRequest) -> Estimate:
    """The mean training score of a run whose splits test their own training rows.

    Two splits that share a part o of their training rows have scores with correlation o where scores are means over
    rows; corrected t then widens by o / (1 - o), in the place of test over training rows.
    """
    plain = replace(estimate_run(run, asked), answers="mean score of models on their own training rows")
    if run.predictions is None:
        return plain
    run, _ = with_positive(run, asked.score)
    assert run.predictions is not None
    overlap = design_facts(run.design).train_overlap
    found = Resampling(asked.score, run).split_scores()
    own, shared = (freeze(np.full(len(found), share)) for share in (1 - overlap, overlap))
    scores = replace(found, train=own, test=shared)
    evidence = evidence_for(asked.score, run.predictions)
    if overlap == 1:
        return plain
    interval, why = attach.attach_default(Trained(asked.score, evidence, scores), asked.at, asked.seed, "corrected_t")
    kept = tuple(note for note in plain.notes if note.code != "optimistic")
    notes = kept + why + ((SHARED,) if interval else ())
    return replace(plain, value=plain.value if interval is None else scores.mean, interval=interval, notes=notes)
