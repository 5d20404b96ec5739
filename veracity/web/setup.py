"""Set up: the form of a study and its text, each from the other; nothing is written before it is saved."""

from __future__ import annotations

import os
from pathlib import Path
from posixpath import dirname
from typing import Any
from urllib.parse import quote

from starlette.responses import JSONResponse, RedirectResponse, Response

from veracity.core.errors import BadInput, VeracityError
from veracity.core.words import in_shell
from veracity.readers.guess_predictions import Cells, first_columns
from veracity.studies.study import Study
from veracity.web.advised import advice_on_draft
from veracity.web.asked import Asked, Form
from veracity.web.data_form import EDIT as EDIT_DATA
from veracity.web.data_form import DataForm, data_in_form, data_in_study
from veracity.web.draft import FIRST, check, tables_of
from veracity.web.edits import QUESTION, ROLES, apply
from veracity.web.estimators import sklearn_learners
from veracity.web.learner_form import EDIT, LearnerForm, learner_in_form, learner_in_study
from veracity.web.pages import page
from veracity.web.places import STUDY, Place
from veracity.web.study_text import mark_of
from veracity.web.toml_text import toml_of, toml_value
from veracity.web.whole_files import replace_file

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
LOOKS = ("", "text", "look", "look-learner", "advise")  # what changes no text
DESIGNS = (
    "repeated_kfold(k=10, repeats=2)",
    "kfold(k=10)",
    "holdout(test=0.34)",
    "corrected_kfold(k=10)",
    "boot632plus",
)
KINDS: dict[str, Any] = {"data": dict, "learners": dict, "questions": dict, "by": (str, list), "scores": (str, list)}
LOST = "this study was changed elsewhere since you opened it: your text is kept here, and nothing was overwritten"


def setup_page(asked: Asked) -> Response:
    """The study as it is saved, or the beginning of a new one."""
    place = _place(asked)
    content = b"" if place is None or place.study is None else place.study.read_bytes()
    text = content.decode("utf-8", "replace").replace("\r\n", "\n") if place is not None else FIRST
    return _page(asked, place, text, mark_of(content) if place is not None else "")


def setup_action(asked: Asked) -> Response:
    """What a button asks for: an edit shows the new text, saving writes it."""
    place, form, action = _place(asked), asked.form, asked.form.get("action")
    text, was = form.get("text"), form.get("was")
    if action in ("save", "run"):
        return _save(asked, place, text, was, action)
    try:
        looks = action in LOOKS or action.startswith((EDIT, EDIT_DATA))
        changed = text if looks else toml_of(apply(tables_of(text), action, form, _tables(asked, place)))
    except VeracityError as why:
        return _page(asked, place, text, was, 400, problem=in_shell(why.says))
    return _page(asked, place, changed, was)


def _place(asked: Asked) -> Place | None:
    name = asked.names.get("name")
    place = None if name is None else asked.bench.folder.place_or_problem(name)
    if place is not None and place.study is None:
        raise BadInput(f"{place.name} has no study file beside it that could be set up")
    return place


def _save(asked: Asked, place: Place | None, text: str, was: str, action: str) -> Response:
    if asked.bench.folder.address is not None:
        raise BadInput("a study is saved in a folder: serve one")
    name = place.name if place is not None else _new_name(asked)
    path = asked.bench.folder.inside(name)
    if not _write(asked, path, text, was):
        return _page(asked, place, text, was, 412, problem=LOST)
    return RedirectResponse(f"/study/{quote(name)}/{'run' if action == 'run' else 'setup'}", 303)


def _write(asked: Asked, path: Path, text: str, was: str) -> bool:
    """Write a study unless it was changed since; nobody else writes between the look and the writing."""
    with asked.bench.writing:
        if (mark_of(path.read_bytes()) if path.exists() else "") != was:
            return False
        tables_of(text)
        replace_file(path, text)
        return True


def _new_name(asked: Asked) -> str:
    name = asked.form.get("name").strip().removesuffix(STUDY)
    if not name or name.startswith(".") or "/" in name or "\\" in name:
        raise BadInput("give the study a name, by which its file is called")
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


