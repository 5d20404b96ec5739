"""Before anything is run: how much a test would see."""

from veracity.core.catalogue import Catalogue
from veracity.planning.entry import PowerOf

powers = Catalogue(__name__, PowerOf)
