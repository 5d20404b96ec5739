"""Worker processes that start while a command still reads what it is about: both import scikit-learn, for a second."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from veracity.core.errors import BadInput


def start_workers(given: Mapping[str, Any]) -> None:
    """For learners that are named on the command line, unless a store may hold their fits already."""
    if given["learners"] and _lacks_fits(given.get("store")):
        _start(given)


def start_workers_of_study(file: str, given: Mapping[str, Any]) -> None:
    """For those of a study file whose store is not there yet."""
    from veracity.stores.named_store import RESULTS, named_store

    with suppress(BadInput):  # which is told when the study is read
        if Path(file).is_file() and _lacks_fits(given["store"] or named_store(file) or RESULTS):
            _start(given)


def _lacks_fits(store: str | None) -> bool:
    return store is None or ("://" not in store and not Path(store).exists())


def _start(given: Mapping[str, Any]) -> None:
    """Modules of the user's own are found in folders that workers would not know yet, and a cluster has its own."""
    if given.get("engine", "local") == "local" and given["workers"] > 0 and not given["trust_here"]:
        from veracity.running.ending import ends_in_order
        from veracity.running.idle_workers import start_ahead

        click.get_current_context().with_resource(ends_in_order())
        start_ahead(given["workers"])
