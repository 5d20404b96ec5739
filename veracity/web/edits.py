"""Changes that the buttons and fields of the form make to the tables of a study."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from veracity.web.form_fields import FieldError, Tables, at_field, table_of
from veracity.web.study_text import toml_value

ROLES = ("target", "positive", "groups", "weights", "time", "test", "kind")
MOST = 100  # learners that a grid makes
PARAMETER = "parameter-"  # which the fields of parameters are called by


def add_data(tables: Tables, form: Form) -> Tables:
    """A data set: a file with its roles, or one of scikit-learn's."""
    made = _data_set(form)
    file = _file_of(made)
    return _with(tables, "data", _own_name(tables, form.get("data-name").strip() or _name_of(file), file), made)


def change_data(tables: Tables, form: Form) -> Tables:
    """The data set that is edited, in its place, be it by another name; a label that was no text stays what it was."""
    was = form.get("data-was")
    before, made = part_of(tables, "data", was), _data_set(form)
    label = before.get("positive") if isinstance(before, dict) else None
    if label is not None and isinstance(made, dict) and made.get("positive") == str(label):
        made["positive"] = label
    return _exchange(tables, "data", was, form.get("data-name").strip() or _name_of(_file_of(made)), made)


def _data_set(form: Form) -> Any:
    """What a data set is: its source alone, or with its roles."""
    source = form.get("source").strip()
    if not source:
        raise BadInput("name a file of the folder, or a data set of scikit-learn such as sklearn:load_iris")
    roles = {role: value for role in ROLES if (value := form.get(f"data-{role}").strip())}
    left_out = form.every("data-leave_out")
    table = {"file": source, **roles, **({"leave_out": left_out} if left_out else {})}
    return source if len(table) == 1 else table


def add_folder(tables: Tables, form: Form, files: Iterable[str]) -> Tables:
    """Every table of a folder that is not in the study yet, all with the same roles."""
    folder = normpath(form.get("source").strip() or ".")
    found = [file for file in files if normpath(dirname(file)) == folder]
    there = {_file_of(part) for part in table_of(tables, "data").values()}
    new = [file for file in found if file not in there]
    if not new:
        why = "all its tables are in the study" if found else "no tables lie there: name a folder, . for the first"
        raise BadInput(f"nothing was added from {folder}: {why}")
    kept = tuple((key, value) for key, value in form.fields if key not in ("source", "data-name"))
    for file in new:
        tables = add_data(tables, Form((*kept, ("source", file))))
    return tables


def _file_of(part: Any) -> Any:
    return part.get("file") if isinstance(part, dict) else part


def _name_of(source: str) -> str:
    """`iris` for `sklearn:load_iris`, `credit` for `folder/credit.csv`."""
    text = source.removeprefix("sklearn:").partition("(")[0].rpartition("/")[2]
    return re.sub(r"^(load|make|fetch)_|\.\w+$", "", text) or source


def _own_name(tables: Tables, name: str, source: str) -> str:
    """Return the name, with a number where it is that of another file."""
    return name if _file_of(table_of(tables, "data").get(name)) in (None, source) else _free(tables, "data", name)


def add_learner(tables: Tables, form: Form) -> Tables:
    """A learner more, under a name of its own."""
    name, made = _learner(form)
    return _with(tables, "learners", _free(tables, "learners", name), made)


def change_learner(tables: Tables, form: Form) -> Tables:
    """The learner that is edited, in its place, be it by another name."""
    was = form.get("learner-was")
    part_of(tables, "learners", was)
    name, made = _learner(form, all_typed=True)  # what was written out stays written out
    return _exchange(tables, "learners", was, name, made)


def _learner(form: Form, all_typed: bool = False) -> tuple[str, Any]:
    """The name of a learner, and what it is: by its text, with the parameters that differ from its own, or with all
    that were typed; with a grid, one that tunes itself.
    """
    made = _estimator(form, {}, all_typed)
    grid = form.get("learner-grid").strip()
    if grid:
        made = {"tune": made, "grid": _grid(grid), "by": form.get("learner-by").strip() or "kfold(k=5)"}
    return form.get("learner-name").strip() or _class_of(find_learner(form.get("learner"))), made


