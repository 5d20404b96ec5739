"""What the form changes in the tables of a study: data sets, learners, the design and what is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.spelling import split_spellings
from veracity.web.asked import Form
from veracity.web.draft import tables_of
from veracity.web.estimators import parameters_of, value_of

Tables = dict[str, Any]
ROLES = ("target", "positive", "groups", "weights", "time", "test", "kind")
MOST = 100  # learners that a grid makes
QUESTION = ("score", "using", "then", "pairs", "control")


def add_data(tables: Tables, form: Form) -> Tables:
    """A data set: a file with its roles, or one of scikit-learn's."""
    source = form.get("source").strip()
    if not source:
        raise BadInput("name a file of the folder, or a data set of scikit-learn such as sklearn:load_iris")
    roles = {role: value for role in ROLES if (value := form.get(f"data-{role}").strip())}
    left_out = form.every("data-leave_out")
    table = {"file": source, **roles, **({"leave_out": left_out} if left_out else {})}
    name = form.get("data-name").strip() or _own_name(tables, source)
    return _with(tables, "data", name, source if len(table) == 1 else table)


def _name_of(source: str) -> str:
    """`iris` for `sklearn:load_iris`, `credit` for `folder/credit.csv`."""
    text = source.removeprefix("sklearn:").partition("(")[0].rpartition("/")[2]
    return re.sub(r"^(load|make|fetch)_|\.\w+$", "", text) or source


def _own_name(tables: Tables, source: str) -> str:
    """The same, with a number where it is that of another file."""
    name = _name_of(source)
    there = _table(tables, "data").get(name)
    file = there.get("file") if isinstance(there, dict) else there
    return name if file in (None, source) else _free(tables, "data", name)


def add_learner(tables: Tables, form: Form) -> Tables:
    """A learner with the parameters that differ from its own, or by its text; with a grid, one that tunes itself."""
    text = form.get("learner").strip()
    if ":" not in text:
        raise BadInput("a learner is named by its module and class, such as sklearn.naive_bayes:GaussianNB")
    given = {key.removeprefix("parameter-"): value for key, value in form.fields if key.startswith("parameter-")}
    usual = {one.name: one.default for one in parameters_of(text)} if given else {}
    typed = {name: value_of(value) for name, value in given.items() if value.strip()}
    changed = {name: value for name, value in typed.items() if value is not None and value != usual.get(name)}
    name = form.get("learner-name").strip() or _class_of(text)
    grid = form.get("learner-grid").strip()
    if grid:
        inner: Any = {"use": text, **changed} if changed else text
        made: Any = {"tune": inner, "grid": _grid(grid), "by": form.get("learner-by").strip() or "kfold(k=5)"}
    else:
        made = {"use": text, **changed} if changed else text
    return _with(tables, "learners", _free(tables, "learners", name), made)


def _class_of(text: str) -> str:
    """`GaussianNB` for `sklearn.naive_bayes:GaussianNB(...)`."""
    return text.strip().partition(":")[2].partition("(")[0]


def add_each(tables: Tables, form: Form) -> Tables:
    """A learner for every combination of the values of a grid, each by its own name."""
    typed = form.get("learner-grid").strip()
    if not typed:
        raise BadInput("name the values under Tuned over, such as C = [0.1, 1, 10]: each makes a learner of its own")
    grid = _grid(typed)
    if prod(map(len, grid.values())) > MOST:
        raise BadInput(f"these values make more than {MOST} learners: a grid that is tuned over makes one")
    given = {key: value for key, value in form.fields if key != "learner-grid"}
    name = form.get("learner-name").strip() or _class_of(form.get("learner"))
    for values in product(*grid.values()):
        chosen = dict(zip(grid, values, strict=True))
        said = ", ".join(f"{word}={value}" for word, value in chosen.items())
        words = {f"parameter-{word}": str(value) for word, value in chosen.items()}
        tables = add_learner(tables, Form(tuple({**given, **words, "learner-name": f"{name} {said}"}.items())))
    return tables


def _grid(typed: str) -> Any:
    """`C = [0.1, 1]`, as TOML."""
    grid = tables_of(f"grid = {{ {typed.strip('{} ')} }}")["grid"]
    if not grid or not all(isinstance(values, list) and values for values in grid.values()):
        raise BadInput("a grid names parameters with lists of values, such as C = [0.1, 1, 10]")
    return grid


def _free(tables: Tables, section: str, name: str) -> str:
    """The name, or with a number where it is taken."""
    known = _table(tables, section)
    names = (name, *(f"{name} {number}" for number in range(2, 1_000)))
    return next(one for one in names if one not in known)


def _with(tables: Tables, section: str, name: str, part: Any) -> Tables:
    return {**tables, section: {**_table(tables, section), name: part}}


def _table(tables: Tables, name: str) -> Tables:
    """A part that is a table, empty where there is none."""
    part = tables.get(name, {})
    if not isinstance(part, dict):
        raise BadInput(f"{name} is a table in a study, and the text has {part!r} there: write [{name}] and its lines")
    return part


def remove(tables: Tables, section: str, name: str) -> Tables:
    """The same without an entry."""
    return {**tables, section: {one: part for one, part in _table(tables, section).items() if one != name}}


def copy(tables: Tables, section: str, name: str) -> Tables:
    """An entry once more, under a name of its own, to be changed."""
    part = _table(tables, section).get(name)
    return tables if part is None else _with(tables, section, _free(tables, section, name), part)


def change_design(tables: Tables, form: Form) -> Tables:
    """Design, seed, scores, notes and the question of a ranking."""
    seed = form.get("seed", "0").strip() or "0"
    if not re.fullmatch(r"-?\d+", seed):
        raise BadInput(f"seed is a whole number, not {seed!r}")
    by = split_spellings(form.get("by"))
    asked = _table(tables, "questions")
    kept = {word: value for word, value in _table(asked, "rank").items() if word not in QUESTION}
    question = {word: value for word in QUESTION if (value := form.get(f"rank-{word}").strip())} | kept
    others = {verb: part for verb, part in asked.items() if verb != "rank"}
    questions = {**({"rank": question} if question else {}), **others}
    first: Tables = {"notes": form.get("notes")} if form.get("notes").strip() else {}
    first |= {"seed": int(seed), "by": by[0] if len(by) == 1 else by, "scores": split_spellings(form.get("scores"))}
    rest = {key: part for key, part in tables.items() if key not in ("notes", "seed", "by", "scores", "questions")}
    return {**first, **rest, **({"questions": questions} if questions else {})}


EDITS: dict[str, Callable[[Tables, Form], Tables]] = {
    "add-data": add_data,
    "add-learner": add_learner,
    "add-each": add_each,
    "design": change_design,
}


def apply(tables: Tables, action: str, form: Form) -> Tables:
    """The tables after an action of the form; `remove:learners:nb` takes one away, `copy:...` doubles it,
    `take:kfold(k=10)` makes that the design.
    """
    if action in EDITS:
        return EDITS[action](tables, form)
    verb, _, rest = action.partition(":")
    if verb == "take":
        return {**tables, "by": rest}
    section, _, name = rest.partition(":")
    if verb not in ("remove", "copy") or section not in ("data", "learners"):
        return tables
    return remove(tables, section, name) if verb == "remove" else copy(tables, section, name)
