"""Building a study: its page, what is done on it, designs advised, and its checks as JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path
from posixpath import dirname
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from starlette.responses import JSONResponse, RedirectResponse, Response

from veracity.advice.advise import advise, advise_before_run
from veracity.core.errors import BadInput, VeracityError
from veracity.core.words import for_command_line
from veracity.findings.advice import Advice
from veracity.readers.guess_predictions import Cells, first_columns
from veracity.studies.study import Study
from veracity.web.asked import Asked, Form
from veracity.web.calls import Call, Source, python_call
from veracity.web.draft import FIRST, check, seconds_of_fit, tables_of
from veracity.web.edits import (
    FIELD_OF_ACTION,
    ROLES,
    ParameterField,
    add_typed_entries,
    apply,
    entry_form,
    parameter_fields,
    roles_of,
)
from veracity.web.estimators import find_learner, sklearn_learners
from veracity.web.pages import page
from veracity.web.places import STUDY, Place, replace_file
from veracity.web.study_text import (
    QUESTION,
    SHOWN,
    FieldError,
    at_field,
    fields_of,
    mark_of,
    merge_fields,
    toml_of,
    toml_value,
)

SKLEARN = (
    "load_iris",
    "load_wine",
    "load_breast_cancer",
    "load_digits",
    "load_diabetes",
    "make_moons(n_samples=200, noise=0.3, random_state=0)",
    "make_circles(n_samples=200, noise=0.2, random_state=0)",
    "make_classification(n_samples=300, random_state=0)",
    "make_friedman1(n_samples=300, random_state=0)",
)
PREVIEW = 20  # rows
LOOKS = ("", "text", "design", "look", "look-learner", "advise", "clear-data", "clear-learner")  # no change of entries
DESIGNS = (
    "repeated_kfold(k=10, repeats=2)",
    "kfold(k=10)",
    "holdout(test=0.34)",
    "corrected_kfold(k=10)",
    "boot632plus",
)
PREFERRED: dict[str, Literal["text", "fields"]] = {"text": "text", "design": "fields"}  # where both were changed
NOT_IN_NAMES = '<>:"/\\|?*'  # which some machine cannot write in the name of a file
MAX_NAME_BYTES = 200  # which leaves room for the endings of its store and its log
KINDS: dict[str, Any] = {"data": dict, "learners": dict, "questions": dict, "by": (str, list), "scores": (str, list)}
LOST = "this study was changed elsewhere since you opened it: your text is kept here, and nothing was overwritten"


class Changed(FieldError):
    """Somebody else has saved the study meanwhile."""


def setup_page(asked: Asked) -> Response:
    """The study as it is saved, or the beginning of a new one."""
    place = _place(asked)
    text, was = _saved(place)
    return _page(asked, place, text, was)


def setup_action(asked: Asked) -> Response:
    """What a button asks for: an edit shows the new text, saving writes it; what cannot be done keeps all fields."""
    place, form, action = _place(asked), asked.form, asked.form.get("action")
    try:
        if action in ("save", "run"):
            return _save(asked, place, form, action)
        text = _edited_text(asked, place, form, action)
    except VeracityError as why:
        return _page(asked, place, form.get("text"), form.get("was"), why)
    return _page(asked, place, text, form.get("was"))


def _place(asked: Asked) -> Place | None:
    name = asked.names.get("name")
    place = None if name is None else asked.bench.folder.place_or_problem(name)
    if place is not None and place.study is None:
        raise BadInput(f"{place.name} has no study file beside it that could be set up")
    return place


def _saved(place: Place | None) -> tuple[str, str]:
    """The text of a study as it is saved, with its mark; or that which a new one begins with."""
    if place is None or place.study is None:
        return FIRST, ""
    content = place.study.read_bytes()
    return content.decode("utf-8", "replace").replace("\r\n", "\n"), mark_of(content)


def _edited_text(asked: Asked, place: Place | None, form: Form, action: str) -> str:
    """The text with the fields that were changed, after an action of the form."""
    text = merge_fields(form.get("text"), form, PREFERRED.get(action, ""))
    if action in LOOKS or action.startswith("edit:"):
        return text
    with at_field(FIELD_OF_ACTION.get(action, "text")):
        return toml_of(apply(tables_of(text), action, form, _tables(asked, place)))


def _save(asked: Asked, place: Place | None, form: Form, action: str) -> Response:
    """Write everything that stands in the form."""
    if asked.bench.folder.address is not None:
        raise FieldError("name", "a study is saved in a folder: serve one")
    text = merge_fields(form.get("text"), form)
    with at_field("text"):
        tables = tables_of(text)
    complete = add_typed_entries(tables, form, _tables(asked, place))
    text = text if complete == tables else toml_of(complete)
    name = place.name if place is not None else new_study_name(form.get("name"))
    with at_field("name"):
        is_written = _write(asked, asked.bench.folder.inside(name), text, form.get("was") if place is not None else "")
    if not is_written and place is None:
        raise FieldError("name", f"there is a file {name} already: choose another name, or open that study")
    if not is_written:
        raise Changed("text", LOST)
    saved = asked.bench.folder.place_or_problem(name)
    can_run = action == "run" and not check(asked.bench, _folder(asked, saved), text, saved.store or None).mistakes
    to = "run" if can_run else f"setup?saved={mark_of(text.encode())}"
    return RedirectResponse(f"/study/{quote(name)}/{to}", 303)


def _write(asked: Asked, path: Path, text: str, was: str) -> bool:
    """Write a study unless it was changed since; nobody else writes between the look and the writing."""
    with asked.bench.writing:
        if (mark_of(path.read_bytes()) if path.exists() else "") != was:
            return False
        tables_of(text)
        replace_file(path, text)
        return True


def new_study_name(typed: str) -> str:
    """Return the name of a study's file; a name that not every machine can write is refused."""
    name = typed.strip().removesuffix(STUDY).strip()
    if not name:
        raise FieldError("name", "give the study a name, by which its file is called")
    strange = [letter for letter in name if letter in NOT_IN_NAMES or not letter.isprintable()]
    if strange:
        says = f"the name of a study is that of a file and cannot hold {strange[0]!r}: leave it out"
        raise FieldError("name", says)
    if len(name.encode()) > MAX_NAME_BYTES:
        raise FieldError("name", f"this name is too long for a file: at most {MAX_NAME_BYTES} letters")
    if name.startswith("."):
        raise FieldError("name", "a name that begins with a dot hides its file: begin with a letter")
    return f"{name}{STUDY}"


