"""Which rows train and which rows test: every rule that makes splits."""

from veracity.core.catalogue import Catalogue
from veracity.designs.entry import DesignRule

designs = Catalogue(__name__, DesignRule)
