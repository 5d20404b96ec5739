"""The page of files of predictions and scores, and the views of them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import TimeoutError as TooLong
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from starlette.responses import JSONResponse, RedirectResponse, Response

from veracity.contests.compare import compare
from veracity.contests.rank import rank
from veracity.core.errors import BadInput, VeracityError
from veracity.core.words import brief, for_command_line
from veracity.curves.from_predictions import curve
from veracity.evidence.predictions import Predictions
from veracity.evidence.score_matrix import HIGHER_TAKEN
from veracity.findings.curve import Curve
from veracity.findings.ranking import Ranking
from veracity.readers.guess_predictions import Cells, first_columns, guess_predictions
from veracity.readers.read_models import OF_ALL, ROLES, alone_or_all, columns_by_model, read_models, read_slices
from veracity.readers.read_scores import read_scores
from veracity.reports.report import report
from veracity.risk.breakdowns import slices
from veracity.web.asked import Asked, Pairs
from veracity.web.calls import Call, Source, Written, python_call
from veracity.web.draft import FIRST
from veracity.web.pages import page, status_of
from veracity.web.places import NotThere
from veracity.web.view import USUAL_LEVEL, View, export, view_of_curve, view_of_report, view_of_result

OUTPUTS = ROLES  # what a model said; several columns are several models
SETTINGS = ("threshold", "labelled", "missing", "percent", "decimal")  # of reading, which no form has
ALONE = tuple(role for role in OF_ALL if role not in SETTINGS)
WORDS = ("using", "then", "pairs", "control", "kind", "slices", "better")  # of a question


class DirectionUnknown(BadInput):
    """A table of scores is not ranked before it is said, or known from their name, which direction is better."""


@dataclass(frozen=True)
class FileInquiry:
    """What is asked of a file, read from an address."""

    path: str
    name: str  # what its owner calls it
    view: str
    outputs: Pairs
    common: Pairs
    scores: tuple[str, ...] = ()
    words: Pairs = ()  # of the question
    level: float = USUAL_LEVEL

    @classmethod
    def from_address(cls, path: str, name: str, asked: Asked) -> FileInquiry:
        """All words of an address that mean something here."""
        outputs = tuple((role, column) for role in OUTPUTS for column in asked.every(role))
        common = tuple((role, value) for role in ALONE if (value := asked.one(role)) is not None)
        words = tuple((word, value) for word in WORDS if (value := asked.one(word)) is not None)
        level = USUAL_LEVEL if asked.level is None else asked.level
        return cls(path, name, asked.one("view") or "scores", outputs, common, asked.methods("score"), words, level)

    @property
    def changed_level(self) -> float | None:
        return None if self.level == USUAL_LEVEL else self.level

    @property
    def options(self) -> dict[str, Any]:
        """The columns as options of the command line."""
        columns: dict[str, Any] = {}
        for role, column in self.outputs:
            columns.setdefault(role, []).append(column)
        return {**columns, **dict(self.common)}

    def read(self) -> Any:
        """Return the predictions as the command line reads them: one model alone, or several by name."""
        return alone_or_all(read_models([self.path], self.options))

    def source(self, value: Any) -> Source:
        """Return the models that were read, and how they are read elsewhere."""
        common: dict[str, Any] = dict(self.common)
        reads = {
            name: python_call("vc.read_predictions", self.name, **model, **common)
            for name, model in columns_by_model(self.options).items()
        }
        listed = ",\n".join(f"    {name!r}: {read}" for name, read in reads.items())
        python = reads[""] if set(reads) == {""} else f"{{\n{listed},\n}}"
        if "model" in common and set(reads) != {""}:
            python = f'{{f"{{model}} {{name}}": p for name, each in {python}.items() for model, p in each.items()}}'
        return Source(value, "source", python, (self.name,))

    def typed(self, **options: Any) -> dict[str, Any]:
        """Return the options of a command: how rows are read comes first."""
        return {**self.options, **options}


def scores(asked: FileInquiry) -> View:
    """Every score that the predictions allow, or those named, with curves and, of several models, their comparison."""
    names = list(asked.scores) or None
    how = {"level": asked.changed_level}
    typed = asked.typed(scores=",".join(names or ()), **how)
    call = Call(report, asked.source(asked.read()), named={"scores": names, **how}, options=typed)
    found = call.run()
    return view_of_report(replace(found, material=replace(found.material, title=asked.name)), call)


def pairs(asked: FileInquiry) -> View:
    """Models of the same rows against each other."""
    words = dict(asked.words)
    how = {word: words.get(word) for word in ("using", "then")} | {"level": asked.changed_level}
    first = asked.scores[:1]
    named = {"score": next(iter(first), None), **how}
    call = Call(compare, asked.source(asked.read()), named=named, words=first, options=asked.typed(**how))
    return view_of_result(call.run(), "Pairs", call, picture=True)


def curves(asked: FileInquiry) -> View:
    """One kind of curve, all models on one chart."""
    source = asked.read()
    first = source if isinstance(source, Predictions) else next(iter(source.values()))
    kind = dict(asked.words).get("kind") or ("residuals" if first.kind == "numbers" else "roc")
    call = Call(curve, asked.source(source), (kind,), options=asked.typed(kind=kind))
    found: Curve = call.run()
    return replace(view_of_curve(found, report(found, title=found.title), call), answer="")


def by_slices(asked: FileInquiry) -> View:
    """Scores of each group of rows that a column names."""
    column = dict(asked.words).get("slices")
    if column is None:
        raise BadInput("name the column that slices the rows")
    models, groups = read_slices([asked.path], asked.options, column)
    labels = Written(groups, python_call("vc.read_column", asked.name, column))
    how = {"level": asked.changed_level}
    named, typed = {"names": list(asked.scores) or None, **how}, asked.typed(slices=column, **how)
    source = asked.source(alone_or_all(models))
    call = Call(slices, source, (labels,), named, verb="score", words=asked.scores, options=typed)
    return view_of_result(call.run(), f"By {column}", call)


def ranking(asked: FileInquiry) -> View:
    """A table of scores, learners over data sets, or a result file of Weka's."""
    words = dict(asked.words)
    read: Any = {"score": next(iter(asked.scores), None), "better": words.get("better")}
    how = {word: words.get(word) for word in ("using", "then", "pairs", "control")} | {"level": asked.changed_level}
    table = read_scores(asked.path, **{word: value for word, value in read.items() if value})
    if HIGHER_TAKEN in table.notes:
        raise DirectionUnknown(f"whether a high {table.score} is good is not known: say better=higher or better=lower")
    source = Source(table, "table", python_call("vc.read_scores", asked.name, **read), (asked.name,))
    call = Call(rank, source, named=how, options={**read, **how})
    found = call.run()
    view = view_of_result(found, "Ranking", call, picture=isinstance(found, Ranking))
    return replace(view, words={"better": table.better})