def _estimator(form: Form, chosen: Tables, all_typed: bool = False) -> Any:
    """Return a learner as a study file writes it: its text, or a table with the parameters that were typed or chosen.

    Chosen values are taken as they are. Typed ones are left out where they are scikit-learn's default, unless
    `all_typed`.
    """
    text = find_learner(form.get("learner"))
    check_class(text, PLAN)
    given = {key.removeprefix(PARAMETER): value for key, value in form.fields if key.startswith(PARAMETER)}
    known = parameters_of(text) if given and is_known(text) and not all_typed else ()
    usual = {one.name: one.default for one in known}
    typed = {name: value_of(value) for name, value in given.items() if value.strip()}
    changed = {name: value for name, value in typed.items() if value is not None and value != usual.get(name)}
    parameters = {**changed, **chosen}
    return {"use": text, **parameters} if parameters else text


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
    name = form.get("learner-name").strip() or _class_of(find_learner(form.get("learner")))
    for values in product(*grid.values()):
        chosen = dict(zip(grid, values, strict=True))
        said = ", ".join(f"{word}={value}" for word, value in chosen.items())
        tables = _with(tables, "learners", _free(tables, "learners", f"{name} {said}"), _estimator(form, chosen))
    return tables


def _grid(typed: str) -> Any:
    """`C = [0.1, 1]`, as TOML."""
    grid = tables_of(f"grid = {{ {typed.strip('{} ')} }}")["grid"]
    if not grid or not all(isinstance(values, list) and values for values in grid.values()):
        raise BadInput("a grid names parameters with lists of values, such as C = [0.1, 1, 10]")
    return grid


def _free(tables: Tables, section: str, name: str) -> str:
    """The name, or with a number where it is taken."""
    known = table_of(tables, section)
    names = (name, *(f"{name} {number}" for number in range(2, 1_000)))
    return next(one for one in names if one not in known)


def _with(tables: Tables, section: str, name: str, part: Any) -> Tables:
    return {**tables, section: {**table_of(tables, section), name: part}}


def _exchange(tables: Tables, section: str, was: str, name: str, made: Any) -> Tables:
    """An entry in the place of another, by a name that no third one has."""
    new = _free(remove(tables, section, was), section, name)
    parts = {new if one == was else one: made if one == was else part for one, part in tables[section].items()}
    return {**tables, section: parts}


def remove(tables: Tables, section: str, name: str) -> Tables:
    """The same without an entry."""
    return {**tables, section: {one: part for one, part in table_of(tables, section).items() if one != name}}


def copy(tables: Tables, section: str, name: str) -> Tables:
    """An entry once more, under a name of its own, to be changed."""
    return _with(tables, section, _free(tables, section, name), part_of(tables, section, name))


def move_up(tables: Tables, section: str, name: str) -> Tables:
    """An entry before the one that it follows."""
    return _move(tables, section, name, -1)


def move_down(tables: Tables, section: str, name: str) -> Tables:
    """An entry behind the one that it precedes."""
    return _move(tables, section, name, 1)


def _move(tables: Tables, section: str, name: str, places: int) -> Tables:
    part = part_of(tables, section, name)
    others = list(remove(tables, section, name)[section].items())
    place = list(tables[section]).index(name) + places
    others.insert(max(place, 0), (name, part))
    return {**tables, section: dict(others)}


def part_of(tables: Tables, section: str, name: str) -> Any:
    """An entry that is in the study."""
    parts = table_of(tables, section)
    if name not in parts:
        raise BadInput(f"{section} has no {name!r} any more: the text was changed meanwhile")
    return parts[name]


EDITS: dict[str, Callable[[Tables, Form], Tables]] = {
    "add-data": add_data,
    "change-data": change_data,
    "add-learner": add_learner,
    "add-each": add_each,
    "change-learner": change_learner,
}
OF_ENTRIES: dict[str, Callable[[Tables, str, str], Tables]] = {
    "remove": remove,
    "copy": copy,
    "up": move_up,
    "down": move_down,
}


