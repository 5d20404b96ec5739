"""How large a difference is beside how much it varies, without a unit."""

from veracity.core.catalogue import Catalogue
from veracity.effects.entry import EffectMethod

effects = Catalogue(__name__, EffectMethod)
