"""Views that are pinned to a page: their questions stand in its address, their answers below each other on it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLong
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from veracity.core.errors import VeracityError
from veracity.core.words import for_command_line
from veracity.web.asked import Asked
from veracity.web.view import View

WORD = "pin"
MOST = 12  # pins of a page
SOON = 0.2  # seconds that a page waits for each
LATER = "is being worked on: look again"


@dataclass(frozen=True)
class Pin:
    """A question that was asked before, what was answered, and the ways to it and to the page without it."""

    says: str
    answer: str
    problem: str
    address: str
    without: str


def pins(asked: Asked, ask: Callable[[Asked], Future[View]]) -> list[Pin]:
    """Those that an address holds, in the order in which they were pinned."""
    return [_pin(asked, text, ask) for text in asked.every(WORD)[:MOST]]


def address_with_pin(asked: Asked) -> str | None:
    """This page with its own view pinned to it; None where it is, or where there are many already."""
    known, own = asked.every(WORD), _question(asked)
    return None if own in known or len(known) >= MOST else asked.address(pin=[*known, own])


def _question(asked: Asked) -> str:
    words = [(key, value) for key, value in asked.query if key != WORD and value]
    return urlencode(words if any(key == "view" for key, _ in words) else [("view", "overview"), *words])


def _pin(asked: Asked, text: str, ask: Callable[[Asked], Future[View]]) -> Pin:
    known = asked.every(WORD)
    words = tuple(pair for pair in parse_qsl(text, max_num_fields=200) if pair[0] != WORD)
    there = replace(asked, query=(*words, *((WORD, one) for one in known)))
    without = asked.address(pin=[one for one in known if one != text])
    answer, problem = "", ""
    try:
        shown = ask(there).result(SOON)
        answer = shown.answer or shown.title
    except TooLong:
        answer = LATER
    except VeracityError as why:
        problem = for_command_line(why.says)
    view = next((value for key, value in words if key == "view"), "overview")
    more = [f"{key} {value}" for key, value in words if key != "view"]
    return Pin(", ".join([view.capitalize(), *more]), answer, problem, there.address(), without)
