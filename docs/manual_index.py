"""Write the files of names and of pages of the manual: run `python -m docs.manual_index` after a change."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import veracity
from docs.docstrings import own_text, parameters_of
from veracity.cli.main import PARTS, cli
from veracity.core import index
from veracity.core.measurement import Coverage, ErrorRate, Measurement, read_measurements
from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.core.spelling import split_spellings
from veracity.methods import articles
from veracity.methods.articles import Article
from veracity.methods.catalogue import CATALOGUES
from veracity.methods.describe import article_of, measurement_table
from veracity.methods.topics import foreign_words, topic_articles, verb_words
from veracity.tables.manual import ManualSection


def index_text() -> str:
    """The text of the file of names, from the catalogues, the verbs and the topics."""
    content: dict[str, dict[str, Any]] = {
        kind: {
            entry.name: (entry.sentence, entry.title, entry.cite, *split_spellings(entry.aliases))
            for entry in sorted(catalogue, key=lambda entry: entry.name)
        }
        for kind, catalogue in CATALOGUES.items()
    }
    for kind, pages in (("verbs", verb_articles()), ("topics", topic_articles())):
        content[kind] = {one.name: (one.facts["says"], one.title, (), *one.aliases) for one in pages}
    return _one_line_each(content)


def all_articles() -> Iterator[Article]:
    """Of every method, verb, topic, assumption and work, sought by words of other languages too."""
    for one in _english_articles():
        yield replace(one, keywords=one.keywords + foreign_words(one.name))


def _english_articles() -> Iterator[Article]:
    for catalogue in CATALOGUES.values():
        yield from map(article_of, sorted(catalogue, key=lambda entry: entry.name))
    yield from verb_articles()
    yield from topic_articles()
    for kind, field, table in (("assumption", "assumes", ASSUMPTIONS), ("reference", "cite", REFERENCES)):
        yield from (_of_table(kind, key, says, _users(field, key)) for key, says in sorted(table.items()))


def _of_table(kind: str, key: str, says: str, users: tuple[str, ...]) -> Article:
    sections = (ManualSection("", (says,)), ManualSection("Named by", (", ".join(users) or "nothing yet",)))
    facts = {"name": key, "kind": kind, "title": key, "says": says, "users": list(users)}
    return Article(kind, key, key, sections, facts)


def _users(field: str, key: str) -> tuple[str, ...]:
    entries = (entry for catalogue in CATALOGUES.values() for entry in catalogue)
    return tuple(sorted({entry.name for entry in entries if key in getattr(entry, field)}))


def _one_line_each(content: dict[str, dict[str, Any]]) -> str:
    """JSON with a line for each method, so that two changes meet only where they are of the same one."""
    kinds = []
    for kind, methods in content.items():
        lines = [f" {json.dumps(name)}: {json.dumps(one, ensure_ascii=False)}" for name, one in methods.items()]
        kinds.append(f"{json.dumps(kind)}: {{\n" + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(kinds) + "\n}\n"


def verb_articles() -> Iterator[Article]:
    """Yield the page of every public function, then of what is a command alone."""
    functions = [name for name in veracity.__all__ if inspect.isfunction(getattr(veracity, name))]
    for name in functions:
        function = getattr(veracity, name)
        signature = inspect.signature(function)
        typed = f"veracity.{name}({', '.join(map(_parameter, signature.parameters.values()))})"
        given = tuple(f"{part.name}: {part.description}" for part in parameters_of(function))
        yield _article(name, own_text(function), (typed,), given)
    for name, command in sorted(cli.commands.items()):
        if name not in functions:
            yield _article(name, (command.help or "").partition("\n\n")[0], (), ())
    for name, (command, option) in sorted(PARTS.items()):
        if name not in functions:
            (text,) = (one.help for one in cli.commands[command].params if option in one.opts)
            says = text.removeprefix("In place of these: ").partition(". ")[0].rstrip(".")
            yield _article(name, f"{says[0].upper()}{says[1:]}.", (), ())


def _parameter(parameter: inspect.Parameter) -> str:
    """A parameter as it is typed, without its type."""
    return str(parameter.replace(annotation=inspect.Parameter.empty))


def _article(name: str, text: str, typed: tuple[str, ...], given: tuple[str, ...]) -> Article:
    says, *more = [" ".join(part.split()) for part in text.split("\n\n")]
    typed += (f"veracity {name} --help",) if name in cli.commands else ()
    typed += (f"veracity {' '.join(PARTS[name])}",) if name in PARTS else ()
    aliases, keywords = verb_words(name)
    facts: dict[str, Any] = {"name": name, "kind": "verb", "title": _title(name), "says": says}
    facts |= {"typed": typed, "aliases": aliases}
    parts = (("", (says, *more)), ("Typed", typed), ("Parameters", given))
    sections = tuple(ManualSection(title, lines) for title, lines in parts if lines or title == "Typed")
    figures = verb_figures(name)
    if figures:
        facts |= {"measured": [one.to_json() for one in figures]}
        for noun in dict.fromkeys(one.noun for one in figures):
            table = measurement_table([one for one in figures if one.noun == noun])
            sections += (ManualSection(f"Measured {noun}", (), table),)
    return Article("verb", name, _title(name), sections, facts, aliases, keywords)


def verb_figures(name: str) -> list[Measurement]:
    """What was measured of a verb: how often what it says holds, or how often it claims what is not so."""
    every = read_measurements(_figure, "veracity.methods")
    return [one for one in every if one.method.split("(")[0] == name]


def _figure(**row: Any) -> Measurement:
    return ErrorRate(**row) if "rejected" in row else Coverage(**row)


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


if __name__ == "__main__":
    index.FILE.write_text(index_text(), "utf-8")
    articles.FILE.write_text(articles.articles_text(all_articles()), "utf-8")
