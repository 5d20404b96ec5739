"""From data, learners and designs to the fits they need, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from veracity.learners.fingerprint import fingerprint
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.records.fit import Fit, fit_key, rows_digest
from veracity.records.plan import Cell, Plan


def make_plan(
    data: Mapping[str, Data], learners: Mapping[str, Any], designs: Mapping[str, Sequence[Design]], seed: int
) -> Plan:
    """Every split of every design of every data set for every learner; the same training rows are one fit."""
    marks = {name: fingerprint(learner) for name, learner in learners.items()}
    cells: list[Cell] = []
    wanted: dict[str, tuple[str, str, Array, list[Array]]] = {}
    for name, table in data.items():
        for design in designs[name]:
            digests = [rows_digest(split.train) for split in design.splits]
            for learner, mark in marks.items():
                for number, (split, digest) in enumerate(zip(design.splits, digests, strict=True)):
                    key = fit_key(table.fingerprint, mark, digest, seed)
                    cells.append(Cell(name, learner, design.name, number, key))
                    wanted.setdefault(key, (name, learner, split.train, []))[3].extend(_asked(split))
    fits = [
        Fit(key, name, learner, np.sort(train), _union(rows), seed)
        for key, (name, learner, train, rows) in wanted.items()
    ]
    return Plan(tuple(fits), tuple(cells))


def _asked(split: Any) -> list[Array]:
    return [split.test] if split.validation is None else [split.test, split.validation]


def _union(rows: list[Array]) -> Array:
    return rows[0] if len(rows) == 1 else np.unique(np.concatenate(rows))
