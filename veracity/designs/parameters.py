"""What the parameters of a design mean for some rows: numbers, shares in whole rows, and which variant is in effect."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from veracity.core.errors import BadInput, Refused
from veracity.records.design import Rows

VARIANTS = ("stratified", "grouped", "ordered")
Auto = bool | Literal["auto"]  # whether a variant is asked for, or follows from what is known of the rows


def whole_number(name: str, value: Any, least: int = 1) -> int:
    """A whole number, at least `least`."""
    try:
        number = operator.index(value)
    except TypeError:
        raise BadInput(f"{name} must be a whole number, not {value!r}") from None
    if isinstance(value, bool):
        raise BadInput(f"{name} must be a whole number, not {value!r}")
    if number < least:
        raise Refused(f"{name} must be at least {least}, not {number}", "too-few-parts")
    return number


def part_sizes(rows: int, **shares: Any) -> tuple[int, ...]:
    """The size of each part asked for as a share, and last that of the training part; none may be empty.

    A size is ceil(share * rows), with the share as written: 0.07 of 100 rows is 7, though 0.07 * 100 is above 7 in
    floats.
    """
    sizes = []
    for name, share in shares.items():
        try:
            exact = Fraction(str(share))
        except (ValueError, ZeroDivisionError):
            raise BadInput(f"{name} is a share of the rows such as 0.2, not {share!r}") from None
        if exact > 1:
            way = f": for {share} of {rows} rows write {name}={float((exact - Fraction(1, 2)) / rows):.6g}"
            says = f"{name} is a share of the rows below 1, not {share}{way if exact < rows else ''}"
            raise Refused(says, "empty-part")
        sizes.append(math.ceil(exact * rows))
        if sizes[-1] < 1:
            raise Refused(f"{name}={share} of {rows} rows is no row: ask for a share between 0 and 1", "empty-part")
    left = rows - sum(sizes)
    if left < 1:
        asked = " and ".join(f"{name}={share}" for name, share in shares.items())
        raise Refused(f"{asked} of {rows} rows leaves no row to train on: ask for smaller shares", "empty-part")
    return (*sizes, left)


def even_sizes(rows: int, parts: int) -> tuple[int, ...]:
    """Sizes that differ by at most one, larger ones first."""
    small, larger = divmod(rows, parts)
    return (small + 1,) * larger + (small,) * (parts - larger)


@dataclass(frozen=True)
class Variant:
    """How rows are split into folds: stratified by class; or with groups kept whole, in time order, or both."""

    stratified: bool = False
    grouped: bool = False
    ordered: bool = False
    gap: int = 0  # rows left out between training and test, which only time order gives a meaning


def variant(
    rows: Rows, stratified: Auto = False, grouped: Auto = False, ordered: Auto = False, gap: int = 0
) -> Variant:
    """The variant in effect; "auto" keeps groups and time where they are known, and else spreads classes."""
    whole = _resolve("grouped", grouped, rows.groups is not None, "groups")
    forward = _resolve("ordered", ordered, rows.time is not None, "a time for each row")
    spread = _resolve("stratified", stratified, rows.classes is not None, "a target of classes")
    if stratified == "auto" and (whole or forward):
        spread = False
    if spread and (whole or forward):
        other = "groups whole" if whole else "rows in time order"
        near = f", or use {spread_groups(5)}, which comes near" if whole and not forward else ""
        says = f"classes cannot be spread evenly while keeping {other}: leave stratified=True out{near}"
        raise Refused(says, "variants")
    number = whole_number("gap", gap, least=0)
    if number and not forward:
        raise Refused("a gap lies between earlier and later rows: it needs time order", "gap-without-time")
    return Variant(spread, whole, forward, number)


def spread_groups(folds: int) -> str:
    """Whole groups in folds that come near to the same classes, as it is typed everywhere."""
    return f"`by='sklearn.model_selection:StratifiedGroupKFold(n_splits={folds})'`"


def _resolve(name: str, value: Auto, possible: bool, needs: str) -> bool:
    if value == "auto":
        return possible
    if not isinstance(value, bool):
        raise BadInput(f"{name} must be True, False or 'auto', not {value!r}")
    if value and not possible:
        raise Refused(f"{name}=True needs {needs}, which these rows do not have", "variants")
    return value
