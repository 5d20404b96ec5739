"""Curves as data: what a chart shows, before it is drawn."""

from veracity.core.catalogue import Catalogue
from veracity.curves.entry import CurveKind

curves = Catalogue(__name__, CurveKind)
