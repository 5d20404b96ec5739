"""Curves as data: what a chart shows, before it is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from veracity.core.catalogue import Catalogue
from veracity.core.entry import Entry
from veracity.evidence.predictions import Predictions
from veracity.scores.entry import READS

Models = Mapping[str, Predictions]
CRISP_TOO = "value or label"  # what a chart reads that shows models of labels alone too


@dataclass(frozen=True, eq=False, repr=False)
class CurveKind(Entry):
    """`function(models, **parameters) -> Curve`, of models by name; one model and several are the same call."""

    kind: ClassVar[str] = "curve"
    plain_types: ClassVar[bool] = True

    needs: str = "value"  # one of label, proba, value, number, or several of them: "value or label"
    by_fold: bool = True  # whether it orders rows by a model's values, which several models do not share
    labelled_by: tuple[str, str] | None = None  # what lines are labelled with, and the fact that holds its values
    drawn: tuple[tuple[str, Any], ...] = ()  # parameters that a drawing sets unless told, where all data is too much

    def cells(self) -> dict[str, str]:
        return {"needs": self.needs}

    def particulars(self) -> dict[str, tuple[str, ...]]:
        return {"Reads": (", or ".join(READS[word] for word in self.needs.split(" or ")),)}

    def facts(self) -> dict[str, str]:
        return self.cells()


curve = CurveKind.decorator

curves = Catalogue(__name__, CurveKind)
