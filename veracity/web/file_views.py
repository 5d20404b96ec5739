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
from veracity.evidence.score_matrix import HIGHER_TAKEN
from veracity.readers.read_models import OF_ALL, ROLES, alone_or_all, columns_by_model, read_models, read_slices
from veracity.readers.read_scores import read_scores
from veracity.reports.report import report
from veracity.web.asked import Asked
from veracity.web.inquiry import USUAL_LEVEL
from veracity.web.lines import Lines, Name, python_call, python_text, shell_line
from veracity.web.shown import Shown, curve_points, show_finding, show_report

OUTPUTS = ROLES  # what a model said; several columns are several models
SETTINGS = ("threshold", "labelled", "missing", "percent", "decimal")  # of reading, which no form has
ALONE = tuple(role for role in OF_ALL if role not in SETTINGS)
Pairs = tuple[tuple[str, str], ...]


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

    @property
    def options(self) -> dict[str, Any]:
        """The columns as options of the command line."""
        columns: dict[str, Any] = {}
        for role, column in self.outputs:
            columns.setdefault(role, []).append(column)
        return {**columns, **dict(self.common)}

    def read(self) -> Any:
        """The predictions as the command line reads them: one model alone, or several by name."""
        return alone_or_all(read_models([self.path], self.options))

    def read_with_slices(self, by: str) -> tuple[Any, Any]:
        """The same, with the column that slices their rows."""
        models, groups = read_slices([self.path], self.options, by)
        return alone_or_all(models), groups

    def lines(self, verb: str, words: tuple[str, ...], call: str, **options: Any) -> Lines:
        """The command, and the Python that gives the same."""
        command = shell_line(verb, self.name, *words, **self.options, **options)
        common: dict[str, Any] = dict(self.common)
        reads = {
            name: python_call("vc.read_predictions", self.name, **model, **common)
            for name, model in columns_by_model(self.options).items()
        }
        listed = ",\n".join(f"    {name!r}: {read}" for name, read in reads.items())
        source = reads[""] if set(reads) == {""} else f"{{\n{listed},\n}}"
        if "model" in common and set(reads) != {""}:
            source = f'{{f"{{model}} {{name}}": p for name, each in {source}.items() for model, p in each.items()}}'
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
    source, groups = asked.read_with_slices(column)
    names = list(asked.scores) or None
    found = slices(source, groups, names, level=asked.level)
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
    table = read_scores(asked.path, **{word: value for word, value in read.items() if value})
    if HIGHER_TAKEN in table.notes:
        raise DirectionUnknown(f"whether a high {table.score} is good is not known: say better=higher or better=lower")
    found = rank(table, **given)
    before = f"table = {python_call('vc.read_scores', asked.name, **read)}"
    call = python_call("vc.rank", Name("table"), **given)
    lines = Lines(shell_line("rank", asked.name, **read, **how), python_text((before,), call))
    shown = show_finding(found, "Ranking", lines, picture=type(found).__name__ == "Ranking")
    return replace(shown, words={"better": table.better})


HEEDED = {  # the words of the address that each view heeds, beside the columns
    "scores": ("score", "level"),
    "pairs": ("score", "using", "then", "level"),
    "curves": ("kind",),
    "slices": ("score", "slices", "level"),
    "ranking": ("score", "better", "using", "pairs", "then", "control", "level"),
}
VIEWS: dict[str, Callable[[FileInquiry], Shown]] = {
    "scores": scores,
    "pairs": pairs,
    "curves": curves,
    "slices": by_slices,
    "ranking": ranking,
}
