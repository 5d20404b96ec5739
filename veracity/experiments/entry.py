"""What every kind of check of one learner declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from veracity.core.entry import Entry


@dataclass(frozen=True, eq=False, repr=False)
class Procedure(Entry):
    """A way in which a verb such as `bias_variance` does its work, chosen by name."""

    kind: ClassVar[str] = "procedure"

    typed: str = ""  # how a user writes it

    @property
    def verb(self) -> str:
        """The verb that it is a way of."""
        return self.typed.split("(")[0]

    @property
    def signature(self) -> str:
        return self.typed

    def cells(self) -> dict[str, str]:
        return {"of": self.verb}

    def facts(self) -> dict[str, str]:
        return {"verb": self.verb}


def procedure(title: str, typed: str, **fields: Any) -> Callable[[Callable[..., Any]], Procedure]:
    """Make a function one of the ways of a verb."""
    return lambda function: Procedure(function, title, typed=typed, **fields)