def apply(tables: Tables, action: str, form: Form, files: Iterable[str] = ()) -> Tables:
    """The tables after an action of the form; `remove:learners:nb` takes one away, `copy:...` doubles it, `up:...` and
    `down:...` move it, `take:kfold(k=10)` makes that the design.
    """
    if action == "add-folder":
        return add_folder(tables, form, files)
    if action in EDITS:
        return EDITS[action](tables, form)
    verb, _, rest = action.partition(":")
    if verb == "take":
        return {**tables, "by": rest}
    section, _, name = rest.partition(":")
    known = verb in OF_ENTRIES and section in ("data", "learners")
    return OF_ENTRIES[verb](tables, section, name) if known else tables


DATA_EDIT = "edit:data:"
KNOWN = {"file", "leave_out", *ROLES}


@dataclass(frozen=True)
class DataForm:
    """What stands in the fields; `was` is the name of the data set in the study that is edited."""

    source: str = ""
    name: str = ""
    was: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The file whose first rows can be shown; scikit-learn's have none."""
        return "" if self.source.startswith("sklearn:") else self.source

    def is_like(self, other: DataForm) -> bool:
        """Tell whether two forms mean the same data set, in whatever order columns are left out."""
        return replace(self, left_out=tuple(sorted(self.left_out))) == replace(
            other, left_out=tuple(sorted(other.left_out))
        )


def data_in_form(form: Form) -> DataForm:
    """As it was typed."""
    source, name = form.get("source").strip(), form.get("data-name").strip()
    roles = {role: value for role in ROLES if (value := form.get(f"data-{role}").strip())}
    return DataForm(source, name, form.get("data-was"), roles, tuple(form.every("data-leave_out")))


def data_in_study(tables: Tables, name: str) -> DataForm:
    """As it is in the study."""
    part = part_of(tables, "data", name)
    table = {"file": part} if isinstance(part, str) else part if isinstance(part, dict) else {}
    if not isinstance(table.get("file"), str) or set(table) - KNOWN:
        raise BadInput(f"{name} has parts that the form has no fields for: change it in the text")
    roles = {role: str(table[role]) for role in ROLES if role in table}
    left_out = table.get("leave_out", [])
    return DataForm(table["file"], name, name, roles, (left_out,) if isinstance(left_out, str) else tuple(left_out))


LEARNER_EDIT = "edit:learners:"


class Field(NamedTuple):
    """A parameter, and what stands in its field."""

    name: str
    default: Any
    says: str
    typed: str


@dataclass(frozen=True)
class LearnerForm:
    """What stands in the fields; `was` is the name of the learner in the study that is edited."""

    text: str = ""
    name: str = ""
    grid: str = ""
    by: str = ""
    was: str = ""
    fields: tuple[Field, ...] = ()


def learner_in_form(form: Form, all_parameters: bool = False) -> LearnerForm:
    """Return the fields as they were typed; with all parameters, a field for each that scikit-learn tells of."""
    text = form.get("learner").strip()
    text = find_learner(text) if all_parameters else text
    typed = {name.removeprefix(PARAMETER): value for name, value in form.fields if name.startswith(PARAMETER)}
    fields = _fields(text, typed, strict=all_parameters) if typed or all_parameters else ()
    name, grid, by = (form.get(f"learner-{word}").strip() for word in ("name", "grid", "by"))
    return LearnerForm(text, name, grid, by, form.get("learner-was"), fields)


def learner_in_study(tables: Tables, name: str) -> LearnerForm:
    """As it is in the study, with its parameters in their fields."""
    part = part_of(tables, "learners", name)
    table = learner_table(part) if isinstance(part, (str, dict)) else {}
    given = {**table.pop("tune", {}), **table}
    grid, use = given.pop("grid", None), given.pop("use", None)
    by = given.pop("by", "") if grid else ""
    if not isinstance(use, str) or not isinstance(by, str) or (grid and set(given) & set(TUNING)):
        raise BadInput(f"{name} has parts that the form has no fields for: change it in the text")
    call = read_class_text(use)
    text, given = (use, given) if call.positional else (call.place, {**given, **call.arguments})
    fields = _fields(text, {word: typed_value(value) for word, value in given.items()}, strict=False)
    return LearnerForm(text, name, toml_value(grid)[2:-2] if grid else "", by, name, fields)


