"""The fields of a study's design: shown from its text, and written back into it where they were changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from veracity.core.errors import BadInput, VeracityError
from veracity.core.spelling import split_spellings
from veracity.core.words import brief
from veracity.web.asked import Form
from veracity.web.draft import tables_of
from veracity.web.study_text import toml_of

Tables = dict[str, Any]
QUESTION = ("score", "using", "then", "pairs", "control")
RANKING = "rank-"  # begins the names of the fields of a ranking
FIELDS = ("by", "seed", "scores", "store", "notes", *(f"{RANKING}{word}" for word in QUESTION))
TITLES = {"by": "Design", "seed": "Seed", "scores": "Scores", "store": "Results are kept in", "notes": "Notes"}
FIRST_KEYS = ("notes", "seed", "by", "scores", "store")  # in the order of a study file
MAX_SEED_DIGITS = 100
SHOWN = "shown"  # the field that holds what the others showed


class FieldError(BadInput):
    """A mistake in one field of a form."""

    def __init__(self, field: str, says: str) -> None:
        super().__init__(says)
        self.field = field


@contextmanager
def at_field(name: str) -> Iterator[None]:
    """Raise what goes wrong inside as the mistake of a field."""
    try:
        yield
    except FieldError:
        raise
    except VeracityError as why:
        raise FieldError(name, why.says) from None


def table_of(tables: Tables, name: str) -> Tables:
    """Return a part that is a table, empty where there is none."""
    part = tables.get(name, {})
    if not isinstance(part, dict):
        raise BadInput(f"{name} is a table in a study, and the text has {part!r} there: write [{name}] and its lines")
    return part


def fields_of(tables: Mapping[str, Any]) -> dict[str, str]:
    """Return what stands in each field for a study."""
    questions = tables.get("questions")
    rank = questions.get("rank") if isinstance(questions, dict) else None
    shown = {name: _field_text(tables.get(name, "")) for name in ("by", "scores", "store", "notes")}
    shown["seed"] = _field_text(tables.get("seed", 0))
    asked = rank if isinstance(rank, dict) else {}
    return shown | {f"{RANKING}{word}": _field_text(asked.get(word, "")) for word in QUESTION}


def _field_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else "" if isinstance(value, dict) else str(value)


def fields_shown(form: Form) -> dict[str, str] | None:
    """Return what the fields showed before somebody changed them; None where the form does not tell."""
    try:
        shown = json.loads(form.get(SHOWN))
    except ValueError:
        return None
    return {str(name): str(value) for name, value in shown.items()} if isinstance(shown, dict) else None


def merge_fields(text: str, form: Form, prefer: Literal["text", "fields", ""] = "") -> str:
    """Return the text of a study with the fields written into it that were changed since the page was shown.

    A field that was not changed leaves the text as it is. One that was changed in the text as well, to something else,
    is refused unless one of both is preferred.
    """
    given = {name: form.get(name) for name in FIELDS if form.has(name)}
    before = fields_shown(form)
    if not given or (before is not None and not _changed_fields(given, before)):
        return text
    with at_field("text"):
        tables = tables_of(text)
    now = fields_of(tables)
    changed = _changed_fields(given, before or now)
    clashes = [
        name
        for name in changed
        if _plain(name, now[name]) not in (_plain(name, (before or now).get(name, "")), changed[name])
    ]
    if clashes and not prefer:
        name = clashes[0]
        title = TITLES.get(name, f"Ranking: {name.removeprefix(RANKING)}")
        field, written = brief(changed[name]), brief(now[name])
        both = f"{title} was changed to {field!r} in its field and to {written!r} in the text"
        ways = "press Write into the text to keep that of the field, or Read the text to keep that of the text"
        raise FieldError(name, f"{both}: {ways}")
    kept = {name: value for name, value in changed.items() if name not in clashes or prefer == "fields"}
    return toml_of(write_fields(tables, kept)) if kept else text


def _changed_fields(given: Mapping[str, str], before: Mapping[str, str]) -> dict[str, str]:
    plain = {name: _plain(name, value) for name, value in given.items()}
    return {name: value for name, value in plain.items() if value != _plain(name, before.get(name, ""))}


def _plain(name: str, value: str) -> str:
    """Return a value as a browser sends it back: line breaks are kept in notes alone, and all are of one kind."""
    lines = value.replace("\r\n", "\n").replace("\r", "\n")
    return (lines if name == "notes" else lines.replace("\n", "")).strip()


def write_fields(tables: Tables, changed: Mapping[str, str]) -> Tables:
    """Return a study with some fields written into it; what is left empty is left out."""
    own = {name: value for name, value in tables.items() if name != "questions"}
    for name, value in changed.items():
        with at_field(name):
            if not name.startswith(RANKING):
                own[name] = _value(name, value)
    first = {name: own[name] for name in FIRST_KEYS if own.get(name) not in (None, "", [])}
    rest = {name: part for name, part in own.items() if name not in FIRST_KEYS}
    questions = _questions(tables, changed)
    return {**first, **rest, **({"questions": questions} if questions else {})}


def _value(name: str, typed: str) -> Any:
    """Return what a study file holds for what was typed."""
    if name == "seed":
        return _whole_number(typed.strip() or "0")
    if name in ("by", "scores"):
        texts = split_spellings(typed)
        return texts[0] if name == "by" and len(texts) == 1 else texts
    return typed.strip()


def _whole_number(typed: str) -> int:
    if not re.fullmatch(rf"-?[0-9]{{1,{MAX_SEED_DIGITS}}}", typed):
        raise BadInput(f"seed is a whole number of at most {MAX_SEED_DIGITS} digits, not {brief(typed, 30)!r}")
    return int(typed)


def _questions(tables: Tables, changed: Mapping[str, str]) -> Tables:
    """Return [questions] with the ranking of the fields; keys that have no field are kept."""
    ranking = {name.removeprefix(RANKING): value for name, value in changed.items() if name.startswith(RANKING)}
    if not ranking:
        asked: Tables = tables.get("questions", {})
        return asked
    with at_field(f"{RANKING}{next(iter(ranking))}"):
        asked = table_of(tables, "questions")
        rank = {word: value for word, value in {**table_of(asked, "rank"), **ranking}.items() if value != ""}
    others = {verb: part for verb, part in asked.items() if verb != "rank"}
    return {**({"rank": rank} if rank else {}), **others}
