"""The form of one data set: filled with what was typed, or with what it is in the study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from veracity.core.errors import BadInput
from veracity.web.asked import Form
from veracity.web.edits import ROLES, part_of
from veracity.web.form_fields import Tables

EDIT = "edit:data:"
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
