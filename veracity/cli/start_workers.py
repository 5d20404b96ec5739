"""Worker processes that start while a command still reads what it is about: both import scikit-learn, for a second."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from veracity.core.errors import BadInput


def start_workers(given: Mapping[str, Any], words: Sequence[str]) -> None:
    """For learners to be tried on a file that is there, unless a store may hold their fits already."""
    with suppress(OSError):  # which is told when the file is read
        if given["learners"] and any(Path(word).is_file() for word in words) and _lacks_fits(given.get("store")):
            _start(given)


def start_workers_of_study(file: str, given: Mapping[str, Any]) -> None:
    """For those of a study file whose store is not there yet."""
    from veracity.stores.named_store import RESULTS, named_store

    with suppress(OSError, ValueError, BadInput):  # which is told when the study is read
        tomllib.loads(Path(file).read_text("utf-8"))
        if _lacks_fits(given["store"] or named_store(file) or RESULTS):
            _start(given)


def _lacks_fits(store: str | None) -> bool:
    return store is None or ("://" not in store and not Path(store).exists())


def _start(given: Mapping[str, Any]) -> None:
    """Where a core is left for the command itself. Modules of the user's own lie in folders that workers would not know
    yet, and a cluster has workers of its own.
    """
    here = given.get("engine", "local") == "local" and not given["trust_here"]
    if here and 0 < given["workers"] < (os.cpu_count() or 1):
        from veracity.running.ending import ends_in_order
        from veracity.running.engines import start_ahead

        click.get_current_context().with_resource(ends_in_order())
        start_ahead(given["workers"])
