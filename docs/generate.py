"""Write the catalogue pages of the manual from the entries themselves."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from veracity.comparisons import error_rates
from veracity.core.assumptions import ASSUMPTIONS
from veracity.core.entry import Entry
from veracity.core.references import REFERENCES
from veracity.intervals import coverage
from veracity.intervals.defaults import DEFAULTS
from veracity.methods.catalogues import SHELVES
from veracity.risk.defaults import rows as learners_defaults
from veracity.risk.entry import Estimator

HERE = Path(__file__).parent / "catalogue"


def entry(e: Entry) -> str:
    """One entry as a section."""
    call = f"{e.name}({', '.join(map(str, e.parameters))})" if e.parameters else e.name
    lines = [f"({e.kind}-{e.name})=", f"## {e.title}", "", f"`{call}`", "", e.sentence]
    if e.details:
        lines += ["", e.details]
    lines += ["", *facts(e)]
    return "\n".join(lines)


def facts(e: Entry) -> Iterable[str]:
    """What the fields of an entry say, a line each."""
    for name in ("better", "range", "needs", "undefined", "controls"):
        if hasattr(e, name):
            yield f"- {name}: {getattr(e, name)}"
    if isinstance(e, Estimator):
        yield f"- answers: {e.answers.format(share='a share')}"
    for code in e.assumes:
        yield f"- assumes [{code}](assumptions.md): {ASSUMPTIONS[code]}"
    for limit in e.limits:
        yield f"- {limit.weight} `{limit.code}`: {limit.says}"
    for found in coverage.of(e.name) if e.kind == "interval" else ():
        yield f"- measured: {found}"
    for rate in error_rates.of(e.name) if e.kind == "comparison" else ():
        yield f"- measured: {rate}"
    for key in e.cite:
        yield f"- see {REFERENCES.get(key, key)}"


def page(title: str, entries: Iterable[Entry]) -> str:
    return "\n\n".join([f"# {title}", *(entry(e) for e in sorted(entries, key=lambda e: e.name))]) + "\n"


def defaults() -> str:
    rows = [
        f"| {rule.scores} | {rule.interval or 'none'} | {rule.says} |" for rule in (*DEFAULTS, *learners_defaults())
    ]
    head = [
        "# Default intervals",
        "",
        "For a fixed model on test rows, then for the runs of a design; the first row that fits.",
        "",
    ]
    return "\n".join([*head, "| scores | interval | remark |", "|---|---|---|", *rows]) + "\n"


def listing(title: str, table: dict[str, str]) -> str:
    return "\n".join([f"# {title}", "", *(f"- **{key}**: {text}" for key, text in sorted(table.items()))]) + "\n"


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for shelf in SHELVES:
        (HERE / f"{shelf.name}.md").write_text(page(shelf.title, shelf.catalogue))
    (HERE / "defaults.md").write_text(defaults())
    (HERE / "assumptions.md").write_text(listing("Assumptions", ASSUMPTIONS))
    (HERE / "references.md").write_text(listing("References", REFERENCES))


if __name__ == "__main__":
    main()
