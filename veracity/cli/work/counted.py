"""Counts that were typed, or stand in a file, in place of predictions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count, product
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from veracity.cli.work.class_matrix import read_counts
from veracity.core.errors import BadInput
from veracity.evidence.counts import Counts
from veracity.evidence.from_counts import errors, pairs
from veracity.evidence.same_rows import Pairs
from veracity.readers.source import unique_names
from veracity.scores import scores

CELLS, POSITIVE = ("tp", "fn", "fp", "tn"), "positive"
PREDICTIONS = ("truth", "label", "proba", "value", "number", "correct", "loss", "grade")


def read_counted(files: list[str], given: Mapping[str, Any]) -> dict[str, Counts]:
    """The counts of each model by name, one alone by the empty name; nothing where none were given."""
    cells = {name: given[name] for name in CELLS if given.get(name) is not None}
    if not (given["errors"] or given["of"] or given["matrix"] or cells):
        return {}
    _check_alone(files, given)
    if cells:
        return {"": _four_cells(cells, given)}
    if given["errors"] and given["matrix"]:
        raise BadInput("--errors and --matrix both tell what was counted: give one of them")
    if given["matrix"]:
        names = unique_names(list(given["matrix"]))
        models = {name: read_counts(file, given["positive"]) for name, file in names.items()}
        return models if len(models) > 1 else {"": next(iter(models.values()))}
    if len(given["errors"]) != len(given["of"]):
        times = f"--errors is given {len(given['errors'])} times and --of {len(given['of'])}"
        raise BadInput(f"{times}: give both once for each model, as in --errors 12 --of 40")
    counted = [errors(_number(text), of=of) for text, of in zip(given["errors"], given["of"], strict=True)]
    if len(counted) == 1:
        return {"": counted[0]}
    return dict(zip(_letter_names(), counted, strict=False))


def _letter_names() -> Iterator[str]:
    """Yield `a` to `z`, then `aa`, `ab` and so on, as spreadsheets name their columns."""
    return ("".join(letters) for length in count(1) for letters in product(ascii_lowercase, repeat=length))


def _four_cells(cells: Mapping[str, int], given: Mapping[str, Any]) -> Counts:
    """The confusion matrix of four counts that were typed; its classes have no other names than what they are."""
    if given["errors"] or given["of"] or given["matrix"]:
        raise BadInput("--tp, --fn, --fp and --tn tell all that was counted: leave out --errors, --of and --matrix")
    missing = [name for name in CELLS if name not in cells]
    if missing:
        raise BadInput(f"--{missing[0]} is missing: give all of --tp, --fn, --fp and --tn")
    if not any(cells.values()):
        raise BadInput("--tp, --fn, --fp and --tn are all 0: nothing was counted")
    if given["positive"] not in (None, POSITIVE):
        raise BadInput("--tp, --fn, --fp and --tn are of the positive class, which has no name: leave out --positive")
    matrix = [[cells["tn"], cells["fp"]], [cells["fn"], cells["tp"]]]
    return Counts(matrix, ("negative", POSITIVE), POSITIVE)


def read_pairs(files: list[str], given: Mapping[str, Any]) -> Pairs | None:
    """The rows that only one of two models got right, where they were typed."""
    typed = {name: given[name] for name in ("n01", "n10", "both", "neither")}
    if all(number is None for number in typed.values()):
        return None
    _check_alone(files, given)
    if typed["n01"] is None or typed["n10"] is None:
        raise BadInput("give both counts of rows that only one model got right: --n01 only the second, --n10 the first")
    if given["errors"] or given["matrix"] or len(given["of"]) > 1:
        raise BadInput("--n01 and --n10 take --of once, and neither --errors nor --matrix")
    return pairs(**typed, of=next(iter(given["of"]), None))


def _check_alone(files: list[str], given: Mapping[str, Any]) -> None:
    """Counts take the place of a file of predictions; a word that is no file was meant for a score."""
    for word in files:
        if not Path(word).exists():
            scores.choose(word)
    other = [*files, *(f"--{name}" for name in PREDICTIONS if given.get(name))]
    if other:
        raise BadInput(f"counts were given, and {other[0]} beside them: give one or the other")


def _number(text: str) -> float:
    """A number of errors, or their rate, which may be in per cent."""
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise BadInput(f"--errors is a number of rows or a rate, such as 12, 0.3 or 30%, not {text!r}") from None
