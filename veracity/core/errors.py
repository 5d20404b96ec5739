"""What veracity raises: bad input, all mistakes of one, a store or an engine that fails, a method not valid here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from veracity.core.words import brief, spell_out_controls, without_passwords

Q = TypeVar("Q")  # a question
A = TypeVar("A")  # its answer
LONGEST = 1_000  # characters of a sentence: what a user gave, and it names, may be of any length and hold line breaks


class VeracityError(Exception):
    """Base of everything veracity raises on purpose; its text is one sentence for the user.

    Attributes
    ----------
    says
        One sentence for people.
    exit_status
        The exit status of the command line.

    Examples
    --------
    >>> issubclass(vc.Refused, vc.VeracityError)
    True
    """

    exit_status = 2  # of the command line: wrong call or bad input

    def __init__(self, says: str) -> None:
        says = spell_out_controls(brief(without_passwords(says), LONGEST))
        super().__init__(says)

    @property
    def says(self) -> str:
        """The sentence, which the command line may say in its own words."""
        says: str = self.args[0]
        return says

    @property
    def lines(self) -> list[str]:
        """What to tell the user: one sentence, or one for each mistake of an input that has several."""
        return [self.says]


class BadInput(VeracityError, ValueError):
    """The call or the data is wrong; the sentence names the place and the way out.

    Attributes
    ----------
    says
        One sentence for people.
    exit_status
        The exit status of the command line.

    Examples
    --------
    >>> try:
    ...     vc.predictions([0, 1], label=[0])
    ... except vc.BadInput as why:
    ...     print(why)
    label has 1 rows, but truth has 2: they must match
    """


class StoreError(VeracityError):
    """The call is right, but the place that keeps a study fails: full, read-only, locked, damaged, out of reach."""

    exit_status = 1


def damage(where: object, what: str) -> str:
    """What to say of a store that opens, but holds what cannot be."""
    return f"{where} is damaged ({what}): `vc.check_store` says what to do"


def damage_error(where: object, what: str) -> StoreError:
    """What to raise where somebody asks for it."""
    return StoreError(damage(where, what))


class EngineLost(VeracityError):
    """What carries out fits cannot be reached or started."""

    exit_status = 1


class AskedToEnd(SystemExit):
    """The system asks the process to end, which no module that is being imported has to do with."""


class Refused(VeracityError, ValueError):
    """A method is not valid for this evidence; the sentence says why and names a replacement.

    Attributes
    ----------
    says
        One sentence for people.
    code
        A short name that stays the same for ever.
    exit_status
        The exit status of the command line.

    Examples
    --------
    >>> old = vc.predictions(correct=[1, 0, 0, 1, 0, 1, 0, 1], rows=range(8))
    >>> new = vc.predictions(correct=[1, 1, 1, 1, 0, 1, 1, 1], rows=range(8))
    >>> try:
    ...     vc.compare({"old": old, "new": new}, "error", using="two_proportion_z")
    ... except vc.Refused as why:
    ...     print(why.code)
    same-rows
    """

    def __init__(self, says: str, code: str = "refused") -> None:
        super().__init__(says)
        self.code = code

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.says, self.code)


def ask_each(
    items: Iterable[Q], ask: Callable[[Q], A], fallback: Callable[[Q, VeracityError], A] | None = None
) -> tuple[list[A], list[tuple[Q, VeracityError]]]:
    """Return what `ask` returns for each item, and the items for which it raises BadInput or Refused, with the error.

    `fallback` gives the answer of an item that is refused, which otherwise has none.
    """
    answers: list[A] = []
    refusals: list[tuple[Q, VeracityError]] = []
    for item in items:
        try:
            answers.append(ask(item))
        except (BadInput, Refused) as why:
            refusals.append((item, why))
            if fallback is not None:
                answers.append(fallback(item, why))
    return answers, refusals


class Mistake(NamedTuple):
    """What is wrong, and where: `data.credit.target`."""

    path: str
    says: str

    @property
    def line(self) -> str:
        return f"{self.path}: {self.says}" if self.path else self.says


class Mistakes(BadInput):
    """Every mistake of one file; its text has a line for each."""

    def __init__(self, where: str, mistakes: Sequence[Mistake]) -> None:
        self.where, self.mistakes = where, tuple(mistakes)
        Exception.__init__(self, "\n".join(self.lines))  # a line each, of any number

    @property
    def lines(self) -> list[str]:
        return [spell_out_controls(f"{self.where}: {mistake.line}") for mistake in self.mistakes]

    def __reduce__(self) -> tuple[type, tuple[str, tuple[Mistake, ...]]]:
        return type(self), (self.where, self.mistakes)
