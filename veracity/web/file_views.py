"""The views of a file: predictions are scored, compared and sliced, a table of scores is ranked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from veracity.api.curve import curve
from veracity.api.plot import plot
from veracity.api.slices import slices
from veracity.contests.compare import compare
from veracity.contests.rank import rank
from veracity.core.errors import BadInput
from veracity.evidence.predictions import Predictions
from veracity.readers.read_predictions import read_predictions, read_table
from veracity.readers.read_scores import read_scores
from veracity.reports.report import report
from veracity.web.asked import Asked
from veracity.web.inquiry import USUAL_LEVEL
from veracity.web.lines import Lines, Name, python_call, python_text, shell_line
from veracity.web.shown import Shown, curve_points, show_finding, show_report

OUTPUTS = ("label", "proba", "value", "number", "correct", "loss")
ALONE = ("truth", "model", "positive", "groups", "weights", "rows", "fold", "repeat")
Pairs = tuple[tuple[str, str], ...]


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
        words = tuple(
            (word, value)
            for word in ("using", "then", "pairs", "control", "kind", "slices", "better")
            if (value := asked.one(word)) is not None
        )
        level = USUAL_LEVEL if asked.level is None else asked.level
        return cls(path, name, asked.one("view") or "scores", outputs, common, asked.methods("score"), words, level)

    @property
    def changed_level(self) -> float | None:
        return None if self.level == USUAL_LEVEL else self.level

    def models(self) -> dict[str, dict[str, Any]]:
        """The columns of each model: roles that are named several times make several models."""
        roles: dict[str, list[Any]] = {}
        for role, column in self.outputs:
            roles.setdefault(role, []).append(column)
        if "proba" in roles and all("=" in column for column in roles["proba"]):
            roles["proba"] = [dict(column.split("=", 1) for column in roles["proba"])]
        if not roles:
            raise BadInput("name the column with what the model said: label, proba, value or number")
        several = max(map(len, roles.values()))
        if any(len(columns) != several for columns in roles.values()):
            raise BadInput("give each model the same columns: one of each kind, or as many of each as there are models")
        each = [{role: columns[place] for role, columns in roles.items()} for place in range(several)]
        return {"" if several == 1 else str(next(iter(model.values()))): model for model in each}

    def read(self) -> Any:
        """The predictions: one model alone, or several by name."""
        common: dict[str, Any] = dict(self.common)
        models = {name: read_predictions(self.path, **model, **common) for name, model in self.models().items()}
        return models[""] if set(models) == {""} else models

    def lines(self, verb: str, words: tuple[str, ...], call: str, **options: Any) -> Lines:
        """The command, and the Python that gives the same."""
        common: dict[str, Any] = dict(self.common)
        columns: dict[str, list[str]] = {}
        for role, column in self.outputs:
            columns.setdefault(role, []).append(column)
        command = shell_line(verb, self.name, *words, **columns, **common, **options)
        reads = {
            name: python_call("vc.read_predictions", self.name, **model, **common)
            for name, model in self.models().items()
        }
        listed = ",\n".join(f"    {name!r}: {read}" for name, read in reads.items())
        source = reads[""] if set(reads) == {""} else f"{{\n{listed},\n}}"
        return Lines(command, python_text((f"source = {source}",), call))


def scores(asked: FileInquiry) -> Shown:
    """Every score that the predictions allow, or those named, with curves and, of several models, their comparison."""
    names = list(asked.scores) or None
    found = report(asked.read(), names, title=asked.name, level=asked.level)
    call = python_call("vc.report", Name("source"), scores=names, level=asked.changed_level)
    lines = asked.lines("report", (), call, scores=",".join(names or ()), level=asked.changed_level)
    return show_report(found, lines)


def pairs(asked: FileInquiry) -> Shown:
    """Models of the same rows against each other."""
    score, words = (asked.scores or (None,))[0], dict(asked.words)
    how = {word: words.get(word) for word in ("using", "then")} | {"level": asked.changed_level}
    given: Any = {word: value for word, value in how.items() if value is not None}
    found = compare(asked.read(), score, **given)
    call = python_call("vc.compare", Name("source"), score=score, **given)
    return show_finding(found, "Pairs", asked.lines("compare", asked.scores[:1], call, **how), picture=True)


def curves(asked: FileInquiry) -> Shown:
    """One kind of curve, all models on one chart."""
    source = asked.read()
    first = source if isinstance(source, Predictions) else next(iter(source.values()))
    kind = dict(asked.words).get("kind") or ("residuals" if first.kind == "numbers" else "roc")
    found = curve(source, kind)
    shown = show_report(
        report(found, title=found.title),
        asked.lines("curve", (), f"vc.curve(source, {kind!r})", kind=kind),
        shape=found.to_json,
        axes=lambda: plot(found),
        tables=(curve_points(found),),
    )
    return replace(shown, answer="")


def by_slices(asked: FileInquiry) -> Shown:
    """Scores of each group of rows that a column names."""
    column = dict(asked.words).get("slices")
    if column is None:
        raise BadInput("name the column that slices the rows")
    models: list[dict[str, Any]] = [{**model, **dict(asked.common)} for model in asked.models().values()]
    groups = read_table(asked.path, models, column)[column]
    names = list(asked.scores) or None
    found = slices(asked.read(), groups, names, level=asked.level)
    labels = Name(python_call("vc.read_column", asked.name, column))
    call = python_call("vc.slices", Name("source"), labels, names=names, level=asked.changed_level)
    lines = asked.lines("score", asked.scores, call, slices=column, level=asked.changed_level)
    return show_finding(found, f"By {column}", lines)


def ranking(asked: FileInquiry) -> Shown:
    """A table of scores, learners over data sets, or a result file of Weka's."""
    score, words = (asked.scores or (None,))[0], dict(asked.words)
    read: Any = {"score": score, "better": words.get("better")}
    how = {word: words.get(word) for word in ("using", "then", "pairs", "control")} | {"level": asked.changed_level}
    given: Any = {word: value for word, value in how.items() if value is not None}
    found = rank(read_scores(asked.path, **{word: value for word, value in read.items() if value}), **given)
    before = f"table = {python_call('vc.read_scores', asked.name, **read)}"
    call = python_call("vc.rank", Name("table"), **given)
    lines = Lines(shell_line("rank", asked.name, **read, **how), python_text((before,), call))
    return show_finding(found, "Ranking", lines, picture=type(found).__name__ == "Ranking")


VIEWS: dict[str, Callable[[FileInquiry], Shown]] = {
    "scores": scores,
    "pairs": pairs,
    "curves": curves,
    "slices": by_slices,
    "ranking": ranking,
}
