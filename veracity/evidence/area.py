"""An area under the ROC curve with what its intervals need, from rows or from a published summary."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt


@dataclass(frozen=True)
class Area:
    """The area, the rows of each class, and DeLong's variance where the rows are at hand."""

    value: float
    positives: float
    negatives: float
    variance: float = nan
    plain: bool = True  # neither weighted nor grouped rows

    @property
    def smaller(self) -> float:
        """Rows of the smaller class."""
        return min(self.positives, self.negatives)

    @property
    def separated(self) -> bool:
        """Whether every row of one class lies above every row of the other."""
        return self.value in (0.0, 1.0)

    @property
    def standard_error(self) -> float:
        return sqrt(self.variance)
