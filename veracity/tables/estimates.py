"""The one table of estimates that every verb returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from veracity.core.errors import BadInput
from veracity.core.notes import Note, unique
from veracity.records.estimate import Estimate


@dataclass(frozen=True, repr=False)
class Estimates:
    """A table of estimates, indexed by any label or labels that single out one row."""

    rows: tuple[Estimate, ...]
    notes: tuple[Note, ...] = ()

    def __getitem__(self, key: str | tuple[str, ...]) -> Estimate:
        wanted = key if isinstance(key, tuple) else (key,)
        found = [row for row in self.rows if all(label in row.labels for label in wanted)]
        if len(found) == 1:
            return found[0]
        if not found:
            raise BadInput(f"no row is labelled {_written(wanted)}: the labels are {', '.join(self._every_label())}")
        several = "; ".join(" / ".join(dict.fromkeys(row.labels)) for row in found)
        raise BadInput(f"{_written(wanted)} leaves {len(found)} rows, add a label: {several}")

    def _every_label(self) -> list[str]:
        return list(dict.fromkeys(label for row in self.rows for label in row.labels))

    def values(self) -> tuple[Estimate, ...]:
        """The rows in order."""
        return self.rows

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, key: object) -> bool:
        return any(key in row.labels for row in self.rows)

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The table's notes and its rows', each once."""
        return unique(self.notes + tuple(note for row in self.rows for note in row.all_notes))


def _written(labels: tuple[str, ...]) -> str:
    return ", ".join(repr(label) for label in labels)
