"""How much room words take, told without drawing them, and where they break into lines."""

from __future__ import annotations

import re
import unicodedata

# shares of the size of the letters, a little more than DejaVu Sans takes, which is wider than most
NARROW, USUAL, BROAD, FULL = 0.41, 0.65, 0.85, 1.01
WIDTHS = {
    **dict.fromkeys(" !'(),-./:;IJ[]\\fijlrt|", NARROW),
    **dict.fromkeys("#&+<=>ABCDGHKNOQRUVXZ^w~", BROAD),
    **dict.fromkeys("%@MWm", FULL),
}
BREAKS = re.compile(r"(?<=[ _,=:/])|(?<=\w\()|(?<=[-.])(?!\d)")  # where a line may end; never inside a number


def wide(line: str) -> float:
    """The width of a line in sizes of its letters, rather too large than too small."""
    return sum(map(_letter, line))


def _letter(one: str) -> float:
    if one.isascii():
        return WIDTHS.get(one, USUAL)
    if unicodedata.combining(one):
        return 0.0
    return FULL if unicodedata.east_asian_width(one) in "WF" else BROAD


def broken(line: str, most: float) -> tuple[str, ...]:
    """The line as several that are at most so wide: behind a space or a sign if there is one, else inside a word."""
    lines, now = [], ""
    for piece in BREAKS.split(line):
        if now and wide((now + piece).rstrip()) > most:
            lines.append(now)
            now = ""
        now += piece
        while wide(now.rstrip()) > most and len(now.rstrip()) > 1:
            fits = _fitting(now, most)
            lines.append(now[:fits])
            now = now[fits:]
    return tuple(each.strip() for each in (*lines, now) if each.strip()) or ("",)


def _fitting(word: str, most: float) -> int:
    """How many of its first letters fit, at least one."""
    return max([1, *(number for number in range(1, len(word)) if wide(word[:number]) <= most)])


def cut(name: str, longest: int) -> str:
    """A name that is too long for any picture, cut in its middle: what tells learners apart stands at both ends."""
    if len(name) <= longest:
        return name
    half = (longest - 1) // 2
    return f"{name[:half]}…{name[-half:]}"
