"""Units of what is to be measured: methods of the catalogue in a world of the lab, at one size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from veracity import lab

Row = dict[str, Any]
Room = Literal["intervals", "comparisons", "adjustments", "risk", "effects", "methods"]
Verb = Literal["coverage", "size", "power"]
TRIALS = 1_000
DIGITS = 4
FIGURES = ("covered", "rejected", "bias")  # told also where they are 0
SHARES = tuple(round(0.05 * step, 2) for step in range(1, 20))


@dataclass(frozen=True)
class Specification:
    """What a unit is called, where its figures are kept, and how they are found from a seed."""

    unit: str
    room: Room
    rows: Callable[[int], list[Row]]


def each_cell(
    room: Room, measure: Callable[..., list[Row]], cells: Iterable[tuple[Any, ...]]
) -> Iterator[Specification]:
    """One for each cell of a function that gives rows of a cell and a seed."""
    for cell in cells:
        name = f"{measure.__name__.replace('_', ' ')}: {', '.join(map(str, cell))}"
        yield Specification(name, room, partial(measure, *cell))


def coverage(world: str, methods: Sequence[str], rows: Sequence[int], **how: Any) -> Iterator[Specification]:
    """How often intervals hold the truth."""
    yield from _units("coverage", "intervals", world, methods, rows, **how)


def size(world: str, methods: Sequence[str], rows: Sequence[int], **how: Any) -> Iterator[Specification]:
    """How often tests claim what is not so."""
    yield from _units("size", "comparisons", world, methods, rows, **how)


def power(world: str, methods: Sequence[str], rows: Sequence[int], **how: Any) -> Iterator[Specification]:
    """How often tests find what is so."""
    yield from _units("power", "comparisons", world, methods, rows, **how)


def families(
    verb: Verb, world: str, methods: Sequence[str], rows: Sequence[int], **how: Any
) -> Iterator[Specification]:
    """Errors and power of post hoc tests and adjustments."""
    yield from _units(verb, "adjustments", world, methods, rows, **how)


def over_shares(
    verb: Verb, world: str, methods: Sequence[str], rows: Sequence[int], **how: Any
) -> Iterator[Specification]:
    """Enumerated for shares from .05 to .95 and averaged, the worst beside it: laws of counts jump from share to share.

    `world` has a place for the share.
    """
    room: Room = "intervals" if verb == "coverage" else "comparisons"
    for number in rows:
        asked = partial(_averaged_rows, verb, world, tuple(methods), number, how)
        yield Specification(_name(verb, f"{world} for all shares", methods, number, how), room, asked)


def _units(
    verb: Verb, room: Room, world: str, methods: Sequence[str], rows: Sequence[int], **how: Any
) -> Iterator[Specification]:
    for number in rows:
        asked = partial(_rows, verb, world, tuple(methods), number, how)
        yield Specification(_name(verb, world, methods, number, how), room, asked)


def _name(verb: str, world: str, methods: Sequence[str], rows: int, how: dict[str, Any]) -> str:
    options = "".join(f", {name}={value}" for name, value in sorted(how.items()))
    return f"{verb} of {' + '.join(methods)} in {world}, {rows} rows{options}"


def _rows(verb: Verb, world: str, methods: tuple[str, ...], rows: int, how: dict[str, Any], seed: int) -> list[Row]:
    measure: Any = {"coverage": lab.coverage, "size": lab.size, "power": lab.power}[verb]
    found = measure(world, methods=methods, rows=rows, seed=seed, **{"trials": TRIALS, **how})
    score = how.get("score") or getattr(lab.worlds.choose(world).entry.function, "score", None) or ""
    return [_coverage_row(one, score) if verb == "coverage" else _rejection_row(one, score) for one in found]


def _averaged_rows(
    verb: Verb, world: str, methods: tuple[str, ...], rows: int, how: dict[str, Any], seed: int
) -> list[Row]:
    each = [_rows(verb, world.format(share=share), methods, rows, how, seed) for share in SHARES]
    return [_averaged_row(verb, world, of_method) for of_method in zip(*each, strict=True)]


def _averaged_row(verb: Verb, world: str, each: tuple[Row, ...]) -> Row:
    figure = "covered" if verb == "coverage" else "rejected"
    values = [row[figure] for row in each]
    mean = {
        name: float(f"{sum(row.get(name, 0) for row in each) / len(each):.4g}")
        for name in ("above", "below", "width", "refused", "cautioned")
        if any(name in row for row in each)
    }
    worst = min(values) if verb == "coverage" else max(values)
    spelled = world.format(share=f"{SHARES[0]} to {SHARES[-1]}")
    trials = sum(row["trials"] for row in each)
    average = {figure: round(sum(values) / len(values), DIGITS), "worst": worst}
    return {**each[0], "world": spelled, "trials": trials, **mean, **average}


def _coverage_row(found: lab.Covered, score: str) -> Row:
    return brief_row(
        method=found.method,
        world=found.world,
        rows=found.rows,
        level=found.level,
        trials=found.trials,
        refused=round(found.refused, DIGITS),
        score=score or "score",
        covered=round(found.coverage, DIGITS),
        above=round(found.low_misses, DIGITS),
        below=round(found.high_misses, DIGITS),
        width=float(f"{found.width:.4g}"),
        enumerated=found.enumerated,
    )


def _rejection_row(found: lab.Rejected, score: str) -> Row:
    return brief_row(
        method=found.method,
        world=found.world,
        rows=found.rows,
        level=found.level,
        trials=found.trials,
        refused=round(found.refused, DIGITS),
        cautioned=round(found.cautioned, DIGITS),
        rejected=round(found.rejected, DIGITS),
        spread=round(found.error, 5),
        noun="error rate" if found.what == "size" else found.what,
        score=score,
        enumerated=found.enumerated,
    )


def brief_row(**row: Any) -> Row:
    """A row without what goes without saying."""
    return {name: value for name, value in row.items() if name in FIGURES or value not in (None, "", 0)}