def study_json(asked: Asked) -> Response:
    """The text of a study; PUT checks it, and writes it where If-Match names what is there."""
    place = _place(asked)
    assert place is not None and place.study is not None
    content = place.study.read_bytes()
    if asked.method != "PUT":  # looking has two words, of which one asks for no body
        return Response(content, media_type="application/toml", headers={"etag": f'"{mark_of(content)}"'})
    text = asked.body.decode("utf-8", "replace")
    found = check(asked.bench, place.study.parent, text, place.store)
    wanted = asked.headers.get("if-match", "").strip('"')
    if wanted and not _write(asked, place.study, text, wanted):
        return JSONResponse({"error": LOST, "place": asked.path}, 412)
    return JSONResponse({**found.to_json(), "mark": mark_of(text.encode()) if wanted else mark_of(content)})


def check_json(asked: Asked) -> Response:
    """What can be said of a text that is being typed."""
    name = asked.one("name")
    place = None if name is None else asked.bench.folder.place_or_problem(name)
    folder = _folder(asked, place)
    text = asked.body.decode("utf-8", "replace")
    return JSONResponse(check(asked.bench, folder, text, None if place is None else place.store).to_json())


def _page(asked: Asked, place: Place | None, text: str, was: str, failed: VeracityError | None = None) -> Response:
    folder, form = _folder(asked, place), asked.form
    found = check(asked.bench, folder, text, None if place is None else place.store)
    try:
        tables = tables_of(text)
    except VeracityError:
        tables = {}
    # what is something else than it should be stands in the text alone
    tables = {name: part for name, part in tables.items() if isinstance(part, KINDS.get(name, object))}
    about: dict[str, Any] = {"text": text, "was": was, "found": found, "tables": tables, "form": form}
    about |= {"learners": sklearn_learners(), "datasets": SKLEARN, "files": _tables(asked, place)}
    about["stores"] = _from_study(asked, place, asked.bench.folder.stores())
    about["usual_store"] = "a file of the study's name" if place is None else Path(place.name).with_suffix(".db").name
    about["folders"] = sorted({f"{one}/" for file in about["files"] if (one := dirname(file))})
    about |= {"designs": DESIGNS, "roles": ROLES, "question": QUESTION}
    about |= {"in_shell": for_command_line, "toml": toml_value}
    data, preview, no_data = _data(asked, folder, text, failed is None)
    learner, parameters, no_learner = _learner(form, text, failed is None)
    source = data.get("source").strip()
    last = preview[-1].name if preview else ""
    target = next((one.name for one in preview if one.is_called("truth")), last)
    about |= {"data": data, "given_roles": roles_of(data), "has_file": source and not source.startswith("sklearn:")}
    about |= {"preview": preview, "target": target, "learner": learner, "parameters": parameters}
    problems = [why for why in (failed, no_data, no_learner) if why is not None]
    if form.get("action") == "advise" and not (problems or found.mistakes):
        try:
            about["advised"] = advice_on_draft(asked, place, Study.draft(tables_of(text), folder))
        except VeracityError as why:
            problems.append(why)
    message = problems[0].says if problems else "" if place is None else place.problem
    about |= {"problem": for_command_line(message), "wrong": getattr(problems[0], "field", "") if problems else ""}
    shown = fields_of(tables)
    typed = {name: form.get(name, value) for name, value in shown.items()} if failed is not None else shown
    about |= {"fields": typed, "shown": form.get(SHOWN) if failed is not None else json.dumps(shown)}
    saved, mark = _saved(place)
    about["saved"] = asked.method != "POST" and place is not None and asked.one("saved") == mark
    about["unsaved"] = text != saved or failed is not None or bool(source or learner.get("learner").strip())
    status = 200 if not problems else 412 if isinstance(problems[0], Changed) else 400
    title = "Set up a new study" if place is None else f"Set up {place.name}"
    return page(asked, "setup.html", title, status, study=place, **about)


