"""Files: a table of predictions or of scores, its columns guessed and shown, and what it says."""

from __future__ import annotations

from concurrent.futures import TimeoutError as TooLong
from functools import partial
from pathlib import Path
from typing import Any

from starlette.responses import JSONResponse, RedirectResponse, Response

from veracity.core.errors import BadInput, VeracityError
from veracity.core.words import brief, for_command_line
from veracity.readers.guess_predictions import Cells, first_columns, guess_predictions
from veracity.web.asked import Asked
from veracity.web.draft import FIRST
from veracity.web.file_views import ALONE, HEEDED, OUTPUTS, VIEWS, DirectionUnknown, FileInquiry
from veracity.web.pages import page, status_of
from veracity.web.places import NotThere
from veracity.web.view import View, export

PATIENCE = 2.5
NO_PREDICTIONS = (
    "No column of {} looks like predictions, so nothing is scored: say below which column holds what a model said,"
    " or build a study, which tries learners on this table"
)
BEGUN = FIRST.replace('iris = "sklearn:load_iris"\n', "")  # the study that a table is put into
SAMPLE = 3  # cells of a column that are shown


def score_page(asked: Asked) -> Response:
    """The view of a file that the address asks for; without columns it goes on to those that are guessed."""
    if asked.one("file") is None and asked.one("upload") is None:
        return page(
            asked, "files.html", "Files", columns=(), shown=None, files=asked.bench.folder.tables(), asked_of=""
        )
    path, name = _file(asked)
    columns = first_columns(str(path))
    if not any(asked.one(word) for word in (*OUTPUTS, *ALONE, "view")):
        return RedirectResponse(asked.address(**_guess(path)), 303)
    about: dict[str, Any] = {"shown": None, "columns": [_column(one) for one in columns], "asked_of": name}
    about |= {
        "outputs": OUTPUTS,
        "alone": ALONE,
        "fields": _fields(asked),
        "begun": BEGUN,
        "better": asked.one("better"),
    }
    about |= {"views": VIEWS, "files": asked.bench.folder.tables(), "view": asked.one("view") or "scores"}
    status = 200
    if about["view"] != "ranking" and not any(asked.one(word) for word in OUTPUTS):
        return page(asked, "files.html", name, **about, problem=NO_PREDICTIONS.format(name))
    try:
        inquiry = FileInquiry.from_address(*_path_and_name(asked), asked)
        about["shown"] = _answer(asked, path, inquiry).result(PATIENCE)
        about |= {"sections": about["shown"].sections, "better": about["shown"].words.get("better")}
    except DirectionUnknown as why:
        about["ask_direction"] = str(why)
    except TooLong:
        about["progress"] = "the file is being read"
    except VeracityError as why:
        status, about["problem"] = status_of(why), for_command_line(why.says)
    return page(asked, "files.html", name, status, **about)


def score_export(asked: Asked) -> Response:
    """The same address with an ending."""
    path, name = _file(asked)
    inquiry = FileInquiry.from_address(*_path_and_name(asked), asked)
    shown: View = _answer(asked, path, inquiry).result()
    asked_for = (Path(name).stem, inquiry.view, *inquiry.scores, dict(inquiry.words).get("using"))
    return export(shown, asked.names["form"], "-".join(filter(None, asked_for)))


def paste(asked: Asked) -> Response:
    """A table that was pasted."""
    text = asked.form.get("text")
    if not text.strip():
        raise BadInput("paste a table: names of columns in the first line, then a line for each row")
    kept = asked.bench.uploads.keep_text("pasted.csv", text)
    return RedirectResponse(f"/score?upload={kept.key}", 303)


def upload_json(asked: Asked) -> Response:
    """What is known of a file that was brought."""
    kept = asked.bench.uploads[asked.names["key"]]
    columns = [_column(one) for one in first_columns(str(kept.path))]
    guess = guess_predictions(str(kept.path), {})
    options: dict[str, list[str]] = {}
    for role, column in guess.options if guess is not None else ():
        options.setdefault(role, []).append(column)
    return JSONResponse({"id": kept.key, "name": kept.name, "columns": columns, "guess": options})


def _file(asked: Asked) -> tuple[Path, str]:
    key, name = asked.one("upload"), asked.one("file")
    if key is not None:
        kept = asked.bench.uploads[key]
        return kept.path, kept.name
    path = asked.bench.folder.inside(name or "")
    if not path.is_file():
        raise NotThere(f"there is no file {name!r} in this folder")
    return path, str(name)


def _path_and_name(asked: Asked) -> tuple[str, str]:
    """The file, and how a line names it."""
    path, name = _file(asked)
    return str(path), name if asked.one("upload") else str(path)


def _guess(path: Path) -> dict[str, Any]:
    """What the columns may be; without a truth and with no column to be predicted it may be a table of scores."""
    guess = guess_predictions(str(path), {})
    words: dict[str, Any] = {}
    for role, column in guess.options if guess is not None else ():
        words.setdefault(role, []).append(column)
    known = {"truth", *OUTPUTS} & set(words) or (guess is not None and guess.advice)
    return {**words, "view": "scores", "guessed": "1"} if known else {"view": "ranking"}


def _fields(asked: Asked) -> set[str]:
    """The words of the address that the form has fields for; it carries the others along."""
    view = asked.one("view") or "scores"
    of_columns = () if view == "ranking" else (*OUTPUTS, *ALONE)
    return {*HEEDED.get(view, ()), *of_columns, "guessed"}


def _column(one: Cells) -> dict[str, Any]:
    kind = "number" if one.numbers is not None else "text"
    return {"name": one.name, "kind": kind, "sample": [brief(str(cell), 24) for cell in one.cells[:SAMPLE]]}


def _answer(asked: Asked, path: Path, inquiry: FileInquiry) -> Any:
    if inquiry.view not in VIEWS:
        raise NotThere(f"there is no view {inquiry.view!r}: there are {', '.join(VIEWS)}")
    seen = path.stat()
    return asked.bench.memory.ask((inquiry, seen.st_mtime_ns, seen.st_size), partial(VIEWS[inquiry.view], inquiry))
