"""Is the difference real: comparisons of models."""

from veracity.comparisons.entry import Test
from veracity.core.catalogue import Catalogue

comparisons = Catalogue(__name__, Test)
