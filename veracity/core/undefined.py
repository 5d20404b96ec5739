"""A number that does not exist: NaN that remembers why."""

from __future__ import annotations

from veracity.core.words import sentence


class Undefined(float):
    """A float that is NaN and carries the reason; it is never zero and never dropped in silence."""

    reason: str

    def __new__(cls, reason: str) -> Undefined:
        self = super().__new__(cls, "nan")
        self.reason = sentence(reason)
        return self

    def __repr__(self) -> str:
        return f"Undefined({self.reason!r})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return Undefined, (self.reason,)
