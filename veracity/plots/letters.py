"""How much room words take, told without drawing them, where they break into lines, and names along an axis."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from veracity.core.words import spell_out_controls

# shares of the size of the letters, a little more than DejaVu Sans takes, which is wider than most
NARROW, USUAL, BROAD, FULL = 0.41, 0.65, 0.85, 1.01
WIDTHS = {
    **dict.fromkeys(" !'(),-./:;IJ[]\\fijlrt|", NARROW),
    **dict.fromkeys("#&+<=>ABCDGHKNOQRUVXZ^w~", BROAD),
    **dict.fromkeys("%@MWm", FULL),
}
BREAKS = re.compile(r"(?<=[ _,=:/])|(?<=\w\()|(?<=[-.])(?!\d)")  # where a line may end; never inside a number
LONGEST_PLACE = 20  # characters of a name along an axis
BETWEEN_PLACES = 0.7  # between two names side by side, in sizes of their letters
UPRIGHT = 1.3  # from one upright name to the next


def text_width(line: str) -> float:
    """The width of a line in sizes of its letters, rather too large than too small."""
    width = 0.0
    for letter in line:
        if letter.isascii():
            width += WIDTHS.get(letter, USUAL)
        elif not unicodedata.combining(letter):
            width += FULL if unicodedata.east_asian_width(letter) in "WF" else BROAD
    return width


def break_lines(line: str, most: float) -> tuple[str, ...]:
    """The line as several that are at most so wide: behind a space or a sign if there is one, else inside a word."""
    lines, now = [], ""
    for piece in BREAKS.split(line):
        if now and text_width((now + piece).rstrip()) > most:
            lines.append(now)
            now = ""
        now += piece
        while text_width(now.rstrip()) > most and len(now.rstrip()) > 1:
            fits = max([1, *(number for number in range(1, len(now)) if text_width(now[:number]) <= most)])
            lines.append(now[:fits])
            now = now[fits:]
    return tuple(each.strip() for each in (*lines, now) if each.strip()) or ("",)


def break_name(name: str, longest: int, most: float) -> tuple[str, ...]:
    """A name of at most so many characters in lines that are at most so wide."""
    return break_lines(cut(" ".join(name.split()), longest), most)


def cut(name: str, longest: int, inside: bool = True) -> str:
    """A name too long for a picture, cut inside, as what tells learners apart stands at both ends, or at its end."""
    name = spell_out_controls(name)
    if len(name) <= longest:
        return name
    half = (longest - 1) // 2
    return f"{name[:half]}…{name[-half:]}" if inside else f"{name[: longest - 1]}…"


@dataclass(frozen=True)
class PlaceNames:
    """The names that are shown at 1, 2, ..., and how far down they reach beyond one line, in sizes of the letters."""

    names: dict[float, str]
    upright: bool = False
    deeper: float = 0.0


def place_names(names: Sequence[str], room: float) -> PlaceNames:
    """Names along an axis of this many sizes of their letters; of more than can be read, every second or third."""
    short = {float(place): cut(" ".join(name.split()), LONGEST_PLACE) for place, name in enumerate(names, 1)}
    each, widest = room / len(short), max(map(text_width, short.values()))
    if widest + BETWEEN_PLACES <= each:
        return PlaceNames(short)
    step = max(1, math.ceil(UPRIGHT / each))
    return PlaceNames(dict(list(short.items())[::step]), upright=True, deeper=max(0.0, widest - 1))