def _fields(text: str, typed: Mapping[str, str], strict: bool = True) -> tuple[Field, ...]:
    """A field for each parameter that scikit-learn tells of, and for what else was given."""
    known = parameters_of(text) if strict or is_known(text) else ()
    names = {one.name for one in known}
    others = (Field(name, "", "", value) for name, value in typed.items() if name not in names)
    return (*(Field(*one, typed.get(one.name, "")) for one in known), *others)


def typed_value(value: Any) -> str:
    """What is typed to mean a value."""
    text = value if isinstance(value, str) and value and value_of(value) == value else repr(value)
    if value_of(text) != value:
        raise BadInput(f"{value!r} cannot be typed into a field: change it in the text")
    return text


DATA_ACTIONS = ("add-data", "add-folder", "change-data", "clear-data")
LEARNER_ACTIONS = ("add-learner", "add-each", "change-learner", "clear-learner")
FIELD_OF_ACTION = {
    **dict.fromkeys((*DATA_ACTIONS, "look"), "source"),
    **dict.fromkeys((*LEARNER_ACTIONS, "look-learner"), "learner"),
    "add-each": "learner-grid",
}


def add_typed_entries(tables: Tables, form: Form, files: Sequence[str]) -> Tables:
    """Return a study with the data set and the learner that were typed, or changed, and not yet added."""
    with at_field("source"):
        tables = _add_typed_data(tables, form, files)
    with at_field("learner"):
        return _add_typed_learner(tables, form)


def _add_typed_data(tables: Tables, form: Form, files: Sequence[str]) -> Tables:
    typed = data_in_form(form)
    if typed.was:
        same = typed.is_like(data_in_study(tables, typed.was))
        return tables if same else apply(tables, "change-data", form)
    if typed.source:
        is_folder = any(normpath(dirname(file)) == normpath(typed.source) for file in files)
        return apply(tables, "add-folder" if is_folder else "add-data", form, files)
    if typed.name or typed.roles:
        raise FieldError("source", f"no file is named for the data set {typed.name!r}: name it, or clear its fields")
    return tables


def _add_typed_learner(tables: Tables, form: Form) -> Tables:
    typed = learner_in_form(form)
    if typed.was:
        return tables if typed == learner_in_study(tables, typed.was) else apply(tables, "change-learner", form)
    if typed.text:
        return apply(tables, "add-learner", form)
    if typed.name or typed.grid or typed.by or any(key.startswith(PARAMETER) and value for key, value in form.fields):
        says = "a name, a grid or parameters were typed and no learner: name it, or clear these fields"
        raise FieldError("learner", says)
    return tables


def data_form(form: Form, text: str, done: bool) -> DataForm:
    """Return the form of a data set after an action: as it was typed, unless the action was done with it."""
    action = form.get("action")
    if done and action.startswith(DATA_EDIT):
        return data_in_study(tables_of(text), action.removeprefix(DATA_EDIT))
    was_used = done and (action in DATA_ACTIONS or action == f"remove:data:{form.get('data-was')}")
    return DataForm() if was_used else data_in_form(form)


def learner_form(form: Form, text: str, done: bool) -> LearnerForm:
    """Return the form of a learner after an action: as it was typed, unless the action was done with it."""
    action = form.get("action")
    if done and action.startswith(LEARNER_EDIT):
        return learner_in_study(tables_of(text), action.removeprefix(LEARNER_EDIT))
    was_used = done and (action in LEARNER_ACTIONS or action == f"remove:learners:{form.get('learner-was')}")
    return LearnerForm() if was_used else learner_in_form(form, done and action == "look-learner")
