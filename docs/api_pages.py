"""Pages of the manual about every public name, from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import veracity
from docs.docstrings import Part, example_of, members_of, own_text, parameters_of, undescribed
from docs.markdown import cell, table
from veracity.core import arguments

OTHERS = {
    "MethodLike": "a method by its name, with parameters if need be: 'wilson', 'fbeta(beta=2)'; or a score of your own",
    "Source": "predictions or other evidence, several of them by name, or runs",
    "Side": "'two', 'lower' or 'upper'",
    "StoreLike": "the path of a SQLite file, or the address of a PostgreSQL database",
    "Array": "an array of numpy that cannot be written to",
}


def write_api(folder: Path) -> None:
    """A page for each name, and one that lists them; what nobody described stops the build, a line for each."""
    if lost := [line for name in veracity.__all__ for line in undescribed(name, getattr(veracity, name))]:
        raise SystemExit("\n".join(lost))
    folder.mkdir(parents=True, exist_ok=True)
    for name in veracity.__all__:
        (folder / f"{page_of(name)}.md").write_text(name_page(name, getattr(veracity, name)))
    (folder / "index.md").write_text(index_page())


def page_of(name: str) -> str:
    """Files of `Curve` and `curve` must differ also where case does not count."""
    return f"class-{name}" if inspect.isclass(getattr(veracity, name)) else name


def name_page(name: str, value: Any) -> str:
    """Signature, what it does, what it is given, an example; of a class what its objects have."""
    kind = "class" if inspect.isclass(value) else "function"
    given = "Fields" if inspect.isclass(value) else "Parameters"
    blocks = [
        f"# {name}",
        f"```{{py:{kind}}} veracity.{name}{signature(value)}\n```",
        own_text(value),
        parts_table(given, parameters_of(value)),
        f"**Gives** `{inspect.signature(value).return_annotation}`" if kind == "function" else "",
        f"**Example**, after `import veracity as vc`\n\n```pycon\n{example_of(value)}\n```",
        parts_table("What it has and does", members_of(value)) if inspect.isclass(value) else "",
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def signature(value: Any) -> str:
    """As it is typed, without types, which the table has."""
    found = inspect.signature(value)
    plain = [one.replace(annotation=one.empty) for one in found.parameters.values()]
    return str(found.replace(parameters=plain, return_annotation=found.empty)).replace("<factory>", "...")


def parts_table(title: str, parts: Iterable[Part]) -> str:
    rows = [(f"`{part.name}`", f"`{cell(part.typed)}`" if part.typed else "", cell(part.description)) for part in parts]
    return f"**{title}**\n\n{table(('name', 'type and default', 'what it is'), rows)}" if rows else ""


def index_page() -> str:
    """Verbs, then what they give and take."""
    verbs = [name for name in veracity.__all__ if not inspect.isclass(getattr(veracity, name))]
    others = [name for name in veracity.__all__ if name not in verbs]
    rows = {
        title: [(f"[{name}]({page_of(name)}.md)", cell(first_sentence(getattr(veracity, name)))) for name in names]
        for title, names in (("Verbs", verbs), ("Results, evidence and errors", others))
    }
    parts = [f"## {title}\n\n{table(('name', 'what it is'), lines)}" for title, lines in rows.items()]
    toctree = "\n".join(["```{toctree}", ":hidden:", "", *map(page_of, veracity.__all__), "```"])
    parts.append(f"## Types in signatures\n\n{table(('name', 'what it is'), kind_rows())}")
    head = "Every name of `import veracity as vc`. In a notebook `help(vc.compare)` says the same."
    return "\n\n".join(["# Python", head, *parts, toctree]) + "\n"


def kind_rows() -> list[tuple[str, str]]:
    """What users hand over, by the comments beside its names."""
    lines = re.findall(r"^(\w+): TypeAlias = Any  # (.*)$", Path(arguments.__file__).read_text(), re.MULTILINE)
    return [(f"`{name}`", cell(says)) for name, says in sorted([*lines, *OTHERS.items()])]


def first_sentence(value: Any) -> str:
    return " ".join(own_text(value).split("\n\n")[0].split())