HEEDED = {  # the words of the address that each view heeds, beside the columns
    "scores": ("score", "level"),
    "pairs": ("score", "using", "then", "level"),
    "curves": ("kind",),
    "slices": ("score", "slices", "level"),
    "ranking": ("score", "better", "using", "pairs", "then", "control", "level"),
}
VIEWS: dict[str, Callable[[FileInquiry], View]] = {
    "scores": scores,
    "pairs": pairs,
    "curves": curves,
    "slices": by_slices,
    "ranking": ranking,
}


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
    path, name, written = _file(asked)
    columns = first_columns(str(path))
    if not any(asked.one(word) for word in (*OUTPUTS, *ALONE, "view")):
        guess, is_known = _guessed_columns(path)  # else it may be a table of scores
        words = {**guess, "view": "scores", "guessed": "1"} if is_known else {"view": "ranking"}
        return RedirectResponse(asked.address(**words), 303)
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
        inquiry = FileInquiry.from_address(str(path), written, asked)
        about["shown"] = _answer(asked, path, inquiry, PATIENCE)
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
    path, name, written = _file(asked)
    inquiry = FileInquiry.from_address(str(path), written, asked)
    shown = _answer(asked, path, inquiry)
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
    """Return what is known of a file that was brought."""
    kept = asked.bench.uploads[asked.names["key"]]
    columns = [_column(one) for one in first_columns(str(kept.path))]
    guess, _ = _guessed_columns(kept.path)
    return JSONResponse({"id": kept.key, "name": kept.name, "columns": columns, "guess": guess})


def _guessed_columns(path: Path) -> tuple[dict[str, Any], bool]:
    """Return the columns by the role that each may have, and whether these may be predictions or become some."""
    guess = guess_predictions(str(path), {})
    columns: dict[str, list[str]] = {}
    for role, column in guess.options if guess is not None else ():
        columns.setdefault(role, []).append(column)
    return columns, bool({"truth", *OUTPUTS} & set(columns) or (guess is not None and guess.advice))


def _file(asked: Asked) -> tuple[Path, str, str]:
    """Return the path of the file, its name, and how a command names it."""
    key, name = asked.one("upload"), asked.one("file")
    if key is not None:
        kept = asked.bench.uploads[key]
        return kept.path, kept.name, kept.name
    path = asked.bench.folder.inside(name or "")
    if not path.is_file():
        raise NotThere(f"there is no file {name!r} in this folder")
    return path, str(name), str(path)


def _fields(asked: Asked) -> set[str]:
    """The words of the address that the form has fields for; it carries the others along."""
    view = asked.one("view") or "scores"
    of_columns = () if view == "ranking" else (*OUTPUTS, *ALONE)
    return {*HEEDED.get(view, ()), *of_columns, "guessed"}


def _column(one: Cells) -> dict[str, Any]:
    kind = "number" if one.numbers is not None else "text"
    return {"name": one.name, "kind": kind, "sample": [brief(str(cell), 24) for cell in one.cells[:SAMPLE]]}


def _answer(asked: Asked, path: Path, inquiry: FileInquiry, timeout: float | None = None) -> View:
    if inquiry.view not in VIEWS:
        raise NotThere(f"there is no view {inquiry.view!r}: there are {', '.join(VIEWS)}")
    seen = path.stat()
    key = (inquiry, seen.st_mtime_ns, seen.st_size)
    view: View = asked.bench.memory.answer(key, partial(VIEWS[inquiry.view], inquiry), timeout)
    return view
