"""How sure is a score: every interval for a fixed model on test rows."""

from veracity.core.catalogue import Catalogue
from veracity.intervals.entry import IntervalMethod

intervals = Catalogue(__name__, IntervalMethod)
