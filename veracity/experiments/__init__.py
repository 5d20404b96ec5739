"""What both fits and infers: curves of risk, parts of a loss, a learner against chance."""

from veracity.core.catalogue import Catalogue
from veracity.experiments.entry import Procedure

procedures = Catalogue(__name__, Procedure)
