"""The versions of libraries that made fits: each set of them once, under a number that the fits have."""

from __future__ import annotations

import json
from collections.abc import Iterable

from sqlalchemy import Connection, inspect, select

from veracity.stores.packing import DamagedBytes, reading, seal_text, unseal_text
from veracity.stores.schema import libraries

MOST = 65_535  # sets in one store; later ones are not known


def read_versions(connection: Connection) -> dict[int, dict[str, str]]:
    """Every set by its number; none of an older store where nothing may be written, which has no table of them."""
    if not inspect(connection).has_table(libraries.name):
        return {}
    with reading("the versions of libraries"):
        return {number: _read(number, text) for number, text in connection.execute(select(libraries))}


def _read(number: int, sealed: str) -> dict[str, str]:
    versions: dict[str, str] = json.loads(unseal_text(sealed, number))
    if not isinstance(versions, dict) or not all(isinstance(version, str) for version in versions.values()):
        raise DamagedBytes
    return versions


def numbers_of(connection: Connection, texts: Iterable[str]) -> dict[str, int]:
    """The number of each set, given as JSON; one that is new is added, and 0 stands for what nobody knows."""
    numbers = {"": 0}
    wanted = set(texts) - {""}
    if not wanted:
        return numbers
    known = read_versions(connection)
    numbers |= {_as_text(versions): number for number, versions in known.items()}
    for text in sorted(wanted - set(numbers)):
        numbers[text] = number = max(numbers.values()) + 1
        if number > MOST:
            numbers[text] = 0
            continue
        connection.execute(libraries.insert().values(number=number, versions=seal_text(text, number)))
    return numbers


def _as_text(versions: dict[str, str]) -> str:
    return json.dumps(versions, sort_keys=True)
