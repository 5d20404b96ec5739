"""Whether classes are spread, groups kept whole, time kept in order: what was said, or what the rows ask for."""

from __future__ import annotations

from dataclasses import dataclass

from veracity.core.errors import BadInput, Refused
from veracity.designs.entry import Said
from veracity.records.design import Rows


@dataclass(frozen=True)
class Variant:
    """How rows are dealt into parts. Both `grouped` and `ordered` may hold; `stratified` stands alone."""

    stratified: bool = False
    grouped: bool = False
    ordered: bool = False


def variant(rows: Rows, stratified: Said = False, grouped: Said = False, ordered: Said = False) -> Variant:
    """The variant in effect; "auto" keeps groups and time where they are known, and else spreads classes."""
    whole = _settled("grouped", grouped, rows.groups is not None, "groups")
    forward = _settled("ordered", ordered, rows.time is not None, "a time for each row")
    if stratified == "auto":
        return Variant(rows.classes is not None and not (whole or forward), whole, forward)
    spread = _settled("stratified", stratified, rows.classes is not None, "a target of classes")
    if spread and (whole or forward):
        other = "groups whole" if whole else "rows in time order"
        near = f", or use {spread_groups(5)}, which comes near" if whole and not forward else ""
        says = f"classes cannot be spread evenly while keeping {other}: leave stratified=True out{near}"
        raise Refused(says, "variants")
    return Variant(spread, whole, forward)


def spread_groups(folds: int) -> str:
    """Whole groups in folds that come near to the same classes, as it is typed everywhere."""
    return f"by='sklearn.model_selection:StratifiedGroupKFold(n_splits={folds})'"


def _settled(name: str, said: Said, possible: bool, needs: str) -> bool:
    if said == "auto":
        return possible
    if not isinstance(said, bool):
        raise BadInput(f"{name} must be True, False or 'auto', not {said!r}")
    if said and not possible:
        raise Refused(f"{name}=True needs {needs}, which these rows do not have", "variants")
    return said


def no_repeats_in_time(repeats: int, instead: str) -> None:
    """Time order leaves nothing to chance, so a second repeat would be the first again."""
    if repeats > 1:
        raise Refused(
            f"rows in time order have one such split only, so there is nothing to repeat: use {instead}, "
            "or ordered=False if time does not matter",
            "repeats-in-time",
        )
