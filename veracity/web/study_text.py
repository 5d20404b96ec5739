"""The text of a study file: written as TOML, changed in places, and the fields that stand for its design."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, time
from typing import Any, Literal

from veracity.core.errors import BadInput, VeracityError
from veracity.core.spelling import split_spellings
from veracity.core.words import brief, plural
from veracity.web.asked import Form
from veracity.web.draft import tables_of

BARE = re.compile(r"[A-Za-z0-9_-]+")
KINDS = "it has numbers, texts, true and false, lists, and tables whose names are texts"
NESTED = ("data", "learners", "questions")


def toml_of(tables: Mapping[str, Any]) -> str:
    """Single values first, then each table with a line for each of its entries."""
    nested = [name for name in NESTED if isinstance(tables.get(name), Mapping)]  # else a mistake, told elsewhere
    head = [f"{_key(key)} = {toml_value(value)}" for key, value in tables.items() if key not in nested]
    parts = ["\n".join(head)] if head else []
    for name in nested:
        if tables[name]:
            rows = [f"{_key(key)} = {toml_value(value)}" for key, value in tables[name].items()]
            parts.append("\n".join([f"[{name}]", *rows]))
    return "\n\n".join(parts) + "\n"


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise BadInput(f"a study file cannot hold a table with {key!r} for a name: {KINDS}")
    return key if BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    """A basic string: what JSON escapes, TOML does too, but for the letter that deletes."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_value(value: Any) -> str:
    """A value as it stands behind its name."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    raise BadInput(f"a study file cannot hold {value!r}: {KINDS}")


DESIGN = re.compile(r"(?m)^(\s*by\s*=\s*)(['\"])(?P<name>\w+)\((?P<inside>[^()]*)\)\2")
MODULE = re.compile(r"(?<![\w.])([^\W\d][\w.]*):(?=[^\W\d])")  # before the class
USUAL_REPEATS = 10  # of a repeated k-fold that names none
REPEATED = {"kfold": "repeated_kfold", "stratified_kfold": "repeated_stratified_kfold"}


def mark_of(content: bytes) -> str:
    """By which a file is known to be the one that was read."""
    return hashlib.sha256(content).hexdigest()[:16]


def with_repeats(text: str, number: int) -> str:
    """Return the same study with so many repeats of its design, more than before; all else stays as it was typed."""
    design = _repeated_design(text)
    if design is None:
        raise BadInput("repeats are added to a k-fold, and the design here is none: change `by` in the study's text")
    found, name, parts, repeats = design
    if number <= repeats:
        there = plural(repeats, "repeat")
        raise BadInput(f"the design has {there} already: give a larger number, only new fits are run")
    inside = ", ".join([*(part for part in parts if not part.startswith("repeats")), f"repeats={number}"])
    return text[: found.start()] + f"{found[1]}{found[2]}{name}({inside}){found[2]}" + text[found.end() :]


def repeats_of(text: str) -> int | None:
    """Return how many repeats the design of a study has; None where it can have none, or they cannot be read."""
    design = _repeated_design(text)
    return None if design is None else design[3]


def _repeated_design(text: str) -> tuple[re.Match[str], str, list[str], int] | None:
    """Return where a k-fold stands, its name with repeats, its arguments, and its repeats as typed or usual."""
    found = DESIGN.search(text)
    name = REPEATED.get(found["name"], found["name"]) if found else ""
    if found is None or not name.startswith("repeated_"):
        return None
    parts = [part.strip() for part in found["inside"].split(",") if part.strip()]
    typed = (re.fullmatch(r"repeats\s*=\s*(\d+)", part) for part in parts)
    usual = USUAL_REPEATS if found["name"].startswith("repeated_") else 1
    return found, name, parts, next((int(one[1]) for one in typed if one), usual)


def modules_of(text: str) -> list[str]:
    """The modules that the learners and designs of a study are made from, which a run would import."""
    try:
        given = tomllib.loads(text)
    except ValueError:
        return []
    texts = _texts([given.get("learners"), given.get("by")])
    return sorted({module for text in texts for module in MODULE.findall(text)})


def _texts(part: Any) -> Any:
    if isinstance(part, str):
        yield part
    elif isinstance(part, (dict, list)):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from _texts(inner)


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
    given = _plain_fields({name: form.get(name) for name in FIELDS if form.has(name)})
    shown = fields_shown(form)
    if not given or (shown is not None and given == _plain_fields(shown, given)):
        return text
    with at_field("text"):
        tables = tables_of(text)
    now = _plain_fields(fields_of(tables), given)
    before = _plain_fields(shown, given) if shown else now
    changed = {name: value for name, value in given.items() if value != before[name]}
    clashes = [name for name, value in changed.items() if now[name] not in (before[name], value)]
    if clashes and not prefer:
        name = clashes[0]
        title = TITLES.get(name, f"Ranking: {name.removeprefix(RANKING)}")
        both = f"{title} was changed to {brief(changed[name])!r} in its field and to {brief(now[name])!r} in the text"
        ways = "press Write into the text to keep that of the field, or Read the text to keep that of the text"
        raise FieldError(name, f"{both}: {ways}")
    kept = {name: value for name, value in changed.items() if name not in clashes or prefer == "fields"}
    return toml_of(write_fields(tables, kept)) if kept else text


def _plain_fields(values: Mapping[str, str], names: Iterable[str] | None = None) -> dict[str, str]:
    return {name: _plain(name, values.get(name, "")) for name in (values if names is None else names)}


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
