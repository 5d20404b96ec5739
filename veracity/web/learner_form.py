"""The form of one learner: filled with what was typed, or with what it is in the study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from veracity.core.errors import BadInput
from veracity.learners.class_text import read_class_text
from veracity.studies.parse import TUNING, learner_table
from veracity.web.asked import Form
from veracity.web.edits import PARAMETER, part_of
from veracity.web.estimators import find_learner, is_known, parameters_of, value_of
from veracity.web.form_fields import Tables
from veracity.web.toml_text import toml_value

EDIT = "edit:learners:"


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
