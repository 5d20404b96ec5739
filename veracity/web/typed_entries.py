"""Data sets and learners that stand in the fields of the form: kept there while others are worked on, added by Save."""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import dirname, normpath

from veracity.web.asked import Form
from veracity.web.data_form import EDIT as EDIT_DATA
from veracity.web.data_form import DataForm, data_in_form, data_in_study
from veracity.web.draft import tables_of
from veracity.web.edits import PARAMETER, apply
from veracity.web.form_fields import FieldError, Tables, at_field
from veracity.web.learner_form import EDIT as EDIT_LEARNER
from veracity.web.learner_form import LearnerForm, learner_in_form, learner_in_study

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
    if done and action.startswith(EDIT_DATA):
        return data_in_study(tables_of(text), action.removeprefix(EDIT_DATA))
    was_used = done and (action in DATA_ACTIONS or action == f"remove:data:{form.get('data-was')}")
    return DataForm() if was_used else data_in_form(form)


def learner_form(form: Form, text: str, done: bool) -> LearnerForm:
    """Return the form of a learner after an action: as it was typed, unless the action was done with it."""
    action = form.get("action")
    if done and action.startswith(EDIT_LEARNER):
        return learner_in_study(tables_of(text), action.removeprefix(EDIT_LEARNER))
    was_used = done and (action in LEARNER_ACTIONS or action == f"remove:learners:{form.get('learner-was')}")
    return LearnerForm() if was_used else learner_in_form(form, done and action == "look-learner")
