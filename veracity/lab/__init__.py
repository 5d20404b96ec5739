"""Worlds in which the truth is known, and how estimators, intervals and tests do there."""

from veracity.lab.class_worlds import LabelNoise, Rings, SparseLogistic, Xor
from veracity.lab.coverage import coverage
from veracity.lab.covered import Coverages, Covered
from veracity.lab.dependent_worlds import Clusters, Drift, UnequalClusters
from veracity.lab.entry import worlds
from veracity.lab.evidence_worlds import EvidenceWorld, FamilyWorld, PairWorld
from veracity.lab.fast_learners import NearestMean, NearestRow, Polynomial, Stump
from veracity.lab.frontier import Frontier, frontier
from veracity.lab.gaussian_worlds import Gaussians, PureNoise, RarePositives, TwoGaussians
from veracity.lab.loss_worlds import HeavyErrors, NormalErrors, SkewedLosses
from veracity.lab.matrix_worlds import DataSets, EqualOrders, PValues
from veracity.lab.measure import Qualities, Quality, bias, quality
from veracity.lab.model_worlds import BestOf, Confusion, GroupedErrors, NormalValues, Probabilities, Shares
from veracity.lab.number_worlds import FriedmanOne, HeavyTails, Sine, SkewedErrors, SparseLinear
from veracity.lab.pair_worlds import SeveralModels, TwoInGroups, TwoLosses, TwoModels, TwoOrderings, TwoShares
from veracity.lab.plasmode import plasmode
from veracity.lab.rejections import Rejected, Rejections
from veracity.lab.simulate import learner_risk, run_of
from veracity.lab.size import power, size
from veracity.lab.split_worlds import Splits
from veracity.lab.worlds import World

__all__ = [
    "BestOf",
    "Clusters",
    "Confusion",
    "Coverages",
    "Covered",
    "DataSets",
    "Drift",
    "EqualOrders",
    "EvidenceWorld",
    "FamilyWorld",
    "FriedmanOne",
    "Frontier",
    "Gaussians",
    "GroupedErrors",
    "HeavyErrors",
    "HeavyTails",
    "LabelNoise",
    "NearestMean",
    "NearestRow",
    "NormalErrors",
    "NormalValues",
    "PValues",
    "PairWorld",
    "Polynomial",
    "Probabilities",
    "PureNoise",
    "Qualities",
    "Quality",
    "RarePositives",
    "Rejected",
    "Rejections",
    "Rings",
    "SeveralModels",
    "Shares",
    "Sine",
    "SkewedErrors",
    "SkewedLosses",
    "SparseLinear",
    "SparseLogistic",
    "Splits",
    "Stump",
    "TwoGaussians",
    "TwoInGroups",
    "TwoLosses",
    "TwoModels",
    "TwoOrderings",
    "TwoShares",
    "UnequalClusters",
    "World",
    "Xor",
    "bias",
    "coverage",
    "frontier",
    "learner_risk",
    "plasmode",
    "power",
    "quality",
    "run_of",
    "size",
    "worlds",
]