def _learner(form: Form, text: str, done: bool) -> tuple[Form, tuple[ParameterField, ...], FieldError | None]:
    """Return the fields of a learner with those of its parameters; or as they were typed, and why not more."""
    try:
        with at_field("learner"):
            shown = entry_form("learners", form, text, done)
            if not (done and form.get("action") == "look-learner"):
                return shown, parameter_fields(shown), None
            shown = shown.replace("learner", find_learner(form.get("learner")))
            return shown, parameter_fields(shown, all_parameters=True), None
    except FieldError as why:
        return form, parameter_fields(form), why


def _folder(asked: Asked, place: Place | None) -> Path:
    """The folder that the paths of a study begin in."""
    return asked.bench.folder.root if place is None or place.study is None else place.study.parent


def _tables(asked: Asked, place: Place | None) -> list[str]:
    """The tables that may be data, as a study names them."""
    return _from_study(asked, place, asked.bench.folder.tables())


def _from_study(asked: Asked, place: Place | None, names: list[str]) -> list[str]:
    root, folder = asked.bench.folder.root, _folder(asked, place)
    return [Path(os.path.relpath(root / name, folder)).as_posix() for name in names]


def _data(asked: Asked, folder: Path, text: str, done: bool) -> tuple[Form, list[Cells], FieldError | None]:
    """The same for the data set, with the first rows of its file where they are looked at or were."""
    form = shown = asked.form
    action = form.get("action")
    looks = done and (action == "look" or action.startswith("edit:data:"))
    try:
        with at_field("source"):
            shown = entry_form("data", form, text, done)
            rows = _preview(asked, folder, shown.get("source").strip()) if looks or form.has("data-target") else []
            return shown, rows, None
    except FieldError as why:
        return shown, [], why if looks else None


def _preview(asked: Asked, folder: Path, source: str) -> list[Cells]:
    """Return the first rows of a file; a data set of scikit-learn has none."""
    if not source or source.startswith("sklearn:") or (folder / source).is_dir():
        return []
    path: Path = asked.bench.folder.data_file(folder, source)
    return [Cells(one.name, one.cells[:PREVIEW]) for one in first_columns(str(path))]


class Advised(NamedTuple):
    """The designs, the best first, and the call that says the same of the study as it is saved."""

    advice: Advice
    call: Call | None


def advice_on_draft(asked: Asked, place: Place | None, study: Study) -> Advised:
    """How long a fit takes is known from the store, or not at all: the command times one of each learner."""
    seconds = seconds_of_fit(asked.bench, None if place is None else place.store, study)
    given = {name: _number(asked.form, name) for name in ("difference", "budget")}
    words: dict[str, Any] = {**given, "fit_seconds": seconds}
    found = advise_before_run(study, **words)
    if place is None or place.study is None:
        return Advised(found, None)
    saved = str(place.study)
    source = Source(study, "study", python_call("vc.plan", saved), (saved,))
    return Advised(found, Call(advise, source, named=words))


def _number(form: Form, name: str) -> float | None:
    text = form.get(f"advice-{name}").strip()
    try:
        return float(text) if text else None
    except ValueError:
        raise BadInput(f"{name} is a number, not {text!r}") from None
