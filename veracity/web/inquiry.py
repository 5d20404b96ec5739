"""A question to a store, read from the address of a page: the address is all its state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veracity.core.errors import BadInput
from veracity.evidence.runs import Runs
from veracity.scores.default import default_score_of
from veracity.studies.study_file import data_files, read_file
from veracity.web.asked import Asked
from veracity.web.calls import Source, python_call
from veracity.web.places import Folder, Place

FLAGS = ("deviations", "counts", "average", "significance_only", "swap")
LOOK = (*FLAGS, "sort", "digits")
USUAL_LEVEL = 0.95
WORDS = ("using", "then", "pairs", "control", "by", "kind", "slices")
WHOLE = ("ledger",)  # views of all that a store holds, whatever was picked
SLICED = "slices"  # the view that needs the files of the study


@dataclass(frozen=True)
class Inquiry:
    """What is asked of a store; every word as on the command line."""

    where: str
    view: str = "overview"
    scores: tuple[str, ...] = ()
    using: str | None = None
    then: str | None = None
    pairs: str | None = None
    control: str | None = None
    by: str | None = None
    kind: str | None = None
    slices: str | None = None  # the column that slices the rows
    picked_level: float | None = None
    data: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    look: tuple[tuple[str, Any], ...] = field(default=())
    study: str | None = None  # the file that says what of the store is meant
    files: tuple[str, ...] = ()  # of the data set whose rows are sliced

    @classmethod
    def from_address(cls, place: Place, asked: Asked) -> Inquiry:
        """All words of an address that mean something here."""
        texts: dict[str, Any] = {name: asked.one(name) for name in WORDS}
        many: dict[str, Any] = {
            "scores": asked.methods("score"),
            "data": asked.every("data"),
            "only": asked.every("only"),
        }
        view = asked.one("view") or "overview"
        study = study_meant(place, view)
        more: dict[str, Any] = {"study": None if study is None else str(study)}
        if view == SLICED and study is not None:
            more["files"] = tuple(map(str, files_of_data(asked.bench.folder, study, asked.every("data"))))
        more["picked_level"] = asked.level
        return cls(place.shown_store, view, look=_look(asked), **more, **texts, **many)

    def chosen_of(self, runs: Runs) -> Runs:
        """The runs that were picked."""
        return runs if self.view in WHOLE else runs.only(self.only, self.data, self.by or ())

    def scores_of(self, runs: Runs) -> tuple[str, ...]:
        """The scores that are asked for, or those of the study."""
        return self.scores or tuple(map(str, runs.asked_scores)) or (default_score_of(runs),)

    @property
    def level(self) -> float:
        """The level that is picked, or the usual one."""
        return USUAL_LEVEL if self.picked_level is None else self.picked_level

    @property
    def changed_level(self) -> float | None:
        """The level where it is not the usual one."""
        return None if self.level == USUAL_LEVEL else self.level

    def source(self, runs: Any, data: Sequence[str] | None = None, positive: Any = None) -> Source:
        """Return the runs that were picked, and how they are read elsewhere; `positive` is the class taken for it."""
        data = self.data if data is None else data
        read = python_call("vc.read_runs", self.where, *(() if self.study is None else (self.study,)))
        if any((self.only, data, self.by)):
            read += python_call(".only", learners=list(self.only), data=list(data), by=self.by)
        read += "" if positive is None else python_call(".with_positive", positive)
        picked = {"only": self.only, "data": data, "by": self.by}
        store = {} if self.study is None else {"store": self.where}
        return Source(runs, "runs", read, (self.study or self.where,), {**picked, **store})


def study_meant(place: Place, view: str) -> Path | None:
    """The study file that chooses from the store: that by which it is called, or where columns are needed, any."""
    return None if view in WHOLE else place.study if view == SLICED else place.chosen_by


def files_of_data(folder: Folder, study: Path, names: Sequence[str]) -> list[Path]:
    """Where the rows of the first data set that is named stand, or of the first that has a file."""
    known = names or tuple(read_file(study).get("data", {}))
    every = (data_files(study, name) for name in known)
    return [folder.data_file(study.parent, str(file)) for file in next(filter(None, every), ())]


def _look(asked: Asked) -> tuple[tuple[str, Any], ...]:
    """How the table of verdicts looks."""
    look: dict[str, Any] = {name: True for name in FLAGS if asked.one(name)}
    if asked.every("columns"):
        look["learners"] = asked.every("columns")
    if asked.one("sort"):
        look["sort"] = asked.one("sort")
    digits = asked.one("digits")
    if digits is not None:
        if not digits.isdecimal():
            raise BadInput(f"digits is a whole number, not {digits!r}")
        look["digits"] = int(digits)
    return tuple(look.items())
