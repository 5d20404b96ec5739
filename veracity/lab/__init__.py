"""Worlds in which the truth is known, and how estimators, intervals and tests do there."""

from veracity.lab.coverage import Coverages, Covered, coverage
from veracity.lab.evidence_worlds import EvidenceWorld, HeavyErrors, NormalErrors, NormalValues, Shares
from veracity.lab.fast_learners import NearestMean, NearestRow, Polynomial
from veracity.lab.measure import Quality, quality, size
from veracity.lab.simulate import learner_risk, run_of, worlds
from veracity.lab.worlds import PureNoise, Sine, TwoGaussians, World

__all__ = [
    "Coverages",
    "Covered",
    "EvidenceWorld",
    "HeavyErrors",
    "NearestMean",
    "NearestRow",
    "NormalErrors",
    "NormalValues",
    "Polynomial",
    "PureNoise",
    "Quality",
    "Shares",
    "Sine",
    "TwoGaussians",
    "World",
    "coverage",
    "learner_risk",
    "quality",
    "run_of",
    "size",
    "worlds",
]
