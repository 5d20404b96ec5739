"""The page of the manual about the tables of a store, from the schema itself."""

from __future__ import annotations

from docs.markdown import table
from veracity.stores.schema import VERSION, tables

WORDS = {
    "about": "facts about the store itself: version of the schema, description of the study",
    "data": "every data set but its features: target, groups, weights, names, with a fingerprint of all of it",
    "designs": "the splits of each design on each data set",
    "splits": "one row for each planned split: which fit answers it",
    "fits": "one row for each fit: how it ended, seconds, what a tuned learner chose or why it failed, and the "
    "predictions or the traceback, packed",
    "owners": "processes that run fits, and when each was last heard of",
    "claims": "which process is at which fit",
    "libraries": "versions of libraries that made fits, each set of them once; a fit has its number",
    "questions": "every question that was asked of the runs, or of some test rows: what it was, how often, and what it "
    "found; nothing is ever deleted here",
}
HEAD = f"""# Store

A store is a SQLite file, or a PostgreSQL database by its address, with the same tables. Version {VERSION} of the
schema; stores of earlier versions are converted when they are opened. Each row has a checksum of all its other columns,
and arrays hold no objects; read them through `vc.read_runs`, or export them by
`veracity export results.db --out rows.parquet`.
[What a store promises](../../how-to/studies.md#what-a-store-promises) is told with studies."""


def store_page() -> str:
    """A section for each table; one that nobody described stops the build with a sentence."""
    names = [each.name.removeprefix("veracity_") for each in tables.sorted_tables]
    if lost := sorted(set(names) ^ set(WORDS)):
        raise SystemExit(
            f"docs/store_page.py: say what the tables {', '.join(lost)} of a store hold, or that they are gone"
        )
    parts = []
    for each in tables.sorted_tables:
        rows = [(f"`{one.name}`", str(one.type).lower(), "key" if one.primary_key else "") for one in each.columns]
        words = WORDS[each.name.removeprefix("veracity_")]
        parts.append(f"## {each.name}\n\n{words.capitalize()}.\n\n{table(('column', 'type', ''), rows)}")
    return "\n\n".join([HEAD, *parts]) + "\n"
