"""The entries of a study: what buttons and fields of the form make of them, and the fields that an entry fills."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import prod
from posixpath import dirname, normpath
from typing import Any, NamedTuple

from veracity.core.errors import BadInput
from veracity.learners.from_text import PLAN, check_class, read_class_text
from veracity.studies.parse import TUNING, learner_table
from veracity.web.asked import Form
from veracity.web.draft import tables_of
from veracity.web.estimators import find_learner, is_known, parameters_of, value_of
from veracity.web.study_text import Tables, at_field, table_of, toml_value

ROLES = ("target", "positive", "groups", "weights", "time", "test", "kind")
MAX_LEARNERS_OF_GRID = 100
PARAMETER = "parameter-"  # begins the names of the fields of parameters
SECTIONS = {"data": "data", "learners": "learner"}  # and the word in the names of their fields and actions
FIRST_FIELD = {"data": "source", "learners": "learner"}
ACTIONS = {
    "data": ("add-data", "add-folder", "change-data", "clear-data"),
    "learners": ("add-learner", "add-each", "change-learner", "clear-learner"),
}
FIELD_OF_ACTION = {
    **dict.fromkeys((*ACTIONS["data"], "look"), "source"),
    **dict.fromkeys((*ACTIONS["learners"], "look-learner"), "learner"),
    "add-each": "learner-grid",
}


def apply(tables: Tables, action: str, form: Form, files: Iterable[str] = ()) -> Tables:
    """Return the tables after an action of the form; `remove:learners:nb` takes one away, `copy:...` doubles it,
    `up:...` and `down:...` move it, `take:kfold(k=10)` makes that the design.
    """
    if action in EDITS:
        return EDITS[action](tables, form)
    if action == "add-folder":
        return _add_folder(tables, form, files)
    verb, _, rest = action.partition(":")
    section, _, name = rest.partition(":")
    if verb == "take":
        return {**tables, "by": rest}
    if section not in SECTIONS or verb not in ("remove", "copy", "up", "down"):
        return tables
    if verb == "remove":
        return _without(tables, section, name)
    part = _part_of(tables, section, name)
    if verb == "copy":
        return _with(tables, section, _free(tables, section, name), part)
    others = list(_without(tables, section, name)[section].items())
    place = list(tables[section]).index(name) + (1 if verb == "down" else -1)
    others.insert(max(place, 0), (name, part))
    return {**tables, section: dict(others)}


def _with(tables: Tables, section: str, name: str, part: Any) -> Tables:
    return {**tables, section: {**table_of(tables, section), name: part}}


def _without(tables: Tables, section: str, name: str) -> Tables:
    return {**tables, section: {one: part for one, part in table_of(tables, section).items() if one != name}}


def _exchange(tables: Tables, section: str, was: str, name: str, entry: Any) -> Tables:
    """Put an entry in the place of another, by a name that no third one has."""
    new = _free(_without(tables, section, was), section, name)
    parts = {new if one == was else one: entry if one == was else part for one, part in tables[section].items()}
    return {**tables, section: parts}


def _free(tables: Tables, section: str, name: str) -> str:
    """Return the name, with a number where it is taken."""
    known = table_of(tables, section)
    names = (name, *(f"{name} {number}" for number in range(2, 1_000)))
    return next(one for one in names if one not in known)


def _part_of(tables: Tables, section: str, name: str) -> Any:
    parts = table_of(tables, section)
    if name not in parts:
        raise BadInput(f"{section} has no {name!r} any more: the text was changed meanwhile")
    return parts[name]


def _add_data(tables: Tables, form: Form) -> Tables:
    """Add a file with its roles, or a data set of scikit-learn; a name that another file has gets a number."""
    entry = _data_set(form)
    file = _file_of(entry)
    name = form.get("data-name").strip() or _name_of(file)
    if _file_of(table_of(tables, "data").get(name)) not in (None, file):
        name = _free(tables, "data", name)
    return _with(tables, "data", name, entry)


def _change_data(tables: Tables, form: Form) -> Tables:
    """Change the data set that is edited, in its place; a label that was no text stays what it was."""
    was = form.get("data-was")
    before, entry = _part_of(tables, "data", was), _data_set(form)
    label = before.get("positive") if isinstance(before, dict) else None
    if label is not None and isinstance(entry, dict) and entry.get("positive") == str(label):
        entry["positive"] = label
    return _exchange(tables, "data", was, form.get("data-name").strip() or _name_of(_file_of(entry)), entry)


def _data_set(form: Form) -> Any:
    """Return what a study file holds for a data set: its source alone, or with its roles."""
    source = form.get("source").strip()
    if not source:
        raise BadInput("name a file of the folder, or a data set of scikit-learn such as sklearn:load_iris")
    left_out = form.every("data-leave_out")
    table = {"file": source, **roles_of(form), **({"leave_out": left_out} if left_out else {})}
    return source if len(table) == 1 else table


def roles_of(form: Form) -> dict[str, str]:
    """Return the roles of columns that a form names."""
    return {role: value for role in ROLES if (value := form.get(f"data-{role}").strip())}


def _add_folder(tables: Tables, form: Form, files: Iterable[str]) -> Tables:
    """Add every table of a folder that is not in the study yet, all with the same roles."""
    folder = normpath(form.get("source").strip() or ".")
    found = [file for file in files if normpath(dirname(file)) == folder]
    there = {_file_of(part) for part in table_of(tables, "data").values()}
    new = [file for file in found if file not in there]
    if not new:
        why = "all its tables are in the study" if found else "no tables lie there: name a folder, . for the first"
        raise BadInput(f"nothing was added from {folder}: {why}")
    kept = tuple((key, value) for key, value in form.fields if key not in ("source", "data-name"))
    for file in new:
        tables = _add_data(tables, Form((*kept, ("source", file))))
    return tables


def _file_of(part: Any) -> Any:
    return part.get("file") if isinstance(part, dict) else part


def _name_of(source: str) -> str:
    """Return `iris` for `sklearn:load_iris`, `credit` for `folder/credit.csv`."""
    text = source.removeprefix("sklearn:").partition("(")[0].rpartition("/")[2]
    return re.sub(r"^(load|make|fetch)_|\.\w+$", "", text) or source


def _add_learner(tables: Tables, form: Form) -> Tables:
    name, entry = _learner(form)
    return _with(tables, "learners", _free(tables, "learners", name), entry)


def _change_learner(tables: Tables, form: Form) -> Tables:
    """Change the learner that is edited, in its place; what was written out in the study stays written out."""
    was = form.get("learner-was")
    _part_of(tables, "learners", was)
    name, entry = _learner(form, all_typed=True)
    return _exchange(tables, "learners", was, name, entry)


def _learner(form: Form, all_typed: bool = False) -> tuple[str, Any]:
    """Return the name of a learner and what a study file holds for it; with a grid, one that tunes itself."""
    entry = _estimator(form, {}, all_typed)
    grid = form.get("learner-grid").strip()
    if grid:
        entry = {"tune": entry, "grid": _grid(grid), "by": form.get("learner-by").strip() or "kfold(k=5)"}
    return _learner_name(form), entry


def _learner_name(form: Form) -> str:
    """Return the name that was typed, else `GaussianNB` for `sklearn.naive_bayes:GaussianNB(...)`."""
    text = find_learner(form.get("learner"))
    return form.get("learner-name").strip() or text.strip().partition(":")[2].partition("(")[0]


def _estimator(form: Form, chosen: Tables, all_typed: bool = False) -> Any:
    """Return a learner as a study file writes it: its text, or a table with the parameters that were typed or chosen.

    Chosen values are taken as they are. Typed ones are left out where they are scikit-learn's default, unless
    `all_typed`.
    """
    text = find_learner(form.get("learner"))
    check_class(text, PLAN)
    given = _typed_parameters(form)
    known = parameters_of(text) if given and is_known(text) and not all_typed else ()
    defaults = {one.name: one.default for one in known}
    typed = {name: value_of(value) for name, value in given.items() if value.strip()}
    changed = {name: value for name, value in typed.items() if value is not None and value != defaults.get(name)}
    parameters = {**changed, **chosen}
    return {"use": text, **parameters} if parameters else text


def _typed_parameters(form: Form) -> dict[str, str]:
    return {key.removeprefix(PARAMETER): value for key, value in form.fields if key.startswith(PARAMETER)}


def _add_each(tables: Tables, form: Form) -> Tables:
    """Add a learner for every combination of the values of a grid, each by its own name."""
    typed = form.get("learner-grid").strip()
    if not typed:
        raise BadInput("name the values under Tuned over, such as C = [0.1, 1, 10]: each makes a learner of its own")
    grid = _grid(typed)
    if prod(map(len, grid.values())) > MAX_LEARNERS_OF_GRID:
        limit = f"these values make more than {MAX_LEARNERS_OF_GRID} learners"
        raise BadInput(f"{limit}: a grid that is tuned over makes one")
    name = _learner_name(form)
    for values in product(*grid.values()):
        chosen = dict(zip(grid, values, strict=True))
        own = f"{name} {', '.join(f'{word}={value}' for word, value in chosen.items())}"
        tables = _with(tables, "learners", _free(tables, "learners", own), _estimator(form, chosen))
    return tables


def _grid(typed: str) -> Any:
    """Read `C = [0.1, 1]`, which is TOML."""
    grid = tables_of(f"grid = {{ {typed.strip('{} ')} }}")["grid"]
    if not grid or not all(isinstance(values, list) and values for values in grid.values()):
        raise BadInput("a grid names parameters with lists of values, such as C = [0.1, 1, 10]")
    return grid


EDITS: dict[str, Callable[[Tables, Form], Tables]] = {
    "add-data": _add_data,
    "change-data": _change_data,
    "add-learner": _add_learner,
    "add-each": _add_each,
    "change-learner": _change_learner,
}


def data_in_study(tables: Tables, name: str) -> Form:
    """Return the fields that a data set of the study fills."""
    part = _part_of(tables, "data", name)
    table = {"file": part} if isinstance(part, str) else part if isinstance(part, dict) else {}
    if not isinstance(table.get("file"), str) or set(table) - {"file", "leave_out", *ROLES}:
        raise BadInput(f"{name} has parts that the form has no fields for: change it in the text")
    left_out = table.get("leave_out", [])
    fields = {"source": table["file"], "data-name": name, "data-was": name}
    fields |= {f"data-{role}": str(table[role]) for role in ROLES if role in table}
    columns = [left_out] if isinstance(left_out, str) else left_out
    return Form((*fields.items(), *(("data-leave_out", column) for column in columns)))


def learner_in_study(tables: Tables, name: str) -> Form:
    """Return the fields that a learner of the study fills, with those of its parameters."""
    part = _part_of(tables, "learners", name)
    table = learner_table(part) if isinstance(part, (str, dict)) else {}
    given = {**table.pop("tune", {}), **table}
    grid, use = given.pop("grid", None), given.pop("use", None)
    by = given.pop("by", "") if grid else ""
    if not isinstance(use, str) or not isinstance(by, str) or (grid and set(given) & set(TUNING)):
        raise BadInput(f"{name} has parts that the form has no fields for: change it in the text")
    call = read_class_text(use)
    text, given = (use, given) if call.positional else (call.place, {**given, **call.arguments})
    fields = {"learner": text, "learner-name": name, "learner-was": name, "learner-by": by}
    fields["learner-grid"] = toml_value(grid)[2:-2] if grid else ""
    return Form((*fields.items(), *((f"{PARAMETER}{word}", typed_value(value)) for word, value in given.items())))


def typed_value(value: Any) -> str:
    """Return what is typed to mean a value."""
    text = value if isinstance(value, str) and value and value_of(value) == value else repr(value)
    if value_of(text) != value:
        raise BadInput(f"{value!r} cannot be typed into a field: change it in the text")
    return text


IN_STUDY: Mapping[str, Callable[[Tables, str], Form]] = {"data": data_in_study, "learners": learner_in_study}


def entry_form(section: str, form: Form, text: str, done: bool) -> Form:
    """Return the fields of an entry after an action: as they were typed, unless the action was done with them."""
    action = form.get("action")
    if done and action.startswith(f"edit:{section}:"):
        return IN_STUDY[section](tables_of(text), action.removeprefix(f"edit:{section}:"))
    if done and (action in ACTIONS[section] or action == f"remove:{section}:{form.get(f'{SECTIONS[section]}-was')}"):
        return Form(())
    return form


class ParameterField(NamedTuple):
    """A parameter of a learner, and what stands in its field."""

    name: str
    default: Any
    says: str
    typed: str


def parameter_fields(form: Form, all_parameters: bool = False) -> tuple[ParameterField, ...]:
    """Return a field for each parameter that scikit-learn tells of, and for what else was typed.

    Without `all_parameters`, a learner that nobody edits and that has no typed parameters has none.
    """
    text, typed = form.get("learner").strip(), _typed_parameters(form)
    if not (typed or all_parameters or form.has("learner-was")):
        return ()
    known = parameters_of(text) if all_parameters or is_known(text) else ()
    names = {one.name for one in known}
    others = (ParameterField(name, "", "", value) for name, value in typed.items() if name not in names)
    return (*(ParameterField(*one, typed.get(one.name, "")) for one in known), *others)


def add_typed_entries(tables: Tables, form: Form, files: Sequence[str]) -> Tables:
    """Return a study with the data set and the learner that were typed, or changed, and not yet added."""
    source, name = form.get("source").strip(), form.get("data-name").strip()
    is_folder = any(normpath(dirname(file)) == normpath(source) for file in files)
    for section, word in SECTIONS.items():
        with at_field(FIRST_FIELD[section]):
            typed = _filled_fields(section, form)
            if was := form.get(f"{word}-was"):
                if typed != _filled_fields(section, IN_STUDY[section](tables, was)):
                    tables = apply(tables, f"change-{word}", form)
            elif form.get(FIRST_FIELD[section]).strip():
                action = "add-folder" if section == "data" and is_folder else f"add-{word}"
                tables = apply(tables, action, form, files)
            elif section == "data" and (name or roles_of(form)):
                raise BadInput(f"no file is named for the data set {name!r}: name it, or clear its fields")
            elif section == "learners" and typed:
                what = "a name, a grid or parameters were typed and no learner"
                raise BadInput(f"{what}: name it, or clear these fields")
    return tables


def _filled_fields(section: str, form: Form) -> list[tuple[str, str]]:
    """Return the fields of an entry that hold something, in an order of their own."""
    own = {"data": ("source", "data-"), "learners": ("learner", PARAMETER)}[section]
    return sorted((key, value) for key, value in form.fields if value.strip() and key.startswith(own))
