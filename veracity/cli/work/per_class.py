"""The table of classes on the command line, of models and of learners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veracity.core.errors import BadInput
from veracity.findings.classes_and_rows import PerClass
from veracity.readers.read_models import Given
from veracity.risk.per_class import USUAL, per_class

TITLE = "Scores of each class"


def scores_per_class(source: Any, names: Sequence[str], given: Given) -> PerClass:
    """The scores named of each class, or the usual ones; each has its usual interval."""
    refused = {"--interval": given["interval"], "--costs": given.get("costs")}
    for option in (option for option, value in refused.items() if value is not None):
        raise BadInput(f"--per-class gives each score of each class its usual interval, and takes no {option}")
    return per_class(source, list(names) or USUAL, level=given["level"], side=given["side"], seed=given["seed"])
