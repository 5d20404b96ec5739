"""What a method is, what it assumes, where it stops and who said so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import veracity
from veracity.comparisons import error_rates
from veracity.core.assumptions import ASSUMPTIONS
from veracity.core.entry import Entry, Known
from veracity.core.errors import BadInput
from veracity.core.nearest import nearest
from veracity.core.references import REFERENCES
from veracity.core.spelling import read
from veracity.experiments import procedures
from veracity.intervals import coverage
from veracity.methods.catalogues import CATALOGUES
from veracity.risk.defaults import KINDS
from veracity.risk.entry import OWN
from veracity.tables.manual import ManualPage, ManualSection

NEVER_MEASURED = "not measured yet"


def explain(name: Any) -> ManualPage:
    """The manual page of a method (by text or entry), of a verb with its ways, of an assumption or of a reference."""
    if isinstance(name, Entry):
        return _page(name.name, (name,))
    if not isinstance(name, str):
        raise BadInput(f"explain a method by its name, such as 'auc', not {name!r}")
    text = name.strip()
    if text in ASSUMPTIONS:
        return _of_table("assumption", text, ASSUMPTIONS[text], _users("assumes", text))
    if text in REFERENCES:
        return _of_table("reference", text, REFERENCES[text], _users("cite", text))
    said = read(text).name
    found = tuple(catalogue[said] for catalogue in CATALOGUES.values() if said in catalogue)
    found = found or tuple(entry for entry in procedures if entry.verb == said)
    if not found:
        raise BadInput(_unknown(said))
    return _page(said, found)


def _unknown(name: str) -> str:
    if name in veracity.__all__:
        return f"{name} is no method but a name of the library: help(veracity.{name}) tells of it"
    names = [entry.name for catalogue in CATALOGUES.values() for entry in catalogue]
    near = nearest(name, [*names, *ASSUMPTIONS, *REFERENCES])
    offer = f"did you mean {' or '.join(near)}?" if near else "veracity.catalogue() lists what there is"
    return f"nothing is called {name!r}: {offer}"


def _of_table(kind: str, key: str, says: str, users: tuple[str, ...]) -> ManualPage:
    sections = (ManualSection("", (says,)), ManualSection("Named by", (", ".join(users) or "nothing yet",)))
    return ManualPage(key, f"{key} ({kind})", sections, (("kind", kind), ("says", says), ("users", list(users))))


def _users(field: str, key: str) -> tuple[str, ...]:
    return tuple(entry.name for catalogue in CATALOGUES.values() for entry in catalogue if key in getattr(entry, field))


def _page(name: str, entries: tuple[Any, ...]) -> ManualPage:
    title = "; ".join(f"{entry.title} ({entry.kind} {entry.name})" for entry in entries)
    several = len(entries) > 1
    alike = len({entry.kind for entry in entries}) == 1
    sections = tuple(
        ManualSection(
            f"{entry.name if alike else entry.kind}: {part.title}".rstrip(": ") if several else part.title, part.lines
        )
        for entry in entries
        for part in _sections(entry)
    )
    facts = _facts(entries[0]) if not several else (("entries", [dict(_facts(entry)) for entry in entries]),)
    return ManualPage(name, title, sections, facts)


def _sections(entry: Any) -> Iterator[ManualSection]:
    yield ManualSection("", (entry.sentence, *(line for line in entry.details.split("\n\n") if line)))
    yield ManualSection("Typed", (entry.signature,))
    yield from _kind_sections(entry)
    if entry.assumes:
        yield ManualSection("Assumes", tuple(f"{code}: {ASSUMPTIONS[code]}" for code in entry.assumes))
    if entry.limits:
        yield ManualSection("Limits", tuple(str(limit.note()) for limit in entry.limits))
    if entry.kind == "interval":
        yield ManualSection("Measured coverage", measured(entry.name) or (NEVER_MEASURED,))
    if entry.kind == "comparison":
        yield ManualSection("Measured error rate", errors(entry.name) or (NEVER_MEASURED,))
    if entry.known:
        yield ManualSection("Known answers", tuple(_known(known) for known in entry.known))
    if entry.cite:
        yield ManualSection("References", entry.references)


def _kind_sections(entry: Any) -> Iterator[ManualSection]:
    if entry.kind == "score":
        yield ManualSection(
            "Reads",
            (
                f"{NEEDS[entry.needs]}; {entry.cells()['range']}, {entry.better} is better",
                f"undefined when {entry.undefined}",
            ),
        )
        own = entry.default_interval
        yield ManualSection(
            "Interval unless asked otherwise", (own or "see the list of defaults: veracity list defaults",)
        )
    if entry.kind == "curve":
        yield ManualSection("Reads", (", or ".join(NEEDS[word] for word in entry.needs.split(" or ")),))
    if entry.kind == "adjustment":
        reads = "p-values of all pairs of some learners" if entry.pairs else "any p-values"
        yield ManualSection("Reads", (f"{reads}; controls the {entry.controls}",))
    if entry.kind == "estimator":
        yield ManualSection("Answers", (entry.answers.format(share="a share"),))
        named = {kind: "that of a fixed model" if how == OWN else how for kind, how in entry.interval.items()}
        chosen = [f"{KINDS[kind]}: {how}" for kind, how in named.items()]
        yield ManualSection("Interval unless asked otherwise", tuple(chosen) or (f"none: {entry.says}",))
    if entry.kind == "interval" and entry.only:
        yield ManualSection("Only for", (", ".join(entry.only),))


NEEDS = {
    "label": "predicted labels",
    "proba": "probabilities",
    "value": "decision values or probabilities",
    "number": "predicted numbers",
}


def measured(name: str) -> tuple[str, ...]:
    """What simulation found of an interval's coverage, where it was measured."""
    return tuple(map(str, coverage.of(name)))


def errors(name: str) -> tuple[str, ...]:
    """How often simulation found a test to reject where nothing differs, where that was measured."""
    return tuple(map(str, error_rates.of(name)))


def _facts(entry: Any) -> tuple[tuple[str, Any], ...]:
    own = {
        field: getattr(entry, field) for field in ("needs", "better", "undefined", "controls") if hasattr(entry, field)
    }
    if entry.kind == "score":
        own["range"] = entry.cells()["range"]
    if entry.kind == "interval":
        own["measured"] = list(measured(entry.name))
    if entry.kind == "comparison":
        own["measured"] = list(errors(entry.name))
    return (
        ("kind", entry.kind),
        ("title", entry.title),
        ("says", entry.sentence),
        ("details", entry.details),
        ("parameters", [{"name": p.name, "required": p.required, "typed": str(p)} for p in entry.parameters]),
        *own.items(),
        ("assumes", {code: ASSUMPTIONS[code] for code in entry.assumes}),
        ("limits", [limit.note().to_json() for limit in entry.limits]),
        ("references", list(entry.references)),
    )


def _known(known: Known) -> str:
    given = ", ".join(f"{key}={value!r}" for key, value in known.given.items())
    return f"{given} gives {known.answer!r} ({known.source})"
