"""Before anything is run: how much a test would see, and how wide an interval would be."""

from veracity.core.catalogue import Catalogue
from veracity.planning.entry import PowerOf, WidthOf

powers = Catalogue(__name__, PowerOf)
widths = Catalogue(__name__, WidthOf)
