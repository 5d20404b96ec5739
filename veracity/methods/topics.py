"""Texts of the manual that stand in files: pages of topics, words by which verbs are sought, meanings of parameters."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from veracity.methods.articles import Article
from veracity.tables.manual import ManualSection


class Topic(NamedTuple):
    """A page of the manual: its title, what is said, where to read on, and the words by which it is sought."""

    title: str
    says: str
    see: str  # names of methods, verbs and topics, with commas between
    aliases: str = ""
    keywords: str = ""


@cache
def read_texts(name: str) -> dict[str, Any]:
    """Return the tables of a file of texts that stands beside this module, each text as one line."""
    tables = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))

    def one_line(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: one_line(inner) for key, inner in value.items()}
        return " ".join(value.split())

    return {key: one_line(value) for key, value in tables.items()}


TOPICS = {name: Topic(**texts) for name, texts in read_texts("topics").items()}


def verb_words(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what others call a verb, and the words by which it is sought."""
    texts = read_texts("synonyms")["verbs"].get(name, {})
    return split_words(texts.get("aliases", "")), split_words(texts.get("keywords", ""))


def foreign_words(name: str) -> tuple[str, ...]:
    """Return what a method, verb or topic is called in other languages."""
    return split_words(read_texts("synonyms")["other_languages"].get(name, ""))


def split_words(text: str) -> tuple[str, ...]:
    """Return what stands between the commas of a text."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def topic_articles() -> Iterator[Article]:
    """Yield the pages of all topics, in order of their names."""
    for name, topic in sorted(TOPICS.items()):
        aliases, keywords = split_words(topic.aliases), split_words(topic.keywords)
        says, see = topic.says, topic.see
        facts = {"name": name, "kind": "topic", "title": topic.title, "says": says, "see": see.split(", ")}
        sections = (ManualSection("", (says,)), ManualSection("See", (see,)))
        yield Article("topic", name, topic.title, sections, {**facts, "aliases": aliases}, aliases, keywords)
