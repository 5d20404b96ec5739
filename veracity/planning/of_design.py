"""What a design says of its splits to a test that is planned: how many, and how large."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.core.entry import MethodLike, matches_type
from veracity.core.errors import BadInput
from veracity.core.spelling import read
from veracity.core.words import option
from veracity.designs.make_design import make_design
from veracity.planning import powers
from veracity.records.design import Rows

TOLD = ("splits", "train", "test")
FEWEST, MOST = 2, 10**6  # rows of which splits are made
ROWS = 1_000  # in place of a number that is not told: designs are mostly of shares


def with_design(test: MethodLike, given: dict[str, Any]) -> dict[str, Any]:
    """What is told of a planned test, with the splits, train and test of its design `by` written out."""
    if given.get("by") is None:
        return given
    entry: Any = powers.resolve(read(test).name)[0] if isinstance(test, str) else getattr(test, "entry", test)
    if entry.size != "splits":
        names = " or ".join(one.name for one in powers if one.size == "splits")
        raise BadInput(f"{option('by')} is a design for tests of splits, {names}, and {entry.name} is none")
    twice = next((name for name in TOLD if given.get(name) is not None), None)
    if twice is not None:
        raise BadInput(f"{option('by')} says what {option(twice)} says too: leave one of them out")
    rows = given.get("rows", ROWS)
    if not matches_type("int", rows) or not FEWEST <= rows <= MOST:
        raise BadInput(f"{option('rows')} is a whole number from {FEWEST} to {MOST:,}, not {rows!r}")
    rest = {name: value for name, value in given.items() if name not in ("by", "rows")}
    return {**rest, **splits_of(given["by"], int(rows))}


def splits_of(by: Any, rows: int) -> dict[str, Any]:
    """The number of splits that are tested, and the mean rows of each side."""
    design = make_design(by, Rows(rows), 0)
    main = [design.splits[number] for number in design.main_splits]
    sizes = [(split.learned_from, len(split.test)) for split in main]
    train, test = np.mean(sizes, axis=0).tolist()
    return {"splits": len(main), "train": train, "test": test}
