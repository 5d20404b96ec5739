"""How good a learned model really is, how sure that is, and whether one learner is really better than another."""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from veracity.api.public import PUBLIC as _PUBLIC

if _TYPE_CHECKING:
    from veracity.api.adjust import adjust as adjust
    from veracity.api.bias_variance import bias_variance as bias_variance
    from veracity.api.catalogue import catalogue as catalogue
    from veracity.api.compare import compare as compare
    from veracity.api.curve import curve as curve
    from veracity.api.dominance import dominance as dominance
    from veracity.api.estimate import estimate as estimate
    from veracity.api.estimate import score as score
    from veracity.api.estimate import scorecard as scorecard
    from veracity.api.evaluate import evaluate as evaluate
    from veracity.api.explain import explain as explain
    from veracity.api.learning_curve import learning_curve as learning_curve
    from veracity.api.optimism import optimism as optimism
    from veracity.api.permutation_test import permutation_test as permutation_test
    from veracity.api.plan import plan as plan
    from veracity.api.plot import plot as plot
    from veracity.api.power import power as power
    from veracity.api.rank import rank as rank
    from veracity.api.read_scores import read_scores as read_scores
    from veracity.api.report import report as report
    from veracity.api.runs import read_runs as read_runs
    from veracity.api.score_matrix import score_matrix as score_matrix
    from veracity.api.slices import slices as slices
    from veracity.api.split_scores import split_scores as split_scores
    from veracity.api.study import Study as Study
    from veracity.api.threshold import best_threshold as best_threshold
    from veracity.api.validation_curve import validation_curve as validation_curve
    from veracity.api.worst import worst as worst
    from veracity.core.errors import BadInput as BadInput
    from veracity.core.errors import Refused as Refused
    from veracity.core.errors import VeracityError as VeracityError
    from veracity.core.notes import Note as Note
    from veracity.core.undefined import Undefined as Undefined
    from veracity.readers.predictions import read_predictions as read_predictions
    from veracity.records.checked import predictions as predictions
    from veracity.records.comparison import Comparison as Comparison
    from veracity.records.counts import Counts as Counts
    from veracity.records.curve import Curve as Curve
    from veracity.records.estimate import Estimate as Estimate
    from veracity.records.interval import Interval as Interval
    from veracity.records.ordering import Ordering as Ordering
    from veracity.records.permutation_test import PermutationTest as PermutationTest
    from veracity.records.predictions import Predictions as Predictions
    from veracity.records.score_matrix import ScoreMatrix as ScoreMatrix
    from veracity.records.split_scores import SplitScores as SplitScores
    from veracity.records.split_table import SplitTable as SplitTable
    from veracity.running.runs import Runs as Runs
    from veracity.scores.own import per_counts as per_counts
    from veracity.scores.own import per_ordering as per_ordering
    from veracity.scores.own import per_row as per_row
    from veracity.tables.comparisons import Comparisons as Comparisons
    from veracity.tables.decomposition import Decomposition as Decomposition
    from veracity.tables.estimates import Estimates as Estimates
    from veracity.tables.ranking import Ranking as Ranking
    from veracity.tables.risk_curve import RiskCurve as RiskCurve
    from veracity.tuning.stopped import stopped as stopped
    from veracity.tuning.tuned import tuned as tuned

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> _Any:
    """Import a public name when it is first used: `import veracity` alone loads no numpy."""
    if name not in _PUBLIC:
        raise AttributeError(f"veracity has no {name!r}: it has {', '.join(sorted(_PUBLIC))}")
    found = getattr(_import_module(_PUBLIC[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(_PUBLIC)