def _page(asked: Asked, place: Place | None, text: str, was: str, status: int = 200, problem: str = "") -> Response:
    folder = _folder(asked, place)
    found = check(asked.bench, folder, text, None if place is None else place.store)
    told = problem or ("" if place is None else in_shell(place.problem))
    about: dict[str, Any] = {"text": text, "was": was, "problem": told, "found": found, "tables": _readable(text)}
    about |= {"learners": sklearn_learners(), "datasets": SKLEARN, "files": _tables(asked, place)}
    about["stores"] = _from_study(asked, place, asked.bench.folder.stores())
    about["usual_store"] = "a file of the study's name" if place is None else Path(place.name).with_suffix(".db").name
    about["folders"] = sorted({f"{one}/" for file in about["files"] if (one := dirname(file))})
    about |= {"designs": DESIGNS, "roles": ROLES, "question": QUESTION, "form": asked.form}
    about |= {"in_shell": in_shell, "toml": toml_value}
    about |= _data(asked, folder, text, problem)
    about |= _learner(asked.form, text, problem)
    if asked.form.get("action") == "advise" and not found.mistakes:
        about |= _advice(asked, place, tables_of(text), folder)
    title = "Set up a new study" if place is None else f"Set up {place.name}"
    return page(asked, "setup.html", title, status, study=place, **about)


def _advice(asked: Asked, place: Place | None, tables: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Which design to choose, or why that cannot be told, with the line that tells it."""
    try:
        return {"advised": advice_on_draft(asked, place, Study.draft(tables, folder))}
    except VeracityError as why:
        return {"problem": in_shell(why.says)}


def _readable(text: str) -> dict[str, Any]:
    """The parts of a text that the form can show; what is something else than it should be stands in the text alone."""
    try:
        tables = tables_of(text)
    except VeracityError:
        return {"rank": {}}
    good = {name: part for name, part in tables.items() if isinstance(part, KINDS.get(name, object))}
    rank = good.get("questions", {}).get("rank", {})
    return {**good, "rank": rank if isinstance(rank, dict) else {}}


def _learner(form: Form, text: str, problem: str) -> dict[str, Any]:
    """The form of the learner that is looked at, edited, or could not be added; or why there is none."""
    action = form.get("action")
    try:
        if action.startswith(EDIT):
            return {"learner": learner_in_study(tables_of(text), action.removeprefix(EDIT))}
        typed = action == "look-learner" or (problem and action.endswith(("-learner", "-each")))
        return {"learner": learner_in_form(form) if typed else LearnerForm()}
    except VeracityError as why:
        return {"learner": LearnerForm(), "problem": problem or in_shell(why.says)}


def _folder(asked: Asked, place: Place | None) -> Path:
    """The folder that the paths of a study begin in."""
    return asked.bench.folder.root if place is None or place.study is None else place.study.parent


def _tables(asked: Asked, place: Place | None) -> list[str]:
    """The tables that may be data, as a study names them."""
    return _from_study(asked, place, asked.bench.folder.tables())


def _from_study(asked: Asked, place: Place | None, names: list[str]) -> list[str]:
    root, folder = asked.bench.folder.root, _folder(asked, place)
    return [Path(os.path.relpath(root / name, folder)).as_posix() for name in names]


def _data(asked: Asked, folder: Path, text: str, problem: str) -> dict[str, Any]:
    """The form of the data set that is looked at, edited or could not be added, with the first rows of its file."""
    action, shown = asked.form.get("action"), DataForm()
    try:
        if action.startswith(EDIT_DATA):
            shown = data_in_study(tables_of(text), action.removeprefix(EDIT_DATA))
        elif action == "look" or (problem and action in ("add-data", "add-folder", "change-data")):
            shown = data_in_form(asked.form)
        preview = _preview(asked, folder, shown.file)
        return {"data": shown, "preview": preview, "target": _guessed_target(preview)}
    except VeracityError as why:
        return {"data": shown, "preview": [], "problem": problem or in_shell(why.says)}


def _guessed_target(preview: list[Cells]) -> str:
    """The column that is called like a target, else the last."""
    return next((one.name for one in preview if one.is_called("truth")), preview[-1].name if preview else "")


def _preview(asked: Asked, folder: Path, source: str) -> list[Cells]:
    """The first rows of a file."""
    if not source or (folder / source).is_dir():
        return []
    path: Path = asked.bench.folder.inside(str(folder / source))
    return [Cells(one.name, one.cells[:PREVIEW]) for one in first_columns(str(path))]
