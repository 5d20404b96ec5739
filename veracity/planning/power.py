"""How many rows, splits or data sets a question needs, before any is spent on it."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import Any

import numpy as np

from veracity.core.arguments import matches_type, verb
from veracity.core.catalogue import Catalogue
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import seed_note
from veracity.core.spelling import read
from veracity.core.words import option
from veracity.designs.make_design import make_design
from veracity.findings.curve import Curve, Line, Mark
from veracity.findings.planning import WORDS, Power
from veracity.planning import MANY, PowerOf, powers
from veracity.records.design import Rows

FINE, ROUGH = 1e-9, 1e-4  # how near an effect is found, as a share of it; a simulated power is no better than that
STEPS = 60  # halvings that leave nothing of an interval of numbers
OF_DESIGN = ("splits", "train", "test")  # what a design tells
FEWEST, MOST = 2, 10**6  # rows of which its splits are made
USUAL = 1_000  # of them where nobody says: designs are mostly of shares
SMOOTH = 10**6  # a size beyond which one count more or less changes nothing that is printed


@verb
def power(
    test: MethodLike, /, *, power: float | None = None, level: float = 0.95, seed: int = 0, **given: Any
) -> Power:
    """The power of a test, or the size (rows, data sets, splits) or the smallest effect that a wanted power takes.

    Give two of size, effect and power; the third is answered. `catalogue("power")` lists the tests and what each is
    told: `power("mcnemar", difference=0.03, discordant=0.10, power=0.8)` needs 870 rows. Tests of splits take `by`, a
    design such as "repeated_kfold(k=10, repeats=10)", in place of their splits, train and test; `plot` draws a curve.

    Parameters
    ----------
    test
        The test by its name: 'mcnemar', 'corrected_t', 'wilcoxon', ...
    power
        The chance of finding the difference; left out, it is answered.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    seed
        Where random numbers begin; the same seed gives the same numbers.
    **given
        Size, effect and what else the test is told: rows, difference, discordant, sd, ...

    Examples
    --------
    >>> vc.power("mcnemar", difference=0.03, discordant=0.10, power=0.8).rows
    870
    """
    given = with_design(test, given)
    choice = choose_planned(powers, test, given)
    entry: PowerOf = choice.entry
    at = Confidence(level)
    if power is not None and not 0 < power < 1:
        raise BadInput(f"`power=` lies strictly between 0 and 1, not {power!r}; try 0.8")
    size, effect = given.get(entry.size), given.get(entry.effect)
    if size is not None and (not matches_type("int", size) or not entry.least <= size <= MANY):
        raise BadInput(f"`{entry.size}=` is a whole number from {entry.least} to {MANY:,}, not {size!r}")
    if effect is not None and (not matches_type("float", effect) or not math.isfinite(effect)):
        raise BadInput(f"`{entry.effect}=` is a number, not {effect!r}")
    if effect is not None and effect == (0.5 if entry.effect == "win" else 0):
        raise BadInput(f"{entry.effect}={effect:g} is no difference: nothing can find it")
    asked = {entry.size: size, entry.effect: effect, "power": power}
    open_ones = [name for name, value in asked.items() if value is None]
    if len(open_ones) != 1:
        raise BadInput(
            f"power of {entry.name} needs two of `{entry.size}=`, `{entry.effect}=` and `power=`, and answers the third"
        )
    choice = choice.with_seed(seed)
    draws = choice.value("draws")
    if size is None and power is not None:
        size = smallest_size(lambda size: bool(choice.function(size, effect, at) >= power), entry.least, entry.most)
        if size is None:
            reached, more = float(choice.function(entry.most, effect, at)), f"; {entry.beyond}" if entry.beyond else ""
            says = f"even {entry.most:,} {WORDS[entry.size]} give power {reached:.3g} only{more}"
            raise Refused(says, "no-power")
        if entry.jagged:
            size = _past_dips(lambda sizes: choice.function(sizes, effect, at), power, size)
    elif effect is None and power is not None:
        low, high = entry.span(choice.given)
        fine = FINE if draws is None else ROUGH
        effect = smallest_effect(lambda effect: float(choice.function(size, effect, at)), power, low, high, fine)
    assert size is not None and effect is not None  # as one of three was asked for
    chance = float(choice.function(size, effect, at))
    error = None if draws is None else math.sqrt(chance * (1 - chance) / draws)
    told = tuple((name, number) for name, number in choice.arguments if name != "seed")
    numbers: Any = {entry.size: int(size), entry.effect: float(effect)}
    notes = () if draws is None else (seed_note(draws, choice.value("seed")),)
    return Power(entry.name, chance, at.level, open_ones[0], told, error=error, notes=notes, **numbers)


def with_design(test: MethodLike, given: dict[str, Any]) -> dict[str, Any]:
    """Return what is told of a planned test, with the splits, train and test of its design `by` written out."""
    if given.get("by") is None:
        return given
    entry: Any = powers.resolve(read(test).name)[0] if isinstance(test, str) else getattr(test, "entry", test)
    if entry.size != "splits":
        names = " or ".join(one.name for one in powers if one.size == "splits")
        raise BadInput(f"`by=` is a design for tests of splits, {names}, and {entry.name} is none")
    twice = next((name for name in OF_DESIGN if given.get(name) is not None), None)
    if twice is not None:
        raise BadInput(f"`by=` says what `{twice}=` says too: leave one of them out")
    rows = given.get("rows", USUAL)
    if not matches_type("int", rows) or not FEWEST <= rows <= MOST:
        raise BadInput(f"`rows=` is a whole number from {FEWEST} to {MOST:,}, not {rows!r}")
    rest = {name: value for name, value in given.items() if name not in ("by", "rows")}
    design = make_design(given["by"], Rows(int(rows)), 0)
    main = [design.splits[number] for number in design.main_splits]
    train, test = np.mean([(split.learned_from, len(split.test)) for split in main], axis=0).tolist()
    return {**rest, "splits": len(main), "train": train, "test": test}


def choose_planned(
    catalogue: Catalogue[Any], asked: MethodLike, given: dict[str, Any], words: tuple[str, ...] = ()
) -> Choice:
    """Return a test or interval with its parameters, given in the text or beside it; `words` are the verb's own."""
    if not isinstance(asked, str):
        return catalogue.choose(asked)
    entry, implied = catalogue.resolve(read(asked).name)
    told = {**implied, **dict(read(asked).arguments)}
    names = [parameter.name for parameter in entry.parameters]
    words = words or (entry.size, entry.effect, "power")
    strange = [name for name in given if name not in (*names, *words)]
    if strange:
        known = ", ".join(map(option, (*words, *names)))
        others = " or ".join(other.name for other in catalogue if getattr(other, "size", "") == strange[0])
        way_out = f"; `{strange[0]}=` is the size of {others}" if others else ""
        raise BadInput(f"{entry.kind} of {entry.name} is not asked with `{strange[0]}=`: it takes {known}{way_out}")
    told |= {name: value for name, value in given.items() if name in names}
    missing = [p.name for p in entry.parameters if p.required and p.name not in told]
    if missing:
        says = " ".join(entry.details.split()) or entry.sentence
        raise BadInput(f"{entry.kind} of {entry.name} needs `{missing[0]}=`: {says}")
    return entry.choose(**told)


