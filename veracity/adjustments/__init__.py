"""Several tests at once: adjusted p-values."""

from veracity.adjustments.entry import Adjustment
from veracity.core.catalogue import Catalogue

adjustments = Catalogue(__name__, Adjustment)
