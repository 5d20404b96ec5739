"""The line that gives the same numbers: as a command, and in Python."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

PYTHON_NAMES = {"list": "catalogue"}


@dataclass(frozen=True)
class Lines:
    """What a view can be asked for with elsewhere."""

    command: str
    python: str

    @classmethod
    def from_verb(cls, verb: str, *words: str) -> Lines:
        """A verb of a few words."""
        called = python_call(f"vc.{PYTHON_NAMES.get(verb, verb)}", " ".join(words))
        return cls(shell_line(verb, *words), python_text((), called))


class Name(str):
    """What stands in a call as it is: a variable, no text."""

    __repr__ = str.__str__


def shell_line(verb: str, *words: str, **options: Any) -> str:
    """`veracity rank results.db --score error`; what is None, False or empty is left out, a list is repeated."""
    parts = ["veracity", verb, *words]
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            parts.append(flag)
        elif not is_left_out(value):
            each = value if isinstance(value, (list, tuple)) else (value,)
            parts += [part for one in each for part in (flag, _text(one))]
    return shlex.join(parts)


def pair_text(a: str, b: str) -> str:
    """Two names as `--pair` reads them: one with a comma or a quote in double quotes."""
    text = StringIO()
    csv.writer(text, lineterminator="").writerow((a, b))
    return text.getvalue()


def _text(value: Any) -> str:
    return float_text(value) if isinstance(value, float) else str(value)


def float_text(value: float) -> str:
    """A number as one types it, with all its digits."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def is_left_out(value: Any) -> bool:
    """Whether a word is not said at all; zero is said."""
    return value is None or value is False or value in ((), [])


def python_call(function: str, *positional: Any, **named: Any) -> str:
    """A call as one types it, without what is None, False or empty."""
    words = [f"{name}={value!r}" for name, value in named.items() if not is_left_out(value)]
    return f"{function}({', '.join([*map(repr, positional), *words])})"


def python_text(before: Sequence[str], answer: str) -> str:
    """Lines that end in an answer, which is printed."""
    return "\n".join(["import veracity as vc", "", *before, f"answer = {answer}", "print(answer)"])


def runs_text(where: str, study: str | None, chosen: Mapping[str, Any], more: Mapping[str, Any]) -> str:
    """How the runs of a store are read, and which of them."""
    words = {"learners": list(chosen["only"]), "data": list(chosen["data"]), "by": chosen["by"]}
    only = python_call(".only", **words) if any(words.values()) else ""
    positive = f".with_positive({more['positive']!r})" if more.get("positive") is not None else ""
    read = python_call("vc.read_runs", where, *(() if study is None else (study,)))
    return f"runs = {read}{only}{positive}"
