"""Worlds in which the truth is known, and how estimators, intervals and tests do there."""

from veracity.lab.fast_learners import NearestMean, NearestRow, Polynomial
from veracity.lab.measure import Covered, Quality, coverage, learner_risk, quality, size
from veracity.lab.simulate import run_of
from veracity.lab.worlds import PureNoise, Sine, TwoGaussians, World

__all__ = [
    "Covered",
    "NearestMean",
    "NearestRow",
    "Polynomial",
    "PureNoise",
    "Quality",
    "Sine",
    "TwoGaussians",
    "World",
    "coverage",
    "learner_risk",
    "quality",
    "run_of",
    "size",
]
