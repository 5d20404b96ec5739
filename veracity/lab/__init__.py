"""Worlds in which the truth is known, and how estimators, intervals and tests do there."""

from veracity.lab.class_worlds import LabelNoise, Rings, SparseLogistic, Xor
from veracity.lab.coverage import coverage
from veracity.lab.covered import Coverages, Covered
from veracity.lab.dependent_worlds import Clusters, Drift, UnequalClusters
from veracity.lab.entry import worlds
from veracity.lab.evidence_worlds import EvidenceWorld, HeavyErrors, NormalErrors, NormalValues, Shares
from veracity.lab.fast_learners import NearestMean, NearestRow, Polynomial, Stump
from veracity.lab.gaussian_worlds import Gaussians, PureNoise, RarePositives, TwoGaussians
from veracity.lab.learner_tests import Claims, learner_claims
from veracity.lab.measure import Qualities, Quality, bias, quality, size
from veracity.lab.number_worlds import FriedmanOne, HeavyTails, Sine, SkewedErrors, SparseLinear
from veracity.lab.plasmode import plasmode
from veracity.lab.simulate import learner_risk, run_of
from veracity.lab.worlds import World

__all__ = [
    "Claims",
    "Clusters",
    "Coverages",
    "Covered",
    "Drift",
    "EvidenceWorld",
    "FriedmanOne",
    "Gaussians",
    "HeavyErrors",
    "HeavyTails",
    "LabelNoise",
    "NearestMean",
    "NearestRow",
    "NormalErrors",
    "NormalValues",
    "Polynomial",
    "PureNoise",
    "Qualities",
    "Quality",
    "RarePositives",
    "Rings",
    "Shares",
    "Sine",
    "SkewedErrors",
    "SparseLinear",
    "SparseLogistic",
    "Stump",
    "TwoGaussians",
    "UnequalClusters",
    "World",
    "Xor",
    "bias",
    "coverage",
    "learner_claims",
    "learner_risk",
    "plasmode",
    "quality",
    "run_of",
    "size",
    "worlds",
]
