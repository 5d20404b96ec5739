"""What one comparison and a table of comparisons have in common, so that a reader need not tell them apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from veracity.core.errors import BadInput

if TYPE_CHECKING:
    from veracity.findings.comparison import Comparison

T = TypeVar("T")


class OnePair:
    """A comparison is also read as a table of one: `for one in found`, `found["a", "b"]`, `found.rows`."""

    @property
    def rows(self: Any) -> tuple[Comparison, ...]:
        return (self,)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.rows)

    def __len__(self) -> int:
        return 1

    def __getitem__(self, pair: int | tuple[str, ...]) -> Comparison:
        return pair_of(self.rows, pair)


class OfOnePair(Generic[T]):
    """That of the pair where one pair was compared; of several the sentence says how to name one."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, family: None, owner: type) -> OfOnePair[T]: ...
    @overload
    def __get__(self, family: Any, owner: type) -> T: ...
    def __get__(self, family: Any, owner: type) -> Any:
        if family is None:
            return self
        rows = family.rows
        if len(rows) == 1:
            return getattr(rows[0], self.name)
        way = f", as in comparisons[{rows[0].a!r}, {rows[0].b!r}].{self.name}" if rows else ""
        raise BadInput(f"{len(rows)} comparisons have no {self.name} together: name one of them{way}")


def pair_of(rows: Sequence[Comparison], pair: int | tuple[str, ...]) -> Comparison:
    """The comparison at a place or of two names, with the slice, data set or score where there are several."""
    if isinstance(pair, int):
        return rows[pair]
    if not (isinstance(pair, tuple) and all(isinstance(name, str) for name in pair)):
        raise BadInput(f"a pair is named by both, as in comparisons[{rows[0].a!r}, {rows[0].b!r}]")
    found = [row for row in rows if (row.a, row.b) == pair[:2] and {*pair[2:]} <= {row.data, row.score}]
    if len(found) == 1:
        return found[0]
    there = "; ".join(", ".join((row.a, row.b, row.data) if row.data else (row.a, row.b)) for row in rows)
    says = "leaves several comparisons, add the slice or data set" if found else "was not compared"
    raise BadInput(f"the pair {', '.join(map(str, pair))} {says}: there are {there}")