def smallest_size(enough: Callable[[int], bool], least: int, most: int) -> int | None:
    """Return the smallest size that is enough, by doubling and halving; None where no size is."""
    low, high = least - 1, least
    while not enough(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    return bisect_left(range(high), True, low + 1, key=enough)


def _past_dips(power: Callable[[Any], Any], wanted: float, size: int) -> int:
    """Return the size from which on power is never below what is wanted: counts that do not suffice yet lower it."""
    while size <= SMOOTH:
        ahead = np.arange(size, size + math.ceil(20 * math.sqrt(size)) + 200)
        dips = np.flatnonzero(power(ahead) < wanted)
        if not len(dips):
            break
        size = int(ahead[dips[-1]]) + 1
    return size


def smallest_effect(
    power: Callable[[float], float], wanted: float, low: float, high: float, fine: float = FINE
) -> float:
    """Return the smallest effect found with a power, by halving; refuse where even the largest one is not."""
    most = power(high)
    if most < wanted:
        raise Refused(f"even the largest possible effect, {high:g}, is found with power {most:.3g} only", "no-power")
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= wanted else (middle, high)
        if high - low <= fine * high:
            break
    return high


POINTS, SIMULATED = 80, 14  # sizes of a line; fewer where each one is simulated
TIMES = (1.0, 0.5, 1.5)  # of the effect, a line each; that of the answer first
REACH = 2.5  # times the size that was answered
WANTED = 0.8  # a chance that is often asked for


def power_curve(answer: Power) -> Curve:
    """Return power against size for the effect of an answer, for half as much and for half as much again."""
    entry: PowerOf = powers[answer.test]
    choice = entry.choose(**dict(answer.given))
    size, effect = getattr(answer, entry.size), getattr(answer, entry.effect)
    points = SIMULATED if answer.error is not None else POINTS
    last = min(max(round(REACH * size), entry.least + points), entry.most)
    sizes = np.unique(np.linspace(entry.least, max(last, size), points).round().astype(int))
    at = Confidence(answer.level)
    low, high = entry.span(choice.given)  # a probability of winning is counted from even
    effects = [low + times * (effect - low) for times in TIMES if abs(low + times * (effect - low)) <= high]
    lines = []
    for one in effects:
        powers_of_sizes = np.array([float(choice.function(int(n), one, at)) for n in sizes])
        lines.append(Line(f"{entry.effect} {one:.3g}", sizes.astype(float), powers_of_sizes))
    wanted = WANTED if answer.solved == "power" else answer.power
    ends = np.array([sizes[0], sizes[-1]], float)
    guide = Line(f"power {wanted:.3g}", ends, np.full(2, wanted))
    mark = Mark("asked", float(size), answer.power, says=answer.sentence(), of=f"{entry.effect} {effect:.3g}")
    title = f"Power of {answer.about}"
    x_range = (float(sizes[0]), float(sizes[-1]))
    titles = (title, WORDS[entry.size], f"chance to conclude at level {answer.level:g}")
    return Curve("power", *titles, tuple(lines), (guide,), (mark,), x_range=x_range, y_range=(0.0, 1.0))
