"""Which learners differ: tests of pairs that look at all learners at once."""

from veracity.core.catalogue import Catalogue
from veracity.posthoc.entry import Posthoc

posthocs = Catalogue(__name__, Posthoc)
