"""Fits of one learner that were made with different versions of its libraries, and so by different learners."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import Connection

from veracity.core.notes import Note
from veracity.evidence.runs import MIXED_VERSIONS
from veracity.stores.library_versions import read_versions
from veracity.stores.outcomes import library_numbers
from veracity.stores.recorded_places import Place, all_keys

NAMED = 3  # places that a note names
ANEW = "`study.run(refit_outdated=True)`"
Versions = Mapping[str, str]  # by the names of libraries


def versions_of(connection: Connection, keys: Iterable[str]) -> dict[str, Versions]:
    """The versions of the libraries that made fits which are done; none where nobody wrote them down."""
    known = read_versions(connection)
    return {key: known.get(number, {}) for key, number in library_numbers(connection, keys).items()}


def versions_at(connection: Connection, places: Collection[Place]) -> dict[str, list[str]]:
    """All versions of each library that made the fits at some places."""
    known = read_versions(connection)
    planned = {key for place, keys in all_keys(connection).items() if place in places for key in keys}
    used = set(library_numbers(connection, planned).values())
    return _versions(known.get(number, {}) for number in used)


def mixed_notes(connection: Connection, places: Collection[Place] | None = None) -> tuple[Note, ...]:
    """A caution where fits of one learner on one data set by one design, at some places or all, were made with
    different versions of a library.
    """
    known = read_versions(connection)
    if not _mixed(known.values()):
        return ()
    planned = all_keys(connection)
    asked = [place for place in planned if places is None or place in places]
    numbers = library_numbers(connection, {key for place in asked for key in planned[place]})
    found: dict[str, list[str]] = {}  # places by what is mixed there
    for place in asked:
        used = {numbers[key] for key in planned[place] if key in numbers}
        mixed = _mixed(known.get(number, {}) for number in used)
        if mixed:
            of, learner, by = place
            made = ", ".join(f"{name} {' and '.join(versions)}" for name, versions in mixed.items())
            found.setdefault(made, []).append(f"{learner} on {of} by {by}")
    return tuple(Note(MIXED_VERSIONS, "caution", _says(made, names)) for made, names in found.items())


def _says(made: str, names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    which = f"fits of {', '.join(names[:NAMED])}{more} were made with {made}"
    return f"{which}, so that their estimate mixes different learners: {ANEW} makes those of another version anew"


def _mixed(every: Iterable[Versions]) -> dict[str, list[str]]:
    return {name: versions for name, versions in _versions(every).items() if len(versions) > 1}


def _versions(every: Iterable[Versions]) -> dict[str, list[str]]:
    """The versions of each library, each once."""
    found: dict[str, set[str]] = {}
    for versions in every:
        for name, version in versions.items():
            found.setdefault(name, set()).add(version)
    return {name: sorted(versions) for name, versions in sorted(found.items())}
