"""Planning: how much it takes to see a difference, or to have an interval so narrow, as a number and as a curve."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from starlette.responses import Response

from veracity.core.errors import VeracityError
from veracity.core.words import for_command_line
from veracity.findings.curve import Curve, Line, Mark
from veracity.findings.planning import Planned
from veracity.planning import powers, widths
from veracity.planning.interval_width import interval_width
from veracity.planning.power import power, power_curve
from veracity.plots.plot import plot
from veracity.web.asked import Asked
from veracity.web.calls import Call
from veracity.web.estimators import value_of
from veracity.web.pages import page, status_of
from veracity.web.view import View, export, view_of_result

FIRST = {"test": "mcnemar", "difference": "0.03", "discordant": "0.1", "power": "0.8"}
FIRST_WIDTH = {"width_of": "share", "value": "0.1", "width": "0.04"}
HIDDEN = ("seed", "draws")
POINTS = 60  # of a curve
SLIDERS = {  # words that a slider moves, between which numbers
    **dict.fromkeys(("power", "discordant", "value", "alike", "prevalence"), (0.01, 0.99)),
    **dict.fromkeys(("difference", "width", "sd"), (0.001, 0.5)),
    "win": (0.51, 0.99),
}


def plan_page(asked: Asked) -> Response:
    """Both questions; the one that is asked has its answer."""
    given = _question(asked)
    about: dict[str, Any] = {"shown": None, "given": given, "sliders": SLIDERS}
    about |= {"tests": [one.name for one in powers], "widths": [one.name.removesuffix("_width") for one in widths]}
    about["words"] = _words(given)
    status = 200
    try:
        about["shown"] = _answer(given)
        about["sections"] = about["shown"].sections
    except VeracityError as why:
        status, about["problem"] = status_of(why), for_command_line(why.says)
    return page(asked, "plan.html", "Planning", status, **about)


def plan_export(asked: Asked) -> Response:
    """The same address with an ending."""
    return export(_answer(_question(asked)), asked.names["form"], "plan")


def _question(asked: Asked) -> dict[str, str]:
    """The words of the address, or of an example where there are none."""
    given = {name: value for name, value in asked.query if value}
    if not {"test", "width_of"} & set(given):
        return FIRST
    other = "width_of" if "test" in given else "test"
    if set(given) <= {"test"} or set(given) <= {"width_of"}:
        return FIRST_WIDTH | given if "width_of" in given else FIRST | given
    return {name: value for name, value in given.items() if name != other}


def _words(given: dict[str, str]) -> list[str]:
    """What the question can be told."""
    if "test" in given:
        if given["test"] not in powers:
            return []
        entry: Any = powers[given["test"]]
        own = [one.name for one in entry.parameters if one.name not in HIDDEN]
        return [entry.size, entry.effect, "power", *own, "level"]
    name = f"{given['width_of']}_width"
    if name not in widths:
        return []
    return ["rows", "width", *(one.name for one in widths[name].parameters), "level"]


def _answer(given: dict[str, str]) -> View:
    of, ask = ("test", power) if "test" in given else ("width_of", interval_width)
    known = _words(given)  # what another test was told is left over in the form, and means nothing here
    options: dict[str, Any] = {name: value_of(value) for name, value in given.items() if name in known}
    call = Call(ask, positional=(given[of],), named=options, words=(given[of],))
    found = call.run()
    if isinstance(found, Planned):
        chart = width_curve(given[of], found, options)
        view = view_of_result(found, "Width", call, charts=(chart,))
        return replace(view, draw=partial(plot, chart), answer=found.sentence())
    chart = power_curve(found)
    return replace(view_of_result(found, "Power", call, charts=(chart,)), draw=partial(plot, chart))


def width_curve(of: str, found: Planned, options: dict[str, Any]) -> Curve:
    """The expected width over the rows, around the answer."""
    rows, width, level = (found.numbers[word] for word in ("rows", "width", "level"))
    told = {name: value for name, value in options.items() if name not in ("rows", "width", "level")}
    least = widths[f"{of}_width"].least
    sizes = np.unique(np.geomspace(max(rows / 10, least), rows * 4, POINTS).astype(int).clip(least))
    found_widths = [interval_width(of, rows=int(size), level=level, **told).numbers["width"] for size in sizes]
    line = Line("expected width", sizes.astype(float), np.array(found_widths))
    mark = Mark("asked for", float(rows), float(width))
    return Curve("width", f"Width of the interval of a {of}", "rows", "expected width", (line,), marks=(mark,))
