"""What a study would fit."""

from __future__ import annotations

from pathlib import Path

from veracity.api.study import Planned, Study


def plan(study: Study | str | Path) -> Planned:
    """The fits of a study, or of a study file, each once; `.against("results.db")` says what is still to do."""
    return (study if isinstance(study, Study) else Study.read(study)).plan()
