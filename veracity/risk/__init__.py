"""The risk of a learner, from its predictions on the splits of a design."""

from veracity.core.catalogue import Catalogue
from veracity.risk.entry import Estimator

estimators = Catalogue(__name__, Estimator)
