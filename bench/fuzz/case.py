"""One input, what veracity is asked about it, and what must come back."""

from __future__ import annotations

import math
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from veracity.core.errors import VeracityError

LONGEST = 1_500  # characters of a sentence
CLOSE = 1e-9


def accept_any(answer: Any) -> str:
    """The check of an input whose answer nothing else knows."""
    return ""


@dataclass(frozen=True)
class Case:
    """An input that can be asked about once."""

    text: str  # how it reads, for whoever looks into what went wrong
    ask: Callable[[], Any]
    check: Callable[[Any], str] = accept_any  # what is wrong with an answer, nothing where it is right
    valid: bool = False  # whether to refuse it is wrong


class Outcome(NamedTuple):
    """accepted, refused, wrong or traceback, and what there is to say of it."""

    kind: str
    says: str = ""


def judge(case: Case) -> Outcome:
    """What came of a case."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            answer = case.ask()
        except VeracityError as why:
            return _judge_refusal(case, why)
        except Exception:
            return Outcome("traceback", traceback.format_exc(limit=-6))
        problem = case.check(answer)
    return Outcome("wrong", problem) if problem else Outcome("accepted")


def _judge_refusal(case: Case, why: VeracityError) -> Outcome:
    for line in why.lines:
        if not line.strip() or "\n" in line or len(line) > LONGEST:
            return Outcome("wrong", f"no clear sentence: {line[:LONGEST]!r}")
    return Outcome("wrong", f"valid, but refused: {why}") if case.valid else Outcome("refused", str(why))


def compare_number(name: str, found: Any, expected: float) -> str:
    """What is wrong with a number, nothing where it is the expected one; NaN, or null in JSON, stands for undefined."""
    found, expected = math.nan if found is None else float(found), float(expected)
    if math.isnan(expected) or math.isnan(found):
        same = math.isnan(expected) and math.isnan(found)
    else:
        same = found == expected or abs(found - expected) <= CLOSE * max(1.0, abs(expected))
    return "" if same else f"{name} is {found!r}, but by plain Python {expected!r}"


def compare_numbers(name: str, found: Sequence[Any], expected: Sequence[float]) -> str:
    """The same of several."""
    if len(found) != len(expected):
        return f"{name}: {len(found)} numbers, but by plain Python {len(expected)}"
    return "".join(compare_number(name, a, b) for a, b in zip(found, expected, strict=True))
