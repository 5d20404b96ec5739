"""Tables of scores, and result files of Weka's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veracity.core.errors import BadInput
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.readers.read_scores import read_scores

ROLES = ("score", "better", "dataset", "learner", "repeat", "fold", "train", "test")


def read_table(file: str, given: Mapping[str, Any]) -> ScoreMatrix:
    """The matrix of a file; sizes of splits are columns or numbers."""
    roles = {name: given.get(name) for name in ROLES}
    for name in ("train", "test"):
        roles[name] = _size(name, roles[name])
    return read_scores(file, **roles)


def _size(name: str, text: str | None) -> str | float | None:
    try:
        size = float(text or "")
    except ValueError:
        return text
    if not size > 0:
        raise BadInput(f"--{name} is a column or a number of rows, not {text}")
    return size
