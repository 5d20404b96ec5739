"""Calls of veracity: run here, and written as the command and as the Python that give the same numbers."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from io import StringIO
from typing import Any


@dataclass(frozen=True, eq=False)
class Source:
    """The first argument of a call, and how Python and a command read it."""

    value: Any
    name: str  # of the variable
    python: str
    words: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Written:
    """An argument, and the Python that makes it."""

    value: Any
    python: str

    def __repr__(self) -> str:
        return self.python


@dataclass(frozen=True, eq=False)
class Call:
    """A function with its arguments; those that are None, False or empty are left out wherever it is written.

    `words` and `options` are the arguments of the command where it takes them in another way than the function.
    """

    function: Callable[..., Any]
    source: Source | None = None
    positional: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    look: Mapping[str, Any] = field(default_factory=dict)  # of the table of the result
    verb: str = ""
    words: tuple[str, ...] = ()
    options: Mapping[str, Any] | None = None

    def run(self) -> Any:
        """Return what the function gives."""
        first = () if self.source is None else (self.source.value,)
        positional = (one.value if isinstance(one, Written) else one for one in self.positional)
        named = {name: value for name, value in self.named.items() if not is_left_out(value)}
        found = self.function(*first, *positional, **named)
        return found.with_look(**self.look) if self.look else found

    @property
    def as_python(self) -> str:
        """Return the lines of Python, of which the last prints the result."""
        name, source = self.function.__name__, self.source
        before = [] if source is None else [f"{source.name} = {source.python}"]
        if source is not None and "." in self.function.__qualname__:  # a method of what was read
            call = python_call(f"{source.name}.{name}", *self.positional, **self.named)
        else:
            first = () if source is None else (Written(None, source.name),)
            call = python_call(f"vc.{name}", *first, *self.positional, **self.named)
        call += python_call(".with_look", **self.look) if self.look else ""
        return "\n".join(["import veracity as vc", "", *before, f"answer = {call}", "print(answer)"])

    @property
    def as_command(self) -> str:
        """Return the line of a terminal."""
        words, chosen = ((), {}) if self.source is None else (self.source.words, self.source.options)
        options = self.named if self.options is None else self.options
        return shell_line(self.verb or self.function.__name__, *words, *self.words, **options, **chosen)


def shell_line(verb: str, *words: str, **options: Any) -> str:
    """`veracity rank results.db --score error`; what is None, False or empty is left out, a list is repeated."""
    parts = ["veracity", verb, *words]
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            parts.append(flag)
        elif not is_left_out(value):
            each = value if isinstance(value, (list, tuple)) else (value,)
            parts += [part for one in each for part in (flag, float_text(one) if isinstance(one, float) else str(one))]
    return shlex.join(parts)


def pair_text(a: str, b: str) -> str:
    """Two names as `--pair` reads them: one with a comma or a quote in double quotes."""
    text = StringIO()
    csv.writer(text, lineterminator="").writerow((a, b))
    return text.getvalue()


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
