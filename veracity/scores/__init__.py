"""What is good: every score, written once on the smallest evidence that suffices."""

from veracity.core.catalogue import Catalogue
from veracity.scores.entry import Score

scores = Catalogue(__name__, Score, first=("rates", "agreement", "ordering", "probability"))  # type: ignore[type-abstract]
